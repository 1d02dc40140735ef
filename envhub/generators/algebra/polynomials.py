"""Polynomials in one variable as lists of coefficients, the constant term first.

Coefficients are integers or fractions; no list ends in 0, and the zero polynomial is the empty list::

    product([-1, 1], [1, 1])              # [-1, 0, 1]
    divided([-1, 0, 0, 1], [-1, 1])       # ([1, 1, 1], [])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from envhub.core.seeding import Stream

Poly = list[Any]


def trimmed(coefficients: Iterable[Any]) -> Poly:
    """The coefficients without trailing zeros."""
    poly = list(coefficients)
    while poly and not poly[-1]:
        poly.pop()
    return poly


def total(*polys: Sequence[Any]) -> Poly:
    """The sum of polynomials."""
    size = max(map(len, polys), default=0)
    return trimmed(sum(poly[at] for poly in polys if at < len(poly)) for at in range(size))


def scaled(poly: Sequence[Any], factor: Any) -> Poly:
    """A multiple of a polynomial."""
    return trimmed(factor * one for one in poly)


def product(*polys: Sequence[Any]) -> Poly:
    """The product of polynomials."""
    result: Poly = [1]
    for poly in polys:
        found: Poly = [0] * (len(result) + len(poly) - 1) if poly else []
        for at, one in enumerate(result if poly else ()):
            for ahead, other in enumerate(poly):
                found[at + ahead] += one * other
        result = found
    return trimmed(result)


def divided(poly: Sequence[Any], by: Sequence[Any]) -> tuple[Poly, Poly]:
    """Quotient and remainder over the rational numbers.

    Integers stay integers if the divisor is monic.
    """
    rest, quotient = list(poly), [0] * max(0, len(poly) - len(by) + 1)
    for at in range(len(rest) - len(by), -1, -1):
        lead = rest[at + len(by) - 1]
        factor = lead * by[-1] if by[-1] in (1, -1) else Fraction(lead) / by[-1]
        quotient[at] = factor
        for ahead, one in enumerate(by):
            rest[at + ahead] -= factor * one
    return trimmed(quotient), trimmed(rest)


def value_at(poly: Sequence[Any], point: Any) -> Any:
    """The value at a point, by Horner's scheme."""
    result: Any = 0
    for one in reversed(poly):
        result = result * point + one
    return result


def derivative(poly: Sequence[Any]) -> Poly:
    """The derivative."""
    return [at * one for at, one in enumerate(poly)][1:]


def content(poly: Sequence[Any]) -> Fraction:
    """The positive rational number that leaves coprime integers when divided out.

    0 for the zero polynomial.
    """
    values = [Fraction(one) for one in poly]
    return Fraction(gcd(*(one.numerator for one in values)), lcm(*(one.denominator for one in values)))


def primitive(poly: Sequence[Any]) -> list[int]:
    """The multiple with coprime integer coefficients and a positive leading one."""
    unit = content(poly) * (1 if poly[-1] > 0 else -1)
    return [int(one / unit) for one in map(Fraction, poly)]


def divisor(one: Sequence[Any], other: Sequence[Any]) -> list[int]:
    """The primitive greatest common divisor of two polynomials, not both zero."""
    first, second = trimmed(one), trimmed(other)
    while second:
        rest = divided(first, second)[1]
        first, second = second, primitive(rest) if rest else []
    return primitive(first)


def through(points: Sequence[tuple[Any, Any]]) -> Poly:
    """The polynomial of lowest degree through points, by Newton's differences.

    The points must have different first coordinates.
    """
    slopes = [Fraction(y) for _, y in points]
    for order in range(1, len(points)):
        for at in range(len(points) - 1, order - 1, -1):
            slopes[at] = (slopes[at] - slopes[at - 1]) / (points[at][0] - points[at - order][0])
    result: Poly = []
    for (x, _), slope in zip(reversed(points), reversed(slopes), strict=True):
        result = total(product(result, [-x, 1]), [slope])
    return result


def drawn(rng: Stream, degree: int, size: int) -> list[int]:
    """A random integer polynomial of a degree.

    No coefficient exceeds ``size``, and the outer ones are not 0.
    """
    inner = [rng.between(-size, size) for _ in range(degree - 1)]
    ends = [rng.between(1, size) * (1 - 2 * rng.below(2)) for _ in range(2)]
    return [ends[0], *inner, ends[1]] if degree else ends[:1]
