"""Boards that are divided into paths.

::

    board = drawn(rng, 6, 6, paths=5)     # a number for each cell, 0 for a wall; None if the draw failed
    fault(6, 6, ends, board)              # why a board does not join its ends; empty if it does
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.cells.board import beside, pairs

_LEAST: Final = 3


def drawn(rng: Stream, height: int, width: int, paths: int) -> tuple[list[int], list[tuple[int, int]]] | None:
    """A board of paths, and the ends of each.

    Single cells are joined to paths at random. A path never touches itself, so that its cells alone tell its course. Paths
    of fewer than three cells become walls. None if too many paths or walls are left.
    """
    near = beside(height, width)
    label = list(range(height * width))
    members = {cell: [cell] for cell in label}
    borders = list(pairs(height, width))
    for _ in range(4):
        rng.shuffle(borders)
        for a, b in borders:
            one, other = members[label[a]], members[label[b]]
            if one is other or a not in (one[0], one[-1]) or b not in (other[0], other[-1]):
                continue
            held = set(other)
            if sum(to in held for cell in one for to in near[cell]) > 1:
                continue
            if len(members) <= paths and min(len(one), len(other)) >= _LEAST:
                continue
            joined = (one if one[-1] == a else one[::-1]) + (other if other[0] == b else other[::-1])
            gone, kept = label[b], label[a]
            for cell in other:
                label[cell] = kept
            members[kept] = joined
            del members[gone]
    found = [path for path in members.values() if len(path) >= _LEAST]
    walls = height * width - sum(map(len, found))
    if not 2 <= len(found) <= paths or walls * 6 > height * width:
        return None
    rng.shuffle(found)
    board = [0] * (height * width)
    for number, path in enumerate(found, 1):
        for cell in path:
            board[cell] = number
    return board, [(min(path[0], path[-1]), max(path[0], path[-1])) for path in found]


def fault(height: int, width: int, ends: Mapping[int, int], walls: Sequence[int], board: Sequence[int]) -> str:
    """Why a board does not join its ends; empty if it does.

    Args:
        height: Number of rows.
        width: Number of columns.
        ends: The number of each end, by its cell.
        walls: The cells of the walls.
        board: A number for each cell, 0 for a wall.
    """
    near, closed = beside(height, width), set(walls)
    if any((number == 0) != (cell in closed) for cell, number in enumerate(board)):
        return "Walls must be 0, and all other cells must not."
    if any(board[cell] != number for cell, number in ends.items()):
        return "A given number was changed."
    if not set(board) - {0} <= set(ends.values()):
        return "A number that is not given occurs."
    for cell, number in enumerate(board):
        same = sum(board[to] == number for to in near[cell])
        if number and same != (1 if cell in ends else 2):
            return f"The cells with {number} are not one line without branches between its two ends."
    for number in set(ends.values()):
        at = next(cell for cell, other in ends.items() if other == number)
        seen = {at}
        while (to := next((c for c in near[at] if board[c] == number and c not in seen), None)) is not None:
            seen.add(to)
            at = to
        if len(seen) != sum(other == number for other in board):
            return f"The cells with {number} are not connected."
    return ""
