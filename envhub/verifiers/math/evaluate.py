"""Value of a tree at a point.

Exact if possible, else enclosed in an interval. In a *real* evaluation a root or logarithm of a negative number is
undefined, save that odd roots of negative numbers are real (``(-8)^(1/3)`` is -2, as at school); in a complex one they
take their principal values::

    Evaluator(Reals(192), {"x": Fraction(1, 2)}).value(tree)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from envhub.verifiers.math.reals import (
    MAX_BITS,
    Ball,
    Imprecise,
    Pair,
    Real,
    Reals,
    TooHard,
    Undefined,
    Value,
    pair,
    simple,
)
from envhub.verifiers.math.tree import PI, E, I, Num, Sym, Tree

_MAX_FACTORIAL: Final = 2000
_MAX_ROOT: Final = 32
_HALF: Final = Fraction(1, 2)
_ZERO: Final = Fraction(0)
_ONE: Final = Fraction(1)


class Evaluator:
    """Values of trees at one point and one precision.

    Args:
        reals: The arithmetic.
        point: The values of the variables.
        imaginary: Whether roots and logarithms of negative numbers have values.
    """

    def __init__(self, reals: Reals, point: Mapping[str, Fraction], *, imaginary: bool) -> None:
        self.r = reals
        self.point = point
        self.imaginary = imaginary

    def value(self, tree: Tree) -> Value:
        """The value of a tree.

        Raises:
            Unsettled: No value here, or none within the limits.
        """
        self.r.spend(1)
        if isinstance(tree, Num):
            return tree.value
        if isinstance(tree, Sym):
            return self.symbol(tree)
        if tree.op == "^":
            return self.power(tree.args[0], tree.args[1])
        args = [self.value(arg) for arg in tree.args]
        if tree.op == "+":
            return self.folded(self.r.add, args)
        if tree.op == "*":
            return self.folded(self.r.multiply, args)
        if tree.op == "neg":
            return self.r.negate(args[0])
        if tree.op == "inv":
            return self.r.inverse(args[0])
        function = _FUNCTIONS.get(tree.op)
        if function is None:
            raise TooHard(f"{tree.op} has no value here")
        return function(self, *args)

    def folded(self, join: Callable[[Value, Value], Value], args: list[Value]) -> Value:
        """The operands joined from left to right."""
        result = args[0]
        for arg in args[1:]:
            result = join(result, arg)
        return result

    def symbol(self, symbol: Sym) -> Value:
        """The value of a constant or a variable."""
        if symbol == PI:
            return self.r.pi()
        if symbol == E:
            return self.r.real_exp(_ONE)
        if symbol == I:
            return Pair(_ZERO, _ONE)
        value = self.point.get(symbol.name)
        if value is None:
            raise TooHard("a symbol has no value")
        return value

    def real(self, value: Value) -> Real:
        """A value that must be real."""
        if isinstance(value, Pair):
            raise Imprecise if isinstance(value.im, Ball) and value.im.lo <= 0 <= value.im.hi else Undefined
        return value

    # -- powers ------------------------------------------------------------------------------------------------------

    def power(self, base_tree: Tree, exponent_tree: Tree) -> Value:
        """A power, by the type of its exponent."""
        exponent = self.value(exponent_tree)
        if base_tree == E:
            return self.exp(exponent)
        base = self.value(base_tree)
        if isinstance(exponent, Fraction):
            if exponent.denominator == 1:
                return self.r.whole_power(base, exponent.numerator)
            if not isinstance(base, Pair) and exponent.denominator <= _MAX_ROOT:
                return self.root_power(base, exponent)
        if isinstance(base, Fraction) and not base:
            if isinstance(exponent, Pair) or self.r.sign(exponent) <= 0:
                raise Undefined
            return _ZERO
        return self.exp(self.r.multiply(exponent, self.ln(base)))

    def root_power(self, base: Real, exponent: Fraction) -> Value:
        """A power with a fractional exponent of a real number."""
        n = exponent.denominator
        sign = self.r.sign(base)
        if sign == 0:
            if exponent < 0:
                raise Undefined
            return _ZERO
        if sign > 0:
            return self.r.whole_power(self.r.real_root(base, n), exponent.numerator)
        root = self.r.real_root(self.r.minus(base), n)
        if n % 2:
            return self.r.whole_power(self.r.minus(root), exponent.numerator)
        if not self.imaginary:
            raise Undefined
        if n == 2:
            return self.r.whole_power(simple(_ZERO, root), exponent.numerator)
        return self.exp(self.r.multiply(exponent, self.ln(base)))

    def exp(self, value: Value) -> Value:
        """The exponential."""
        if not isinstance(value, Pair):
            return self.r.real_exp(value)
        size = self.r.real_exp(value.re)
        sine, cosine = self.r.sin_cos(value.im)
        return simple(self.r.by(size, cosine), self.r.by(size, sine))

    def ln(self, value: Value) -> Value:
        """The natural logarithm; of negative numbers only if imaginary values are allowed."""
        if isinstance(value, Pair):
            return simple(self.r.real_ln(self.absolute(value)), self.angle(value))
        sign = self.r.sign(value)
        if sign > 0:
            return self.r.real_ln(value)
        if sign == 0 or not self.imaginary:
            raise Undefined
        return Pair(self.r.real_ln(self.r.minus(value)), self.r.pi())

    def log(self, value: Value, base: Value) -> Value:
        """A logarithm to a base.

        Exact if both are powers of one integer.
        """
        if isinstance(base, Fraction) and (base <= 0 or base == 1):
            raise Undefined
        if isinstance(value, Fraction) and isinstance(base, Fraction) and value > 0 and base.denominator == 1:
            whole, turned = (value, 1) if value.denominator == 1 else (1 / value, -1)
            if whole.denominator == 1 and base.numerator > 1:
                guess = round(math.log(whole.numerator) / math.log(base.numerator))
                if guess <= MAX_BITS and base.numerator**guess == whole.numerator:
                    return Fraction(turned * guess)
        return self.r.multiply(self.ln(value), self.r.inverse(self.ln(base)))

    # -- other functions ---------------------------------------------------------------------------------------------

    def absolute(self, value: Value) -> Real:
        """The absolute value."""
        if isinstance(value, Pair):
            return self.r.real_root(self.r.plus(self.r.by(value.re, value.re), self.r.by(value.im, value.im)), 2)
        if isinstance(value, Ball) and value.lo < 0 < value.hi:
            return Ball(0, max(-value.lo, value.hi))
        return self.r.minus(value) if self.r.sign(value) < 0 else value

    def angle(self, value: Value) -> Real:
        """The argument of a complex number."""
        z = pair(value)
        sign = self.r.sign(z.re)
        if sign == 0:
            half = self.r.by(self.r.pi(), _HALF)
            turned = self.r.sign(z.im)
            if turned == 0:
                raise Undefined
            return half if turned > 0 else self.r.minus(half)
        slope = self.r.real_atan(self.r.by(z.im, self.r.over(z.re)))
        if sign > 0:
            return slope
        return self.r.plus(slope, self.r.pi() if self.r.sign(z.im) >= 0 else self.r.minus(self.r.pi()))

    def sin(self, value: Value) -> Value:
        """The sine."""
        if isinstance(value, Pair):
            up, down = self.turned(value)
            return self.r.multiply(self.r.add(up, self.r.negate(down)), Pair(_ZERO, -_HALF))
        return self.r.sin_cos(value)[0]

    def cos(self, value: Value) -> Value:
        """The cosine."""
        if isinstance(value, Pair):
            up, down = self.turned(value)
            return self.r.multiply(self.r.add(up, down), _HALF)
        return self.r.sin_cos(value)[1]

    def turned(self, value: Pair) -> tuple[Value, Value]:
        """``exp(iz)`` and ``exp(-iz)``."""
        iz = self.r.multiply(value, Pair(_ZERO, _ONE))
        return self.exp(iz), self.exp(self.r.negate(iz))

    def tan(self, value: Value) -> Value:
        """The tangent."""
        return self.r.multiply(self.sin(value), self.r.inverse(self.cos(value)))

    def asin(self, value: Value) -> Value:
        """The arcsine of a real number."""
        x = self.real(value)
        left = self.r.plus(_ONE, self.r.minus(self.r.by(x, x)))
        sign = self.r.sign(left)
        if sign < 0:
            raise Undefined
        if sign == 0:
            return self.r.by(self.r.pi(), _HALF * self.r.sign(x))
        return self.r.real_atan(self.r.by(x, self.r.over(self.r.real_root(left, 2))))

    def acos(self, value: Value) -> Value:
        """The arccosine of a real number."""
        return self.r.add(self.r.by(self.r.pi(), _HALF), self.r.negate(self.asin(value)))

    def sinh(self, value: Value) -> Value:
        """The hyperbolic sine."""
        up = self.exp(value)
        return self.r.multiply(self.r.add(up, self.r.negate(self.r.inverse(up))), _HALF)

    def cosh(self, value: Value) -> Value:
        """The hyperbolic cosine."""
        up = self.exp(value)
        return self.r.multiply(self.r.add(up, self.r.inverse(up)), _HALF)

    def tanh(self, value: Value) -> Value:
        """The hyperbolic tangent."""
        return self.r.multiply(self.sinh(value), self.r.inverse(self.cosh(value)))

    def floor(self, value: Value) -> Value:
        """The floor of a real number."""
        x = self.real(value)
        if isinstance(x, Fraction):
            return Fraction(math.floor(x))
        lo, hi = x.lo >> self.r.p, x.hi >> self.r.p
        if lo != hi:
            raise Imprecise
        return Fraction(lo)

    def ceil(self, value: Value) -> Value:
        """The ceiling of a real number."""
        return self.r.negate(self.floor(self.r.negate(value)))

    def whole(self, value: Value, most: int) -> int:
        """A non-negative integer that is not too large."""
        if not isinstance(value, Fraction) or value.denominator != 1 or value < 0:
            raise Undefined
        if value > most:
            raise TooHard("a factorial is too large")
        return value.numerator

    def factorial(self, value: Value) -> Value:
        """The factorial."""
        n = self.whole(value, _MAX_FACTORIAL)
        self.r.spend(2 + n // 8)
        return Fraction(math.factorial(n))

    def binomial(self, top: Value, bottom: Value) -> Value:
        """The binomial coefficient."""
        n, k = self.whole(top, 10**6), self.whole(bottom, 10**6)
        if min(k, max(n - k, 0)) > _MAX_FACTORIAL:
            raise TooHard("a binomial coefficient is too large")
        self.r.spend(2 + min(k, max(n - k, 0)))
        return self.r.exact(Fraction(math.comb(n, k)))

    def extreme(self, *args: Value, sign: int) -> Value:
        """The largest (sign 1) or smallest (sign -1) of real numbers."""
        best = self.real(args[0])
        for arg in args[1:]:
            x = self.real(arg)
            if x != best and self.r.sign(self.r.plus(x, self.r.minus(best))) == sign:
                best = x
        return best

    def divisor(self, *args: Value) -> Value:
        """The greatest common divisor."""
        return Fraction(math.gcd(*(self.whole(arg, 1 << MAX_BITS) for arg in args)))

    def multiple(self, *args: Value) -> Value:
        """The least common multiple."""
        self.r.spend(len(args) * 50)
        return self.r.exact(Fraction(math.lcm(*(self.whole(arg, 1 << 600) for arg in args))))

    def part(self, value: Value, imaginary: bool) -> Value:
        """The real or the imaginary part."""
        z = pair(value)
        return z.im if imaginary else z.re

    def conjugate(self, value: Value) -> Value:
        """The complex conjugate."""
        z = pair(value)
        return simple(z.re, self.r.minus(z.im))


_FUNCTIONS: Final[dict[str, Callable[..., Value]]] = {
    "sin": Evaluator.sin,
    "cos": Evaluator.cos,
    "tan": Evaluator.tan,
    "cot": lambda self, x: self.r.multiply(self.cos(x), self.r.inverse(self.sin(x))),
    "sec": lambda self, x: self.r.inverse(self.cos(x)),
    "csc": lambda self, x: self.r.inverse(self.sin(x)),
    "asin": Evaluator.asin,
    "acos": Evaluator.acos,
    "atan": lambda self, x: self.r.real_atan(self.real(x)),
    "sinh": Evaluator.sinh,
    "cosh": Evaluator.cosh,
    "tanh": Evaluator.tanh,
    "exp": Evaluator.exp,
    "ln": Evaluator.ln,
    "log": Evaluator.log,
    "abs": Evaluator.absolute,
    "floor": Evaluator.floor,
    "ceil": Evaluator.ceil,
    "!": Evaluator.factorial,
    "binom": Evaluator.binomial,
    "min": lambda self, *args: self.extreme(*args, sign=-1),
    "max": lambda self, *args: self.extreme(*args, sign=1),
    "gcd": Evaluator.divisor,
    "lcm": Evaluator.multiple,
    "re": lambda self, x: self.part(x, False),
    "im": lambda self, x: self.part(x, True),
    "arg": Evaluator.angle,
    "conj": Evaluator.conjugate,
}
