"""Positional notation in positive and negative bases."""

from __future__ import annotations

from typing import Final

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def digits_of(number: int, base: int) -> list[int]:
    """The digits of a number, the most significant first.

    A negative base writes every integer without a sign.
    """
    found: list[int] = []
    while number:
        digit = number % abs(base)
        found.append(digit)
        number = (number - digit) // base
    return found[::-1] or [0]


def value_of(digits: list[int], base: int) -> int:
    """The number that digits stand for."""
    value = 0
    for digit in digits:
        value = value * base + digit
    return value


def numeral(number: int, base: int) -> str:
    """A number in a base up to 36.

    The letters a to z are the digits from 10.
    """
    return "".join(DIGITS[digit] for digit in digits_of(number, base))
