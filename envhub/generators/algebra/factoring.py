"""Factorisation of polynomials over the integers.

The polynomial is made squarefree, factored modulo one prime above twice Mignotte's bound on the coefficients of factors
(Cantor and Zassenhaus), and the factors are recombined. Complete, since every factor over the integers is a product of
factors modulo the prime, and its coefficients can be read off::

    factors([-4, 0, 0, 0, 1])        # (1, [([-2, 0, 1], 1), ([2, 0, 1], 1)])
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, gcd, isqrt
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.algebra.polynomials import derivative, divided, divisor, primitive, product, trimmed

_PRIMES: Final = tuple((1 << power) - 1 for power in (61, 89, 107, 127, 521, 607, 1279))
MAX_DEGREE: Final = 16
_MAX_END: Final = 10**8


class TooLarge(ValueError):
    """The polynomial is beyond the limits of the method."""


def factors(poly: Sequence[int]) -> tuple[int, list[tuple[list[int], int]]]:
    """The constant and the irreducible factors of an integer polynomial.

    The factors are primitive and come with their multiplicities.

    Factors have positive leading coefficients and are sorted by degree, then by coefficients.

    Raises:
        TooLarge: The degree exceeds ``MAX_DEGREE``, or a coefficient is too large.
    """
    constant, found = _factors(tuple(poly))
    return constant, [(list(one), times) for one, times in found]


def irreducible(poly: Sequence[int]) -> bool:
    """Whether a polynomial of positive degree is primitive and irreducible.

    An irreducible polynomial has no factor of smaller positive degree.
    """
    constant, found = factors(poly)
    return constant in (1, -1) and len(found) == 1 and found[0][1] == 1


@lru_cache(maxsize=4096)
def _factors(poly: tuple[int, ...]) -> tuple[int, tuple[tuple[tuple[int, ...], int], ...]]:
    whole = primitive(poly)
    found: list[tuple[tuple[int, ...], int]] = []
    rest = whole
    for one in _squarefree_factors(divided(whole, divisor(whole, derivative(whole)))[0] if len(whole) > 2 else whole):
        times = 0
        while len(rest) >= len(one):
            quotient, left = divided(rest, one)
            if left:
                break
            rest, times = quotient, times + 1
        found.append((tuple(one), times))
    return poly[-1] // whole[-1], tuple(sorted(found, key=lambda pair: (len(pair[0]), pair[0])))


def _squarefree_factors(poly: Sequence[int | Fraction]) -> list[list[int]]:
    """The irreducible factors of a squarefree polynomial."""
    linear, rest = _without_roots(primitive(poly))
    degree = len(rest) - 1
    if degree < 4:  # without a rational root, so without a factor
        return [*linear, *([rest] if degree else [])]
    if degree > MAX_DEGREE:
        raise TooLarge(f"a polynomial of degree {degree} is not factored")
    modulus = _prime_for(rest)
    modular = _modular_factors([one * pow(rest[-1], -1, modulus) % modulus for one in rest], modulus)
    found = linear
    size = 1
    while 2 * size <= len(modular):
        for chosen in combinations(range(len(modular)), size):
            candidate = _lifted([modular[at] for at in chosen], rest[-1], modulus)
            quotient, left = divided(rest, candidate)
            if not left:
                found.append(candidate)
                rest = primitive(quotient)
                modular = [one for at, one in enumerate(modular) if at not in chosen]
                break
        else:
            size += 1
    return [*found, rest]


def rational_roots(poly: Sequence[int]) -> list[Fraction]:
    """The different rational roots of an integer polynomial, in ascending order.

    The polynomial must not be zero.

    Raises:
        TooLarge: An outer coefficient is too large for its divisors to be tried.
    """
    low = next(at for at, one in enumerate(poly) if one)
    found = {Fraction(0)} if low else set()
    tops = _divisors(poly[low])
    for bottom in _divisors(poly[-1]):
        for top in tops:
            if gcd(top, bottom) == 1:
                found |= {Fraction(sign, bottom) for sign in (top, -top) if not _at_ratio(poly, sign, bottom)}
    return sorted(found)


def _at_ratio(poly: Sequence[int], top: int, bottom: int) -> int:
    """The value at a fraction, times a power of its denominator."""
    result, scale = 0, 1
    for one in reversed(poly):
        result = result * top + one * scale
        scale *= bottom
    return result


def _divisors(number: int) -> list[int]:
    number = abs(number)
    if number > _MAX_END:
        raise TooLarge(f"the divisors of {number} are too many to try")
    small = [one for one in range(1, isqrt(number) + 1) if number % one == 0]
    return sorted({*small, *(number // one for one in small)})


def _without_roots(poly: list[int]) -> tuple[list[list[int]], list[int]]:
    """The linear factors of a squarefree polynomial, and the rest."""
    if len(poly) == 2:
        return [poly], [1]
    if len(poly) == 3:
        square = poly[1] * poly[1] - 4 * poly[0] * poly[2]
        if square < 0 or isqrt(square) ** 2 != square:
            return [], poly
    linear = [[-root.numerator, root.denominator] for root in rational_roots(poly)] if len(poly) > 1 else []
    for one in linear:
        poly = primitive(divided(poly, one)[0])
    return linear, poly


def _prime_for(poly: Sequence[int]) -> int:
    """A suitable prime modulus for factoring a polynomial.

    Modulo this prime, the polynomial keeps its degree and stays squarefree. The prime is large enough to determine the
    coefficients of the factors.
    """
    degree = len(poly) - 1
    norm = isqrt(sum(one * one for one in poly)) + 1
    bound = 2 * abs(poly[-1]) * comb(degree, degree // 2) * norm * 2
    for modulus in _PRIMES:
        if modulus > bound and poly[-1] % modulus and len(_divisor(poly, derivative(poly), modulus)) == 1:
            return modulus
    raise TooLarge("a coefficient is too large for factoring")


def _lifted(modular: list[list[int]], lead: int, modulus: int) -> list[int]:
    """The primitive integer polynomial for a product of modular factors.

    It may or may not be a factor of the whole polynomial.
    """
    whole = [one * lead % modulus for one in product(*modular)]
    return primitive([one - modulus if 2 * one > modulus else one for one in whole])


# -- modulo a prime ----------------------------------------------------------------------------------------------------


def _rest(poly: Sequence[int], by: Sequence[int], modulus: int) -> list[int]:
    """The remainder modulo a monic polynomial."""
    rest = [one % modulus for one in poly]
    while len(rest) >= len(by):
        lead = rest.pop()
        for at in range(1, len(by)) if lead else ():
            rest[-at] = (rest[-at] - lead * by[-1 - at]) % modulus
    return trimmed(rest)


def _monic(poly: Sequence[int], modulus: int) -> list[int]:
    unit = pow(poly[-1], -1, modulus)
    return [one * unit % modulus for one in poly]


def _divisor(one: Sequence[int], other: Sequence[int], modulus: int) -> list[int]:
    """The monic greatest common divisor."""
    first, second = (trimmed(each % modulus for each in poly) for poly in (one, other))
    while second:
        second = _monic(second, modulus)
        first, second = second, _rest(first, second, modulus)
    return _monic(first, modulus)


def _power(base: list[int], exponent: int, by: list[int], modulus: int) -> list[int]:
    result, base = [1], _rest(base, by, modulus)
    while exponent:
        if exponent & 1:
            result = _rest(product(result, base), by, modulus)
        exponent >>= 1
        base = _rest(product(base, base), by, modulus) if exponent else base
    return result


def _quotient(poly: list[int], by: list[int], modulus: int) -> list[int]:
    return [one % modulus for one in divided(poly, by)[0]]


def _modular_factors(poly: list[int], modulus: int) -> list[list[int]]:
    """The monic irreducible factors of a monic squarefree polynomial."""
    found: list[list[int]] = []
    frobenius, degree = [0, 1], 0
    while len(poly) - 1 >= 2 * (degree + 1):
        degree += 1
        frobenius = _power(frobenius, modulus, poly, modulus)
        shared = _divisor(trimmed(_minus(frobenius, [0, 1], modulus)), poly, modulus) if frobenius != [0, 1] else poly
        if len(shared) > 1:
            found += _equal_degree(shared, degree, modulus)
            poly = _quotient(poly, shared, modulus)
            frobenius = _rest(frobenius, poly, modulus)
    return found + ([poly] if len(poly) > 1 else [])


def _minus(one: list[int], other: list[int], modulus: int) -> list[int]:
    size = max(len(one), len(other))
    padded = [(*poly, *[0] * (size - len(poly))) for poly in (one, other)]
    return [(a - b) % modulus for a, b in zip(*padded, strict=True)]


def _equal_degree(poly: list[int], degree: int, modulus: int) -> list[list[int]]:
    """The factors of a product of irreducible polynomials of one degree."""
    if len(poly) - 1 == degree:
        return [poly]
    rng = Stream(repr(poly).encode(), "split")
    while True:
        trial = trimmed([rng.below(modulus) for _ in range(len(poly) - 1)])
        power = _power(trial, (modulus**degree - 1) // 2, poly, modulus)
        shared = _divisor(_minus(power, [1], modulus), poly, modulus)
        if 1 < len(shared) < len(poly):
            other = _quotient(poly, shared, modulus)
            return _equal_degree(shared, degree, modulus) + _equal_degree(other, degree, modulus)
