"""Propositions without quantifiers: their truth tables.

Beside the connectives there are two of second order, ``either`` (``∀ r : Prop, (a → r) → (b → r) → r``) and ``both``
(``∀ r : Prop, (a → b → r) → r``), which :func:`spelled` writes out. The truth of a proposition is one integer, bit ``w``
being the valuation ``w`` and bit ``i`` of ``w`` the value of name ``i``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from envhub.generators.theorems.syntax import PROP, Expr, every, imp, var


def either(a: Expr, b: Expr, name: str) -> Expr:
    """A second-order disjunction; ``name`` is its bound name."""
    return Expr("either", (a, b), name)


def both(a: Expr, b: Expr, name: str) -> Expr:
    """A second-order conjunction."""
    return Expr("both", (a, b), name)


def spelled(expr: Expr) -> Expr:
    """With the second-order connectives written out."""
    args = tuple(spelled(arg) for arg in expr.args)
    if expr.op not in ("either", "both"):
        return Expr(expr.op, args, expr.name, expr.sort)
    (a, b), r = args, var(expr.name)
    cases = imp(imp(a, r), imp(imp(b, r), r)) if expr.op == "either" else imp(imp(a, imp(b, r)), r)
    return every(expr.name, PROP, cases)


@cache
def _values(at: int, count: int) -> int:
    period = 2 << at
    mask = ((1 << (1 << at)) - 1) << (1 << at)
    while period < 1 << count:
        mask |= mask << period
        period *= 2
    return mask


def truth(expr: Expr, names: Sequence[str]) -> int:
    """The valuations in which it is true."""
    every_one = (1 << (1 << len(names))) - 1
    if expr.op == "var":
        return _values(names.index(expr.name), len(names))
    if expr.op in ("true", "false"):
        return every_one if expr.op == "true" else 0
    parts = [truth(arg, names) for arg in expr.args]
    match expr.op:
        case "not":
            return every_one ^ parts[0]
        case "and" | "both":
            return parts[0] & parts[1]
        case "or" | "either":
            return parts[0] | parts[1]
        case "imp":
            return (every_one ^ parts[0]) | parts[1]
        case "iff":
            return every_one ^ parts[0] ^ parts[1]
        case _:
            raise ValueError(f"{expr.op} is no connective")
