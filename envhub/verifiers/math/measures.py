"""Measures of a tree without evaluation: size of literals, degree, operators."""

from __future__ import annotations

from typing import Final

from envhub.verifiers.math.tree import App, E, Num, Tree, constant, operations, symbols

MAX_DEGREE: Final = 40_000
KINKS: Final = frozenset(("abs", "floor", "ceil", "min", "max", "^root", "arg", "re", "im", "asin", "acos", "atan"))
"""Operations that define piecewise functions."""


def height(tree: Tree) -> int:
    """Bits of all literals; exponents multiply those of powers."""
    total = 0
    stack: list[tuple[Tree, int]] = [(tree, 1)]
    while stack:
        node, times = stack.pop()
        if isinstance(node, Num):
            total += times * (node.value.numerator.bit_length() + node.value.denominator.bit_length())
        elif isinstance(node, App):
            exponent = constant(node.args[1]) if node.op == "^" else None
            if exponent is not None:
                stack.append((node.args[0], times * max(1, min(abs(exponent.numerator), 1 << 20))))
                stack.append((node.args[1], times))
                if node.args[0] == E:
                    total += times * -(-3 * abs(exponent.numerator) // (2 * exponent.denominator))
            else:
                stack += [(arg, times) for arg in node.args]
        if total > 1 << 24:
            break
    return total


def degrees(tree: Tree) -> tuple[int, int] | None:
    """Bounds of the degrees of numerator and denominator.

    None if not a rational function.
    """
    if isinstance(tree, Num):
        return 0, 0
    if not isinstance(tree, App):
        return None if tree.name in ("pi~", "e~", "i~", "inf~") else (1, 0)
    if tree.op == "^":
        base, exponent = degrees(tree.args[0]), tree.args[1]
        sign = 1
        while isinstance(exponent, App) and exponent.op == "neg":
            exponent, sign = exponent.args[0], -sign
        if base is None or not isinstance(exponent, Num) or exponent.value.denominator != 1:
            return None
        n = exponent.value.numerator * sign
        size = min(abs(n), MAX_DEGREE)
        return (base[0] * size, base[1] * size) if n >= 0 else (base[1] * size, base[0] * size)
    if tree.op not in ("+", "*", "neg", "inv"):
        return None
    top = bottom = 0
    for arg in tree.args:
        degree = degrees(arg)
        if degree is None:
            return None
        if tree.op == "inv":
            return degree[1], degree[0]
        # more than enough for a sum over a common denominator
        top, bottom = top + sum(degree) if tree.op == "+" else top + degree[0], bottom + degree[1]
    return top, bottom


def shapes(tree: Tree) -> set[str]:
    """Its operations; ``^root`` for roots with variables, ``^variable`` for variable exponents."""
    found = operations(tree)
    stack: list[Tree] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, App):
            if node.op == "^" and symbols(node.args[1]):
                found.add("^variable")
            if node.op == "^" and symbols(node.args[0]):
                exponent = node.args[1]
                if not isinstance(exponent, Num) or exponent.value.denominator != 1:
                    found.add("^root")
            stack.extend(node.args)
    return found


def kinks(tree: Tree) -> int:
    """Number of places where a function is piecewise."""
    count = 0
    stack: list[Tree] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, App) and symbols(node):
            exponent = constant(node.args[1]) if node.op == "^" else None
            count += node.op in KINKS or (exponent is not None and exponent.denominator % 2 == 0)
            stack.extend(node.args)
    return count
