"""Power series about 0, cut off.

Lists of fractions, the constant term first.

::

    sine(2, 5)                         # sin(2x) up to x^5
    composed(exponential(1, 4), sine(1, 4), 4)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import factorial
from typing import Final, NamedTuple

from envhub.generators.algebra.formulas import Formula, number, plus, power, times

Series = list[Fraction]


def product(one: Sequence[Fraction], other: Sequence[Fraction], degree: int) -> Series:
    """The product, up to a degree."""
    return [sum((one[at] * other[k - at] for at in range(k + 1)), Fraction(0)) for k in range(degree + 1)]


def composed(outer: Sequence[Fraction], inner: Sequence[Fraction], degree: int) -> Series:
    """The composition ``outer(inner)`` of two series.

    The constant term of the inner series must be 0.
    """
    result = [Fraction(0)] * (degree + 1)
    for one in reversed(outer[: degree + 1]):
        result = product(result, inner, degree)
        result[0] += one
    return result


def exponential(factor: int, degree: int) -> Series:
    """``exp(factor * x)``."""
    return [Fraction(factor**k, factorial(k)) for k in range(degree + 1)]


def sine(factor: int, degree: int) -> Series:
    """``sin(factor * x)``."""
    return [Fraction((-1) ** (k // 2) * factor**k, factorial(k)) if k % 2 else Fraction(0) for k in range(degree + 1)]


def cosine(factor: int, degree: int) -> Series:
    """``cos(factor * x)``."""
    return [Fraction(0) if k % 2 else Fraction((-1) ** (k // 2) * factor**k, factorial(k)) for k in range(degree + 1)]


def logarithm(factor: int, degree: int) -> Series:
    """``ln(1 + factor * x)``."""
    return [Fraction(-((-factor) ** k), k) if k else Fraction(0) for k in range(degree + 1)]


def binomial(exponent: Fraction, factor: int, degree: int) -> Series:
    """``(1 + factor * x) ^ exponent``."""
    found = [Fraction(1)]
    for k in range(1, degree + 1):
        found.append(found[-1] * (exponent - k + 1) * factor / k)
    return found


class Known(NamedTuple):
    """A function whose series is known.

    Attributes:
        formula: The function of an operand, with a factor for ``binomial`` and ``logarithm``.
        series: Its series by factor and degree.
    """

    formula: Callable[[Formula], Formula]
    series: Callable[[int, int], Series]


def _shifted(exponent: Fraction) -> Callable[[Formula], Formula]:
    return lambda u: power(plus(1, u), exponent)


KNOWN: Final[tuple[Known, ...]] = (
    Known(lambda u: ["exp", u], exponential),
    Known(lambda u: ["sin", u], sine),
    Known(lambda u: ["cos", u], cosine),
    Known(lambda u: ["ln", plus(1, u)], logarithm),
    Known(_shifted(Fraction(-1)), lambda factor, degree: binomial(Fraction(-1), factor, degree)),
    Known(_shifted(Fraction(1, 2)), lambda factor, degree: binomial(Fraction(1, 2), factor, degree)),
    Known(_shifted(Fraction(-1, 2)), lambda factor, degree: binomial(Fraction(-1, 2), factor, degree)),
    Known(_shifted(Fraction(-2)), lambda factor, degree: binomial(Fraction(-2), factor, degree)),
)
VANISHING: Final = (KNOWN[1], KNOWN[3])
"""Functions that are 0 at 0."""


def times_x(factor: int) -> Formula:
    """``factor * x``."""
    return times(number(factor), "x")
