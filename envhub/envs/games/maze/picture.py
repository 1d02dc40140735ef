"""The picture of the view in a maze."""

from __future__ import annotations

from collections.abc import Iterator

from envhub.scenes import Line, Scene, Shape
from envhub.scenes.grid import CELL, Tile, grid


def view(width: int, cells: str, at: int, goal: int, radius: int) -> Scene:
    """The view around the player (A), with its walls.

    Columns and rows are numbered. E is the exit.
    """
    (y, x), height = divmod(at, width), len(cells) // width
    columns = range(max(0, x - radius), min(width, x + radius + 1))
    rows = range(max(0, y - radius), min(height, y + radius + 1))
    signs = {at: Tile("A", disc="tint0"), goal: Tile("E", "tint2")}
    shown = [[signs.get(row * width + column, Tile()) for column in columns] for row in rows]
    walls = [
        wall
        for r, row in enumerate(rows)
        for c, column in enumerate(columns)
        for wall in _walls(cells[row * width + column], r, c)
    ]
    names = [str(column + 1) for column in columns]
    return grid(shown, columns=names, lines=[str(row + 1) for row in rows], over=walls, framed=False)


def _walls(ways: str, row: int, column: int) -> Iterator[Shape]:
    """A thick line at each closed side of a cell.

    Open sides are bits: north, east, south, west.
    """
    left, top = column * CELL, row * CELL
    right, bottom = left + CELL, top + CELL
    sides = (
        ((left, top), (right, top)),
        ((right, top), (right, bottom)),
        ((left, bottom), (right, bottom)),
        ((left, top), (left, bottom)),
    )
    for bit, side in enumerate(sides):
        if not int(ways, 16) >> bit & 1:
            yield Line(side, "ink", 5)
