"""Diagonals: cells with a line from corner to corner.

The value 0 is a backslash, and 1 is a slash.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from envhub.core.seeding import Stream
from envhub.generators.cells.directions import Parts
from envhub.generators.cells.law import Changed, Law


def ends(width: int, cell: int, value: int) -> tuple[int, int]:
    """The two corners that a diagonal joins, numbered row by row."""
    row, column = divmod(cell, width)
    corner = row * (width + 1) + column
    return (corner + 1, corner + width + 1) if value else (corner, corner + width + 2)


def touching(height: int, width: int) -> list[list[tuple[int, int]]]:
    """For each corner, the cells round it with their masks."""
    found: list[list[tuple[int, int]]] = [[] for _ in range((height + 1) * (width + 1))]
    for cell in range(height * width):
        for value in (0, 1):
            for corner in ends(width, cell, value):
                found[corner].append((cell, 1 << value))
    return found


def forest(rng: Stream, height: int, width: int) -> list[int]:
    """Diagonals at random, without a loop."""
    parts = Parts((height + 1) * (width + 1))
    grid = [0] * (height * width)
    for cell in rng.sample(range(height * width), height * width):
        grid[cell] = rng.below(2)
        if not parts.join(*ends(width, cell, grid[cell])):
            grid[cell] ^= 1
            parts.join(*ends(width, cell, grid[cell]))
    return grid


class NoLoops(Law):
    """Diagonals do not form a loop.

    Args:
        height: Number of rows.
        width: Number of columns.
    """

    __slots__ = ("_corners", "_ends")
    expensive: ClassVar[bool] = True

    def __init__(self, height: int, width: int) -> None:
        super().__init__(range(height * width))
        self._corners = (height + 1) * (width + 1)
        self._ends = [(ends(width, cell, 0), ends(width, cell, 1)) for cell in self.cells]

    def holds(self, values: Sequence[int]) -> bool:
        """Whether no diagonal closes a loop."""
        parts = Parts(self._corners)
        return all(parts.join(*both[value]) for both, value in zip(self._ends, values, strict=True))

    def prune(self, domains: list[int]) -> Changed | None:
        """Turn diagonals that would close a loop."""
        parts = Parts(self._corners)
        open_ = []
        for cell, mask in enumerate(domains):
            if mask == 0b11:
                open_.append(cell)
            elif not parts.join(*self._ends[cell][mask >> 1]):
                return None
        changed: list[int] = []
        found = -1
        while found < len(changed):
            found = len(changed)
            for cell in open_:
                for value in (0, 1):
                    one, other = self._ends[cell][value]
                    if domains[cell] == 0b11 and parts.of(one) == parts.of(other):
                        domains[cell] = 0b10 >> value
                        changed.append(cell)
                        if not parts.join(*self._ends[cell][1 - value]):
                            return None
        return changed
