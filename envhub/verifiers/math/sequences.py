"""Closed forms of sequences.

Proved equal to a linear recurrence by finitely many values.

A sum of products of polynomials and powers satisfies a linear recurrence, whose order follows from its form. So does its
difference from another such sequence, with the sum of the orders; and the difference is 0 everywhere if it is 0 as many times
in a row::

    equals_sequence(tree("2^n - 1"), "n", [0, 1], [3, -2])        # True: a(n) = 3 a(n-1) - 2 a(n-2)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Final

from envhub.generators.algebra.elements import Undefined, Unsettled
from envhub.generators.algebra.formulas import Formula, constant, names
from envhub.generators.algebra.normal_form import Reader
from envhub.verifiers.math.forms import coefficients_of
from envhub.verifiers.math.proof import formula_of, tree_of
from envhub.verifiers.math.tree import Num, Sym, Tree, mapped

_MOST: Final = 64
_TRIED: Final = 12


def equals_sequence(tree: Tree, name: str, starts: Sequence[int], coefficients: Sequence[int]) -> bool | None:
    """Whether an expression satisfies a linear recurrence; None if undecided.

    It must have the values of the recurrence at all integers from 0 on.

    Args:
        tree: An expression in one variable.
        name: The variable.
        starts: The first values of the sequence, as many as there are coefficients.
        coefficients: The factors of the last value, of the one before, and so on.
    """
    order = _order(formula_of(tree), name)
    enough = order is not None and order + len(starts) <= _MOST
    values = [Fraction(one) for one in starts]
    for at in range(order + len(starts) if order is not None and enough else _TRIED):
        if at >= len(values):
            values.append(sum((one * values[-1 - back] for back, one in enumerate(coefficients)), Fraction(0)))
        found = _value(tree, name, at)
        if found is None:
            return None
        if found != values[at]:
            return False
    return True if enough else None


def _value(tree: Tree, name: str, at: int) -> Fraction | bool | None:
    """The value at an integer.

    False if it is not a rational number, None if it was not found.
    """
    reader = Reader()
    there = mapped(tree, lambda node: Num(Fraction(at)) if node == Sym(name) else node)
    try:
        element, denominator = reader.cleared(reader.read(formula_of(there)))
    except Undefined:
        return False
    except Unsettled:
        return None
    if denominator:
        return None
    if not element:
        return Fraction(0)
    return Fraction(element[()]) if [*element] == [()] else False


def _order(formula: Formula, name: str) -> int | None:
    """The order of a recurrence that a sequence satisfies.

    None if its form promises none.
    """
    if not isinstance(formula, list) or name not in names(formula):
        return 2 if formula == name else 1
    op, *args = formula
    if op == "^":
        return _order_of_power(args[0], args[1], name)
    orders = [_order(arg, name) for arg in args]
    known = [one for one in orders if one is not None]
    if len(known) < len(orders) or op not in ("+", "*", "neg"):
        return None
    result = known[0]
    for one in known[1:]:
        result = result + one if op == "+" else result * one
    return min(result, _MOST + 1)


def _order_of_power(base: Formula, exponent: Formula, name: str) -> int | None:
    times = constant(exponent)
    if times is not None:
        order = _order(base, name)
        if order is None or times.denominator > 1 or not 0 <= times <= _MOST:
            return None
        return min(comb(order + int(times) - 1, int(times)), _MOST + 1)
    line = coefficients_of(tree_of(exponent), name)
    straight = line is not None and len(line) <= 2 and all(one.denominator == 1 for one in line)
    return 1 if straight and name not in names(base) else None
