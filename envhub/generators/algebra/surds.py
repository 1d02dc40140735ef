"""Numbers of the form ``(a + b sqrt(d)) / c``, the roots of quadratic polynomials.

::

    roots([-1, -1, 1])            # [Surd(1, -1, 5, 2), Surd(1, 1, 5, 2)]
    formula(Surd(1, 1, 5, 2))     # ["*", ["inv", 2], ["+", ["^", 5, ["inv", 2]], 1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isqrt
from typing import Final, NamedTuple

from envhub.generators.algebra.formulas import HALF, Formula, number, plus, times

_PRECISION: Final = 10**40


class Surd(NamedTuple):
    """``(a + b * sqrt(d)) / c`` in lowest terms; ``d`` is squarefree and ``c`` positive.

    A rational number has ``b = 0`` and ``d = 1``. A negative ``d`` makes the number complex.
    """

    a: int
    b: int
    d: int
    c: int


def rational(value: Fraction | int) -> Surd:
    """A rational number."""
    return Surd(Fraction(value).numerator, 0, 1, Fraction(value).denominator)


def roots(quadratic: Sequence[int]) -> list[Surd]:
    """The different roots of an integer polynomial of degree 2.

    The smaller root comes first. Complex roots are included.
    """
    low, middle, high = quadratic
    square, rest = _squarefree(middle * middle - 4 * low * high)
    found = sorted({_reduced(-middle, sign * square, rest, 2 * high) for sign in (1, -1)}, key=lambda one: one.b)
    return found if rest < 0 else sorted(found, key=approximation)


def approximation(surd: Surd) -> Fraction:
    """A rational number within 1e-30 of a real one of moderate size."""
    root = Fraction(isqrt(surd.d * _PRECISION**2), _PRECISION)
    return (surd.a + surd.b * root) / surd.c


def formula(surd: Surd) -> Formula:
    """The number as a formula.

    The root of a negative number is a multiple of ``i``.
    """
    a, b, d, c = surd
    if not b:
        return number(Fraction(a, c))
    root = [] if abs(d) == 1 else [["^", abs(d), HALF]]
    imaginary = ["i"] if d < 0 else []
    return times(plus(times(b, *root, *imaginary), a), number(Fraction(1, c)))


def _squarefree(value: int) -> tuple[int, int]:
    """Split a value into a square's root and a squarefree number.

    The value is the square times the squarefree number.
    """
    sign, value, outside, at = (1 if value >= 0 else -1), abs(value), 1, 2
    while at * at <= value:
        while value % (at * at) == 0:
            value //= at * at
            outside *= at
        at += 1
    return (outside, sign * value) if value else (0, 1)


def _reduced(a: int, b: int, d: int, c: int) -> Surd:
    if d == 1:
        a, b = a + b, 0
    shared = gcd(a, b, c) * (1 if c > 0 else -1)
    return Surd(a // shared, b // shared, d, c // shared)
