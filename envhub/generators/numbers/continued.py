"""Continued fractions of rational numbers and square roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt


def quotients(number: Fraction) -> list[int]:
    """The partial quotients of a rational number.

    The last one is at least 2, unless it is the only one.
    """
    found: list[int] = []
    top, bottom = number.numerator, number.denominator
    while bottom:
        found.append(top // bottom)
        top, bottom = bottom, top % bottom
    return found


def folded(found: Sequence[int]) -> Fraction:
    """The rational number with the given partial quotients."""
    value = Fraction(found[-1])
    for quotient in reversed(found[:-1]):
        value = quotient + 1 / value
    return value


def root_quotients(number: int, count: int) -> list[int]:
    """The first partial quotients of an irrational square root."""
    root = isqrt(number)
    added, divisor, quotient = 0, 1, root
    found = [root]
    while len(found) < count:
        added = divisor * quotient - added
        divisor = (number - added * added) // divisor
        quotient = (root + added) // divisor
        found.append(quotient)
    return found
