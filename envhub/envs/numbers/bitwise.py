"""bitwise-v0: evaluate a bitwise expression on words of a fixed width.

Action: one decimal integer. Difficulty: more operations on wider words, then shifts, rotations and counts of ones; effort is
the number of bits that operations read. The order of operands of ``& | ^ + *`` does not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from envhub.authoring.wording import Statement
from envhub.families.renderings import written
from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers import bits, formulas

_UNBOUNDED = bits.operators(64)
_DATA = {notation: written("formula", _UNBOUNDED, text.format) for notation, text in bits.NOTATIONS.items()}


class Bitwise(Value):
    """Evaluate a bitwise expression."""

    Params = levels(
        terms=knob("how many words", 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, at_least=1),
        width=knob("bits of a word", 8, 8, 12, 12, 16, 16, 16, 24, 32, 32, at_least=8, at_most=64),
        shifts=knob("whether shifts, rotations and inversions occur", *[False] * 3, *[True] * 7),
        counts=knob("whether ones are counted", *[False] * 2, *[True] * 8),
    )
    answer = Integer()
    data = _DATA["decimal"]
    task = Phrase(
        "Evaluate this expression of {width}-bit words.",
        "Compute the value of the expression. Its numbers are words of {width} bits.",
        "What is the value of this expression on words of {width} bits?",
        held_out="Let v be the value of the given expression over {width}-bit words. Determine v.",
    )
    rules = (
        Phrase(
            "A word is an unsigned integer of w = {width} bits. {meanings}",
            "All numbers are unsigned integers with w = {width} bits. {meanings}",
            "Each number is an unsigned integer smaller than 2^w, where w = {width}. {meanings}",
            held_out="The domain is 0..2^w-1 with w = {width}. {meanings}",
        ),
        Phrase(
            "Write the result as a decimal number.",
            "The result must be written in decimal.",
            "Give the result in decimal notation, not in hexadecimal or binary.",
            held_out="Decimal notation is required.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A formula over random words.

        A count of ones is multiplied, so that it cannot be guessed.
        """
        words: list[Any] = [rng.between(1, (1 << p.width) - 1) for _ in range(p.terms)]
        if p.shifts:
            at = rng.below(p.terms)
            kind = rng.choice(("~", "<<", ">>", "rot"))
            words[at] = ["~", words[at]] if kind == "~" else [kind, words[at], rng.between(1, p.width - 1)]
        formula = formulas.grow(rng, words, ("&", "|", "^", "+") if p.shifts else ("&", "|", "^"), True)
        if p.counts and rng.below(2):
            formula = ["*", ["ones", formula], rng.between(101, (1 << p.width) - 1)]
        found = {"formula": formula, "width": p.width, "notation": rng.choice(list(bits.NOTATIONS))}
        return None if self.value(found) in (0, (1 << p.width) - 1, *words) else found

    def value(self, problem: JSON) -> int:
        """By integer operations."""
        return int(formulas.evaluate(problem["formula"], bits.operators(problem["width"]), int))

    def prompt(self, problem: JSON) -> Statement:
        """The expression with its words in the notation of the problem."""
        found = formulas.arities(problem["formula"])
        used = [meaning for key, meaning in bits.MEANINGS.items() if key in found]
        values = {**problem, "meanings": " ".join(used)}
        return Statement(self.task, _DATA[problem["notation"]], problem, self.rules, values=values)

    def slips(self, problem: JSON) -> Iterator[int]:
        """The complement, and a shift or a width off by one."""
        right, width = self.value(problem), problem["width"]
        yield from (right ^ (1 << width) - 1, right << 1, right >> 1, right ^ 1, right + (1 << width))

    def canonical(self, content: JSON) -> JSON:
        """Operands in a fixed order; the notation does not count."""
        return [formulas.canonical(content["formula"], bits.operators(content["width"]), int), content["width"]]

    def effort(self, inst: Instance) -> float:
        """Bits that all operations read."""
        return float(inst.problem["width"] * formulas.size(inst.problem["formula"]))
