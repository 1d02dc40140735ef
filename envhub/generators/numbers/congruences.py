"""Congruences: Bezout coefficients, systems of remainders, and orders."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd, isqrt, lcm
from typing import NamedTuple

from envhub.generators.numbers import primes


class Bezout(NamedTuple):
    """``a * x + b * y = divisor``, where the divisor is the greatest common one.

    Attributes:
        divisor: The greatest common divisor.
        x: Coefficient of the first number.
        y: Coefficient of the second number.
        steps: Number of divisions that Euclid's algorithm took.
    """

    divisor: int
    x: int
    y: int
    steps: int


def bezout(a: int, b: int) -> Bezout:
    """Coefficients by the extended algorithm of Euclid, for positive numbers."""
    x, y, next_x, next_y, steps = 1, 0, 0, 1, 0
    while b:
        quotient = a // b
        a, b = b, a - quotient * b
        x, next_x = next_x, x - quotient * next_x
        y, next_y = next_y, y - quotient * next_y
        steps += 1
    return Bezout(a, x, y, steps)


def combine(pairs: Iterable[tuple[int, int]]) -> tuple[int, int] | None:
    """The least number with given remainders, and the modulus of the solution.

    None if the remainders contradict.

    Args:
        pairs: Modulus and remainder of each congruence.
    """
    value, modulus = 0, 1
    for other, remainder in pairs:
        divisor, x, _, _ = bezout(modulus, other)
        if (remainder - value) % divisor:
            return None
        value += modulus * ((remainder - value) // divisor * x % (other // divisor))
        modulus = lcm(modulus, other)
        value %= modulus
    return value, modulus


def order(base: int, prime: int) -> int:
    """The order of a number modulo a prime."""
    found = prime - 1
    for factor in primes.factors(prime - 1):
        if pow(base, found // factor, prime) == 1:
            found //= factor
    return found


def baby_and_giant_steps(exponent: int, prime: int) -> int:
    """Multiplications that Shanks' method takes to find an exponent modulo a prime."""
    stride = isqrt(prime) + 1
    return stride + exponent // stride


def least_total(coefficients: list[int], target: int) -> tuple[int, list[list[int]]] | None:
    """The smallest sum of unknowns that solves a linear equation.

    The unknowns are integers from 0 on.

    Args:
        coefficients: In ascending order, at least two.
        target: What the products add up to.

    Returns:
        The least sum and all ways to reach it; None if there is no way.
    """
    if len(coefficients) == 2:
        return _least_of_two(coefficients[0], coefficients[1], target)
    best: int | None = None
    ways: list[list[int]] = []
    *rest, largest = coefficients
    for count in range(target // largest + 1):
        found = least_total(rest, target - count * largest)
        if found is None or (best is not None and found[0] + count > best):
            continue
        if best is None or found[0] + count < best:
            best, ways = found[0] + count, []
        ways += [[*way, count] for way in found[1]]
    return None if best is None else (best, ways)


def _least_of_two(a: int, b: int, target: int) -> tuple[int, list[list[int]]] | None:
    """The same for two coefficients, the second being the larger."""
    divisor = gcd(a, b)
    if target % divisor:
        return None
    a, b, target = a // divisor, b // divisor, target // divisor
    least = target * pow(b, -1, a) % a
    if least * b > target:
        return None
    count = least + (target // b - least) // a * a
    other = (target - count * b) // a
    return count + other, [[other, count]]


def shanks(base: int, result: int, prime: int) -> int:
    """The least exponent of a power modulo a prime.

    Raises:
        ValueError: The result is not a power of the base.
    """
    stride = isqrt(prime) + 1
    steps: dict[int, int] = {}
    value = 1
    for exponent in range(stride):
        steps.setdefault(value, exponent)
        value = value * base % prime
    giant = pow(base, -stride, prime)
    value = result
    for turn in range(stride + 1):
        if value in steps:
            return turn * stride + steps[value]
        value = value * giant % prime
    raise ValueError(f"{result} is not a power of {base} modulo {prime}")
