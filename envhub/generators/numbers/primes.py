"""Primes below a bound, and what is counted from them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from math import isqrt
from typing import Final

BOUND: Final = 1 << 20
"""Primes are known below this bound."""


@cache
def primes() -> list[int]:
    """All primes below :data:`BOUND`, in ascending order."""
    sieve = bytearray([1]) * BOUND
    sieve[:2] = b"\0\0"
    for number in range(2, isqrt(BOUND) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, BOUND, number)))
    return [number for number in range(BOUND) if sieve[number]]


def between(low: int, high: int) -> list[int]:
    """The primes from ``low`` to ``high``, both included."""
    known = primes()
    return known[bisect_left(known, low) : bisect_right(known, high)]


def count_to(high: int) -> int:
    """The number of primes up to ``high``."""
    return bisect_right(primes(), high)


def factors(number: int) -> list[int]:
    """The prime factors of a number, in ascending order.

    The number must be smaller than the square of :data:`BOUND`.
    """
    found: list[int] = []
    for prime in primes():
        if prime * prime > number:
            break
        while number % prime == 0:
            found.append(prime)
            number //= prime
    return [*found, number] if number > 1 else found
