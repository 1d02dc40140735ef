"""Prenex forms of formulas, made by an order of moves of their own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from envhub.core.seeding import Stream
from envhub.generators.theorems.syntax import Expr, Sort, imp, no, replaced, var

Prefix = list[tuple[str, str, Sort]]


def prenex(expr: Expr, rng: Stream) -> Expr:
    """An equivalent formula with every quantifier in front, in one of the orders that are possible."""
    prefix, matrix = _moved(expr, rng, count(1))
    for op, name, sort in reversed(prefix):
        matrix = Expr(op, (matrix,), name, sort)
    return matrix


def _moved(expr: Expr, rng: Stream, fresh: Iterator[int]) -> tuple[Prefix, Expr]:
    op, args = expr.op, expr.args
    if op in ("all", "ex"):
        name = f"p{next(fresh)}"
        prefix, matrix = _moved(replaced(args[0], {expr.name: var(name)}), rng, fresh)
        return [(op, name, expr.sort), *prefix], matrix
    if op == "not":
        prefix, matrix = _moved(args[0], rng, fresh)
        return [("ex" if each == "all" else "all", name, sort) for each, name, sort in prefix], no(matrix)
    if op == "iff":
        return _moved(Expr("and", (imp(*args), imp(args[1], args[0]))), rng, fresh)
    if op in ("and", "or", "imp"):
        first, one = _moved(no(args[0]) if op == "imp" else args[0], rng, fresh)
        second, other = _moved(args[1], rng, fresh)
        matrix = Expr(op, (one.args[0] if op == "imp" else one, other))
        prefix = []
        while first or second:
            taken = first if first and (not second or rng.below(2)) else second
            prefix.append(taken.pop(0))
        return prefix, matrix
    return [], expr
