"""Cells that point at a neighbour or open towards several.

A direction is 1 (up), 2 (right), 3 (down) or 4 (left); 0 means no direction. A set of open sides is the sum of 1
(up), 2 (right), 4 (down) and 8 (left).
"""

from __future__ import annotations

from itertools import product
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.cells.laws import Rows, Table

STEPS: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Rows down and columns to the right, by direction from 1."""
UP, RIGHT, DOWN, LEFT = 1, 2, 3, 4
EIGHT: Final = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""Steps to the cells that share a side or a corner, clockwise from the top."""

_POINTING: Final = {
    way: Rows([(a, b) for a, b in product(range(5), repeat=2) if (a == way) == (b == back)])
    for way, back in ((RIGHT, LEFT), (DOWN, UP))
}
_OPEN: Final = {
    way: Rows([(a, b) for a, b in product(range(16), repeat=2) if (a >> way - 1 & 1) == (b >> back - 1 & 1)])
    for way, back in ((RIGHT, LEFT), (DOWN, UP))
}


def towards(height: int, width: int, cell: int, direction: int) -> int:
    """The neighbour of a cell in a direction; -1 outside the board."""
    down, right = STEPS[direction - 1]
    row, column = cell // width + down, cell % width + right
    return row * width + column if 0 <= row < height and 0 <= column < width else -1


def links(height: int, width: int) -> list[tuple[int, int, int]]:
    """Links between neighbours, as (cell, direction right or down, neighbour)."""
    both = ((cell, way) for cell in range(height * width) for way in (RIGHT, DOWN))
    found = ((cell, way, towards(height, width, cell, way)) for cell, way in both)
    return [link for link in found if link[2] >= 0]


def pointing(height: int, width: int) -> list[Table]:
    """A cell points at its neighbour exactly if the neighbour points back."""
    return [Table((cell, other), _POINTING[way]) for cell, way, other in links(height, width)]


def opening(height: int, width: int) -> list[Table]:
    """A side is open exactly if the side it meets is."""
    return [Table((cell, other), _OPEN[way]) for cell, way, other in links(height, width)]


def inner(height: int, width: int) -> list[int]:
    """For each cell, the sides that are inside the board."""
    return [
        sum(1 << way - 1 for way in (UP, RIGHT, DOWN, LEFT) if towards(height, width, cell, way) >= 0)
        for cell in range(height * width)
    ]


def rotations(sides: int) -> list[int]:
    """The distinct rotations of a set of open sides, in ascending order."""
    return sorted({(sides << turn | sides >> 4 - turn) & 15 for turn in range(4)})


def tree(rng: Stream, height: int, width: int) -> list[int]:
    """Open sides of a random spanning tree."""
    ends = links(height, width)
    rng.shuffle(ends)
    parts = Parts(height * width)
    sides = [0] * (height * width)
    for cell, way, other in ends:
        if parts.join(cell, other):
            sides[cell] |= 1 << way - 1
            sides[other] |= 1 << (way + 1) % 4
    return sides


class Parts:
    """Connected parts of a graph, by union-find.

    Args:
        size: Number of nodes.
    """

    __slots__ = ("_parent",)

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def of(self, node: int) -> int:
        """The node that stands for a node's part."""
        parent = self._parent
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    def join(self, one: int, other: int) -> bool:
        """Join two parts; False if they are one part already."""
        one, other = self.of(one), self.of(other)
        self._parent[one] = other
        return one != other
