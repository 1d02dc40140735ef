"""The picture of snake-v0."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from envhub.scenes import Line, Oval, Rect, Scene, Shape
from envhub.scenes.grid import Tile, counted, grid, middle


def drawn(size: int, walls: Collection[int], snake: Sequence[int], apples: Collection[int]) -> Scene:
    """The board with the snake as a thick line.

    Its head is a disc with eyes, and a dot marks its tail.
    """
    rows = [[Tile(fill="dark") if row * size + at in walls else Tile() for at in range(size)] for row in range(size)]
    over: list[Shape] = []
    for apple in sorted(apples):
        x, y = middle(*divmod(apple, size))
        over += [Oval(x, y + 2, 11, 11, "red", "ink", 2), Line(((x, y - 8), (x + 4, y - 15)), "ink", 3)]
    body = tuple(middle(*divmod(cell, size)) for cell in snake)
    over += [Line(body, "green", 18), Oval(*body[-1], 12, 12, "green", None), Oval(*body[-1], 5, 5, "paper", None)]
    x, y = body[0]
    over += [Oval(x, y, 15, 15, "green", "ink", 2), *(Rect(x + side - 2, y - 3, 5, 6, "ink") for side in (-6, 6))]
    return grid(rows, columns=counted(size), lines=counted(size), over=over)
