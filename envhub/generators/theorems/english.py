"""Claims in English.

Precise enough to formalize again, as informal as mathematicians write.
"""

from __future__ import annotations

from collections.abc import Sequence

from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.syntax import Expr, Sort, opened

_THINGS: dict[Sort, tuple[str, str]] = {
    ("Nat",): ("natural number", "natural numbers"),
    ("List",): ("list of natural numbers", "lists of natural numbers"),
    ("Prop",): ("proposition", "propositions"),
    ("Type",): ("type", "types"),
    ("Bool",): ("truth value", "truth values"),
}
_SIGNS = {"eq": "=", "le": "≤", "lt": "<", "plus": "+", "times": "·", "append": "++", "cons": "::"}
_LEVELS = {"plus": 2, "times": 3, "append": 2, "cons": 2}


def describe(claim: Expr, functions: Sequence[Function] = ()) -> str:
    """The claim as a text, definitions first."""
    names, premises, conclusion = opened(claim)
    parts = [_defined(function) for function in functions]
    if names:
        parts.append(f"Let {_listed([_introduced(group, sort) for group, sort in _groups(names)])}.")
    if premises:
        parts.append(f"Suppose that {'; '.join(map(_said, premises[:-1]))}".rstrip() + _last(premises) + ".")
    parts.append(f"{'Then' if premises or names else 'It is the case that'} {_said(conclusion)}.")
    return " ".join(parts)


def _last(premises: Sequence[Expr]) -> str:
    return ("; and " if len(premises) > 1 else " ") + _said(premises[-1])


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _groups(names: Sequence[tuple[str, Sort]]) -> list[tuple[list[str], Sort]]:
    groups: list[tuple[list[str], Sort]] = []
    for name, sort in names:
        if groups and groups[-1][1] == sort:
            groups[-1][0].append(name)
        else:
            groups.append(([name], sort))
    return groups


def _introduced(names: Sequence[str], sort: Sort) -> str:
    """A list of names with their sort."""
    several = len(names) > 1
    if sort in _THINGS:
        one, many = _THINGS[sort]
        return f"{_listed(names)} be {many if several else 'a ' + one}"
    if len(sort) == 1:
        return f"{_listed(names)} be {'elements' if several else 'an element'} of {sort[0]}"
    if sort[-1] == "Prop":
        what = "predicate" if len(sort) == 2 else "relation"
        return f"{_listed(names)} be {what + 's' if several else 'a ' + what} on {_of(sort[0])}"
    what = "functions" if several else "a function"
    return f"{_listed(names)} be {what} from {_taken(sort)} to {_of(sort[-1])}"


def _taken(sort: Sort) -> str:
    """A function's arguments: one thing, or a pair of a kind."""
    return _of(sort[0]) if len(sort) == 2 else f"pairs of {_of(sort[0])}"


def _of(part: str) -> str:
    return _THINGS[(part,)][1] if (part,) in _THINGS else part


def _defined(function: Function) -> str:
    bottom, head = _term(function.bottom), _term(function.head)
    return (
        f"Let {function.name} be the function from {_taken(function.sort)} to {_of(function.sort[-1])} with {bottom} = "
        f"{_term(function.base)} and {head} = {_term(function.step)}."
    )


def _said(expr: Expr) -> str:
    """A proposition."""
    match expr.op:
        case "var" | "call":
            return _term(expr) + (" holds" if expr.op == "call" else "")
        case "true":
            return "true holds"
        case "false":
            return "an absurdity holds"
        case "all":
            return _quantified(expr)
        case "ex":
            return f"there is {_one(expr)} such that {_inner(expr.args[0])}"
        case "not":
            return f"it is not the case that {_inner(expr.args[0])}"
        case "imp":
            premises = []
            while expr.op == "imp":
                premises.append(_inner(expr.args[0]))
                expr = expr.args[1]
            return f"if {' and '.join(premises)} then {_inner(expr)}"
        case "iff":
            return f"{_inner(expr.args[0])} if and only if {_inner(expr.args[1])}"
        case "and" | "or":
            return f"{_inner(expr.args[0])} {expr.op} {_inner(expr.args[1])}"
        case "dvd":
            return f"{_term(expr.args[0])} divides {_term(expr.args[1])}"
        case _:
            left, right = expr.args
            return f"{_term(left)} {_SIGNS[expr.op]} {_term(right)}"


def _one(expr: Expr) -> str:
    if expr.sort in _THINGS:
        return f"a {_THINGS[expr.sort][0]} {expr.name}"
    return f"an element {expr.name} of {expr.sort[0]}"


def _quantified(expr: Expr) -> str:
    names: list[tuple[str, Sort]] = []
    while expr.op == "all":
        names.append((expr.name, expr.sort))
        expr = expr.args[0]
    said = []
    for group, sort in _groups(names):
        one, many = _THINGS.get(sort, ("element", "elements"))
        of = "" if sort in _THINGS else f" of {sort[0]}"
        said.append(f"every {one} {group[0]}{of}" if len(group) == 1 else f"all {many} {_listed(group)}{of}")
    return f"for {' and '.join(said)}, {_said(expr)}"


def _inner(expr: Expr) -> str:
    """Part of a proposition, in brackets if it is composite."""
    text = _said(expr)
    return text if expr.op in ("var", "call", "true", "false", "eq", "le", "lt", "dvd") else f"({text})"


def _term(expr: Expr, level: int = 0) -> str:
    if expr.op in _LEVELS:
        own = _LEVELS[expr.op]
        left, right = (_term(arg, own + (at if expr.op != "cons" else 1 - at)) for at, arg in enumerate(expr.args))
        text = f"{left} {_SIGNS[expr.op]} {right}"
        return f"({text})" if own < level else text
    if expr.op == "succ":
        text = f"{_term(expr.args[0], 2)} + 1"
        return f"({text})" if level > 1 else text
    if expr.op == "nil":
        return "[]"
    if expr.op == "call":
        return f"{expr.name}({', '.join(map(_term, expr.args))})"
    return expr.name
