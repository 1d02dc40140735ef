"""Scenes: what is seen in a state, as shapes at positions.

A scene is a pure function of the state. It is made once and rendered in many ways: pixels (:mod:`envhub.scenes.pixels`), SVG
(:mod:`envhub.scenes.svg`), and the web pages, which draw its JSON form::

    Scene(100, 50, (Rect(0, 0, 50, 50, fill="shade"), Text(25, 25, "7", 24)))

Positions and sizes are whole numbers; x grows to the right and y downwards. Colours are names of tones, to which a palette
gives values (:mod:`envhub.scenes.palette`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import NamedTuple

from envhub.core.types import JSON


class Rect(NamedTuple):
    """A rectangle, from its upper left corner."""

    x: int
    y: int
    width: int
    height: int
    fill: str | None = None
    line: str | None = None
    stroke: int = 1


class Oval(NamedTuple):
    """An ellipse around its centre."""

    x: int
    y: int
    rx: int
    ry: int
    fill: str | None = None
    line: str | None = None
    stroke: int = 1


class Line(NamedTuple):
    """A line through two or more points."""

    points: tuple[tuple[int, int], ...]
    line: str = "ink"
    stroke: int = 1


class Polygon(NamedTuple):
    """A closed shape through three or more points."""

    points: tuple[tuple[int, int], ...]
    fill: str | None = None
    line: str | None = None
    stroke: int = 1


class Text(NamedTuple):
    """One line of text.

    ``anchor`` says which part of it is at x: ``start``, ``middle`` or ``end``. ``y`` is the middle of its height.
    """

    x: int
    y: int
    text: str
    size: int
    fill: str = "ink"
    anchor: str = "middle"


Shape = Rect | Oval | Line | Polygon | Text


class Scene(NamedTuple):
    """Shapes on paper, later ones over earlier ones."""

    width: int
    height: int
    shapes: tuple[Shape, ...]

    def to_json(self) -> JSON:
        """The size and the shapes, as JSON values.

        Each shape has a ``kind``: its name in lower case.
        """
        shapes = [{"kind": type(shape).__name__.lower(), **shape._asdict()} for shape in self.shapes]
        return {"width": self.width, "height": self.height, "shapes": shapes}

    def fingerprint(self) -> str:
        """A digest of size and shapes.

        The same in every process and release.
        """
        text = json.dumps(self.to_json(), sort_keys=True, ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def moved(shape: Shape, right: int, down: int) -> Shape:
    """A shape at another position."""
    if isinstance(shape, Line | Polygon):
        return shape._replace(points=tuple((x + right, y + down) for x, y in shape.points))
    return shape._replace(x=shape.x + right, y=shape.y + down)


def stacked(scenes: Iterable[Scene], gap: int = 16) -> Scene:
    """Scenes one below the other, aligned at the left."""
    width, height, shapes = 0, -gap, list[Shape]()
    for scene in scenes:
        shapes += (moved(shape, 0, height + gap) for shape in scene.shapes)
        width, height = max(width, scene.width), height + gap + scene.height
    return Scene(width, max(height, 0), tuple(shapes))
