"""Formulas as JSON.

Numbers, names, and lists of an operation with its operands; and their derivatives.

Operations are ``+ * neg inv ^`` and functions by name, as in the trees of :mod:`envhub.verifiers.math.tree`. A fraction is a
product with an inverse, and a square root is the power ``["inv", 2]``. The constructors fold numbers and drop what is
neutral, so their results read well::

    plus(times(3, power("x", 2)), -1)         # ["+", ["*", 3, ["^", "x", 2]], -1]
    derivative(["sin", ["^", "x", 2]], "x")   # ["*", 2, "x", ["cos", ["^", "x", 2]]]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

Formula: TypeAlias = Any
"""A number (``int``), a name (``str``), or a list of an operation and its operands."""

HALF: Final = ["inv", 2]
E: Final = "e"
PI: Final = "pi"


class NoDerivative(ValueError):
    """The derivative of an operation is not known."""


def number(value: int | Fraction) -> Formula:
    """A rational number."""
    whole = Fraction(value)
    if whole.denominator == 1:
        return whole.numerator
    below = ["inv", whole.denominator]
    return below if whole.numerator == 1 else ["*", whole.numerator, below]


def constant(formula: Formula) -> Fraction | None:
    """The value of a rational number; None for any other formula."""
    if isinstance(formula, (int, Fraction)):
        return Fraction(formula)
    if isinstance(formula, str):
        return None
    op, *args = formula
    if op not in ("neg", "inv", "*"):
        return None
    result = Fraction(1)
    for arg in args:
        value = constant(arg)
        if value is None or (op == "inv" and not value):
            return None
        result *= 1 / value if op == "inv" else value
    return -result if op == "neg" else result


def plus(*terms: Formula) -> Formula:
    """A sum; the numbers are added up and come last."""
    rest: list[Formula] = []
    known = Fraction(0)
    for term in terms:
        for one in term[1:] if _is(term, "+") else (term,):
            value = constant(one)
            if value is None:
                rest.append(one)
            else:
                known += value
    if known or not rest:
        rest.append(number(known))
    return rest[0] if len(rest) == 1 else ["+", *rest]


def times(*factors: Formula) -> Formula:
    """A product; the numbers are multiplied and come first."""
    rest: list[Formula] = []
    known = Fraction(1)
    waiting = [*reversed(factors)]
    while waiting:
        one = waiting.pop()
        value = constant(one)
        if value is not None:
            known *= value
        elif _is(one, "*"):
            waiting += reversed(one[1:])
        elif _is(one, "neg"):
            known = -known
            waiting.append(one[1])
        else:
            rest.append(one)
    if not known or not rest:
        return number(known)
    whole = number(known)
    if known == 1:
        return rest[0] if len(rest) == 1 else ["*", *rest]
    return ["*", *(whole[1:] if _is(whole, "*") else (whole,)), *rest]


def power(base: Formula, exponent: int | Fraction) -> Formula:
    """A power with a rational exponent."""
    if exponent == 1:
        return base
    if exponent == 0:
        return 1
    return inverse(base) if exponent == -1 else ["^", base, number(exponent)]


def inverse(formula: Formula) -> Formula:
    """One divided by a formula."""
    value = constant(formula)
    return ["inv", formula] if value is None or not value else number(1 / value)


def negative(formula: Formula) -> Formula:
    """The negative of a formula."""
    return times(-1, formula)


def polynomial(coefficients: Sequence[Any], name: str = "x") -> Formula:
    """A polynomial, highest power first."""
    terms = [times(number(one), power(name, at)) for at, one in enumerate(coefficients) if one]
    return plus(*reversed(terms)) if terms else 0


def names(formula: Formula) -> set[str]:
    """The names in a formula, ``e``, ``i`` and ``pi`` included."""
    if isinstance(formula, str):
        return {formula}
    if isinstance(formula, (int, Fraction)):
        return set()
    return set().union(*map(names, formula[1:]))


def size(formula: Formula) -> int:
    """Number of operations and operands."""
    return 1 + sum(map(size, formula[1:])) if isinstance(formula, (list, tuple)) else 1


def derivative(formula: Formula, name: str) -> Formula:
    """The derivative by a variable; logarithms of absolute values count as logarithms.

    Raises:
        NoDerivative: An operation has none that we know.
    """
    if isinstance(formula, str):
        return int(formula == name)
    if not isinstance(formula, (list, tuple)) or name not in names(formula):
        return 0
    op, *args = formula
    if op == "+":
        return plus(*(derivative(arg, name) for arg in args))
    if op == "*":
        return plus(*(times(derivative(arg, name), *args[:at], *args[at + 1 :]) for at, arg in enumerate(args)))
    if op == "^":
        return _of_power(args[0], args[1], name)
    if op == "log":
        return derivative(["*", ["ln", args[0]], ["inv", ["ln", args[1]]]], name)
    inner = args[0][1] if op == "ln" and _is(args[0], "abs") else args[0]
    outer = _OUTER.get(op)
    if outer is None or len(args) != 1:
        raise NoDerivative(op)
    return times(derivative(inner, name), outer(inner))


def _of_power(base: Formula, exponent: Formula, name: str) -> Formula:
    value = constant(exponent)
    if value is not None:
        return times(number(value), power(base, value - 1), derivative(base, name))
    if name not in names(exponent):
        return times(exponent, ["^", base, plus(exponent, -1)], derivative(base, name))
    grown = derivative(exponent, name) if base == E else derivative(times(exponent, ["ln", base]), name)
    return times(grown, ["^", base, exponent])


def _is(formula: Formula, op: str) -> bool:
    return isinstance(formula, (list, tuple)) and formula[0] == op


_OUTER: Final[dict[str, Any]] = {
    "neg": lambda u: -1,
    "inv": lambda u: times(-1, power(u, -2)),
    "exp": lambda u: ["exp", u],
    "ln": inverse,
    "abs": lambda u: times(u, inverse(["abs", u])),
    "sin": lambda u: ["cos", u],
    "cos": lambda u: times(-1, ["sin", u]),
    "tan": lambda u: power(["cos", u], -2),
    "cot": lambda u: times(-1, power(["sin", u], -2)),
    "sec": lambda u: times(["sin", u], power(["cos", u], -2)),
    "csc": lambda u: times(-1, ["cos", u], power(["sin", u], -2)),
    "sinh": lambda u: ["cosh", u],
    "cosh": lambda u: ["sinh", u],
    "tanh": lambda u: power(["cosh", u], -2),
    "asin": lambda u: power(plus(1, times(-1, power(u, 2))), Fraction(-1, 2)),
    "acos": lambda u: times(-1, power(plus(1, times(-1, power(u, 2))), Fraction(-1, 2))),
    "atan": lambda u: inverse(plus(1, power(u, 2))),
}
