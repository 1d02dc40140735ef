"""polynomial-division-v0: divide one polynomial by another, with remainder.

Action: quotient and remainder, both multiplied out. Difficulty: higher degrees, larger coefficients, and divisors that are not
monic, so that fractions appear; effort is the number of multiplications in long division, twice that with fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import polynomials
from envhub.generators.algebra.formulas import polynomial
from envhub.generators.algebra.notation import latex, plain
from envhub.generators.algebra.polynomials import divided, drawn, product, total

_PART = {"kind": "expression", "variables": ["x"]}


class PolynomialDivision(ExpressionValue):
    """Divide one polynomial by another, with remainder."""

    Params = levels(
        degree=knob("degree of the divisor", 1, 1, 2, 2, 2, 3, 3, 3, 3, 4),
        steps=knob("degree of the quotient", 1, 2, 2, 3, 3, 3, 4, 4, 5, 6),
        size=knob("largest coefficient", 9, 9, 9, 9, 12, 12, 12, 12, 15, 15, at_least=5),
        lead=knob("largest leading coefficient of the divisor", 1, 1, 1, 1, 3, 3, 4, 4, 5, 5, at_most=9),
    )
    one_text = True
    expanded = True
    answer = Exact(
        kind="multi",
        options={"parts": [_PART, _PART], "names": ["quotient", "remainder"]},
        called="the quotient and the remainder",
        shown="quotient: 17*x - 5, remainder: 2*x + 3/2",
    )
    data = polynomials(lambda problem: {"p(x)": problem["dividend"], "d(x)": problem["divisor"]})
    task = Phrase(
        "Divide p(x) by d(x) with remainder over the rational numbers.",
        "Perform polynomial division of p(x) by d(x) over the rational numbers.",
        "Find the quotient and the remainder of p(x) divided by d(x), over the rational numbers.",
        held_out="Carry out the long division of p(x) by d(x) with rational coefficients.",
    )
    rules = (
        Phrase(
            "Quotient and remainder satisfy p(x) = d(x) * quotient + remainder.",
            "The product of d(x) and the quotient, plus the remainder, must be p(x).",
            "p(x) must be equal to d(x) times the quotient, plus the remainder.",
            held_out="The identity p(x) = d(x) * quotient + remainder must hold.",
        ),
        Phrase(
            "The degree of the remainder must be less than the degree of d(x). The remainder may be 0.",
            "The remainder must have a lower degree than d(x), or be 0.",
            "Either the remainder is 0, or its degree is less than the degree of d(x).",
            held_out="The remainder is 0 or has a lower degree than d(x).",
        ),
        Phrase(
            "Multiply out both, with one term per power of x. Coefficients must be exact integers or fractions.",
            "Write both as sums with one term per power of x, and with exact integers or fractions as coefficients.",
            "Both must be expanded: one term per power of x. Give exact coefficients, as integers or fractions.",
            held_out="Expand both fully, one term per power of x. All coefficients are exact integers or fractions.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """A dividend and a divisor that usually leave a remainder."""
        divisor = [*drawn(rng, p.degree, p.size)[:-1], rng.between(1, p.lead)]
        if rng.below(8):
            dividend = drawn(rng, p.degree + p.steps, p.size * p.size)
        else:
            dividend = product(divisor, drawn(rng, p.steps, p.size))
        return {"dividend": dividend, "divisor": divisor}, _written(*divided(dividend, divisor))

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """In LaTeX, by position, and the remainder first."""
        quotient, rest = divided(problem["dividend"], problem["divisor"])
        yield f"quotient: {latex(polynomial(quotient))}, remainder: {latex(polynomial(rest))}"
        yield f"({plain(polynomial(quotient))}, {plain(polynomial(rest))})"
        yield f"remainder = {plain(polynomial(rest))}\nquotient = {plain(polynomial(quotient))}"

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """Swapped, one step too few, a sign lost."""
        quotient, rest = divided(problem["dividend"], problem["divisor"])
        yield _written(rest, quotient)
        yield _written([0, *quotient[1:]], total(rest, [quotient[0] * one for one in problem["divisor"]]))
        yield _written(quotient, [-one for one in rest])
        yield _written(quotient, total(rest, [1]))
        yield _written([-one for one in quotient], rest)

    def effort(self, inst: Instance) -> float:
        """Multiplications of long division, counted twice where the quotient has fractions."""
        divisor = inst.problem["divisor"]
        quotient, _ = divided(inst.problem["dividend"], divisor)
        fractions = any(Fraction(one).denominator > 1 for one in quotient)
        return float(len(divisor) * len(quotient) * (2 if fractions else 1))


def _written(quotient: list[Any], rest: list[Any]) -> str:
    return f"quotient: {plain(polynomial(quotient))}, remainder: {plain(polynomial(rest))}"
