"""Operations of the interpreter: Python's own, by their names in program trees."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

BINARY: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
COMPARE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
CALLS: Final[Mapping[str, Callable[..., Any]]] = {
    "len": len,
    "sum": sum,
    "abs": abs,
    "min": min,
    "max": max,
    "ord": ord,
    "chr": chr,
    "str": str,
    "sorted": sorted,
    "descending": lambda items: sorted(items, reverse=True),
    "distinct": lambda items: sorted(set(items)),
    "largest": lambda items, other: max(items, default=other),
    "smallest": lambda items, other: min(items, default=other),
    "list": list,
    "range": lambda *bounds: list(range(*bounds)),
    "enumerate": lambda items: list(enumerate(items)),
    "zip": lambda one, other: list(zip(one, other, strict=False)),
    "items": lambda table: sorted(table.items()),
    "values": lambda table: list(table.values()),
    "keys": sorted,
}
GATHER: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "list": lambda found: found,
    "sum": sum,
    "join": "".join,
    "dict": dict,
}
METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    "count": lambda items, item: items.count(item),
    "upper": str.upper,
    "replace": str.replace,
    "get": dict.get,
    "join": str.join,
}
