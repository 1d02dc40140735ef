"""Numeric questions: exact integer computations, long by hand, short in code.

A chain has parts, each of one of twelve families. Every part starts from a number ``x``: the first from a given one,
each later one from the previous result. A part knows its wording, its value, and a naive program, written independently
of the evaluation here, so that each checks the other::

    parts, x = draw(rng, count=2, work=500)
    asked(parts)        # the questions, in words
    value(parts, x)     # the answer, an integer
    program(parts, x)   # Python that prints it
    steps(parts)        # elementary steps of a straightforward evaluation
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.code.python_tool.families import FAMILIES, Numbers

MODULUS: Final = 1000
"""Modulus of the value carried from part to part."""
_DAYS: Final = ("a Monday or a Friday", "a Tuesday or a Saturday", "a Wednesday or a Sunday")
Part = tuple[str, Numbers]


def draw(rng: Stream, count: int, work: int) -> tuple[list[Part], int]:
    """Parts of different families, and the start value.

    Each part takes about ``work`` steps.
    """
    names = rng.sample([name for name, family in FAMILIES.items() if family.least <= work], count)
    return [(name, FAMILIES[name].draw(rng, work)) for name in names], rng.below(MODULUS)


def asked(parts: Sequence[Part]) -> list[str]:
    """The questions of the parts in words, about x."""
    return [FAMILIES[name].words.format(**numbers, days=_DAYS[numbers.get("weekday", 0)]) for name, numbers in parts]


def value(parts: Sequence[Part], x: int) -> int:
    """The answer to the last part."""
    found = x
    for name, numbers in parts:
        found = FAMILIES[name].value(numbers, found % MODULUS)
    return found


def program(parts: Sequence[Part], x: int) -> str:
    """A Python program that prints the answer."""
    lines = []
    for number, (name, numbers) in enumerate(parts, 1):
        body = FAMILIES[name].program.format(**numbers).strip("\n").replace("\n", "\n    ")
        lines.append(f"def part{number}(x):\n    {body}\n")
    calls = [f"answer = part{number}(answer % {MODULUS})" for number in range(1, len(parts) + 1)]
    return "\n".join([*lines, f"answer = {x}", *calls, "print(answer)"])


def steps(parts: Sequence[Part]) -> int:
    """Number of elementary steps of a straightforward evaluation."""
    return sum(numbers["steps"] for _, numbers in parts)
