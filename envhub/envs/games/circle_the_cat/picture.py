"""The scene of circle-the-cat-v0."""

from __future__ import annotations

from typing import Final

from envhub.core.types import JSON
from envhub.envs.games.circle_the_cat.wording import LETTERS
from envhub.scenes import Oval, Polygon, Scene, Shape, Text

_WIDE: Final = 36
_DOWN: Final = 31
_TIP: Final = 20
_EDGE: Final = 26


def seen(problem: JSON, walls: int, cat: int) -> Scene:
    """Hexagons, with dark walls and the cat as an orange disc."""
    height, width = problem["height"], problem["width"]
    shapes: list[Shape] = [
        Text(_EDGE + column * _WIDE + _WIDE // 2, _EDGE // 2, LETTERS[column], 14, "faint") for column in range(width)
    ]
    for row in range(height):
        y = _EDGE + _TIP + row * _DOWN
        shapes.append(Text(_EDGE // 2, y, str(row + 1), 14, "faint"))
        for column in range(width):
            x, cell = _EDGE + column * _WIDE + _WIDE // 2 + (_WIDE // 2 if row % 2 else 0), row * width + column
            half = _WIDE // 2
            corners = (
                (0, -_TIP),
                (half, -_TIP // 2),
                (half, _TIP // 2),
                (0, _TIP),
                (-half, _TIP // 2),
                (-half, -_TIP // 2),
            )
            points = tuple((x + right, y + down) for right, down in corners)
            shapes.append(Polygon(points, "dark" if walls >> cell & 1 else "shade", "faint", 1))
            if cell == cat:
                shapes.append(Oval(x, y, 12, 12, "orange", "ink", 2))
    return Scene(2 * _EDGE + width * _WIDE + _WIDE // 2, 2 * _EDGE + 2 * _TIP + (height - 1) * _DOWN, tuple(shapes))
