"""Exact numbers: sums of rational multiples of square roots.

``Surd.root(Fraction(12))`` is 2 sqrt(3). Sums, products, quotients by numbers of one or two terms, and roots of rational
numbers are exact. An operation whose result is not such a number returns None::

    (Surd.of(3) * Surd.root(Fraction(2)) + Surd.of(1)).text()        # "1 + 3sqrt(2)"
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt, sqrt
from typing import Final, NamedTuple

_MOST: Final = 10**9
"""Largest number whose square factors are looked for."""


class Surd(NamedTuple):
    """A sum of terms: integers under the root, with their factors."""

    terms: tuple[tuple[int, Fraction], ...]

    @classmethod
    def of(cls, value: Fraction | int) -> Surd:
        """A rational number."""
        return cls(((1, Fraction(value)),)) if value else cls(())

    @classmethod
    def root(cls, value: Fraction) -> Surd | None:
        """The square root of a rational number.

        None if it is negative or too large.
        """
        inside = value.numerator * value.denominator
        if not 0 <= inside <= _MOST:
            return None
        factor, divisor = 1, 2
        while divisor**2 <= inside and divisor < 1000:
            if inside % divisor**2 == 0:
                inside, factor = inside // divisor**2, factor * divisor
            else:
                divisor += 1
        if isqrt(inside) ** 2 == inside:
            inside, factor = 1, factor * isqrt(inside)
        return cls(((inside, Fraction(factor, value.denominator)),)) if value else cls(())

    def plus(self, other: Surd) -> Surd:
        """The sum."""
        found = dict(self.terms)
        for inside, factor in other.terms:
            found[inside] = found.get(inside, Fraction(0)) + factor
        return _of(found)

    def times(self, other: Surd) -> Surd:
        """The product."""
        found: dict[int, Fraction] = {}
        for a, p in self.terms:
            for b, q in other.terms:
                root = Surd.root(Fraction(a * b))
                assert root is not None
                [(inside, factor)] = root.terms
                found[inside] = found.get(inside, Fraction(0)) + factor * p * q
        return _of(found)

    def scaled(self, factor: Fraction | int) -> Surd:
        """A rational multiple."""
        return _of({inside: own * factor for inside, own in self.terms})

    def inverse(self) -> Surd | None:
        """One over it; None for zero and for more than two terms."""
        if not self.terms or len(self.terms) > 2:
            return None
        if len(self.terms) == 1:
            [(inside, factor)] = self.terms
            return Surd(((inside, 1 / (factor * inside)),))
        first, second = self.terms
        other = _of({first[0]: first[1], second[0]: -second[1]})
        norm = self.times(other).rational()
        return other.scaled(1 / norm) if norm else None

    def squared_root(self) -> Surd | None:
        """The square root, if this is rational."""
        value = self.rational()
        return None if value is None else Surd.root(value)

    def rational(self) -> Fraction | None:
        """The value, if it is rational."""
        if not self.terms:
            return Fraction(0)
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] == 1 else None

    def __float__(self) -> float:
        """The value, nearly."""
        return float(sum(float(factor) * sqrt(inside) for inside, factor in self.terms))

    def text(self) -> str:
        """The number as an answer: ``7``, ``15/2``, ``7sqrt(3)/2``, ``1 + 3sqrt(2)``."""
        if not self.terms:
            return "0"
        first, *rest = (_term(inside, factor) for inside, factor in self.terms)
        return first + "".join(f" - {one[1:]}" if one[0] == "-" else f" + {one}" for one in rest)


def _of(terms: Mapping[int, Fraction]) -> Surd:
    return Surd(tuple(sorted((inside, factor) for inside, factor in terms.items() if factor)))


def _term(inside: int, factor: Fraction) -> str:
    if inside == 1:
        return str(factor)
    sign, top = "-" if factor < 0 else "", abs(factor.numerator)
    over = f"/{factor.denominator}" if factor.denominator > 1 else ""
    return f"{sign}{top if top > 1 else ''}sqrt({inside}){over}"
