r"""Elementary functions on integers that represent multiples of :math:`2^{-p}`, with bounded errors.

Every function takes ``x`` (the number times ``2**p``) and ``p`` and returns an integer within ``ERROR`` units in the last
place of the exact result (:func:`exp`: within ``ERROR`` units and ``2**-p`` of the result, relative). Each works with at
least 40 guard bits, thousands of times what its series and reductions lose. Floats only pick where a series starts: a
wrong one would cost time, not correctness::

    exp(1 << 64, 64) / 2**64        # 2.718281828...
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

ERROR: Final = 8
_GUARD: Final = 40


@lru_cache(maxsize=64)
def pi(p: int) -> int:
    """Pi, by Machin's formula."""
    w = p + _GUARD
    return (4 * (4 * _arc(5, w, -1) - _arc(239, w, -1))) >> _GUARD


@lru_cache(maxsize=64)
def ln2(p: int) -> int:
    """The natural logarithm of 2."""
    w = p + _GUARD
    return (18 * _arc(26, w, 1) - 2 * _arc(4801, w, 1) + 8 * _arc(8749, w, 1)) >> _GUARD


def _arc(n: int, w: int, sign: int) -> int:
    """The arctangent (sign -1) or the hyperbolic one (sign 1) of 1/n."""
    term = total = (1 << w) // n
    square, k = n * n, 1
    while term:
        term //= square
        k += 2
        total += sign ** (k // 2) * (term // k)
    return total


def exp(x: int, p: int) -> int:
    """The exponential."""
    s = math.isqrt(p) // 2 + 4
    w = p + s + _GUARD
    wide = w + max(x.bit_length() - p, 0) + 8
    k = (x << 16) // (ln2(p + 24) << 16) if x.bit_length() < p + 20 else (x << (wide - p)) // ln2(wide)
    r = ((x << (wide - p)) - k * ln2(wide)) >> (wide - w + s)
    total = (1 << w) + r
    term, n = r, 1
    while term:
        n += 1
        term = (term * r >> w) // n
        total += term
    for _ in range(s):
        total = total * total >> w
    shift = w - p - k
    return total >> shift if shift >= 0 else total << -shift


def ln(x: int, p: int) -> int:
    """The natural logarithm of a positive number."""
    w = p + _GUARD
    n = x.bit_length() - p  # x is 2**n times a number of [1/2, 1)
    top = x >> (x.bit_length() - 60) if x.bit_length() > 60 else x << (60 - x.bit_length())
    start = math.floor(math.log(top / 2**60) * 2**52) << (w - 52) if w > 52 else 0
    m = x << (w - p - n) if w - p - n >= 0 else x >> (n + p - w)
    t = (m * exp(-start, w) >> w) - (1 << w)
    total = power = t
    j = 1
    while power not in (0, -1):
        power = power * t >> w
        j += 1
        total += power // j if j % 2 else -(power // j)
    wide = w + 24
    return (n * ln2(wide) + ((start + total) << 24)) >> (wide - p)


def sin_cos(x: int, p: int) -> tuple[int, int]:
    """The sine and the cosine."""
    s = math.isqrt(p) // 3 + 3
    w = p + 2 * s + _GUARD
    wide = w + max(x.bit_length() - p, 0) + 8
    half = pi(wide) >> 1
    big = x << (wide - p)
    n = (big + (half >> 1)) // half
    r = (big - n * half) >> (wide - w + s)
    square = r * r >> w
    sine = term = r
    k = 1
    while term not in (0, -1):
        term = -(term * square >> w) // ((k + 1) * (k + 2))
        k += 2
        sine += term
    one = 1 << w
    cosine, term, k = one, one, 0
    while term not in (0, -1):
        term = -(term * square >> w) // ((k + 1) * (k + 2))
        k += 2
        cosine += term
    for _ in range(s):
        sine, cosine = sine * cosine >> (w - 1), one - (sine * sine >> (w - 1))
    sine, cosine = sine >> (w - p), cosine >> (w - p)
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[n % 4]


def atan(x: int, p: int) -> int:
    """The arctangent."""
    if x < 0:
        return -atan(-x, p)
    if x > 1 << p:
        # 1/x to more places: its error is that of the result
        return ((pi(p + 4) >> 1) - atan((1 << (2 * p + 4)) // x, p + 4)) >> 4
    w = p + _GUARD
    start = math.floor(math.atan((x >> (p - 60) if p > 60 else x << (60 - p)) / 2**60) * 2**52) << (w - 52)
    sine, cosine = sin_cos(start, w)
    big = x << (w - p)
    t = (((big * cosine >> w) - sine) << w) // (cosine + (big * sine >> w))
    square = t * t >> w
    total = power = t
    k = 1
    while power not in (0, -1):
        power = -(power * square >> w)
        k += 2
        total += power // k
    return (start + total) >> (w - p)


def root(x: int, n: int) -> int:
    """The integer n-th root of an integer, rounded down.

    The integer is 0 or more. By Newton's method from above.
    """
    if n == 2:
        return math.isqrt(x)
    if x < 2:
        return x
    guess = 1 << -(-x.bit_length() // n)
    while True:
        better = ((n - 1) * guess + x // guess ** (n - 1)) // n
        if better >= guess:
            return guess
        guess = better
