"""Sliding tiles of powers of two: moves, and a look-ahead player.

A board is a tuple of rows of exponents: 0 is an empty cell, 3 a tile of 8::

    board = ((1, 1, 0), (0, 0, 0), (2, 0, 0))
    slide(board, "left")      # ((2, 0, 0), (0, 0, 0), (2, 0, 0))
    best(board)               # the move of a player that looks ahead
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import isqrt
from typing import Final

Row = tuple[int, ...]
Board = tuple[Row, ...]

MOVES: Final = ("up", "left", "down", "right")
_ROOMY: Final = 7
"""With this many empty cells or more after a move the player does not look ahead,"""
_CROWDED: Final = 2
"""and with at most this many it looks two tiles ahead."""
_LOST: Final = 1_000_000


@lru_cache(maxsize=1 << 16)
def _packed(row: Row) -> Row:
    """A row after a slide to the left.

    Every tile merges at most once, those nearest the edge first.
    """
    out: list[int] = []
    merged = False
    for tile in filter(None, row):
        if out and out[-1] == tile and not merged:
            out[-1] += 1
            merged = True
        else:
            out.append(tile)
            merged = False
    return tuple(out) + (0,) * (len(row) - len(out))


@lru_cache(maxsize=1 << 16)
def _packed_back(row: Row) -> Row:
    """A row after a slide to the right."""
    return _packed(row[::-1])[::-1]


def slide(board: Board, move: str) -> Board:
    """The board after a move, before a tile appears.

    The same board if nothing moves.
    """
    if move == "left":
        return tuple(map(_packed, board))
    if move == "right":
        return tuple(map(_packed_back, board))
    packed = map(_packed if move == "up" else _packed_back, zip(*board, strict=True))
    return tuple(zip(*packed, strict=True))


def largest(board: Board) -> int:
    """The value of the largest tile."""
    return 1 << max(map(max, board))


def empty(board: Board) -> list[tuple[int, int]]:
    """The empty cells, row by row."""
    return [(y, x) for y, row in enumerate(board) for x, tile in enumerate(row) if not tile]


def put(board: Board, cell: tuple[int, int], tile: int) -> Board:
    """The board with a tile in a cell."""
    y, x = cell
    row = board[y]
    return (*board[:y], (*row[:x], tile, *row[x + 1 :]), *board[y + 1 :])


def movable(board: Board) -> bool:
    """Whether any move changes the board."""
    if any(0 in row for row in board):  # a tile beside an empty cell can move
        return any(map(any, board))
    return any(slide(board, move) != board for move in MOVES)


def best(board: Board) -> str:
    """The move after which a movable board is worth most."""
    return max((_expected(after), move) for move in MOVES if (after := slide(board, move)) != board)[1]


def nearest(board: Board) -> str:
    """The move with the best-looking movable board, without look-ahead."""
    return max((_worth(after), move) for move in MOVES if (after := slide(board, move)) != board)[1]


def _expected(board: Board, further: bool = True) -> int:
    """The mean value of a board over where the next 2 appears.

    A crowded board is searched further.
    """
    cells = empty(board)
    if len(cells) >= _ROOMY:
        return _worth(board)
    further = further and len(cells) <= _CROWDED
    total = 0
    for cell in cells:
        held = put(board, cell, 1)
        ways = [after for move in MOVES if (after := slide(held, move)) != held]
        total += max([_expected(after, False) if further else _worth(after) for after in ways], default=-_LOST)
    return total // len(cells)


def _worth(board: Board) -> int:
    return sum(map(_line, board)) + sum(map(_line, zip(*board, strict=True)))


@lru_cache(maxsize=1 << 16)
def _line(row: Row) -> int:
    """The value of a line.

    Empty cells and possible merges, less small and unordered tiles.
    """
    merges = sum(a == b != 0 for a, b in pairwise(row))
    steps = [isqrt(b**5) - isqrt(a**5) for a, b in pairwise(row)]
    rising, falling = sum(step for step in steps if step > 0), -sum(step for step in steps if step < 0)
    return 270 * row.count(0) + 400 * merges - 47 * min(rising, falling) - 3 * sum(isqrt(tile**7) for tile in row)
