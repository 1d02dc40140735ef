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
_INSIDE: Final = [(right, down) for right in range(-4, 5) for down in range(-4, 5) if right**2 + down**2 <= 20]


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
        gap: Smallest distance between two shapes; negative if they may overlap.
    """
    made: list[Shape] = []
    for name, colour, radius in wanted:
        edge = radius + _EDGE
        for _ in range(_TRIES):
            x, y = rng.between(edge, width - edge), rng.between(edge, height - edge)
            far = all((x - u) ** 2 + (y - v) ** 2 >= max(0, radius + r + gap) ** 2 for _, _, u, v, r in made)
            if far and (gap >= 0 or all_visible([*made, [name, colour, x, y, radius]])):
                made.append([name, colour, x, y, radius])
                break
        else:
            return None
    return made


def all_visible(shapes: Sequence[Shape]) -> bool:
    """Whether the last shape leaves half of each earlier one visible.

    Shapes are taken for circles, which cover them.
    """
    _, _, x, y, radius = shapes[-1]
    for at, (_, _, u, v, r) in enumerate(shapes[:-1]):
        if (x - u) ** 2 + (y - v) ** 2 >= (radius + r) ** 2:
            continue
        points = [(u + right * r // 5, v + down * r // 5) for right, down in _INSIDE]
        over = shapes[at + 1 :]
        seen = sum(all((a - p) ** 2 + (b - q) ** 2 > s * s for _, _, a, b, s in over) for p, q in points)
        if 2 * seen < len(points):
            return False
    return True


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
