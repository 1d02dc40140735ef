"""inequality-v0: solve an inequality over the real numbers.

Action: a union of intervals, or an equivalent condition on x. Difficulty: polynomials of higher degree, absolute values and
quotients, and ends that are square roots; effort is the number of operations and operands, for each end of an interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import comparisons
from envhub.generators.algebra.factoring import irreducible
from envhub.generators.algebra.formulas import Formula, inverse, polynomial, size, times
from envhub.generators.algebra.inequalities import solution
from envhub.generators.algebra.polynomials import drawn, primitive, product, scaled, total, value_at
from envhub.generators.algebra.surds import Surd, rational, roots

_SIGNS: Final = ("<", "<=", ">", ">=")
_OTHER: Final = {"(": "[", "[": "(", ")": "]", "]": ")"}


class Inequality(ExpressionValue):
    """Solve an inequality over the real numbers."""

    Params = levels(
        kind=knob(
            "form of the inequality", "polynomial", "polynomial", "absolute", "polynomial", "quotient", "polynomial",
            "absolute", "quotient", "quotient", "quotient", choices=("polynomial", "absolute", "quotient"),
        ),
        linear=knob("how many linear factors", 2, 2, 2, 3, 3, 2, 2, 3, 3, 4, at_least=1),
        quadratic=knob("how many quadratic factors with irrational roots", 0, 0, 0, 0, 0, 1, 1, 1, 2, 2),
        size=knob("largest coefficient of a factor", 5, 9, 7, 6, 7, 6, 7, 6, 5, 6, at_least=4, at_most=20),
    )  # fmt: skip
    answer = Exact(kind="interval", called="all solutions as a union of intervals", shown="(-inf, 17/5] U (23, 29)")
    data = comparisons("left", "sign", "right")
    task = Phrase(
        "Solve this inequality for all real numbers x.",
        "Find all real numbers x that satisfy the inequality.",
        "For which real numbers x is the inequality true?",
        held_out="Determine the complete set of real solutions x.",
    )
    rules = (
        Phrase(
            "Use round brackets for ends that are excluded, square brackets for ends that are included, inf for infinity "
            "and U for unions.",
            "Write ( or ) at an excluded end, [ or ] at an included end, inf for infinity, and U between intervals.",
            "Included ends get square brackets and excluded ends round ones. Infinity is inf, and U joins intervals.",
            held_out="Notation: [a, b] includes its ends, (a, b) excludes them, inf is infinity, and U is a union.",
        ),
        Phrase(
            "A single number is written in braces, as in {{3}}. Ends must be exact; sqrt() is allowed.",
            "Write a single number as {{3}}, in braces. Give exact ends, with sqrt() if needed.",
            "Ends must be exact and may contain sqrt(). Braces, as in {{3}}, stand for a single number.",
            held_out="Put an isolated solution in braces, as in {{3}}. All ends must be exact, and sqrt() may be used.",
        ),
        Phrase(
            "Numbers at which a side is not defined are not solutions.",
            "If a side is not defined at a number, the number is not a solution.",
            "A number is not a solution if one of the sides is not defined there.",
            held_out="Exclude numbers at which one of the sides is not defined.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """Factors above and below, and a form that hides them.

        Some but not all numbers are solutions.
        """
        lines = [primitive(drawn(rng, 1, p.size)) for _ in range(p.linear)]
        squares = [_quadratic(rng, p.size) for _ in range(p.quadratic)]
        parts = [*lines, *squares]
        if len({tuple(one) for one in parts}) < len(parts):
            return None
        rng.shuffle(parts)
        half = len(parts) // 2 if p.kind != "polynomial" else 0
        top, bottom = product(*parts[half:]), product(*parts[:half])
        sign = rng.choice(_SIGNS)
        quotient = p.kind == "quotient"
        poles = [root for one in parts[:half] for root in _real(one)] if quotient else []
        zeros = [root for one in (parts[half:] if quotient else parts) for root in _real(one)]
        found = solution(sign, zeros, poles, lambda x: _sign(value_at(top, x)) * _sign(value_at(bottom, x)))
        left, right = _hidden(rng, p.kind, top, bottom, p.size)
        return ({"left": left, "sign": sign, "right": right}, found) if found and poles + zeros else None

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """With LaTeX signs."""
        yield right.replace("U", "\\cup").replace("inf", "\\infty")
        yield right.replace("inf", "oo")

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """Ends open for closed, everything, nothing, the first part alone."""
        if not right.endswith(("inf)", "}")):
            yield right[:-1] + _OTHER[right[-1]]
        if not right.startswith(("(-inf", "{")):
            yield _OTHER[right[0]] + right[1:]
        yield "(-inf, inf)"
        yield "{}"
        yield right.split(" U ")[0] if " U " in right else "(-1/7, 1/7)"

    def effort(self, inst: Instance) -> float:
        """Operations and operands, for each end of an interval."""
        ends = inst.key.count(",") + 1
        return float(ends * (size(inst.problem["left"]) + size(inst.problem["right"])))


def _quadratic(rng: Stream, largest: int) -> list[int]:
    """A quadratic polynomial with irrational real roots."""
    while True:
        one = primitive(drawn(rng, 2, largest))
        if one[1] * one[1] > 4 * one[0] * one[2] and irreducible(one):
            return one


def _real(poly: list[int]) -> list[Surd]:
    return [rational(Fraction(-poly[0], poly[1]))] if len(poly) == 2 else roots(poly)


def _sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)


def _hidden(rng: Stream, kind: str, top: list[int], bottom: list[int], largest: int) -> tuple[Formula, Formula]:
    """Two sides whose difference has a known sign.

    It is the sign of the quotient or of the product.
    """
    if kind == "absolute":
        return ["abs", polynomial(total(top, bottom))], ["abs", polynomial(total(top, scaled(bottom, -1)))]
    if kind == "quotient":
        moved = rng.between(-largest, largest)
        return times(polynomial(total(top, scaled(bottom, moved))), inverse(polynomial(bottom))), moved
    other = drawn(rng, 1, largest)
    return polynomial(total(top, other)), polynomial(other)
