"""polynomial-factor-v0: factor a polynomial over the integers.

Action: one product. Its factors must be irreducible over the integers, and their product must be the polynomial. Difficulty:
more factors of higher degree; effort is the number of pairs of divisors that trial division tries, by degree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import polynomials
from envhub.generators.algebra.factoring import irreducible
from envhub.generators.algebra.formulas import Formula, polynomial, power, times
from envhub.generators.algebra.notation import latex, plain
from envhub.generators.algebra.polynomials import drawn, primitive, product, scaled
from envhub.verifiers.answers.typed import Given
from envhub.verifiers.math.forms import coefficients_of, factors_of

_NOT_WHOLE = "Each factor must be a polynomial with integer coefficients."
_REDUCIBLE = "The product is right, but a factor is not irreducible over the integers."


class PolynomialFactor(ExpressionValue):
    """Factor a polynomial over the integers."""

    Params = levels(
        factors=knob("how many irreducible factors, with repetition", 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, at_least=2),
        degree=knob("largest degree of an irreducible factor", 1, 1, 1, 1, 2, 2, 2, 3, 3, 3),
        size=knob("largest coefficient of a factor", 7, 12, 7, 12, 7, 12, 9, 9, 9, 12, at_least=5, at_most=20),
    )
    one_text = True
    answer = Exact(
        kind="expression",
        options={"variables": ["x"], "names": ["p(x)", "p"]},
        called="one product",
        shown="3*(x - 5)^2*(x + 17)",
    )
    data = polynomials(lambda problem: {"p(x)": problem["polynomial"]})
    task = Phrase(
        "Factor the polynomial p(x) over the integers.",
        "Write p(x) as a product of irreducible polynomials with integer coefficients.",
        "Find the complete factorization of p(x) over the integers.",
        held_out="Decompose p(x) into irreducible factors over the integers.",
    )
    rules = (
        Phrase(
            "The product of all factors must be equal to p(x).",
            "All factors multiplied together must give p(x).",
            "The factors must multiply out to p(x).",
            held_out="Multiplying all factors must give exactly p(x).",
        ),
        Phrase(
            "Each factor that contains x must have integer coefficients without a common divisor greater than 1.",
            "The coefficients of each factor that contains x must be integers whose greatest common divisor is 1.",
            "In each factor that contains x, the coefficients must be integers with greatest common divisor 1.",
            held_out="A factor that contains x must have integer coefficients, and 1 must be their greatest common divisor.",
        ),
        Phrase(
            "No factor may be a product of two polynomials of lower degree with integer coefficients.",
            "You must not be able to write a factor as a product of two integer polynomials of lower degree.",
            "Each factor must be irreducible: it is not a product of two integer polynomials of lower degree.",
            held_out="A factor may not split into two integer polynomials of lower degree.",
        ),
        Phrase(
            "Write an integer in front for a common divisor of all coefficients. Repeated factors may be written as powers.",
            "A common divisor of all coefficients is an integer factor. You may write repeated factors as powers.",
            "Powers are allowed for repeated factors. Factor out a common divisor of all coefficients as an integer.",
            held_out="You may use powers for repeated factors. A common divisor of all coefficients becomes an integer factor.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """Irreducible factors and a constant, multiplied."""
        found: list[list[int]] = []
        while len(found) < p.factors:
            # the last factor has the largest degree, so that a level never becomes easier by chance
            degree = p.degree if len(found) == p.factors - 1 else rng.between(1, p.degree)
            one = primitive(drawn(rng, degree, p.size))
            if irreducible(one):
                found.append(one)
        constant = rng.between(1, 4) * (1 - 2 * rng.below(2))
        times_ = Counter(map(tuple, found))
        if max(times_.values()) == p.factors:
            return None
        return {"polynomial": scaled(product(*found), constant)}, plain(_written(constant, sorted(times_.items())))

    def judge(self, problem: JSON, right: Any, given: Any) -> bool | str | None:
        """Whether the factors are those of the unique factorization, up to sign.

        Their product must be the polynomial.
        """
        whole = coefficients_of(given.value, "x")
        if whole != problem["polynomial"]:
            return False
        wanted, found = (_irreducibles(one) for one in (right, given))
        return _NOT_WHOLE if found is None else found == wanted or _REDUCIBLE

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """In LaTeX, in reversed order, and with two signs changed."""
        constant, factors = _parts(self.answer.parse(right))
        yield latex(_written(constant, factors))
        yield plain(_written(constant, factors[::-1]))
        (poly, times_), *rest = factors
        turned = tuple(-one for one in poly)
        yield plain(_written(constant * (-1) ** times_, [(turned, times_), *rest]))

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """Not factored, factored in part, a sign or the constant lost."""
        constant, factors = _parts(self.answer.parse(right))
        flat = [poly for poly, times_ in factors for _ in range(times_)]
        yield plain(polynomial(problem["polynomial"]))
        yield plain(_written(constant, [(tuple(product(*flat[:2])), 1), *((poly, 1) for poly in flat[2:])]))
        yield plain(_written(-constant, factors))
        yield plain(_written(1, [(tuple(scaled(flat[0], constant)), 1), *((poly, 1) for poly in flat[1:])]))
        yield plain(_written(constant, [((-poly[0], *poly[1:]), times_) for poly, times_ in factors]))

    def effort(self, inst: Instance) -> float:
        """Estimated coefficient divisions when every product of factors is tried.

        The estimate depends on the number and degree of the factors.
        """
        poly = inst.problem["polynomial"]
        _, factors = _parts(self.answer.parse(inst.key))
        return float(len(poly) ** 2 * prod(len(one) for one, _ in factors))


def _written(constant: int, factors: Sequence[tuple[Sequence[int], int]]) -> Formula:
    return times(constant, *(power(polynomial(poly), many) for poly, many in factors))


def _parts(given: Given) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
    """The constant and the factors of an answer with integer factors."""
    constant, factors = 1, []
    for tree, many in factors_of(given.value):
        poly = tuple(int(one) for one in coefficients_of(tree, "x") or ())
        if len(poly) > 1:
            factors.append((poly, many))
        else:
            constant *= poly[0] ** many
    return constant, factors


def _irreducibles(given: Given) -> Counter[tuple[int, ...]] | None:
    """The factors that contain x, with a positive leading coefficient.

    None if one has other coefficients than integers.
    """
    found: Counter[tuple[int, ...]] = Counter()
    for tree, many in factors_of(given.value):
        poly = coefficients_of(tree, "x")
        if poly is None or any(one.denominator != 1 for one in poly):
            return None
        if len(poly) > 1:
            sign = 1 if poly[-1] > 0 else -1
            found[tuple(sign * int(one) for one in poly)] += many
    return found
