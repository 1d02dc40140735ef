"""Decides whether real numbers with nested roots are equal.

A number other than zero that is made of integers by ``+ - * /`` and roots is not arbitrarily small: its formula gives a
lower bound (Burnikel, Funke, Mehlhorn, Schirra and Schmitt, "A separation bound for real algebraic expressions"). A
difference that is certainly below its bound is zero. Numbers whose bound needs too many digits stay undecided::

    same(tree("sqrt(3 + 2 sqrt(2))"), tree("1 + sqrt(2)"))        # True
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import prod
from typing import Final

from envhub.verifiers.math.evaluate import Evaluator
from envhub.verifiers.math.reals import Imprecise, Pair, Reals, TooHard, Undefined, Unsettled, Value, Work
from envhub.verifiers.math.tree import App, Num, Sym, Tree, app, mapped

_PRECISIONS: Final = (256, 1024, 4096, 16_000)
_WORK: Final = 100_000
_ZERO: Final = Num(Fraction(0))
_MAX_POWER: Final = 4096
_Sizes = tuple[int, int]
"""Bits of two bounds: a number is ``U / L``, where U and L and their conjugates are at most ``2**u`` and ``2**l``."""


def same(one: Tree, other: Tree) -> bool | None:
    """Whether two constants are equal; None if that is undecided."""
    work = Work(_WORK)
    try:
        left, right = _settled(one, work), _settled(other, work)
        if left is None or right is None:
            return None if left is right else False
        return _is_zero(app("+", left, app("neg", right)), work)
    except Unsettled:
        return None


def _settled(tree: Tree, work: Work) -> Tree | None:
    """The tree with every zero among divisors and radicands written as 0.

    None if it has no real value.
    """

    def change(node: Tree) -> Tree:
        if not isinstance(node, App) or node.op not in ("inv", "^") or not isinstance(node.args[0], App):
            return node
        return app(node.op, _ZERO, *node.args[1:]) if _is_zero(node.args[0], work) else node

    try:
        changed = mapped(tree, change)
        return None if isinstance(_value(changed, work), Pair) else changed
    except Undefined:
        return None


def _value(tree: Tree, work: Work) -> Value:
    """The value, as precise as its divisions and roots need."""
    for p in _PRECISIONS:
        try:
            return Evaluator(Reals(p, work=work), {}, imaginary=False).value(tree)
        except Imprecise:
            continue
    raise TooHard("more precision is needed")


def _is_zero(tree: Tree, work: Work) -> bool:
    """Whether a constant is zero.

    Raises:
        Unsettled: It has no real value, or that is undecided.
    """
    roots: dict[Tree, int] = {}
    u, low = _sizes(tree, roots)
    least = (prod(roots.values()) - 1) * u + low
    for p in _PRECISIONS:
        try:
            found = Evaluator(Reals(p, work=work), {}, imaginary=False).value(tree)
        except Imprecise:
            continue
        if isinstance(found, Fraction):
            return not found
        if isinstance(found, Pair):
            break
        if found.lo > 0 or found.hi < 0:
            return False
        if p > least and max(-found.lo, found.hi) < 1 << (p - least):
            return True
    raise TooHard("more precision is needed")


def _sizes(tree: Tree, roots: dict[Tree, int]) -> _Sizes:
    """The sizes of a number; its roots are collected with their indices."""
    if isinstance(tree, Num):
        return _bits(abs(tree.value.numerator)), _bits(tree.value.denominator)
    if isinstance(tree, Sym):
        raise TooHard("it is not made of rational numbers")
    if tree.op == "^":
        return _power_sizes(tree, roots)
    parts = [_sizes(one, roots) for one in tree.args]
    if tree.op == "+":
        return reduce(lambda a, b: (max(a[0] + b[1], b[0] + a[1]) + 1, a[1] + b[1]), parts)
    if tree.op == "*":
        return sum(u for u, _ in parts), sum(low for _, low in parts)
    if tree.op == "neg":
        return parts[0]
    if tree.op == "inv":
        return parts[0][1], parts[0][0]
    raise TooHard(f"{tree.op} is not arithmetic")


def _power_sizes(tree: App, roots: dict[Tree, int]) -> _Sizes:
    """The sizes of a power with a rational exponent."""
    base, written = tree.args
    exponent = Evaluator(Reals(64), {}, imaginary=False).value(written)
    if not isinstance(exponent, Fraction) or abs(exponent.numerator) > _MAX_POWER:
        raise TooHard("the exponent is not a small rational number")
    u, low = _sizes(base, roots)
    n = exponent.denominator
    if n > 1:
        roots[app("^", base, Num(Fraction(1, n)))] = n
        u, low = (-(-(u + (n - 1) * low) // n), low) if u >= low else (u, -(-(low + (n - 1) * u) // n))
    u, low = u * abs(exponent.numerator), low * abs(exponent.numerator)
    return (u, low) if exponent > 0 else (low, u)


def _bits(value: int) -> int:
    """The smallest number of bits b with ``value <= 2**b``."""
    return max(value - 1, 0).bit_length()
