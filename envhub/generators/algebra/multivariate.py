"""Polynomials in several variables.

Coefficients by tuples of exponents, as pairs in a list for JSON.

::

    product([[3, [1, 0]], [-1, [0, 0]]], [[2, [0, 1]]])      # [[6, [1, 1]], [-2, [0, 1]]], which is (3x - 1) * 2y
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from envhub.core.seeding import Stream
from envhub.generators.algebra.formulas import Formula, plus, power, times

Terms: TypeAlias = "list[list[Any]]"
"""Pairs of a coefficient and a list of exponents, highest degree first."""


def collected(terms: Iterable[Sequence[Any]]) -> Terms:
    """The terms in order, like terms added up."""
    found: dict[tuple[int, ...], int] = {}
    for factor, exponents in terms:
        key = tuple(exponents)
        found[key] = found.get(key, 0) + factor
    order = sorted(found, key=lambda exponents: (sum(exponents), exponents), reverse=True)
    return [[found[key], [*key]] for key in order if found[key]]


def product(*polys: Terms) -> Terms:
    """The product of polynomials."""
    result = polys[0]
    for poly in polys[1:]:
        result = collected(
            (a * b, [one + other for one, other in zip(up, down, strict=True)]) for a, up in result for b, down in poly
        )
    return result


def formula(poly: Terms, names: Sequence[str]) -> Formula:
    """The polynomial as a sum of terms."""
    return plus(
        *(
            times(factor, *(power(name, exponent) for name, exponent in zip(names, exponents, strict=True) if exponent))
            for factor, exponents in poly
        )
    )


def drawn(rng: Stream, variables: int, terms: int, degree: int, size: int) -> Terms:
    """A random polynomial with ``terms`` different terms of limited degree.

    Each term has a degree of at most ``degree``.
    """
    exponents: list[list[int]] = []
    while len(exponents) < terms:
        one = [0] * variables
        for _ in range(rng.between(0, degree)):
            one[rng.below(variables)] += 1
        if one not in exponents:
            exponents.append(one)
    return collected((rng.between(1, size) * (1 - 2 * rng.below(2)), one) for one in exponents)
