"""Boards: lines, neighbours, symmetries and regions of a rectangle of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from envhub.core.seeding import Stream

TURNS: Final = range(8)
"""All symmetries of a rectangle: bit 0 transposes, bit 1 mirrors the rows, bit 2 mirrors the columns."""
TRANSPOSITION: Final = (0, 1)


def rows(height: int, width: int) -> list[list[int]]:
    """The cells of each row, from left to right."""
    return [list(range(row * width, row * width + width)) for row in range(height)]


def columns(height: int, width: int) -> list[list[int]]:
    """The cells of each column, from top to bottom."""
    return [list(range(column, height * width, width)) for column in range(width)]


def lines(height: int, width: int) -> list[list[int]]:
    """The cells of each row, then those of each column."""
    return [*rows(height, width), *columns(height, width)]


def pairs(height: int, width: int) -> Iterator[tuple[int, int]]:
    """Every two cells that share a side."""
    for line in lines(height, width):
        yield from pairwise(line)


@lru_cache(maxsize=64)
def beside(height: int, width: int) -> list[list[int]]:
    """For each cell, the cells that share a side with it."""
    found: list[list[int]] = []
    for cell in range(height * width):
        row, column = divmod(cell, width)
        near = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        found.append([r * width + c for r, c in near if 0 <= r < height and 0 <= c < width])
    return found


def around(height: int, width: int) -> list[list[int]]:
    """For each cell, the up to eight cells around it."""
    found: list[list[int]] = []
    for cell in range(height * width):
        row, column = divmod(cell, width)
        near = ((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)
        found.append([r * width + c for r, c in near if 0 <= r < height and 0 <= c < width])
    return found


def squares(height: int, width: int) -> list[list[int]]:
    """The cells of every 2x2 square."""
    corners = (row * width + column for row in range(height - 1) for column in range(width - 1))
    return [[cell, cell + 1, cell + width, cell + width + 1] for cell in corners]


def ray(height: int, width: int, cell: int, down: int, right: int) -> list[int]:
    """The cells seen from a cell in one direction, the nearest first."""
    row, column = divmod(cell, width)
    found: list[int] = []
    while 0 <= (row := row + down) < height and 0 <= (column := column + right) < width:
        found.append(row * width + column)
    return found


def turned(cells: Sequence[Any], height: int, width: int, turn: int) -> list[Any]:
    """The values of a board after one of its symmetries."""
    grid = [cells[start : start + width] for start in range(0, height * width, width)]
    if turn & 2:
        grid.reverse()
    if turn & 4:
        grid = [row[::-1] for row in grid]
    return [value for row in (zip(*grid, strict=True) if turn & 1 else grid) for value in row]


def relabelled(labels: Sequence[int]) -> list[int]:
    """Labels numbered by first occurrence."""
    names: dict[int, int] = {}
    return [names.setdefault(label, len(names)) for label in labels]


def members(labels: Sequence[int]) -> list[list[int]]:
    """The cells of each region, given the region of each cell."""
    found: list[list[int]] = [[] for _ in range(max(labels) + 1)]
    for cell, label in enumerate(labels):
        found[label].append(cell)
    return found


def grown(rng: Stream, height: int, width: int, seeds: Sequence[int], most: int = 0) -> list[int]:
    """Regions grown from one seed each until they cover the board.

    Args:
        rng: Chooses the region's next cell.
        height: Number of rows.
        width: Number of columns.
        seeds: One cell per region.
        most: Maximum number of cells per region; 0 for no maximum. Cells that no region can take have the label -1.
    """
    near = beside(height, width)
    label = [-1] * (height * width)
    sizes = [1] * len(seeds)
    for region, cell in enumerate(seeds):
        label[cell] = region
    edge = [(region, other) for region, cell in enumerate(seeds) for other in near[cell]]
    while edge:
        at = rng.below(len(edge))
        edge[at], edge[-1] = edge[-1], edge[at]
        region, cell = edge.pop()
        if label[cell] < 0 and (not most or sizes[region] < most):
            label[cell] = region
            sizes[region] += 1
            edge += [(region, other) for other in near[cell] if label[other] < 0]
    return label


def divided(rng: Stream, height: int, width: int, sizes: Sequence[int]) -> list[int] | None:
    """Connected regions of random sizes; None if a leftover does not fit.

    Each region starts at the first free cell with the fewest free neighbours, which leaves few holes.
    """
    near = beside(height, width)
    label = [-1] * (height * width)
    region = 0
    while -1 in label:
        free = [cell for cell, found in enumerate(label) if found < 0]
        start = min(free, key=lambda cell: sum(label[other] < 0 for other in near[cell]))
        wanted = rng.choice(sizes)
        taken = [start]
        label[start] = region
        while len(taken) < wanted:
            edge = sorted({other for cell in taken for other in near[cell] if label[other] < 0})
            if not edge:
                break
            cell = rng.choice(edge)
            label[cell] = region
            taken.append(cell)
        if len(taken) not in sizes:
            return None
        region += 1
    return label


def circle(height: int, width: int, cell: int) -> list[int]:
    """The eight places around a cell in order, -1 outside the board."""
    row, column = divmod(cell, width)
    ring = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
    places = ((row + down, column + right) for down, right in ring)
    return [r * width + c if 0 <= r < height and 0 <= c < width else -1 for r, c in places]
