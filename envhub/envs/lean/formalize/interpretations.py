"""Small worlds in which first-order formulas are true or false.

A world has a few numbered people, and tables for names and predicates. Two formulas that differ in one world are
certainly not equivalent; agreement in many worlds proves nothing::

    differ(one, other, {"Happy": 1, "Trusts": 2, "ann": 0})      # a world, or None
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.theorems.syntax import Expr

_SIZES: Final = (1, 2, 2, 3, 3, 3, 4)


@dataclass(frozen=True, slots=True)
class Model:
    """A world.

    Attributes:
        size: Number of people.
        names: The person with each name.
        tables: The people, or tuples of people, that satisfy each predicate.
    """

    size: int
    names: Mapping[str, int]
    tables: Mapping[str, frozenset[tuple[int, ...]]]


def worlds(rng: Stream, signature: Mapping[str, int], many: int) -> Iterator[Model]:
    """Random worlds of one to four people.

    Predicates hold often, seldom or half the time.
    """
    for number in range(many):
        size = _SIZES[number % len(_SIZES)]
        names = {name: rng.below(size) for name, places in signature.items() if not places}
        tables = {}
        for name, places in signature.items():
            if places:
                quarters = rng.between(1, 3)
                tables[name] = frozenset(who for who in product(range(size), repeat=places) if rng.below(4) < quarters)
        yield Model(size, names, tables)


def true_in(model: Model, expr: Expr, who: Mapping[str, int] | None = None) -> bool:
    """Whether a formula is true in a world."""
    known = model.names if who is None else who
    args = expr.args
    match expr.op:
        case "true" | "false":
            return expr.op == "true"
        case "call":
            return tuple(known[arg.name] for arg in args) in model.tables[expr.name]
        case "not":
            return not true_in(model, args[0], known)
        case "and":
            return true_in(model, args[0], known) and true_in(model, args[1], known)
        case "or":
            return true_in(model, args[0], known) or true_in(model, args[1], known)
        case "imp":
            return not true_in(model, args[0], known) or true_in(model, args[1], known)
        case "iff":
            return true_in(model, args[0], known) == true_in(model, args[1], known)
        case "all":
            return all(true_in(model, args[0], {**known, expr.name: one}) for one in range(model.size))
        case "ex":
            return any(true_in(model, args[0], {**known, expr.name: one}) for one in range(model.size))
    raise ValueError(f"{expr.op} is no part of a formula")


def contingent(expr: Expr, signature: Mapping[str, int], rng: Stream, many: int = 60) -> bool:
    """Whether some tried world makes a formula true and another one false."""
    seen = set()
    for model in worlds(rng, signature, many):
        seen.add(true_in(model, expr))
        if len(seen) == 2:
            return True
    return False


def differ(one: Expr, other: Expr, signature: Mapping[str, int], many: int = 120) -> Model | None:
    """A world in which exactly one formula is true, if found.

    Always the same worlds are tried.
    """
    for model in worlds(Stream(b"models", "differ"), signature, many):
        if true_in(model, one) != true_in(model, other):
            return model
    return None
