"""Normal forms of formulas: equality proved by rules, without a single sample.

Exponentials are split into monomials, sines and cosines are exponentials of imaginary monomials, logarithms are split into
those of irreducible factors::

    reader = Reader()
    reader.is_zero(reader.read(["+", ["^", ["sin", "x"], 2], ["^", ["cos", "x"], 2], -1]))     # True
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from envhub.generators.algebra.elements import (
    ONE,
    Element,
    Monomial,
    Number,
    Ring,
    Undefined,
    Unsettled,
    magnitude,
    named,
    primes,
    spelled,
    split,
)
from envhub.generators.algebra.factoring import TooLarge, factors
from envhub.generators.algebra.formulas import Formula

_HALF: Final = Fraction(1, 2)
_I: Final[Element] = {(("i", 1),): 1}
_PI: Final[Element] = {(("pi", 1),): 1}
_TURN: Final[Monomial] = (("i", 1), ("pi", 1))
# four times the squares of the cosine and the sine of pi times a fraction
_ANGLES: Final = {
    Fraction(1, 6): (3, 1), Fraction(1, 4): (2, 2), Fraction(1, 3): (1, 3), Fraction(1, 2): (0, 4), Fraction(0): (4, 0),
}  # fmt: skip
_ARCS: Final[dict[tuple[str, Number], Fraction]] = {
    ("atan", Fraction(1)): Fraction(1, 4), ("asin", Fraction(1)): _HALF, ("asin", _HALF): Fraction(1, 6)
}  # fmt: skip


class Reader(Ring):
    """Reads formulas as elements."""

    def __init__(self, *, positive: bool = False) -> None:
        super().__init__(positive=positive)
        self.exponents: dict[str, Element] = {}

    def read(self, formula: Formula) -> Element:
        """The normal form of a formula.

        Raises:
            Undefined: It divides by zero.
            Unsettled: It has none.
        """
        if isinstance(formula, (int, Fraction)):
            return _number(formula)
        if isinstance(formula, str):
            return self.name(formula)
        op, *args = formula
        if op == "^":
            return self.raised(args[0], args[1])
        if op == "ln" and _is_absolute(args[0]):
            args = [args[0][1]]
        operands = [self.read(arg) for arg in args]
        if op == "+":
            return self.sum(*operands)
        if op == "*":
            result = operands[0]
            for operand in operands[1:]:
                result = self.product(result, operand)
            return result
        function = _FUNCTIONS.get(op)
        if function is None or (len(operands) != 1 and op != "log"):
            raise Unsettled(f"no rules for {op}")
        return function(self, *operands)

    def name(self, name: str) -> Element:
        """A variable, or one of the constants e, i and pi."""
        if name == "e":
            return self.exp(_number(1))
        if name in ("i", "pi"):
            return _I if name == "i" else _PI
        return self.atom(f"v:{name}")

    def raised(self, base: Formula, exponent: Formula) -> Element:
        """A power: whole, fractional, or an exponential."""
        value = _constant_of(self.read(exponent))
        if base == "e" and value is None:
            return self.exp(self.read(exponent))
        below = self.read(base)
        if value is None:
            known = _constant_of(below)
            if known is not None and known <= 0:
                raise Unsettled("a power of a number that is not positive")
            return self.exp(self.product(self.read(exponent), self.ln(below)))
        if value.denominator == 1:
            return self.power(below, value.numerator)
        return self.root(below, value)

    def scaled(self, element: Element, factor: Number) -> Element:
        """A rational multiple."""
        return {monomial: factor * one for monomial, one in element.items()} if factor else {}

    # -- exponentials and angles -------------------------------------------------------------------------------------

    def exp(self, element: Element) -> Element:
        """The exponential: a product over the monomials."""
        result = _number(1)
        for monomial, factor in element.items():
            result = self.product(result, self._exp_of(monomial, factor))
        return result

    def _exp_of(self, monomial: Monomial, factor: Number) -> Element:
        if monomial == _TURN:
            return self._turned(factor)
        if len(monomial) == 1 and monomial[0][0].startswith("l:") and monomial[0][1] == 1:
            inner = monomial[0][0][2:]
            if self.is_positive(inner):
                return self.atom(inner, factor)
        atom = f"e:{named(monomial)}"
        self.exponents[atom] = {monomial: 1}
        return self.atom(atom, factor)

    def _turned(self, angle: Number) -> Element:
        """``exp(i * pi * angle)``."""
        quarters, rest = divmod(angle, _HALF)
        turn = self.power(_I, quarters % 4)
        if rest not in _ANGLES:
            return self.product(turn, self.atom(f"e:{named(_TURN)}", rest))
        across, up = (
            self.scaled(self.number_root(Fraction(one), _HALF), _HALF) if one else {} for one in _ANGLES[rest]
        )
        return self.product(turn, self.sum(across, self.product(_I, up)))

    def cos(self, element: Element) -> Element:
        """The cosine."""
        angle = self.product(_I, element)
        return self.scaled(self.sum(self.exp(angle), self.exp(self.scaled(angle, -1))), _HALF)

    def sin(self, element: Element) -> Element:
        """The sine."""
        angle = self.product(_I, element)
        difference = self.sum(self.exp(angle), self.scaled(self.exp(self.scaled(angle, -1)), -1))
        return self.product(self.scaled(_I, -_HALF), difference)

    def quotient(self, one: Element, other: Element) -> Element:
        """A quotient."""
        return self.product(one, self.inverse(other))

    def cosh(self, element: Element) -> Element:
        """The hyperbolic cosine."""
        return self.scaled(self.sum(self.exp(element), self.exp(self.scaled(element, -1))), _HALF)

    def sinh(self, element: Element) -> Element:
        """The hyperbolic sine."""
        return self.sum(self.exp(element), self.scaled(self.cosh(element), -1))

    # -- logarithms and arcs -----------------------------------------------------------------------------------------

    def ln(self, element: Element) -> Element:
        """The logarithm of the absolute value, split into those of factors.

        Raises:
            Undefined: The element is zero.
            Unsettled: It is a negative number or has an imaginary factor.
        """
        if not element:
            raise Undefined
        known = _constant_of(element)
        if known is not None and known < 0:
            raise Unsettled("the logarithm of a negative number")
        element, denominator = self.cleared(element)
        factor, monomial, rest = split(element)
        parts = [self._ln_of(atom, exponent) for atom, exponent in monomial]
        parts += [self._ln_of(atom, -exponent) for atom, exponent in denominator]
        parts.append(self._ln_of_number(magnitude(factor)))
        if len(rest) > 1:
            parts += [self.scaled(self.atom(f"l:{spelled(one)}"), times) for one, times in _factored(rest)]
        return self.sum(*parts)

    def _ln_of_number(self, value: Number) -> Element:
        parts = [*primes(value.numerator), *((prime, -times) for prime, times in primes(value.denominator))]
        return self.sum(*(self.scaled(self.atom(f"l:n:{prime}"), times) for prime, times in parts))

    def _ln_of(self, atom: str, exponent: Number) -> Element:
        if atom[0] == "b":
            return self.scaled(self.ln(self.bases[atom]), exponent)
        if atom == "i" or "(i)" in atom:
            raise Unsettled("the logarithm of an imaginary number")
        if atom[0] == "e":
            return self.scaled(self.exponents[atom], exponent)
        return self.scaled(self.atom(f"l:{atom}"), exponent)

    def atan(self, element: Element) -> Element:
        """The arctangent; odd."""
        return self._arc("atan", element)

    def asin(self, element: Element) -> Element:
        """The arcsine; odd."""
        return self._arc("asin", element)

    def acos(self, element: Element) -> Element:
        """The arccosine, by the arcsine."""
        return self.sum(self.scaled(_PI, _HALF), self.scaled(self.asin(element), -1))

    def _arc(self, name: str, element: Element) -> Element:
        if not element:
            return {}
        sign = 1 if element[max(element)] > 0 else -1
        element = self.scaled(element, sign)
        known = _constant_of(element)
        angle = None if known is None else _ARCS.get((name, known))
        if angle is not None:
            return self.scaled(_PI, sign * angle)
        return self.scaled(self.atom(f"f:{name}:{spelled(element)}"), sign)

    def absolute(self, element: Element) -> Element:
        """The absolute value of a number or a product of positive factors."""
        known = _constant_of(element)
        if known is not None:
            return _number(magnitude(known))
        if len(element) == 1 and all(self.is_positive(atom) for atom, _ in next(iter(element))):
            return {monomial: magnitude(factor) for monomial, factor in element.items()}
        raise Unsettled("an absolute value")


def _number(value: Number) -> Element:
    return {ONE: value.numerator if value.denominator == 1 else value} if value else {}


def _constant_of(element: Element) -> Number | None:
    """The value of a rational number; None for any other element."""
    if not element:
        return 0
    return element[ONE] if len(element) == 1 and ONE in element else None


def _is_absolute(formula: Formula) -> bool:
    return isinstance(formula, (list, tuple)) and formula[0] == "abs"


def _factored(element: Element) -> list[tuple[Element, int]]:
    """The irreducible factors of a polynomial in one variable.

    Other elements as they are.
    """
    powers = {atom: 0 for monomial in element for atom, _ in monomial}
    whole = all(exponent.denominator == 1 and exponent > 0 for monomial in element for _, exponent in monomial)
    name = next(iter(powers), "")
    if len(powers) != 1 or not whole or name[0] != "v":
        return [(element, 1)]
    degrees = {int(monomial[0][1]) if monomial else 0: factor for monomial, factor in element.items()}
    if max(degrees) > 16:
        return [(element, 1)]
    try:
        found = factors([int(degrees.get(at, 0)) for at in range(max(degrees) + 1)])[1]
    except TooLarge:
        return [(element, 1)]
    return [
        (
            {((name, at),) if at else ONE: factor for at, factor in enumerate(poly) if factor},
            times,
        )
        for poly, times in found
    ]


_FUNCTIONS: Final[dict[str, Callable[..., Element]]] = {
    "neg": lambda self, u: self.scaled(u, -1),
    "inv": Reader.inverse,
    "exp": Reader.exp,
    "ln": Reader.ln,
    "log": lambda self, u, base: self.quotient(self.ln(u), self.ln(base)),
    "sin": Reader.sin,
    "cos": Reader.cos,
    "tan": lambda self, u: self.quotient(self.sin(u), self.cos(u)),
    "cot": lambda self, u: self.quotient(self.cos(u), self.sin(u)),
    "sec": lambda self, u: self.inverse(self.cos(u)),
    "csc": lambda self, u: self.inverse(self.sin(u)),
    "sinh": Reader.sinh,
    "cosh": Reader.cosh,
    "tanh": lambda self, u: self.quotient(self.sinh(u), self.cosh(u)),
    "asin": Reader.asin,
    "acos": Reader.acos,
    "atan": Reader.atan,
    "abs": Reader.absolute,
}
KNOWN: Final = frozenset(("+", "*", "^", *_FUNCTIONS))
"""The operations that have rules."""
