"""Pairs of equal tiles joined by a line: the rules of Shisen-Sho.

A board is a tuple of rows of letters, ``.`` for an empty cell. A line runs through empty cells, also around the board::

    joined(("AB", "BA"), (0, 0), (1, 1), 2)     # None
    joined(("A.", "BA"), (0, 0), (1, 1), 1)     # ((0, 0), (0, 1), (1, 1)): the ends and corners of a line
    solution(rng, board, 2)                     # an order in which all pairs can be removed
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from envhub.core.seeding import Stream

Board = tuple[str, ...]
Cell = tuple[int, int]
Pair = tuple[Cell, Cell]

EMPTY: Final = "."
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWX"
_WAYS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_PLAYOUTS: Final = 12


def joined(board: Board, one: Cell, other: Cell, corners: int) -> tuple[Cell, ...] | None:
    """The ends and corners of a line between two cells, or None.

    The line runs along rows and columns, through empty cells and cells just outside the board. Its ends need not be empty.

    Args:
        board: The board.
        one: One end.
        other: The other end.
        corners: Maximum number of corners, 1 or 2.
    """
    if corners == 1:
        for turn in ((one[0], other[1]), (other[0], one[1])):
            free = turn in (one, other) or _empty(board, *turn)
            if free and _clear(board, one, turn) and _clear(board, turn, other):
                return tuple(dict.fromkeys((one, turn, other)))
        return None
    last = list(_along(board, other, one))
    for c in _along(board, one, other):
        for d in last:
            if c == d or ((c[0] == d[0] or c[1] == d[1]) and _clear(board, c, d)):
                return tuple(dict.fromkeys((one, c, d, other)))
    return None


def _along(board: Board, start: Cell, end: Cell) -> Iterator[Cell]:
    """A cell, and those that a straight line from it reaches."""
    yield start
    for down, right in _WAYS:
        row, column = start[0] + down, start[1] + right
        while -1 <= row <= len(board) and -1 <= column <= len(board[0]):
            if (row, column) != end and not _empty(board, row, column):
                break
            yield row, column
            if (row, column) == end:
                break
            row, column = row + down, column + right


def _clear(board: Board, c: Cell, d: Cell) -> bool:
    """Whether the cells between two cells of a line are empty."""
    (a, b), (e, f) = sorted((c, d))
    between = [(row, b) for row in range(a + 1, e)] if b == f else [(a, column) for column in range(b + 1, f)]
    return all(_empty(board, *cell) for cell in between)


def _empty(board: Board, row: int, column: int) -> bool:
    """Whether a cell is empty; those outside the board are."""
    return not (0 <= row < len(board) and 0 <= column < len(board[0])) or board[row][column] == EMPTY


def at(board: Board, cell: Cell) -> str:
    """The tile of a cell."""
    return board[cell[0]][cell[1]]


def without(board: Board, pair: Pair) -> Board:
    """The board with two cells empty."""
    rows = [[*row] for row in board]
    for row, column in pair:
        rows[row][column] = EMPTY
    return tuple(map("".join, rows))


def left(board: Board) -> int:
    """The number of tiles on the board."""
    return sum(tile != EMPTY for row in board for tile in row)


def places(board: Board) -> dict[str, list[Cell]]:
    """The cells of each kind of tile."""
    found: dict[str, list[Cell]] = {}
    for row, tiles in enumerate(board):
        for column, tile in enumerate(tiles):
            if tile != EMPTY:
                found.setdefault(tile, []).append((row, column))
    return found


def removable(board: Board, corners: int) -> list[Pair]:
    """The pairs of equal tiles that a line joins, in order."""
    pairs = (pair for cells in places(board).values() for pair in combinations(cells, 2))
    return sorted(pair for pair in pairs if joined(board, *pair, corners) is not None)


def safe(board: Board, pairs: Sequence[Pair]) -> Pair | None:
    """A pair whose kind has no other tiles left.

    Removing it never hurts.
    """
    found = places(board)
    return next((pair for pair in pairs if len(found[at(board, pair[0])]) == 2), None)


def best(board: Board, corners: int, plan: Sequence[Pair]) -> Pair | None:
    """The pair of a player who has a plan.

    None if no pair can be removed.

    Off the plan, it removes a safe pair, else the first one.
    """
    rest = plan[len(plan) - left(board) // 2 :]
    if rest and all(at(board, cell) != EMPTY for pair in rest for cell in pair):
        return rest[0]
    pairs = removable(board, corners)
    return safe(board, pairs) or (pairs[0] if pairs else None)


def solution(rng: Stream, board: Board, corners: int) -> list[Pair] | None:
    """An order in which all pairs can be removed.

    None if a few random games found no such order.
    """
    for _ in range(_PLAYOUTS):
        now, plan = board, list[Pair]()
        while pairs := removable(now, corners):
            plan.append(safe(now, pairs) or rng.choice(pairs))
            now = without(now, plan[-1])
        if not left(now):
            return plan
    return None


def dealt(rng: Stream, height: int, width: int, copies: int) -> Board:
    """A full board of random tiles.

    All kinds have the same number of tiles, except that the last kind has what is left.
    """
    tiles = [LETTERS[at // copies] for at in range(height * width)]
    rng.shuffle(tiles)
    return tuple("".join(tiles[at : at + width]) for at in range(0, height * width, width))


def canonical(board: Sequence[str]) -> list[str]:
    """The board up to rotation, reflection and the names of its kinds."""
    rows, forms = ["".join(row) for row in board], []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        forms += [_renamed(rows), _renamed([row[::-1] for row in rows])]
    return min(forms)


def _renamed(rows: Sequence[str]) -> list[str]:
    """The board with its kinds named in order of occurrence."""
    names = {tile: LETTERS[at] for at, tile in enumerate(dict.fromkeys("".join(rows)))}
    return ["".join(names[tile] for tile in row) for row in rows]
