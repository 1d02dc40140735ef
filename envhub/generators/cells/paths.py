"""Paths through all cells of a board, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

from envhub.core.seeding import Stream


def through_all(rng: Stream, near: Sequence[Sequence[int]], start: Sequence[int], moves: int) -> list[int]:
    """A random path that visits every cell once.

    A move joins an end to a neighbour that is not next to it on the path, and cuts the path before that neighbour.

    Args:
        rng: Chooses the ends and the neighbours.
        near: For each cell, the cells that a step may lead to.
        start: A path through all cells.
        moves: Number of moves.
    """
    path = list(start)
    for _ in range(moves):
        if rng.below(2):
            path.reverse()
        others = [cell for cell in near[path[0]] if cell != path[1]]
        if others:
            at = path.index(rng.choice(others))
            path[:at] = path[at - 1 :: -1]
    return path


def snake(height: int, width: int) -> list[int]:
    """The path along the rows, in alternating directions."""
    rows = (range(row * width, row * width + width) for row in range(height))
    return [cell for number, row in enumerate(rows) for cell in (reversed(row) if number % 2 else row)]
