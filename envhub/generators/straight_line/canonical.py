"""Canonical form of programs.

Independent of the names and numbers of variables and of input sizes. Operands in another order, and equivalences that
need reasoning, are not folded.
"""

from __future__ import annotations

from typing import Any

from envhub.core.types import JSON


def canonical(program: JSON) -> JSON:
    """The argument types and the bodies, variables numbered in order of appearance."""
    kinds = [domain["kind"] for domain in program["takes"]]
    return [kinds, *(_function(function) for function in [*program["helpers"], program["main"]])]


def _function(function: JSON) -> JSON:
    numbers: dict[int, int] = {v: v for v in range(function["arguments"])}

    def number(v: int) -> int:
        return numbers.setdefault(v, len(numbers))

    def walk(part: Any) -> Any:
        if type(part) is not list or not part:
            return part
        match part:
            case ["int" | "str", _]:
                return part
            case ["var" | "pop", v]:
                return [part[0], number(v)]
            case ["set" | "aug" | "append" | "put", v, *rest]:
                return [part[0], number(v), *map(walk, rest)]
            case ["for", targets, items, body]:
                return ["for", list(map(number, targets)), walk(items), walk(body)]
            case ["comp", kind, v, value, items, condition]:
                return ["comp", kind, number(v), walk(value), walk(items), walk(condition)]
        return list(map(walk, part))

    return walk(function["body"])
