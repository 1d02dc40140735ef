"""Turns steps of the oracle's plan into calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from envhub.browser.actions import PHONE
from envhub.envs.tools.gui.kind import Step

_LINE: Final = re.compile(
    r"^ *\[(\d+)\](?: at \((\d+), (\d+)\)| (above|below|left of|right of) the view| hidden"
    r"| (above|below|left|right) in the box at \((\d+), (\d+)\))? (\w+)"
    r'(?: ("(?:[^"\\]|\\.)*"))?([^\n]*)',
    re.MULTILINE,
)


class Target(NamedTuple):
    """An element of the tree.

    Attributes:
        id: Its id.
        role: Its role.
        name: Its name.
        place: Its middle in pixels, if it is in view.
        outside: Where it is if it is not in view: ``above``, ``below``, ``left of`` or ``right of``.
        focused: Whether text is typed into it.
        box: The middle of the box that must be scrolled before it is seen, if it is in one.
    """

    id: int
    role: str
    name: str
    place: tuple[int, int] | None = None
    outside: str = ""
    focused: bool = False
    box: tuple[int, int] | None = None


def targets(tree: str) -> Iterator[Target]:
    """The elements with ids of a tree's text."""
    for found in _LINE.finditer(tree):
        name, place = json.loads(found[9]) if found[9] else "", (int(found[2]), int(found[3])) if found[2] else None
        box = (int(found[6]), int(found[7])) if found[5] else None
        outside = found[4] or found[5] or ""
        yield Target(int(found[1]), found[8], name, place, outside, " focused" in found[10], box)


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
        return None if other is None else (tool, {"id": found.id, "to_id": other.id})
    named = {"type": "text", "select": "option"}
    return tool, {"id": found.id} | ({named[tool]: rest[0]} if tool in named else {})


def touched(step: Step, tree: str) -> tuple[dict[str, Any], bool]:
    """A step's next action in AgentCPM-GUI's format, and whether it ends it.

    An element out of view is first swiped into view; a field is tapped before text is typed into it.
    """
    tool, role, name, *rest = step
    found = _find(tree, role, name)
    if tool == "select" and role == "listbox":  # a tap on an option toggles it
        tool, found = "click", _find(tree, "option", rest[0])
    if found is None:
        return {"duration": 1}, False
    if found.box is not None:
        across, down = _FINGER[found.outside]
        x, y = (at - way // 3 for at, way in zip(found.box, (across, down), strict=True))  # it starts across the middle
        return {"POINT": _thousandths((x, y)), "to": _thousandths((max(5, x + across), max(5, y + down)))}, False
    if found.place is None:
        return ({"POINT": [500, 600], "to": _SWIPES[found.outside]} if found.outside else {"duration": 1}), False
    if tool == "click":
        return {"POINT": _thousandths(found.place)}, True
    if tool in ("type", "select"):
        return ({"TYPE": rest[0]}, True) if found.focused else ({"POINT": _thousandths(found.place)}, False)
    other = _find(tree, role, rest[0])
    if other is None or other.place is None:
        return {"POINT": [950, 600], "to": "up"}, False
    return {"POINT": _thousandths(found.place), "to": _thousandths(other.place)}, True


_FINGER: Final = {"above": (0, 180), "below": (0, -180), "left": (180, 0), "right": (-180, 0)}
"""How a finger moves in a box, in pixels, to bring into view what is there."""
_SWIPES: Final = {"above": "down", "below": "up", "left of": "right", "right of": "left"}
"""Which way a finger moves to bring into view what is there."""


def _thousandths(place: tuple[int, int]) -> list[int]:
    return [round(place[0] * 1000 / PHONE.width), round(place[1] * 1000 / PHONE.height)]


def _find(tree: str, role: str, name: str) -> Target | None:
    return next((each for each in targets(tree) if (each.role, each.name) == (role, name)), None)
