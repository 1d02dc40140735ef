"""Elements of a ring of functions in normal form.

Two elements are equal if their difference is zero.

An element is a sum of monomials with rational coefficients. A monomial is a product of rational powers of *atoms*:

============== =====================================================================================================
``v:x``        a variable
``n:2``        a prime number, for its roots
``i``          the imaginary unit
``b:...``      a base: a sum that is divided by or of which a root is taken; its definition is kept
``e:...``      the exponential of a monomial, so that ``exp(2x + y)`` is ``e:x ^ 2 * e:y``
``l:...``      the logarithm of the absolute value of an atom
``f:...``      another function of an element; ``pi`` is an atom of its own
============== =====================================================================================================

Every rule is an identity wherever both sides are defined, so equal normal forms are equal functions. The converse is
proven for elements of variables, roots of numbers and ``i`` (:meth:`Ring.settled`); the other atoms could depend on each
other in ways that no rule shows, and then unequal normal forms prove nothing.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, gcd, lcm
from typing import Final, TypeAlias

Number: TypeAlias = "int | Fraction"  # integers where possible, for speed
Monomial: TypeAlias = "tuple[tuple[str, Number], ...]"
Element: TypeAlias = "dict[Monomial, Number]"

ONE: Final[Monomial] = ()
_MAX_TERMS: Final = 3_000
_MAX_POWER: Final = 200
_MAX_BITS: Final = 20_000
_MAX_WORK: Final = 400_000


class Unsettled(Exception):
    """The element has no known normal form or exceeds the limits."""


class Undefined(Exception):
    """A division by zero."""


class Ring:
    """Arithmetic of elements; keeps the definitions of bases, and counts its work.

    Args:
        positive: All variables stand for positive numbers.
    """

    def __init__(self, *, positive: bool = False) -> None:
        self.positive = positive
        self.bases: dict[str, Element] = {}
        self.work = 0

    def spend(self, units: int) -> None:
        """Count work.

        Raises:
            Unsettled: There was too much.
        """
        self.work += units
        if self.work > _MAX_WORK:
            raise Unsettled("too much work")

    # -- sums and products -------------------------------------------------------------------------------------------

    def sum(self, *elements: Element) -> Element:
        """The sum of elements."""
        found: Element = {}
        for element in elements:
            self.spend(len(element))
            for monomial, factor in element.items():
                _put(found, monomial, factor)
        return found

    def minus(self, one: Element, other: Element) -> Element:
        """The difference of two elements."""
        return self.sum(one, {monomial: -factor for monomial, factor in other.items()})

    def product(self, one: Element, other: Element) -> Element:
        """The product of two elements."""
        self.spend(len(one) * len(other))
        found: Element = {}
        for left, first in one.items():
            for right, second in other.items():
                factor = first * second
                merged = _merged(left, right)
                if all(_kept(atom, exponent) for atom, exponent in merged):
                    _put(found, tuple(sorted(merged)), factor)
                else:
                    for monomial, more in self._reduced(merged, factor).items():
                        _put(found, monomial, more)
        if len(found) > _MAX_TERMS:
            raise Unsettled("too many terms")
        for factor in found.values():
            if factor.numerator.bit_length() + factor.denominator.bit_length() > _MAX_BITS:
                raise Unsettled("a number is too large")
        return found

    def _reduced(self, merged: list[tuple[str, Number]], factor: Number) -> Element:
        """A monomial whose exponents may be too large for their atoms."""
        kept: list[tuple[str, Number]] = []
        expanded: list[tuple[str, int]] = []
        for atom, exponent in merged:
            if _kept(atom, exponent):
                kept.append((atom, exponent))
                continue
            whole = floor(exponent)
            if atom == "i":
                factor *= -1 if whole % 4 > 1 else 1
                whole -= whole % 2
            elif atom[0] == "n":
                factor *= Fraction(int(atom[2:])) ** whole
            else:
                expanded.append((atom, whole))
            if exponent != whole:
                kept.append((atom, exponent - whole))
        result: Element = {tuple(sorted(kept)): factor}
        for atom, whole in expanded:
            result = self.product(result, self.power(self.bases[atom], whole))
        return result

    def power(self, element: Element, exponent: int) -> Element:
        """A power with a whole exponent.

        Raises:
            Undefined: A negative power of zero.
        """
        if abs(exponent) > _MAX_POWER:
            raise Unsettled("an exponent is too large")
        if exponent < 0:
            return self.power(self.inverse(element), -exponent)
        result: Element = {ONE: 1}
        while exponent:
            if exponent & 1:
                result = self.product(result, element)
            exponent >>= 1
            element = self.product(element, element) if exponent else element
        return result

    # -- zero --------------------------------------------------------------------------------------------------------

    def cleared(self, element: Element) -> tuple[Element, Monomial]:
        """Numerator and denominator.

        The element without bases to negative powers, and the powers multiplied by.
        """
        cleared: dict[str, Number] = {}
        while True:
            lowest = {atom: floor(exponent) for m in element for atom, exponent in m if atom[0] == "b" and exponent < 0}
            for m in element:
                for atom, exponent in m:
                    if atom in lowest:
                        lowest[atom] = min(lowest[atom], floor(exponent))
            if not lowest:
                return element, tuple(sorted(cleared.items()))
            atom, least = min(lowest.items())
            cleared[atom] = cleared.get(atom, 0) - least
            element = self.product({((atom, -least),): 1}, element)

    def is_zero(self, element: Element) -> bool:
        """Whether an element is zero by its normal form."""
        return not self.cleared(element)[0]

    def settled(self, element: Element) -> bool:
        """Whether a nonzero normal form proves that the element is nonzero."""
        return all(
            atom == "i" or (atom[0] in "nv" and (atom[0] == "n" or exponent.denominator == 1))
            for m in self.cleared(element)[0]
            for atom, exponent in m
        )

    # -- inverses and roots ------------------------------------------------------------------------------------------

    def inverse(self, element: Element) -> Element:
        """One divided by an element.

        Raises:
            Undefined: It is zero.
        """
        element, denominator = self.cleared(element)
        if not element:
            raise Undefined
        factor, monomial, rest = split(element)
        turned = [(atom, -exponent) for atom, exponent in monomial]
        if len(rest) > 1:
            turned.append((self.base(rest), -1))
        return self.product(
            self._reduced(_merged(tuple(turned), ()), Fraction(1) / factor), self._reduced([*denominator], _UNIT)
        )

    def base(self, element: Element) -> str:
        """The atom that stands for a sum."""
        atom = f"b:{spelled(element)}"
        self.bases[atom] = element
        return atom

    def root(self, element: Element, exponent: Number) -> Element:
        """A power with a fractional exponent, where it is one for sure.

        Raises:
            Unsettled: The sign of a part decides.
        """
        element, denominator = self.cleared(element)
        if denominator:
            raise Unsettled("the root of a quotient")
        if not element:
            raise Unsettled("a power of zero")
        factor, monomial, rest = split(element)
        if factor < 0 and monomial and len(rest) == 1:
            raise Unsettled("the root of a negative multiple")
        if len(rest) > 1:
            whole = self.product({monomial: _UNIT if factor > 0 else -_UNIT}, rest)
            factor, monomial = magnitude(factor), ((self.base(whole), 1),)
        result = self.number_root(factor, exponent)
        for atom, one in monomial:
            if atom == "i" or (one != 1 and one.denominator == 1 and not self.is_positive(atom)):
                raise Unsettled("the root of a power")
            result = self.product(result, self.atom(atom, one * exponent))
        return result

    def is_positive(self, atom: str) -> bool:
        """Whether an atom certainly stands for a positive number."""
        if atom[0] == "v":
            return self.positive
        return atom[0] == "n" or atom == "pi" or (atom[0] == "e" and "(i)" not in atom)

    def number_root(self, value: Number, exponent: Number) -> Element:
        """A power of a rational number.

        Odd roots of negative numbers are real, square roots of them imaginary.
        """
        sign: list[tuple[str, Number]] = []
        turned = 1
        if value < 0 and exponent.denominator == 2:
            sign = [("i", exponent.numerator)]
        elif value < 0 and exponent.denominator % 2 == 0:
            raise Unsettled("an even root of a negative number")
        elif value < 0 and exponent.numerator % 2:
            turned = -1
        parts = [
            (f"n:{prime}", times * exponent * side)
            for number, side in ((abs(value.numerator), 1), (value.denominator, -1))
            for prime, times in primes(number)
        ]
        return self._reduced([*parts, *sign], turned)

    def atom(self, atom: str, exponent: Number = 1) -> Element:
        """A power of an atom."""
        return self._reduced([(atom, exponent)], _UNIT)


_UNIT: Final = 1


def primes(number: int) -> list[tuple[int, int]]:
    """The prime factors of a positive integer with their exponents.

    Raises:
        Unsettled: It is too large.
    """
    found: list[tuple[int, int]] = []
    prime = 2
    while prime * prime <= number:
        times = 0
        while number % prime == 0:
            number //= prime
            times += 1
        if times:
            found.append((prime, times))
        prime += 1
        if prime > 2_000 and number > 1:
            raise Unsettled("a number is too large to factor")
    return found + ([(number, 1)] if number > 1 else [])


def magnitude(value: Number) -> Number:
    """The absolute value."""
    return value if value > 0 else -value


def spelled(element: Element) -> str:
    """A text that is the same for equal elements only."""
    return " + ".join(f"{element[m]} {named(m)}" for m in sorted(element))


def named(monomial: Monomial) -> str:
    """A text that is the same for equal monomials only."""
    return " ".join(f"({atom})^{exponent}" for atom, exponent in monomial)


def _put(found: Element, monomial: Monomial, factor: Number) -> None:
    value = found.get(monomial, 0) + factor
    if value:
        found[monomial] = value
    else:
        found.pop(monomial, None)


def _merged(one: Monomial, other: Monomial) -> list[tuple[str, Number]]:
    powers = dict(one)
    for atom, exponent in other:
        powers[atom] = powers.get(atom, 0) + exponent
    return [(atom, exponent) for atom, exponent in powers.items() if exponent]


def _kept(atom: str, exponent: Number) -> bool:
    """Whether a power stays as it is."""
    if atom == "i":
        return exponent == 1
    if atom[0] == "n":
        return 0 < exponent < 1
    return atom[0] != "b" or exponent < 1


def split(element: Element) -> tuple[Number, Monomial, Element]:
    """Split a cleared element into rational factor, monomial and integer sum.

    Their product is the element, which must not be zero. The coefficients of the sum are coprime integers.
    """
    common: dict[str, Number] = dict(next(iter(element)))
    for monomial in element:
        powers = dict(monomial)
        common = {atom: min(common.get(atom, 0), powers.get(atom, 0)) for atom in {*common, *powers}}
    free = tuple(sorted((atom, exponent) for atom, exponent in common.items() if exponent))
    if len(element) > 1:
        free = tuple((atom, exponent) for atom, exponent in free if atom[0] not in "inb")
    unit = Fraction(
        gcd(*(factor.numerator for factor in element.values())),
        lcm(*(factor.denominator for factor in element.values())),
    )
    unit *= 1 if element[max(element)] > 0 else -1
    turned = tuple((atom, -exponent) for atom, exponent in free)
    rest: Element = {tuple(sorted(_merged(monomial, turned))): factor / unit for monomial, factor in element.items()}
    return unit, free, rest
