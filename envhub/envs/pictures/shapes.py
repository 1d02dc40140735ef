"""Coloured shapes scattered over a picture.

A shape is a list of its figure, its colour, its centre and its radius: ``["circle", "red", 120, 85, 20]``. No two of them
touch, unless a gap below 0 is asked for::

    placed(rng, 480, 400, [("circle", "red", 20), ("square", "blue", 14)], gap=6)
    scattered(480, 400, shapes)    # the scene
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.scenes import Rect, Scene
from envhub.scenes.figures import figure

Shape = list[Any]

COLOURS: Final = ("red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink")
OTHERS: Final = ("square", "triangle", "diamond", "hexagon")
_EDGE: Final = 6
_TRIES: Final = 80


def placed(
    rng: Stream, width: int, height: int, wanted: Sequence[tuple[str, str, int]], gap: int
) -> list[Shape] | None:
    """Shapes at random places.

    None if there was no room where it was tried.

    Args:
        rng: Randomness.
        width: Width of the picture.
        height: Height of the picture.
        wanted: Figure, colour and radius of each shape.
        gap: Smallest distance between two shapes. If it is negative, each shape may overlap one other shape, and the
            distance of their centres is at least three quarters of the sum of their radii.
    """
    made: list[Shape] = []
    paired: set[int] = set()
    for name, colour, radius in wanted:
        edge = radius + _EDGE
        for _ in range(_TRIES):
            x, y = rng.between(edge, width - edge), rng.between(edge, height - edge)
            touched = _touched(made, x, y, radius, gap)
            if touched is not None and (gap >= 0 or (len(touched) <= 1 and not paired.intersection(touched))):
                paired.update([*touched, len(made)] if touched and gap < 0 else [])
                made.append([name, colour, x, y, radius])
                break
        else:
            return None
    return made


def _touched(made: Sequence[Shape], x: int, y: int, radius: int, gap: int) -> list[int] | None:
    """The shapes that a new one overlaps.

    None if it is too close to one of them.
    """
    found = []
    for at, (_, _, u, v, r) in enumerate(made):
        apart, both = (x - u) ** 2 + (y - v) ** 2, radius + r
        if apart < (both + max(0, gap)) ** 2:
            if gap >= 0 or 16 * apart < 9 * both**2 or apart < max(0, both + gap) ** 2:
                return None
            found.append(at)
    return found


def scattered(width: int, height: int, shapes: Sequence[Shape]) -> Scene:
    """The picture of shapes, later ones over earlier ones."""
    frame = Rect(1, 1, width - 2, height - 2, None, "faint", 1)
    return Scene(width, height, (frame, *(figure(name, x, y, r, colour) for name, colour, x, y, r in shapes)))


def counted_circles(shapes: Sequence[Shape], colours: Sequence[str]) -> list[int]:
    """The number of circles of each colour."""
    return [sum(shape[0] == "circle" and shape[1] == colour for shape in shapes) for colour in colours]


def boxes(shapes: Sequence[Shape]) -> list[JSON]:
    """Each shape with the corners of the box around it."""
    return [
        {"shape": name, "colour": colour, "left": x - r, "top": y - r, "right": x + r, "bottom": y + r}
        for name, colour, x, y, r in shapes
    ]
