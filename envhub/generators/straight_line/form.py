"""The form of a program: its structure, without names, numbers and operands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from envhub.core.types import JSON

_BLOCKS: Final = ("for", "while", "if")
_TARGETS: Final = {"items": "entries", "enumerate": "positions", "zip": "neighbours", "range": "numbers"}
_OPERATORS: Final = {"%": "remainder", "//": "division", "*": "product"}


def form(program: JSON) -> str:
    """The structure of the longest block; without blocks, of the expressions."""
    body = program["main"]["body"]
    blocks = [_statement(statement) for statement in body if statement[0] in _BLOCKS]
    if blocks:
        return max(blocks, key=len)
    return ", ".join(dict.fromkeys(_built(body))) or "arithmetic"


def _statement(statement: JSON) -> str:
    match statement:
        case ["for", _, items, body]:
            return f"for {_over(items)}({_body(body)})"
        case ["while", _, body]:
            return f"while({_body(body)})"
        case ["if", _, body, orelse]:
            return f"if({_body([*body, *orelse])})"
        case _:
            return str(statement[0])


def _body(body: JSON) -> str:
    return " ".join(dict.fromkeys(map(_statement, body)))


def _over(items: JSON) -> str:
    return _TARGETS.get(items[1], "items") if items[0] == "call" else "items"


def _built(part: Any) -> Iterator[str]:
    if type(part) is not list or not part:
        return
    match part:
        case ["comp", kind, _, _, items, condition]:
            yield f"{kind} over {_over(items)}{' with a condition' if condition is not None else ''}"
        case ["call" | "method", name, *_]:
            yield str(name)
        case ["slice" | "either", *_]:
            yield str(part[0])
        case ["bin", "%" | "//" | "*", *_]:
            yield _OPERATORS[part[1]]
    for child in part:
        yield from _built(child)
