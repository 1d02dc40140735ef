"""One-line hint about the structure of a program, without its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from envhub.core.types import JSON

_WORDS: Final = {
    "nested": "a loop in a loop",
    "for": "a loop",
    "while": "a while loop",
    "comp": "a comprehension",
    "if": "an if",
    "either": "a conditional expression",
    "continue": "a continue",
    "append": "a list that is filled",
    "pop": "a stack",
    "put": "a dict of counts or sums",
    "%": "remainders",
    "//": "whole division",
    "*": "multiplication",
    "zip": "pairs of neighbours",
    "enumerate": "positions",
    "ord": "places of letters in the alphabet",
    "sorted": "sorting",
    "descending": "sorting",
    "distinct": "sorting without repetition",
    "sum": "a sum",
    "largest": "a maximum",
    "smallest": "a minimum",
    "max": "a maximum",
    "min": "a minimum",
    "count": "counting",
    "abs": "an absolute value",
    "len": "a length",
    "slice": "a slice",
}


def hint(program: JSON) -> str:
    """Constructs of the program in a fixed order, and its largest constant."""
    used = set(_used(program["main"]["body"], False))
    for helper in program["helpers"]:
        used |= set(_used(helper["body"], False))
    words = list(dict.fromkeys(word for name, word in _WORDS.items() if name in used))
    if "nested" in used:
        words.remove(_WORDS["for"])
    constants = [abs(value) for value in used if type(value) is int]
    text = f"The function uses {_listed(words)}" if words else "The function is a single expression"
    return f"{text}. No number in it is larger than {max(constants)}." if constants else f"{text}."


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _used(part: Any, looped: bool) -> Iterator[Any]:
    if type(part) is not list or not part:
        return
    head = part[0]
    if head == "bin" and ["int", 97] in part:  # a letter as a number, or a number as a letter
        yield "ord"
        part = [other for other in part[2:] if other != ["int", 97]]
    elif head == "int":
        yield part[1]
    elif head in ("bin", "call", "method", "aug"):
        yield part[2] if head == "aug" else part[1]
    elif type(head) is str:
        yield "nested" if head == "for" and looped else head
    for child in part:
        yield from _used(child, looped or head in ("for", "while"))
