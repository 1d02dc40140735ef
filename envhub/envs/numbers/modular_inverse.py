"""modular-inverse-v0: find a modular inverse, with Bezout's identity as proof.

Action: two integers by name. Difficulty: longer numbers; effort is the number of digits that Euclid's algorithm divides.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, knob, levels
from envhub.generators.numbers.congruences import bezout
from envhub.verifiers.answers.assignments import Assignments


class ModularInverse(Value):
    """Find an inverse, with Bezout's identity."""

    Params = levels(digits=knob("digits of the modulus", 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, at_least=2, at_most=40))
    answer = Assignments()
    data = labelled(number="a", modulus="m")
    task = Phrase(
        "Find the inverse x of a modulo m, and the integer y with a * x + m * y = 1.",
        "Which x is the multiplicative inverse of a modulo m, and which integer y satisfies a * x + m * y = 1?",
        "Solve a * x + m * y = 1 in integers x and y, such that x is the inverse of a modulo m.",
        held_out="Determine the pair of integers (x, y) with a * x + m * y = 1 in which x is the inverse of a modulo m.",
    )
    rules = (
        Phrase(
            "x must be from 1 to m - 1. Then y is negative or 0.",
            "Choose x between 1 and m - 1, so that y is at most 0.",
            "Only the x from 1 to m - 1 counts. The y that belongs to it is not positive.",
            held_out="Normalize to 0 < x < m, which implies y <= 0.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Two numbers without a common divisor, and no obvious inverse."""
        low = 10 ** (p.digits - 1)
        modulus = rng.between(max(40, low), 10 * low - 1)
        number = rng.between(modulus // 5, modulus * 4 // 5)
        if gcd(number, modulus) > 1 or min(pow(number, -1, modulus), -pow(number, -1, modulus) % modulus) < 4:
            return None
        return {"number": number, "modulus": modulus}

    def value(self, problem: JSON) -> dict[str, frozenset[Fraction]]:
        """By the extended algorithm of Euclid."""
        x = bezout(problem["number"], problem["modulus"]).x % problem["modulus"]
        return _pair(x, (1 - problem["number"] * x) // problem["modulus"])

    def write(self, value: dict[str, frozenset[Fraction]]) -> str:
        """As equations."""
        return ", ".join(f"{name} = {number}" for name, [number] in value.items())

    def slips(self, problem: JSON) -> list[dict[str, frozenset[Fraction]]]:
        """The pair of another x, a wrong sign, and the two interchanged."""
        [x], [y] = self.value(problem).values()
        a, m = problem["number"], problem["modulus"]
        return [_pair(x - m, y + a), _pair(x + m, y - a), _pair(x, -y), _pair(-x, y), _pair(y, x), _pair(x, y + 1)]

    def example(self, problem: JSON) -> str:
        """A pair that solves nothing."""
        return "x = 17, y = -5"

    def effort(self, inst: Instance) -> float:
        """Digits that Euclid's algorithm divides."""
        a, m = inst.problem["number"], inst.problem["modulus"]
        return float(bezout(a, m).steps * len(str(m)))


def _pair(x: Any, y: Any) -> dict[str, frozenset[Fraction]]:
    return {"x": frozenset({Fraction(x)}), "y": frozenset({Fraction(y)})}
