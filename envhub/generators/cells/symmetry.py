"""Rotational symmetry: half turns of a board about a point.

A point is given by twice its row and twice its column, so that centres, sides and corners of cells are whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from envhub.core.seeding import Stream
from envhub.generators.cells.board import beside
from envhub.generators.cells.law import Changed, Law

Point = Sequence[int]


def mirrored(height: int, width: int, cell: int, point: Point) -> int:
    """A cell after a half turn; -1 outside the board."""
    row, column = point[0] - cell // width, point[1] - cell % width
    return row * width + column if 0 <= row < height and 0 <= column < width else -1


def at_point(width: int, point: Point) -> list[int]:
    """The one, two or four cells that touch a point."""
    row, column = point
    return [r * width + c for r in {row // 2, -(-row // 2)} for c in {column // 2, -(-column // 2)}]


class Together(Law):
    """Two cells both have a value in a mask, or neither has."""

    __slots__ = ("mask",)

    def __init__(self, one: int, other: int, mask: int) -> None:
        super().__init__((one, other))
        self.mask = mask

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the cells agree."""
        one, other = self.cells
        return self.mask >> values[one] & 1 == self.mask >> values[other] & 1

    def prune(self, domains: list[int]) -> Changed | None:
        """Decide a cell like the other one."""
        changed = []
        for cell, other in (self.cells, self.cells[::-1]):
            inside = domains[other] & self.mask
            kept = domains[cell] & (~self.mask if not inside else self.mask if inside == domains[other] else -1)
            if not kept:
                return None
            if kept != domains[cell]:
                domains[cell] = kept
                changed.append(cell)
        return changed


def galaxies(rng: Stream, height: int, width: int, most: int) -> tuple[list[Point], list[int]]:
    """Connected regions that cover a board, each symmetric about a point.

    Args:
        rng: Chooses points, sizes and cells.
        height: Number of rows.
        width: Number of columns.
        most: Greatest intended size of a region.

    Returns:
        The points, and for each cell the position of its point.
    """
    near = beside(height, width)
    label = [-1] * (height * width)
    points: list[Point] = []
    for start in rng.sample(range(height * width), height * width):
        if label[start] >= 0:
            continue
        point = _point(rng, width, start, label)
        taken = at_point(width, point)
        wanted = rng.between(most // 2, most)
        while taken:
            for cell in taken:
                label[cell] = len(points)
            inside = [cell for cell, found in enumerate(label) if found == len(points)]
            edge = sorted({other for cell in inside for other in near[cell] if label[other] < 0})
            pairs = [(cell, mirrored(height, width, cell, point)) for cell in edge]
            pairs = [(cell, twin) for cell, twin in pairs if twin >= 0 and label[twin] < 0]
            taken = list(rng.choice(pairs)) if pairs and len(inside) < wanted else []
        points.append(point)
    return points, label


def _point(rng: Stream, width: int, cell: int, label: Sequence[int]) -> Point:
    """A random point at a free cell that touches only free cells."""
    row, column = divmod(cell, width)
    height = len(label) // width
    steps = [(0, 0), (0, 1), (1, 0), (1, 1), (0, -1), (-1, 0)]
    rng.shuffle(steps)
    for down, right in steps:
        point = (2 * row + down, 2 * column + right)
        inside = 0 <= point[0] <= 2 * height - 2 and 0 <= point[1] <= 2 * width - 2
        if inside and all(label[other] < 0 for other in at_point(width, point)):
            return point
    return (2 * row, 2 * column)
