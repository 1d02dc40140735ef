"""Scenes of tubes with balls, and of pegs with disks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.scenes.shapes import Line, Oval, Rect, Scene, Shape, Text

_BALL: Final = 34
_TUBE: Final = 64
_DISK: Final = 22
_STEP: Final = 20
_MARGIN: Final = 16


def tubes(held: Sequence[Sequence[str]], capacity: int, names: Sequence[str]) -> Scene:
    """Tubes side by side, each under its name.

    Args:
        held: Tones of the balls of each tube, the lowest first.
        capacity: Number of balls that fit into a tube.
        names: Names of the tubes.
    """
    shapes: list[Shape] = []
    bottom = _MARGIN * 3 + capacity * (_BALL + 4)
    for at, (balls, name) in enumerate(zip(held, names, strict=True)):
        x = _MARGIN + at * _TUBE + _TUBE // 2
        left, right = x - _BALL // 2 - 5, x + _BALL // 2 + 5
        shapes.append(Text(x, _MARGIN, name, 20))
        wall = ((left, _MARGIN * 2), (left, bottom), (right, bottom), (right, _MARGIN * 2))
        shapes.append(Line(wall, "ink", 3))
        for height, tone in enumerate(balls):
            y = bottom - 4 - _BALL // 2 - height * (_BALL + 4)
            shapes.append(Oval(x, y, _BALL // 2, _BALL // 2, tone, "ink", 1))
    return Scene(2 * _MARGIN + len(held) * _TUBE, bottom + _MARGIN, tuple(shapes))


def pegs(held: Sequence[Sequence[int]], disks: int, names: Sequence[str], title: str = "") -> Scene:
    """Pegs side by side, each under its name, with numbered disks.

    Args:
        held: The disks of each peg, the lowest first; disk 1 is the smallest.
        disks: Number of disks.
        names: Names of the pegs.
        title: A line above all.
    """
    shapes: list[Shape] = []
    span = 30 + disks * _STEP
    top = _MARGIN + (24 if title else 0)
    bottom = top + 40 + disks * (_DISK + 2)
    if title:
        shapes.append(Text(_MARGIN, _MARGIN + 2, title, 16, anchor="start"))
    for at, (stack, name) in enumerate(zip(held, names, strict=True)):
        x = _MARGIN + at * (span + _MARGIN) + span // 2
        shapes += (Text(x, top + 8, name, 20), Rect(x - 3, top + 22, 6, bottom - top - 22, "dark"))
        shapes.append(Rect(x - span // 2, bottom, span, 5, "dark"))
        for height, disk in enumerate(stack):
            half, y = (24 + disk * _STEP) // 2, bottom - (height + 1) * (_DISK + 2)
            shapes.append(Rect(x - half, y, 2 * half, _DISK, f"tint{disk % 8}", "ink", 1))
            shapes.append(Text(x, y + _DISK // 2, str(disk), 14))
    return Scene(2 * _MARGIN + len(held) * (span + _MARGIN), bottom + _MARGIN, tuple(shapes))
