"""Numbers during evaluation: exact rationals, intervals and complex pairs.

Rationals are used if possible, else intervals with integer ends.

A value is a ``Fraction``, a :class:`Ball` (an interval that certainly holds the number, its ends multiples of ``2**-p``) or
a :class:`Pair` of such. :class:`Reals` does arithmetic on them at one precision, and stops excessive work in advance:
sizes are estimated in bits, and every operation draws on a budget::

    r = Reals(192)
    r.add(Fraction(1), r.power(Fraction(2), Fraction(1, 2)))     # Ball of 1 + sqrt(2)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from envhub.verifiers.math import balls

MAX_BITS: Final = 20_000
WORK: Final = 50_000
_MAX_EXP: Final = 20_000  # of the exponent of e
_ZERO: Final = Fraction(0)
_ONE: Final = Fraction(1)


class Unsettled(Exception):
    """Base class: a tree has no usable value."""


class Undefined(Unsettled):
    """The tree is undefined.

    A division by zero, a root of a negative number.
    """


class Imprecise(Unsettled):
    """The precision does not suffice."""


class TooHard(Unsettled):
    """Continuing would cost too much, or drop below the resolution."""


class Ball(NamedTuple):
    """An interval, its ends in units of ``2**-p``."""

    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A complex number."""

    re: Real
    im: Real


Real: TypeAlias = "Fraction | Ball"
Value: TypeAlias = "Fraction | Ball | Pair"


def bits(value: Fraction) -> int:
    """The length of a fraction."""
    return value.numerator.bit_length() + value.denominator.bit_length()


class Work:
    """Remaining budget of one comparison, in units of about a microsecond."""

    def __init__(self, units: int = WORK) -> None:
        self.left = units


class Reals:
    """Arithmetic at one precision.

    Args:
        p: Bits after the point.
        tiny: Non-zero numbers below ``2**-tiny`` and numbers above ``2**tiny`` are :class:`TooHard`, since terms added
            to or subtracted from them could vanish; None for no limit.
        work: The budget; by default a new one.
    """

    def __init__(self, p: int, tiny: int | None = None, work: Work | None = None) -> None:
        self.p = p
        self.least = 1 << (p - tiny) if tiny is not None else 0
        self.most = MAX_BITS if tiny is None else min(MAX_BITS, p + tiny)
        self.tiny = tiny
        self.work = work or Work()
        self.cost = 1 + ((p >> 8) ** 2 >> 3)

    def spend(self, units: int) -> None:
        """Draw on the budget.

        Raises:
            TooHard: It is exhausted.
        """
        self.work.left -= units
        if self.work.left < 0:
            raise TooHard("the work allowed is used up")

    def ball(self, value: Real) -> Ball:
        """The interval of a real value."""
        if isinstance(value, Ball):
            return value
        self.spend(1)
        scaled = value.numerator << self.p
        lo, rest = divmod(scaled, value.denominator)
        return self.sound(Ball(lo, lo + (1 if rest else 0)), bool(value))

    def sound(self, ball: Ball, nonzero: bool = False) -> Ball:
        """The interval, unless too large or indistinguishable from zero."""
        lo, hi = ball
        if self.least and ((lo > 0 and hi < self.least) or (hi < 0 and lo > -self.least)):
            raise TooHard("a number is too small")
        if nonzero and lo <= 0 <= hi:
            raise TooHard("a number is too small") if self.least else Imprecise
        if max(hi.bit_length(), lo.bit_length()) > self.most:
            raise TooHard("a number is too large")
        self.spend(self.cost)
        return ball

    def exact(self, value: Fraction) -> Fraction:
        """The fraction, if it is not too long."""
        size = bits(value)
        if size > MAX_BITS:
            raise TooHard("a number is too long")
        self.spend(2 + (size >> 9) + (size * size >> 22))
        return value

    # -- real arithmetic ---------------------------------------------------------------------------------------------

    def plus(self, one: Real, other: Real) -> Real:
        """A sum of real values."""
        if isinstance(one, Fraction) and isinstance(other, Fraction):
            return self.exact(one + other)
        a, b = self.ball(one), self.ball(other)
        return self.sound(Ball(a.lo + b.lo, a.hi + b.hi))

    def minus(self, value: Real) -> Real:
        """A real value negated."""
        return Ball(-value.hi, -value.lo) if isinstance(value, Ball) else -value

    def by(self, one: Real, other: Real) -> Real:
        """A product of real values."""
        if isinstance(one, Fraction) and isinstance(other, Fraction):
            return self.exact(one * other)
        if one == _ZERO or other == _ZERO:
            return _ZERO
        a, b = self.ball(one), self.ball(other)
        ends = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
        nonzero = (a.lo > 0 or a.hi < 0) and (b.lo > 0 or b.hi < 0)
        return self.sound(Ball(min(ends) >> self.p, -(-max(ends) >> self.p)), nonzero)

    def over(self, value: Real) -> Real:
        """The inverse of a real value."""
        if isinstance(value, Fraction):
            if not value:
                raise Undefined
            return 1 / value
        if value.lo <= 0 <= value.hi:
            raise Imprecise
        unit = 1 << (2 * self.p)
        return self.sound(Ball(unit // value.hi, -(-unit // value.lo)), True)

    def sign(self, value: Real) -> int:
        """-1, 0 or 1.

        Raises:
            Imprecise: The sign is undecided.
        """
        if isinstance(value, Fraction):
            return (value > 0) - (value < 0)
        if value.lo > 0:
            return 1
        if value.hi < 0:
            return -1
        if value.lo == value.hi == 0:
            return 0
        raise Imprecise

    def around(self, middle: int, pad: int) -> Ball:
        """The interval about a computed number."""
        return Ball(middle - pad, middle + pad)

    def real_exp(self, value: Real) -> Real:
        """The exponential of a real value."""
        if value == _ZERO:
            return _ONE
        x = self.ball(value)
        if max(abs(x.lo), abs(x.hi)) >> self.p > _MAX_EXP:
            raise TooHard("an exponent is too large")
        self.spend(20 * self.cost)
        width = x.hi - x.lo
        if width >> self.p:
            raise Imprecise
        y = balls.exp(x.lo, self.p)
        pad = balls.ERROR + (abs(y) >> (self.p - 3))
        grown = y + (2 * y * width >> self.p) + pad  # e^w <= 1 + 2w where w < 1
        return self.sound(Ball(max(y - pad, 0), grown), True)

    def real_ln(self, value: Real) -> Real:
        """The natural logarithm of a positive real value."""
        if value == _ONE:
            return _ZERO
        x = self.ball(value)
        if x.lo <= 0:
            raise Imprecise
        self.spend(25 * self.cost)
        y = balls.ln(x.lo, self.p)
        return self.sound(Ball(y - balls.ERROR, y + balls.ERROR + (((x.hi - x.lo) << self.p) // x.lo) + 1))

    def sin_cos(self, value: Real) -> tuple[Real, Real]:
        """The sine and cosine of a real value."""
        if value == _ZERO:
            return _ZERO, _ONE
        x = self.ball(value)
        self.spend(30 * self.cost + (x.hi.bit_length() >> 6))
        pad = balls.ERROR + x.hi - x.lo
        if pad >> self.p:
            raise Imprecise
        sine, cosine = balls.sin_cos(x.lo, self.p)
        return self.sound(self.around(sine, pad)), self.sound(self.around(cosine, pad))

    def real_atan(self, value: Real) -> Real:
        """The arctangent of a real value."""
        if value == _ZERO:
            return _ZERO
        x = self.ball(value)
        self.spend(40 * self.cost)
        y = balls.atan(x.lo, self.p)
        return self.sound(Ball(y - balls.ERROR, y + balls.ERROR + x.hi - x.lo))

    def pi(self) -> Ball:
        """Pi."""
        return self.around(balls.pi(self.p), balls.ERROR)

    def real_root(self, value: Real, n: int) -> Real:
        """The n-th root of a real value of 0 or more."""
        if isinstance(value, Fraction):
            self.spend(2 + (bits(value) >> 5))
            top, bottom = balls.root(value.numerator, n), balls.root(value.denominator, n)
            if top**n == value.numerator and bottom**n == value.denominator:
                return self.exact(Fraction(top, bottom))
        x = self.ball(value)
        if x.lo < 0:
            raise Imprecise
        self.spend((4 if n == 2 else 20 * n) * self.cost)
        shift = self.p * (n - 1)
        if x.hi.bit_length() + shift > 2 * MAX_BITS:
            raise TooHard("a root is too long")
        return self.sound(Ball(balls.root(x.lo << shift, n), balls.root(x.hi << shift, n) + 1), x.lo > 0)

    # -- complex arithmetic ------------------------------------------------------------------------------------------

    def add(self, one: Value, other: Value) -> Value:
        """A sum."""
        if isinstance(one, Pair) or isinstance(other, Pair):
            a, b = pair(one), pair(other)
            return simple(self.plus(a.re, b.re), self.plus(a.im, b.im))
        return self.plus(one, other)

    def negate(self, value: Value) -> Value:
        """A value negated."""
        return Pair(self.minus(value.re), self.minus(value.im)) if isinstance(value, Pair) else self.minus(value)

    def multiply(self, one: Value, other: Value) -> Value:
        """A product."""
        if isinstance(one, Pair) or isinstance(other, Pair):
            a, b = pair(one), pair(other)
            return simple(
                self.plus(self.by(a.re, b.re), self.minus(self.by(a.im, b.im))),
                self.plus(self.by(a.re, b.im), self.by(a.im, b.re)),
            )
        return self.by(one, other)

    def inverse(self, value: Value) -> Value:
        """One divided by a value."""
        if not isinstance(value, Pair):
            return self.over(value)
        size = self.over(self.plus(self.by(value.re, value.re), self.by(value.im, value.im)))
        return simple(self.by(value.re, size), self.minus(self.by(value.im, size)))

    def whole_power(self, base: Value, n: int) -> Value:
        """An integer power, with its size estimated first."""
        if isinstance(base, Fraction):
            if not base and n <= 0:
                raise Undefined
            if abs(n) * max(base.numerator.bit_length(), base.denominator.bit_length()) > MAX_BITS and abs(base) != 1:
                raise TooHard("a power is too long")
            if abs(base) == 1 or not base:
                return base if n % 2 or not base else _ONE
            return self.exact(base**n)
        if abs(n) > 10_000:
            raise TooHard("a power is too high")
        result: Value = _ONE
        square: Value = base
        left = abs(n)
        while left:
            if left & 1:
                result = self.multiply(result, square)
            left >>= 1
            if left:
                square = self.multiply(square, square)
        return self.inverse(result) if n < 0 else result


def pair(value: Value) -> Pair:
    """A value as a complex number."""
    return value if isinstance(value, Pair) else Pair(value, _ZERO)


def simple(re: Real, im: Real) -> Value:
    """A complex number, or its real part.

    Real if the imaginary part is exactly 0.
    """
    return re if isinstance(im, Fraction) and not im else Pair(re, im)
