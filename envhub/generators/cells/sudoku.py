"""Sudoku groups, irregular boxes, and full grids drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.cells.board import beside, lines
from envhub.generators.cells.connectivity import reached
from envhub.generators.cells.laws import Different
from envhub.generators.cells.model import Grid, Model

BOXES: Final = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3)}
"""Height and width of the boxes by side."""


def boxes(size: int) -> list[int]:
    """The box of each cell."""
    height, width = BOXES[size]
    return [cell // size // height * height + cell % size // width for cell in range(size**2)]


def irregular(rng: Stream, size: int, swaps: int) -> list[int]:
    """Connected regions of ``size`` cells each, by exchanges between rows."""
    near = beside(size, size)
    label = [cell // size for cell in range(size**2)]
    for _ in range(swaps):
        one, other = rng.below(size**2), rng.below(size**2)
        a, b = label[one], label[other]
        joined = any(label[cell] == b for cell in near[one]) and any(label[cell] == a for cell in near[other])
        if a == b or not joined:
            continue
        label[one], label[other] = b, a
        if not (_whole(label, near, one) and _whole(label, near, other)):
            label[one], label[other] = a, b
    return label


def diagonals(size: int) -> list[list[int]]:
    """Both long diagonals."""
    return [[at * (size + 1) for at in range(size)], [(at + 1) * (size - 1) for at in range(size)]]


def windows() -> list[list[int]]:
    """The four inner squares of a grid of side 9."""
    corners = [row * 9 + column for row in (1, 5) for column in (1, 5)]
    return [[corner + 9 * down + right for down in range(3) for right in range(3)] for corner in corners]


def filled(rng: Stream, size: int, groups: Sequence[Sequence[int]], budget: int) -> Grid | None:
    """A full grid by random search; None if the budget is spent."""
    full = (1 << size + 1) - 2
    laws = [Different(group, full) for group in (*lines(size, size), *groups)]
    found = Model([full] * size**2, laws).solutions(most=1, budget=budget, rng=rng)
    return found.grids[0] if found.grids else None


def _whole(label: Sequence[int], near: Sequence[Sequence[int]], cell: int) -> bool:
    """Whether the region of a cell is connected."""
    region = [other for other, found in enumerate(label) if found == label[cell]]
    return len(reached(cell, near, set(region))) == len(region)
