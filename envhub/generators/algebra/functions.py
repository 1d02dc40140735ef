"""Random functions defined for all positive x, and random integrals.

::

    function(rng, 2, 5)         # ["*", ["exp", ["*", 3, "x"]], ["+", ["^", "x", 2], 1]]
    integral(rng, "parts", 5)   # (antiderivative, integrand), the second the derivative of the first
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.algebra.formulas import (
    Formula,
    derivative,
    inverse,
    negative,
    number,
    plus,
    polynomial,
    power,
    times,
)
from envhub.generators.algebra.polynomials import derivative as slope, drawn, product, scaled, total

Integral = tuple[Formula, Formula]
_X: Final = "x"
_HALF: Final = Fraction(1, 2)


def function(rng: Stream, depth: int, size: int) -> Formula:
    """A function with a number of nested rules of differentiation."""
    if depth < 1:
        return rng.choice(_LEAVES)(rng, size)
    rule = rng.below(10)
    if rule < 4:
        return _composed(rng, depth, size)
    one, other = function(rng, depth - 1, size), function(rng, rng.below(depth), size)
    if rule < 7:
        return times(one, other)
    if rule < 9:
        return plus(times(signed(rng, size), one), other)
    return times(one, inverse(_positive(rng, size)))


def signed(rng: Stream, size: int) -> int:
    """A number from 1 to ``size`` or its negative."""
    return rng.between(1, size) * (1 - 2 * rng.below(2))


def _line(rng: Stream, size: int) -> Formula:
    return plus(times(rng.between(2, size), _X), rng.between(1, size))


def _positive(rng: Stream, size: int) -> Formula:
    """A polynomial that is positive for all positive x."""
    return plus(times(rng.between(1, size), power(_X, rng.between(1, 3))), rng.between(1, size))


def _composed(rng: Stream, depth: int, size: int) -> Formula:
    """A function of a function; roots and logarithms get positive operands."""
    outer = rng.below(6)
    if outer < 2:
        inner = function(rng, depth - 1, size) if depth > 1 else _positive(rng, size)
        return [("sin", "cos")[outer], inner]
    if outer == 2:
        return ["exp", times(signed(rng, size), power(_X, rng.between(1, 2 + (depth > 1))))]
    if outer == 3:
        return ["ln", _positive(rng, size)]
    if outer == 4:
        return power(_positive(rng, size), rng.choice((_HALF, Fraction(3, 2), Fraction(-1, 2))))
    return power(plus(function(rng, depth - 1, size), rng.between(1, size)), rng.between(2, 4))


_LEAVES: Final[tuple[Callable[[Stream, int], Formula], ...]] = (
    lambda rng, size: times(rng.between(2, size), power(_X, rng.between(2, 5))),
    lambda rng, size: ["exp", times(signed(rng, size), _X)],
    lambda rng, size: ["sin", times(rng.between(2, size), _X)],
    lambda rng, size: ["cos", times(rng.between(2, size), _X)],
    lambda rng, size: ["ln", _line(rng, size)],
    lambda rng, size: power(_line(rng, size), _HALF),
    lambda rng, size: ["atan", times(rng.between(2, size), _X)],
    lambda rng, size: inverse(_line(rng, size)),
)


# -- integrals ---------------------------------------------------------------------------------------------------------


def integral(rng: Stream, kind: str, size: int) -> Integral:
    """An antiderivative and its integrand, of a kind in :data:`KINDS`."""
    return KINDS[kind](rng, size)


def _of(antiderivative: Formula) -> Integral:
    return antiderivative, derivative(antiderivative, _X)


def _of_polynomial(rng: Stream, size: int) -> Integral:
    poly = drawn(rng, rng.between(2, 4), size)
    return _of(polynomial([0, *(Fraction(one, at) for at, one in enumerate(poly, 1))]))


def _of_powers(rng: Stream, size: int) -> Integral:
    exponents = rng.sample(
        (Fraction(-3), Fraction(-2), Fraction(1, 2), Fraction(3, 2), Fraction(3), Fraction(-1, 2)), 2
    )
    terms = [times(number(Fraction(signed(rng, size)) / one), power(_X, one)) for one in exponents]
    return _of(plus(*terms))


def _of_line(rng: Stream, size: int) -> Integral:
    """A function of a linear function."""
    slope_ = rng.between(2, size)
    inner = plus(times(slope_, _X), rng.between(1, size))
    outer = rng.choice(("exp", "sin", "cos", "ln", "^", "sqrt"))
    factor = number(Fraction(signed(rng, size), rng.choice((1, slope_))))
    if outer in ("^", "sqrt"):
        return _of(times(factor, power(inner, rng.between(3, 7) if outer == "^" else rng.choice((_HALF, 3 * _HALF)))))
    return _of(times(factor, [outer, times(slope_, _X) if outer == "exp" else inner]))


def _of_quotient(rng: Stream, size: int) -> Integral:
    """A quotient of polynomials, by partial fractions or an arctangent."""
    if rng.below(3) == 0:
        root = rng.between(2, size)
        factor = signed(rng, size)
        arc = times(number(Fraction(factor, root)), ["atan", times(number(Fraction(1, root)), _X)])
        return arc, times(factor, inverse(plus(power(_X, 2), root * root)))
    first, second = rng.sample(range(1, size + 3), 2)
    a, b = signed(rng, size), signed(rng, size)
    logs = plus(times(a, ["ln", plus(_X, first)]), times(b, ["ln", plus(_X, second)]))
    top = total(scaled([second, 1], a), scaled([first, 1], b))
    return logs, times(polynomial(top), inverse(polynomial(product([first, 1], [second, 1]))))


def _of_substitution(rng: Stream, size: int) -> Integral:
    """A function of a polynomial, times the derivative of the polynomial."""
    inner = plus(times(rng.between(1, size), power(_X, rng.between(2, 3))), rng.between(1, size))
    outer = rng.choice(("exp", "sin", "cos", "ln", "^", "sqrt", "log power", "trig power"))
    factor = signed(rng, size)
    if outer == "log power":
        return _of(times(number(Fraction(factor)), power(["ln", _X], rng.between(2, 4))))
    if outer == "trig power":
        return _of(
            times(factor, power([rng.choice(("sin", "cos")), times(rng.between(2, size), _X)], rng.between(2, 5)))
        )
    if outer in ("^", "sqrt"):
        return _of(times(factor, power(inner, rng.between(3, 6) if outer == "^" else rng.choice((_HALF, 3 * _HALF)))))
    return _of(times(factor, [outer, inner]))


def _of_parts(rng: Stream, size: int) -> Integral:
    """A random integral that calls for integration by parts.

    The integrand is a polynomial times an exponential, a sine or a cosine, or a power times a logarithm or an arctangent.
    """
    kind, k = rng.below(5), rng.between(2, size)
    poly = drawn(rng, rng.between(1, 2), size)
    if kind == 0:
        wave = ["exp", times(k, _X)]
        return times(polynomial(poly), wave), times(polynomial(total(slope(poly), scaled(poly, k))), wave)
    if kind == 1:
        degree, factor = rng.between(1, 4), signed(rng, size)
        inner = plus(times(degree + 1, ["ln", _X]), -1)
        return times(factor, power(_X, degree + 1), inner), times(
            factor * (degree + 1) ** 2, power(_X, degree), ["ln", _X]
        )
    if kind == 2:
        factor = signed(rng, size) * 2
        arc = times(plus(times(k * k, power(_X, 2)), 1), ["atan", times(k, _X)])
        return times(factor, plus(arc, times(-k, _X))), times(2 * factor * k * k, _X, ["atan", times(k, _X)])
    sine, cosine = ["sin", times(k, _X)], ["cos", times(k, _X)]
    poly = scaled(poly, k)
    other = scaled(slope(poly), Fraction(1, k))
    whole = polynomial(total(scaled(poly, k), slope(other)))
    if kind == 3:
        return plus(times(polynomial(poly), sine), times(polynomial(other), cosine)), times(whole, cosine)
    return plus(times(negative(polynomial(poly)), cosine), times(polynomial(other), sine)), times(whole, sine)


def _of_cycle(rng: Stream, size: int) -> Integral:
    """An exponential times a sine or a cosine."""
    a, b, factor = signed(rng, size), rng.between(2, size), signed(rng, size)
    growth, sine, cosine = ["exp", times(a, _X)], ["sin", times(b, _X)], ["cos", times(b, _X)]
    square = a * a + b * b
    if rng.below(2):
        inner = plus(times(a, sine), times(-b, cosine))
        return times(factor, growth, inner), times(factor * square, growth, sine)
    inner = plus(times(b, sine), times(a, cosine))
    return times(factor, growth, inner), times(factor * square, growth, cosine)


KINDS: Final[dict[str, Callable[[Stream, int], Integral]]] = {
    "polynomial": _of_polynomial,
    "powers": _of_powers,
    "line": _of_line,
    "quotient": _of_quotient,
    "substitution": _of_substitution,
    "parts": _of_parts,
    "cycle": _of_cycle,
}
