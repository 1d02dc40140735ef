"""Figures: small shapes that differ by eye and by name.

::

    figure("star", 40, 40, 18, "red")           # a red star around (40, 40)
    figure("triangle", 40, 40, 18, "blue", 1)   # a triangle that points to the right
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from envhub.scenes.grid import Sides, counted, grid, middle
from envhub.scenes.shapes import Oval, Polygon, Scene, Shape

Corners = tuple[tuple[int, int], ...]

_CORNERS: Final[Mapping[str, Corners]] = {  # in hundredths of the radius, clockwise from the top
    "square": ((-80, -80), (80, -80), (80, 80), (-80, 80)),
    "triangle": ((0, -95), (90, 75), (-90, 75)),
    "diamond": ((0, -100), (75, 0), (0, 100), (-75, 0)),
    "cross": (
        *((-32, -95), (32, -95), (32, -32), (95, -32), (95, 32), (32, 32)),
        *((32, 95), (-32, 95), (-32, 32), (-95, 32), (-95, -32), (-32, -32)),
    ),
    "star": (
        *((0, -100), (24, -33), (95, -31), (38, 13), (59, 81)),
        *((0, 40), (-59, 81), (-38, 13), (-95, -31), (-24, -33)),
    ),
    "hexagon": ((-50, -87), (50, -87), (100, 0), (50, 87), (-50, 87), (-100, 0)),
}
FIGURES: Final = ("circle", *_CORNERS)
"""The names of all figures."""
LETTERED: Final[Mapping[str, tuple[str, str]]] = {
    letter: (name, tone)
    for letter, name, tone in (
        *(("A", "circle", "red"), ("B", "square", "blue"), ("C", "triangle", "green"), ("D", "star", "yellow")),
        *(("E", "diamond", "purple"), ("F", "hexagon", "orange"), ("G", "cross", "cyan"), ("H", "circle", "blue")),
        *(("I", "square", "yellow"), ("J", "triangle", "red"), ("K", "star", "purple"), ("L", "diamond", "green")),
        *(("M", "hexagon", "cyan"), ("N", "cross", "pink"), ("O", "circle", "yellow"), ("P", "square", "red")),
        *(("Q", "triangle", "purple"), ("R", "star", "blue"), ("S", "diamond", "orange"), ("T", "hexagon", "green")),
        *(("U", "cross", "red"), ("V", "circle", "purple"), ("W", "square", "green"), ("X", "triangle", "orange")),
    )
}
"""What stands for a letter on a board of tiles; the first seven differ in shape and colour."""


def figure(name: str, x: int, y: int, radius: int, fill: str, turns: int = 0, line: str | None = "ink") -> Shape:
    """A figure around its centre.

    Args:
        name: One of :data:`FIGURES`.
        x: Position of its centre.
        y: Position of its centre.
        radius: About half of its size.
        fill: Its tone.
        turns: Quarter turns clockwise.
        line: Tone of its outline.
    """
    if name == "circle":
        return Oval(x, y, radius, radius, fill, line, 2)
    corners = _CORNERS[name]
    for _ in range(turns % 4):
        corners = tuple((-down, right) for right, down in corners)
    points = tuple((x + round(right * radius / 100), y + round(down * radius / 100)) for right, down in corners)
    return Polygon(points, fill, line, 2)


def figured(board: Sequence[str], sides: Sides | None = None) -> Scene:
    """A board of letters as figures (:data:`LETTERED`); other signs are empty cells.

    ``sides`` are texts beside the board, as of :func:`envhub.scenes.grid.grid`.
    """
    over = [
        figure(LETTERED[letter][0], *middle(row, column), 15, LETTERED[letter][1])
        for row, letters in enumerate(board)
        for column, letter in enumerate(letters)
        if letter in LETTERED
    ]
    empty = [[""] * len(board[0])] * len(board)
    return grid(empty, sides=sides, columns=counted(len(board[0])), lines=counted(len(board)), over=over)
