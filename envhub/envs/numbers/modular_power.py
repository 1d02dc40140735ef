"""modular-power-v0: find the remainder of a power.

Action: one integer. Difficulty: longer bases, exponents and moduli; effort is the number of digit products that squaring and
multiplying takes.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.families.renderings import labelled
from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, knob, levels

_POWERS: Final = 10
"""Least number of different powers of a base; with fewer, few remainders are drawn often."""


class ModularPower(Value):
    """Find the remainder of a power."""

    Params = levels(
        modulus=knob("digits of the modulus", 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, at_least=2, at_most=12),
        exponent=knob("bits of the exponent", 4, 6, 6, 8, 10, 12, 16, 20, 28, 36, at_least=3, at_most=256),
    )
    answer = Integer()
    data = labelled(base="base", exponent="exponent", modulus="modulus")
    task = Phrase(
        "Find the remainder when the base, raised to the exponent, is divided by the modulus.",
        "Raise the base to the exponent. What is the remainder of the result after division by the modulus?",
        "Compute base^exponent mod modulus.",
        held_out="For the base a, the exponent e and the modulus m, determine the residue of a^e modulo m.",
    )
    rules = (
        Phrase(
            "The remainder is at least 0 and smaller than the modulus.",
            "Give the remainder that is not negative and is smaller than the modulus.",
            "The answer must be from 0 to the modulus minus 1.",
            held_out="Report the least non-negative residue.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A remainder above 1, of a base with ten powers or more."""
        low = 10 ** (p.modulus - 1)
        modulus = rng.between(max(30, low), 10 * low - 1)
        base, exponent = rng.between(3, modulus - 2), rng.between(1 << p.exponent - 1, (1 << p.exponent) - 1)
        powers = {pow(base, step, modulus) for step in range(_POWERS)}
        trivial = pow(base, exponent, modulus) < 2 or len(powers) < _POWERS
        return None if trivial else {"base": base, "exponent": exponent, "modulus": modulus}

    def value(self, problem: JSON) -> int:
        """By squaring and multiplying."""
        return int(pow(problem["base"], problem["exponent"], problem["modulus"]))

    def slips(self, problem: JSON) -> list[int]:
        """Other exponents, a product, and remainders of another range."""
        base, exponent, modulus = problem["base"], problem["exponent"], problem["modulus"]
        right = self.value(problem)
        near = [pow(base, exponent + step, modulus) for step in (-1, 1)]
        return [
            *near,
            base * exponent % modulus,
            right - modulus,
            right + modulus,
            pow(base, exponent % modulus, modulus),
        ]

    def effort(self, inst: Instance) -> float:
        """Digit products of all squarings and multiplications."""
        exponent: int = inst.problem["exponent"]
        products = exponent.bit_length() + exponent.bit_count() - 2
        return float(products * len(str(inst.problem["modulus"])) ** 2)
