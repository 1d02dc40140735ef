"""Canonical form of a claim.

Independent of names and of the order of premises. Bound names become numbers. Outermost names are numbered by their
places in the premises and the conclusion, refined until nothing changes, and premises are sorted. Not folded: names
that this cannot distinguish (then their order counts), the two sides of an equation or a connective, and equivalent
statements.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from envhub.core.types import JSON
from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.syntax import BINDERS, Expr, Sort, names_in, opened


def canonical(claim: Expr, functions: Sequence[Function] = ()) -> JSON:
    """The form, as JSON values."""
    names, premises, conclusion = opened(claim)
    parts = [*premises, conclusion]
    fixed = {function.name: f"f{at}" for at, function in enumerate(functions)}
    unnamed = dict.fromkeys((name for name, _ in names), "*")
    colours = {name: _sorted(sort, unnamed) for name, sort in names} | fixed
    mentioned = {name: [at for at, part in enumerate(parts) if name in _names(part)] for name in colours}
    for _ in range(len(colours)):
        shapes = [_hash(_form(part, colours, {})) for part in parts]
        refined = {}
        for name, old in colours.items():
            individualised = colours | {name: old + "!"}
            seen = sorted(
                (at == len(parts) - 1, shapes[at], _hash(_form(parts[at], individualised, {})))
                for at in mentioned[name]
            )
            refined[name] = _hash([old, seen])
        done = len(set(refined.values())) == len(set(colours.values()))
        colours = {name: fixed.get(name, "") + colour for name, colour in refined.items()}
        if done:
            break
    order = sorted((name for name, _ in names), key=lambda name: colours[name])
    numbers = {name: f"v{at}" for at, name in enumerate(order)} | fixed
    sorts = dict(names)
    written = sorted((_form(part, numbers, {}) for part in premises), key=json.dumps)
    defined = [[*_sorted(each.sort, {}).split(), _defined(each, fixed)] for each in functions]
    return [[_sorted(sorts[name], numbers) for name in order], written, _form(conclusion, numbers, {}), defined]


def _defined(function: Function, fixed: Mapping[str, str]) -> JSON:
    own = {name: f"o{at}" for at, name in enumerate((*function.others, *function.patterns))} | dict(fixed)
    return [_form(function.base, own, {}), _form(function.step, own, {})]


def _names(expr: Expr) -> set[str]:
    """Names in it, including those in binder sorts."""
    found = names_in(expr) | set(expr.sort)
    return found.union(*(_names(arg) for arg in expr.args)) if expr.args else found


def _sorted(sort: Sort, names: Mapping[str, str]) -> str:
    return " ".join(names.get(part, part) for part in sort)


def _form(expr: Expr, names: Mapping[str, str], bound: Mapping[str, int]) -> JSON:
    """An expression with bound names numbered and others replaced."""
    if expr.op in BINDERS:
        inner = {**bound, expr.name: len(bound)}
        return [expr.op, _sorted(expr.sort, names), _form(expr.args[0], names, inner)]
    head: list[JSON] = [expr.op]
    if expr.name:
        head.append(bound[expr.name] if expr.name in bound else names.get(expr.name, expr.name))
    return head + [_form(arg, names, bound) for arg in expr.args]


def _hash(value: JSON) -> str:
    return blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()
