"""Endless loops: which variables steer a loop.

If all variables that steer a ``while`` loop have the same values at the beginning of two iterations, it never ends::

    steering(["cmp", ">", ["var", 0], ["int", 0]], [["append", 1, ["var", 0]]])      # (0,)

This holds for programs that never give two names to one list, as all programs drawn here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from envhub.core.types import JSON

_LEAVING: Final = ("break", "continue", "return")
_CHANGING: Final = ("set", "aug", "append", "pop", "put")
_IN_PLACE: Final = ("aug", "append", "pop", "put")


def steering(condition: JSON, body: JSON) -> tuple[int, ...]:
    """The variables on which the condition depends, in ascending order.

    Also those on which it depends through statements of the body.
    """
    found = set(_read(condition))
    statements = [(set(_read(each)), set(_written(each)), _leaves(each)) for each in body]
    while True:
        more = found.union(*(read for read, written, leaves in statements if leaves or written & found))
        if more == found:
            return tuple(sorted(found))
        found = more


def _read(part: Any) -> Iterator[int]:
    """The variables that are read or changed in place."""
    if type(part) is list and part:
        if part[0] == "var" or part[0] in _IN_PLACE:
            yield part[1]
        for child in part:
            yield from _read(child)


def _written(part: Any) -> Iterator[int]:
    """The variables that a statement or its comprehensions set."""
    if type(part) is list and part:
        if part[0] in _CHANGING:
            yield part[1]
        elif part[0] == "comp":
            yield part[2]
        elif part[0] == "for":
            yield from part[1]
        for child in part:
            yield from _written(child)


def _leaves(part: Any) -> bool:
    """Whether a statement may leave an iteration."""
    return type(part) is list and bool(part) and (part[0] in _LEAVING or any(map(_leaves, part)))
