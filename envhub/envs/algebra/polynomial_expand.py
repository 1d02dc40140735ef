"""polynomial-expand-v0: multiply out a product of polynomials.

Action: one sum of terms with like terms combined. Difficulty: more and longer factors, more variables; effort is the number
of products of two terms. The order of the factors and of their terms does not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import formulas
from envhub.generators.algebra.formulas import negative
from envhub.generators.algebra.multivariate import drawn, formula, product
from envhub.generators.algebra.notation import latex, plain
from envhub.verifiers.math.forms import is_expanded

_NAMES = ("xyz", "abc", "pqr", "uvw")
_UNEXPANDED = "Multiply out all products and combine like terms."


class PolynomialExpand(ExpressionValue):
    """Multiply out a product of polynomials."""

    Params = levels(
        factors=knob("how many polynomials are multiplied", 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, at_least=2),
        terms=knob("terms of each polynomial", 2, 3, 4, 5, 3, 3, 4, 4, 5, 4, at_least=2),
        variables=knob("how many variables", 1, 2, 2, 2, 1, 2, 2, 3, 2, 2),
        degree=knob("largest degree of a term", 2, 2, 3, 3, 4, 3, 4, 3, 4, 4),
        size=knob("largest coefficient", 9, 9, 9, 12, 9, 9, 12, 12, 12, 15, at_least=5),
    )
    one_text = True
    answer = Exact(
        kind="expression", options={"variables": [*"abcpqruvwxyz"]}, called="one polynomial", shown="17*x^3 - 5*x + 2"
    )
    data = formulas(
        lambda problem: {
            "": ["*", *(formula(poly, problem["names"]) for poly in problem["factors"])],
        }
    )
    task = Phrase(
        "Expand this product of {count} polynomials.",
        "Multiply out the given product of {count} polynomials.",
        "Write the product of these {count} polynomials as a sum of terms.",
        held_out="Compute the expanded form of a product with {count} factors.",
    )
    rules = (
        Phrase(
            "The answer must be a sum of terms. Each term is a number times powers of the variables.",
            "Write a sum of terms, each of them a number times powers of the variables.",
            "Each term of the sum must be a number times powers of the variables.",
            held_out="Only sums of terms count, where each term is a number times powers of the variables.",
        ),
        Phrase(
            "Combine like terms: no two terms may have the same variables with the same exponents.",
            "Two terms may not have the same variables with the same exponents; combine them.",
            "Add up like terms, so that no two terms have the same variables with the same exponents.",
            held_out="Terms with the same variables and the same exponents must be combined into one.",
        ),
        Phrase(
            "The order of the terms does not matter.",
            "You may write the terms in any order.",
            "Any order of the terms is accepted.",
            held_out="The terms can be in any order.",
        ),
    )

    def check(self, p: Any) -> None:
        """There must be enough monomials."""
        most = comb(p.variables + p.degree, p.degree)
        if p.terms > most:
            raise InvalidParameters(f"`terms` must be at most {most}, the number of monomials; got {p.terms}.")

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """Polynomials without a common monomial, and their product."""
        names = [*rng.choice(_NAMES)][: p.variables]
        polys = [drawn(rng, p.variables, p.terms, p.degree, p.size) for _ in range(p.factors)]
        used = {at for poly in polys for _, exponents in poly for at, one in enumerate(exponents) if one}
        if len(used) < p.variables or any(sum(poly[0][1]) == 0 for poly in polys):
            return None
        expanded = formula(product(*polys), names)
        return {"names": names, "factors": polys, "count": p.factors}, plain(expanded)

    def judge(self, problem: JSON, right: Any, given: Any) -> bool | str | None:
        """The same polynomial, multiplied out."""
        return self.answer.compare(right, given) and (is_expanded(given.value) or _UNEXPANDED)

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """In LaTeX, and without multiplication signs."""
        yield latex(formula(product(*problem["factors"]), problem["names"]))
        yield right.replace("*", "")

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """Unexpanded factors, a missing term, uncombined like terms, a lost sign."""
        names, polys = problem["names"], problem["factors"]
        whole = product(*polys)
        yield plain(["*", *(formula(poly, names) for poly in polys)])
        yield from (plain(formula(whole[:at] + whole[at + 1 :], names)) for at in (0, len(whole) - 1))
        yield f"{right} + {names[0]} - {names[0]}"
        yield plain(negative(["+", *formula(whole, names)[1:]])) if len(whole) > 1 else "0"

    def canonical(self, content: JSON) -> JSON:
        """The factors in a fixed order.

        The names of the variables do not matter.
        """
        return sorted(sorted(poly) for poly in content["factors"])

    def effort(self, inst: Instance) -> float:
        """Products of two terms."""
        done, polys = 0, inst.problem["factors"]
        for at in range(1, len(polys)):
            done += len(product(*polys[:at])) * len(polys[at])
        return float(done)
