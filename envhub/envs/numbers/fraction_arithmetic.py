"""fraction-arithmetic-v0: reduce a fraction, or evaluate an expression of fractions.

Action: an integer or a fraction in lowest terms. Difficulty: larger numbers, then sums, products, quotients and parentheses;
effort is the number of digit operations. The order of summands and factors does not change the problem.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.envs.numbers.phrases import LOWEST_TERMS
from envhub.families.formula_value import FormulaValue
from envhub.families.renderings import written
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, knob, levels
from envhub.generators.numbers import formulas
from envhub.generators.numbers.formulas import ARITHMETIC
from envhub.verifiers.answers.numerals import LowestTerms


class FractionArithmetic(FormulaValue):
    """Evaluate an expression of fractions."""

    Params = levels(
        terms=knob("how many fractions; 1 asks to reduce it", 1, 1, 2, 2, 3, 3, 4, 5, 6, 7),
        digits=knob("digits of numerators and denominators", 4, 6, 2, 2, 2, 2, 2, 2, 2, 3),
        operators=knob("operators", *["+-"] * 3, *["+-*"] * 2, *["+-*/"] * 5, choices=("+-", "+-*", "+-*/")),
        nested=knob("whether there are parentheses", *[False] * 5, *[True] * 5),
    )
    answer = LowestTerms()
    data = written("formula", ARITHMETIC, "({})".format)
    rules = (LOWEST_TERMS,)
    task = Phrase(
        "Evaluate this expression of fractions.",
        "Compute the value of the expression. Its numbers are fractions.",
        "What is the value of this expression of fractions?",
        held_out="Let q be the rational number that the given expression denotes. Determine q.",
    )

    def check(self, p: Any) -> None:
        """A fraction to reduce needs three digits."""
        if p.terms == 1 and p.digits < 3:
            raise InvalidParameters(f"`digits` must be at least 3 with one fraction, got {p.digits}.")

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Fractions that do not reduce to integers.

        A single fraction has a common divisor of at least two digits.
        """
        high = 10**p.digits
        shared = rng.between(11, high // 30) if p.terms == 1 else 1
        pairs = [(rng.between(1, high // shared), rng.between(2, high // shared)) for _ in range(p.terms)]
        if any(top % bottom == 0 or (shared > 1 and gcd(top, bottom) > 1) for top, bottom in pairs):
            return None
        leaves = [f"{top * shared}/{bottom * shared}" for top, bottom in pairs]
        formula = formulas.grow(rng, leaves, p.operators, p.nested)
        value = self.finite(formula)
        return None if value is None or value.denominator < 4 else {"formula": formula}

    def slips(self, problem: JSON) -> list[Fraction]:
        """The inverse, the opposite, and parts that were not reduced alike."""
        value: Fraction = self.value(problem)
        return [1 / value, -value, value + 1, value * 2, Fraction(value.numerator + 1, value.denominator)]

    def effort(self, inst: Instance) -> float:
        """Digit operations by hand; for a single fraction those of Euclid's algorithm."""
        formula = inst.problem["formula"]
        return float(len(formula) if formulas.is_leaf(formula) else 10 + super().effort(inst))
