"""decimal-arithmetic-v0: evaluate an expression of decimals, exactly or rounded.

Action: one decimal. Difficulty: more and longer numbers, then products, parentheses, powers, quotients and rounding; effort is
the number of digit operations. The order of summands and factors does not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from envhub.envs.numbers.phrases import EXACT, ROUNDED
from envhub.families.formula_value import FormulaValue
from envhub.families.renderings import written
from envhub.families.value_kit import JSON, Phrase, Stream, knob, levels
from envhub.generators.numbers import decimals, formulas
from envhub.generators.numbers.formulas import ARITHMETIC
from envhub.verifiers.answers.numerals import Decimal


class DecimalArithmetic(FormulaValue):
    """Evaluate an expression of decimals."""

    Params = levels(
        terms=knob("how many numbers", 2, 3, 4, 3, 4, 4, 4, 5, 6, 7, at_least=1),
        digits=knob("digits before the point", 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, at_least=1),
        places=knob("most digits after the point", 1, 2, 2, 2, 2, 2, 2, 2, 3, 3),
        operators=knob(
            "operators", *["+-"] * 3, *["+-*"] * 3, "+-*^", *["+-*/^"] * 3, choices=("+-", "+-*", "+-*^", "+-*/^", "^")
        ),
        nested=knob("whether there are parentheses", *[False] * 4, *[True] * 6),
        rounding=knob("whether exact results are asked for as well as rounded ones", *[False] * 6, *[True] * 4),
    )
    answer = Decimal()
    data = written("formula", ARITHMETIC)
    task = Phrase(
        "Evaluate this expression of decimal numbers.",
        "Compute the value of the expression. Its numbers are decimals.",
        "What is the value of this expression with decimal numbers?",
        held_out="Let v be the value of the given expression over decimal numbers. Determine v.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """An expression in which the hardest operator of the level occurs."""
        leaves: list[Any] = [decimals.draw_decimal(rng, p.digits, rng.between(1, p.places)) for _ in range(p.terms)]
        if "^" in p.operators:
            at = rng.below(p.terms)
            leaves[at] = ["^", leaves[at], rng.between(2, 3 if p.terms > 1 else 6)]
        formula = formulas.grow(rng, leaves, p.operators.strip("^") or "*", p.nested)
        value = self.finite(formula)
        if value is None or abs(value) < 1 or ("*" in p.operators and "*" not in formulas.arities(formula)):
            return None
        rounding = not decimals.is_finite(value) or (p.rounding and rng.below(2))
        rule, places = (rng.choice(list(decimals.ROUNDINGS)), rng.between(2, 4)) if rounding else (None, 0)
        return {"formula": formula, "rounding": rule, "places": places}

    def value(self, problem: JSON) -> Fraction:
        """By exact fractions, rounded at the end."""
        return self._rounded(problem, problem["rounding"])

    def _rounded(self, problem: JSON, rule: str | None) -> Fraction:
        exact: Fraction = super().value(problem)
        return exact if rule is None else decimals.rounded(exact, problem["places"], rule)

    def write(self, value: Fraction) -> str:
        """As a decimal."""
        return decimals.write(value)

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """Whether and how to round."""
        return (EXACT if problem["rounding"] is None else ROUNDED,)

    def values(self, problem: JSON) -> dict[str, str]:
        """The rule of rounding."""
        return {"rule": decimals.ROUNDINGS.get(problem["rounding"], "")}

    def slips(self, problem: JSON) -> Iterator[Fraction]:
        """A shifted point, the opposite, and other roundings."""
        value = self.value(problem)
        yield from (value * 10, value / 10, -value)
        yield from (self._rounded(problem, rule) for rule in decimals.ROUNDINGS if problem["rounding"])
