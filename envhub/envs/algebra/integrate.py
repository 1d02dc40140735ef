"""integrate-v0: find an antiderivative of a function.

Action: one expression, with or without a constant of integration. Any antiderivative counts: the answer is differentiated.
The function is drawn with its antiderivative. Difficulty: polynomials, powers, linear substitution, quotients, substitution,
integration by parts, then sums of such terms; effort is the number of operations and operands of both functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import formulas
from envhub.families.function_rules import ANY_FORM, NAMES, POSITIVE
from envhub.generators.algebra.formulas import derivative, plus, size
from envhub.generators.algebra.functions import KINDS, integral
from envhub.generators.algebra.notation import plain
from envhub.verifiers.math.proof import defined_at, formula_of, proved, tree_of

_CONSTANTS: Final = ("C", "c", "K", "k")
_POINTS: Final = tuple(Fraction(*pair) for pair in ((1, 97), (3, 7), (1, 1), (29, 11), (17, 2)))
_KINDS: Final = tuple(KINDS)


class Integrate(ExpressionValue):
    """Find an antiderivative of a function."""

    Params = levels(
        kinds=knob("how many kinds of integrals may occur, the easiest first", 1, 2, 3, 4, 5, 6, 7, 7, 7, 7),
        terms=knob("how many integrals of different kinds are added", 1, 1, 2, 2, 3, 3, 3, 4, 5, 6, at_most=7),
        size=knob("largest number that is drawn", 6, 6, 6, 7, 7, 7, 7, 9, 9, 9, at_least=4),
    )
    answer = Exact(
        kind="expression",
        options={"variables": ["x", *_CONSTANTS], "names": ["F(x)", "F", "y", "\\int f(x) dx"], "log": "e"},
        called="one expression in x",
        shown="17*x^5 - cos(3*x) + C",
        positive=True,
    )
    data = formulas(lambda problem: {"f(x)": problem["integrand"]})
    task = Phrase(
        "Find an antiderivative F(x) of f(x).",
        "Compute the indefinite integral of f(x) with respect to x.",
        "Integrate f(x) with respect to x.",
        held_out="Determine a function F with F'(x) = f(x).",
    )
    rules = (
        POSITIVE,
        Phrase(
            "Any antiderivative counts. You may add a constant of integration C or leave it out.",
            "The constant of integration C is optional, and any antiderivative is accepted.",
            "Each antiderivative is accepted, with a constant of integration C or without one.",
            held_out="All antiderivatives are right. A constant of integration C may be present or absent.",
        ),
        Phrase(
            "The answer must have a real value for every x > 0. You may write ln(u) or ln|u|.",
            "Your answer must be real for all x > 0. Both ln(u) and ln|u| are allowed.",
            "For every x > 0, the answer must have a real value. Absolute values in logarithms, as in ln|u|, are optional.",
            held_out="F(x) must be a real number for all x > 0. You may write either ln(u) or ln|u|.",
        ),
        ANY_FORM,
        NAMES,
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """Terms of different kinds, one of them of the hardest kind allowed."""
        allowed = _KINDS[: p.kinds]
        kinds = [allowed[-1], *rng.sample(allowed[:-1], min(p.terms, p.kinds) - 1)]
        parts = [integral(rng, kind, p.size) for kind in kinds]
        integrand = plus(*(one for _, one in parts))
        return {"integrand": integrand}, plain(plus(*(whole for whole, _ in parts)))

    def judge(self, problem: JSON, right: Any, given: Any) -> bool | str | None:
        """The derivative is the integrand, and the answer has values."""
        slope = tree_of(derivative(formula_of(given.value), "x"))
        same = proved(slope, tree_of(problem["integrand"]), positive=True)
        if same is not True:
            return same
        values = [defined_at(given.value, {"x": point, **dict.fromkeys(_CONSTANTS, Fraction(1))}) for point in _POINTS]
        return "The answer has no real value for some x > 0." if False in values else None if None in values else True

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """With a constant, with another one, multiplied out, with absolute values."""
        yield f"{right} + C"
        yield f"{right} + 5/3"
        yield f"(3*({right}))/3 + k"
        if "ln(x)" in right:
            yield right.replace("ln(x)", "ln(|x|)")

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """The function itself, its derivative, signs lost, a term added."""
        yield plain(problem["integrand"])
        yield plain(derivative(problem["integrand"], "x"))
        yield f"-({right})"
        yield f"{right} + x"
        yield f"{right} + C*x"
        yield f"{right} + ln(-x)"

    def effort(self, inst: Instance) -> float:
        """Operations and operands of the function and its antiderivative."""
        whole = formula_of(self.answer.parse(inst.key).value)
        return float(size(inst.problem["integrand"]) + size(whole))
