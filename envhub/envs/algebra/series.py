"""series-v0: find the Taylor polynomial of a function about 0.

Action: one polynomial, multiplied out. The function is a product or a composition of functions with known series. Difficulty:
higher degree and more functions; effort is the number of coefficient products when the series are multiplied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import formulas
from envhub.families.function_rules import NAMES
from envhub.generators.algebra.formulas import Formula, negative, plus, polynomial, times
from envhub.generators.algebra.functions import signed
from envhub.generators.algebra.notation import latex, plain
from envhub.generators.algebra.polynomials import trimmed
from envhub.generators.algebra.power_series import KNOWN, VANISHING, Series, composed, product, times_x
from envhub.verifiers.math.forms import coefficients_of

_NAMES = (
    "f(x)",
    "T",
    "p",
    *(f"{name}{order}(x)" for name in "TPp" for order in ("", *(f"_{n}" for n in range(2, 10)))),
)


class TaylorPolynomial(ExpressionValue):
    """Find the Taylor polynomial of a function about 0."""

    Params = levels(
        degree=knob("degree up to which terms are asked for", 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, at_least=2, at_most=9),
        factors=knob("how many functions are multiplied", 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, at_most=4),
        composition=knob("whether one function is composed with another", *[False] * 3, *[True] * 7),
        size=knob("largest number in the function", 9, 9, 5, 5, 5, 5, 5, 6, 6, 7, at_least=3, at_most=9),
    )
    one_text = True
    expanded = True
    answer = Exact(
        kind="expression",
        options={"variables": ["x"], "names": _NAMES},
        called="one polynomial in x",
        shown="17*x^2/3 - 5*x + 2",
    )
    data = formulas(lambda problem: {"f(x)": problem["function"]})
    task = Phrase(
        "Find the Taylor polynomial of f(x) about x = 0, up to and including the term with x^{degree}.",
        "Expand f(x) in powers of x, up to and including x^{degree}.",
        "Compute the Maclaurin polynomial of f(x) of order {degree}: all terms up to and including x^{degree}.",
        held_out="Determine the terms of the power series of f(x) about 0 with exponents from 0 to {degree}.",
    )
    rules = (
        Phrase(
            "Leave out all terms with a higher exponent, and write no remainder term.",
            "The answer must not contain higher powers of x or a remainder term.",
            "Do not write a remainder term or terms with higher exponents.",
            held_out="Higher powers and remainder terms must be left out.",
        ),
        Phrase(
            "Write a sum with one term per power of x. Coefficients must be exact integers or fractions.",
            "The answer must be multiplied out, with one term per power of x and exact integers or fractions as coefficients.",
            "Combine like terms, so that each power of x occurs once. Coefficients must be exact integers or fractions.",
            held_out="Expand fully: one term per power of x, with an exact integer or fraction as coefficient.",
        ),
        NAMES,
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """A product of functions whose series has at least two terms.

        Terms are counted up to the requested degree.
        """
        parts = [_part(rng, p, p.composition and not at) for at in range(p.factors)]
        whole, series = parts[0]
        for formula, other in parts[1:]:
            whole, series = times(whole, formula), product(series, other, p.degree)
        if p.factors == 1:
            extra = signed(rng, p.size)
            whole, series = plus(times(extra, whole), signed(rng, p.size)), [extra * one for one in series]
            series[0] += whole[-1]
        found = trimmed(series)
        if len(found) < p.degree + 1 or sum(map(bool, found)) < 2:
            return None
        return {"function": whole, "degree": p.degree}, plain(polynomial(found))

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """In LaTeX, and in ascending order."""
        found = polynomial(coefficients_of(self.answer.parse(right).value, "x") or [])
        yield latex(found)
        yield plain(["+", *reversed(found[1:])])

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """A missing or extra term, missing factorials, lost signs, the function itself."""
        found = coefficients_of(self.answer.parse(right).value, "x") or []
        yield plain(polynomial(found[:-1]))
        yield plain(polynomial([*found, 1]))
        yield plain(polynomial([one * at for at, one in enumerate(found, 2)]))
        yield plain(negative(polynomial(found)))
        yield plain(polynomial([-one if at % 2 else one for at, one in enumerate(found)]))
        yield plain(problem["function"])

    def effort(self, inst: Instance) -> float:
        """Products of two coefficients, when the series of all functions are multiplied."""
        degree = inst.problem["degree"]
        return float((degree + 1) * (degree + 2) * _calls(inst.problem["function"]))


def _part(rng: Stream, p: Any, composition: bool) -> tuple[Formula, Series]:
    """A function and its series.

    With composition, a function of a function that is 0 at 0.
    """
    factor = signed(rng, p.size)
    outer = rng.choice(KNOWN)
    if not composition:
        return outer.formula(times_x(factor)), outer.series(factor, p.degree)
    inner = rng.choice([one for one in VANISHING if one is not outer])
    series = composed(outer.series(1, p.degree), inner.series(factor, p.degree), p.degree)
    return outer.formula(inner.formula(times_x(factor))), series


def _calls(formula: Formula) -> int:
    """Functions and powers in a formula."""
    if not isinstance(formula, list):
        return 0
    return (formula[0] not in ("+", "*", "neg")) + sum(map(_calls, formula[1:]))
