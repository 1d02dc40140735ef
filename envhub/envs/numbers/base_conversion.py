"""base-conversion-v0: write a number of one base in another base.

Action: the digits. Difficulty: larger numbers and bases, then two bases that are not ten; effort is the number of divisions and
multiplications of digits. The variant ``negative`` asks for a negative base, in which every integer has digits without a sign.
"""

from __future__ import annotations

from typing import Any

from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers.bases import DIGITS, digits_of, numeral, value_of
from envhub.verifiers.answers.numerals import Digits


class BaseConversion(Value):
    """Write a number in another base."""

    Params = levels(
        bits=knob("size of the number in bits", 8, 11, 14, 17, 21, 26, 32, 40, 52, 70, at_least=6, at_most=128),
        largest=knob("largest base", 9, 12, 16, 16, 20, 24, 30, 36, 36, 36, at_least=3),
        decimal=knob("whether one of the bases is ten", *[True] * 4, *[False] * 6),
        variant=knob("sign of the new base", "positive", choices=("positive", "negative")),
    )
    answer = Digits()
    data = labelled(number="number", source="base of the number", target="base of the answer")
    task = Phrase(
        "Convert a number from base {source} to base {target}.",
        "A number is given in base {source}. Write it in base {target}.",
        "What is the base {target} representation of a number given in base {source}?",
        held_out="Let n be the integer given in base {source}. Determine the digits of n in base {target}.",
    )
    _letters = Phrase(
        "The letters a to z are the digits 10 to 35.",
        "Digits from 10 to 35 are written as the letters a to z.",
        "For digits larger than 9, a means 10, b means 11, and so on up to z for 35.",
        held_out="Digit symbols are 0-9 and then a-z, with the values 10 to 35.",
    )
    _negative = Phrase(
        "In base -b, the digit k places from the right end is multiplied by (-b)^k. Digits are 0 to b - 1.",
        "Base -b uses the digits 0 to b - 1. The digit at position k, counted from 0 on the right, is multiplied by (-b)^k.",
        "Base -b has the digits 0 to b - 1 and the place values (-b)^k, where the rightmost place has k = 0.",
        held_out="In base -b, the value is the sum of d_k * (-b)^k over the digits d_k in 0..b-1, with k = 0 for the last one.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A number of the wanted size."""
        source, target = rng.between(2, p.largest), rng.between(2, p.largest)
        if p.decimal or p.variant == "negative":
            source, target = (10, target) if rng.below(2) or p.variant == "negative" else (source, 10)
        number = rng.between(1 << p.bits - 1, (1 << p.bits) - 1)
        if source == target:
            return None
        target = -target if p.variant == "negative" else target
        return {"number": numeral(number, source), "source": source, "target": target}

    def value(self, problem: JSON) -> str:
        """By repeated division."""
        return numeral(_read(problem), problem["target"])

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """How digits are written, and what a negative base means."""
        letters = (self._letters,) if max(problem["source"], problem["target"]) > 10 else ()
        return (*letters, self._negative) if problem["target"] < 0 else letters

    def example(self, problem: JSON) -> str:
        """Three digits of the new base."""
        return f"10{DIGITS[abs(problem['target']) - 1]}"

    def slips(self, problem: JSON) -> list[str]:
        """The reverse, a neighbour, and the number read in the wrong base."""
        right = self.value(problem)
        return [right[::-1], numeral(_read(problem) + 1, problem["target"]), right + "0", right[1:], problem["number"]]

    def canonical(self, content: JSON) -> JSON:
        """The number and its bases."""
        return [_read(content), content["source"], content["target"]]

    def effort(self, inst: Instance) -> float:
        """Products of digits, for both conversions."""
        decimal = len(digits_of(_read(inst.problem), 10))
        return float(decimal * (len(inst.problem["number"]) + len(inst.key)))


def _read(problem: JSON) -> int:
    return value_of([DIGITS.index(sign) for sign in problem["number"]], problem["source"])
