"""Areas and rooms of a board, drawn at random."""

from __future__ import annotations

from functools import lru_cache

from envhub.core.seeding import Stream
from envhub.generators.cells.board import beside, squares
from envhub.generators.cells.connectivity import reached


@lru_cache(maxsize=64)
def outside_joined(height: int, width: int) -> list[list[int]]:
    """For each cell and the outside, the cells beside it.

    A side at the edge leads outside, so a corner of the board has the outside as a neighbour twice.
    """
    outside = height * width
    near = [[*others, *[outside] * (4 - len(others))] for others in beside(height, width)]
    return [*near, [cell for cell, others in enumerate(near) if outside in others]]


def blob(rng: Stream, height: int, width: int, wanted: int) -> list[int]:
    """A connected area without holes, as 0 and 1."""
    near, count = outside_joined(height, width), height * width
    start = rng.below(count)
    area = {start}
    edge = [cell for cell in near[start] if cell < count]
    while edge and len(area) < wanted:
        at = rng.below(len(edge))
        edge[at], edge[-1] = edge[-1], edge[at]
        cell = edge.pop()
        if cell in area:
            continue
        rest = {other for other in range(count + 1) if other not in area and other != cell}
        if len(reached(count, near, rest)) == len(rest):
            area.add(cell)
            edge += [other for other in near[cell] if other < count and other not in area]
    return [int(cell in area) for cell in range(count)]


def wall(rng: Stream, height: int, width: int) -> list[int]:
    """A connected wall without 2x2 squares, as 0 and 1."""
    near = beside(height, width)
    blocks: list[list[list[int]]] = [[] for _ in near]
    for square in squares(height, width):
        for cell in square:
            blocks[cell].append(square)
    start = rng.below(height * width)
    grid = [0] * (height * width)
    edge, grid[start] = list(near[start]), 1
    while edge:
        at = rng.below(len(edge))
        edge[at], edge[-1] = edge[-1], edge[at]
        cell = edge.pop()
        if not grid[cell] and all(sum(grid[other] for other in square) < 3 for square in blocks[cell]):
            grid[cell] = 1
            edge += [other for other in near[cell] if not grid[other]]
    return grid


def rooms(rng: Stream, height: int, width: int, most: int) -> list[int]:
    """Rectangles of at most ``most`` cells that cover the board."""
    label, parts, region = [0] * (height * width), [(0, 0, height, width)], 0
    while parts:
        top, left, high, wide = parts.pop()
        if high * wide <= most:
            for row in range(top, top + high):
                label[row * width + left : row * width + left + wide] = [region] * wide
            region += 1
        elif high > wide or (high == wide and rng.below(2)):
            cut = rng.between(1, high - 1)
            parts += [(top, left, cut, wide), (top + cut, left, high - cut, wide)]
        else:
            cut = rng.between(1, wide - 1)
            parts += [(top, left, high, cut), (top, left + cut, high, wide - cut)]
    return label
