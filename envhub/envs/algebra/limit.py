"""limit-v0: find the limit of a function at a point or infinity.

Action: one exact number. Difficulty: quotients of polynomials, then limits at infinity with square roots, powers that tend to
a power of e, and quotients whose first terms cancel; effort is the number of coefficients that must be computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import formulas
from envhub.families.function_rules import NAMES
from envhub.generators.algebra.formulas import Formula, inverse, negative, number, plus, polynomial, power, times
from envhub.generators.algebra.functions import signed
from envhub.generators.algebra.notation import plain
from envhub.generators.algebra.polynomials import drawn, product, value_at
from envhub.generators.algebra.power_series import KNOWN, VANISHING, product as multiplied, times_x

_ENDLESS: Final = "positive infinity"
_LIKELY: Final = tuple(Fraction(one, two) for one in range(-3, 4) for two in (1, 2))
_Limit = tuple[Formula, str, Any]


class Limit(ExpressionValue):
    """Find the limit of a function at a point or at infinity."""

    Params = levels(
        kind=knob(
            "kind of the limit", "quotient", "quotient", "infinity", "infinity", "power", *["series"] * 5,
            choices=("quotient", "infinity", "power", "series"),
        ),
        order=knob("degree of polynomials, or how many terms of series cancel", 1, 2, 2, 3, 2, 2, 3, 4, 5, 6, at_most=8),
        size=knob("largest number in the function", 9, 9, 9, 12, 12, 5, 5, 5, 6, 6, at_least=4, at_most=20),
    )  # fmt: skip
    answer = Exact(
        kind="expression", options={"log": "e", "names": ["L"]}, called="one exact number", shown="17/5 + exp(3)"
    )
    data = formulas(lambda problem: {"f(x)": problem["function"]})
    task = Phrase(
        "Find the limit of f(x) as x tends to {place}.",
        "Compute the limit of f(x) for x tending to {place}.",
        "What value does f(x) approach as x tends to {place}?",
        held_out="Evaluate the limit of f(x), where x approaches {place}.",
    )
    rules = (
        Phrase(
            "The limit exists and is a finite number. Give it exactly, for example as a fraction or with exp() and sqrt().",
            "There is a finite limit. Write it exactly; fractions, exp() and sqrt() are allowed.",
            "Give the exact limit, which is finite. You may use fractions, exp() and sqrt().",
            held_out="The limit is finite. State it exactly; you may write fractions, exp() and sqrt().",
        ),
        NAMES,
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """A function whose limit is known and not a frequent number."""
        made = _KINDS[p.kind](rng, p.order, p.size)
        if made is None or made[2] in _LIKELY:
            return None
        function, place, value = made
        text = plain(number(value) if isinstance(value, (int, Fraction)) else value)
        return {"function": function, "place": place, "work": _WORK[p.kind] * (p.order + 1)}, text

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """With terms added, as a quotient."""
        yield f"({right}) + 1 - 1"
        yield f"\\frac{{6*({right})}}{{6}}"

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """Signs, inverses, frequent numbers."""
        yield f"-({right})"
        yield f"1/({right}) + 1/1000"
        yield f"2*({right})"
        yield from ("0", "1", "exp(1)", "1/2")

    def canonical(self, content: JSON) -> JSON:
        """The function and the place."""
        return [content["function"], content["place"]]

    def effort(self, inst: Instance) -> float:
        """Coefficients that must be computed."""
        return float(inst.problem["work"])


def _quotient(rng: Stream, order: int, size: int) -> _Limit | None:
    """A quotient of polynomials with a common zero."""
    root = signed(rng, size)
    top, bottom = (drawn(rng, order, size) for _ in range(2))
    below = value_at(bottom, root)
    if not below:
        return None
    whole = times(polynomial(product(top, [-root, 1])), inverse(polynomial(product(bottom, [-root, 1]))))
    return whole, str(root), Fraction(value_at(top, root), below)


def _infinity(rng: Stream, order: int, size: int) -> _Limit:
    """A quotient of polynomials, or a difference with a square root."""
    if rng.below(2):
        top, bottom = (drawn(rng, order, size) for _ in range(2))
        return times(polynomial(top), inverse(polynomial(bottom))), _ENDLESS, Fraction(top[-1], bottom[-1])
    lead, middle, last, other = rng.between(1, size), signed(rng, size), signed(rng, size), signed(rng, size)
    root = power(polynomial([last, middle, lead * lead]), Fraction(1, 2))
    return plus(root, times(-lead, "x"), other), _ENDLESS, Fraction(middle, 2 * lead) + other


def _power(rng: Stream, order: int, size: int) -> _Limit:
    """A power that tends to a power of e, times a number."""
    a, b, c, factor = signed(rng, size), signed(rng, size), signed(rng, size), signed(rng, size)
    shift = rng.between(1, size)
    base = times(plus("x", a + shift), inverse(plus("x", shift)))
    return times(factor, ["^", base, plus(times(b, "x"), c)]), _ENDLESS, times(factor, ["exp", a * b])


def _series(rng: Stream, order: int, size: int) -> _Limit | None:
    """A quotient in which the first terms of a series cancel.

    The numerator is a product of two functions minus the first terms of its series. The denominator vanishes as fast.
    """
    one, other = rng.sample(KNOWN, 2)
    factor, second, below = signed(rng, size), signed(rng, size), signed(rng, size)
    series = multiplied(one.series(factor, order), other.series(second, order), order)
    if not series[order]:
        return None
    whole = times(one.formula(times_x(factor)), other.formula(times_x(second)))
    top = plus(whole, negative(polynomial(series[:order]))) if any(series[:order]) else whole
    vanishing = rng.choice(VANISHING)
    bottom = times(power("x", order - 1), vanishing.formula(times_x(below)))
    return times(top, inverse(bottom)), "0", series[order] / below


_KINDS: Final[dict[str, Callable[[Stream, int, int], _Limit | None]]] = {
    "quotient": _quotient,
    "infinity": _infinity,
    "power": _power,
    "series": _series,
}
_WORK: Final = {"quotient": 2, "infinity": 3, "power": 6, "series": 9}
