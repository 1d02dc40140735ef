"""When two straight programs are the same: names and numbers of variables do not matter, nor how large the inputs are.

What is not folded: operands in another order, and anything else that would take thinking.
"""

from __future__ import annotations

from typing import Any

from envhub.core.types import JSON


def canonical(program: JSON) -> JSON:
    """The types of the arguments and the bodies, variables numbered in the order in which they appear."""
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
