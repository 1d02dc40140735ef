"""Turns steps of the oracle's plan into calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from envhub.envs.tools.gui.kind import Step

_LINE: Final = re.compile(
    r"^ *\[(\d+)\](?: at \((\d+), (\d+)\)| (above|below|left of|right of) the view| hidden)? (\w+)"
    r'(?: ("(?:[^"\\]|\\.)*"))?',
    re.MULTILINE,
)


class Target(NamedTuple):
    """An element of the tree."""

    id: int
    role: str
    name: str


def targets(tree: str) -> Iterator[Target]:
    """The elements with ids of a tree's text."""
    for found in _LINE.finditer(tree):
        yield Target(int(found[1]), found[5], json.loads(found[6]) if found[6] else "")


def aimed(step: Step, tree: str) -> tuple[str, dict[str, Any]] | None:
    """The tool and the arguments of a step.

    None if its element is not in the tree.
    """
    tool, role, name, *rest = step
    found = _find(tree, role, name)
    if found is None:
        return None
    if tool == "drag":
        other = _find(tree, role, rest[0])
        return None if other is None else (tool, {"id": found, "to_id": other})
    named = {"type": "text", "select": "option"}
    return tool, {"id": found} | ({named[tool]: rest[0]} if tool in named else {})


def _find(tree: str, role: str, name: str) -> int | None:
    return next((each.id for each in targets(tree) if (each.role, each.name) == (role, name)), None)
