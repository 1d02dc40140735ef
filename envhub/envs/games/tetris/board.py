"""Falling pieces: turns, drops, full lines, and a player.

A board is a tuple of rows of signs from top to bottom, ``.`` for an empty cell and the letter of the piece for another one::

    dropped(("....", "I...", "I..."), "O", 0, 1)      # (("....", "IOO.", "IOO."), 0): the new board and the full lines
    best(board, "T", "S")                             # the column and the quarter turns of a player
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

Board = tuple[str, ...]
Cells = tuple[tuple[int, int], ...]
Rows = tuple[int, ...]

PIECES: Final = {
    "I": ("####",),
    "O": ("##", "##"),
    "T": (".#.", "###"),
    "L": ("..#", "###"),
    "J": ("#..", "###"),
    "S": (".##", "##."),
    "Z": ("##.", ".##"),
}
"""The pieces as they are drawn without a turn, in the order in which levels add them."""
EMPTY: Final = "."
_KEPT: Final = 5
"""Number of best placements of a piece for which the next piece is tried."""


@lru_cache(maxsize=64)
def turned(piece: str, turns: int) -> tuple[str, ...]:
    """A piece after quarter turns clockwise, as rows of ``#`` and ``.``."""
    rows = PIECES[piece]
    for _ in range(turns):
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))
    return rows


@lru_cache(maxsize=64)
def ways(piece: str) -> tuple[int, ...]:
    """The quarter turns that make a piece look different."""
    first: dict[tuple[str, ...], int] = {}
    for turns in range(4):
        first.setdefault(turned(piece, turns), turns)
    return tuple(first.values())


def fits(width: int, piece: str, turns: int, column: int) -> bool:
    """Whether a turned piece in a column is within the board.

    Columns are counted from 0.
    """
    return column >= 0 and column + len(turned(piece, turns)[0]) <= width


def dropped(board: Board, piece: str, turns: int, column: int) -> tuple[Board, int] | None:
    """The board after a piece has fallen, and its full lines.

    None if a part of the piece comes to rest above the board.
    """
    width, height = len(board[0]), len(board)
    shape = turned(piece, turns)
    cells = [(down, right) for down, row in enumerate(shape) for right, sign in enumerate(row) if sign == "#"]
    top = -len(shape)
    while all(
        top + 1 + down < height and (top + 1 + down < 0 or board[top + 1 + down][column + right] == EMPTY)
        for down, right in cells
    ):
        top += 1
    if top < 0:
        return None
    rows = [[*row] for row in board]
    for down, right in cells:
        rows[top + down][column + right] = piece
    left = tuple("".join(row) for row in rows if EMPTY in row)
    return (EMPTY * width,) * (height - len(left)) + left, height - len(left)


# -- a player, on rows as bits from the bottom up ----------------------------------------------------------------------


@lru_cache(maxsize=256)
def _masks(piece: str, turns: int, column: int) -> Rows:
    """The rows of a turned piece as bits, lowest first."""
    return tuple(
        sum(1 << column + at for at, sign in enumerate(row) if sign == "#") for row in turned(piece, turns)[::-1]
    )


def _rested(rows: Rows, masks: Rows) -> int:
    """The height at which a piece comes to rest."""
    at = len(rows)
    while at and all(not (at - 1 + up < len(rows) and rows[at - 1 + up] & mask) for up, mask in enumerate(masks)):
        at -= 1
    return at


def _placed(rows: Rows, width: int, masks: Rows, at: int) -> tuple[Rows, int]:
    """The rows after a piece has come to rest, and its lines."""
    made = [*rows, *([0] * (at + len(masks) - len(rows)))]
    for up, mask in enumerate(masks):
        made[at + up] |= mask
    full = (1 << width) - 1
    left = tuple(row for row in made if row != full)
    return left, len(made) - len(left)


@lru_cache(maxsize=1 << 14)
def _cost(rows: Rows, width: int) -> int:
    """How bad a board is.

    Changes along its rows and columns, holes, and wells cost.
    """
    full, above = (1 << width) - 1, 0
    cost = 0
    for row in reversed(rows):
        holes = above & ~row
        cost += 79 * holes.bit_count() + 93 * (row ^ above).bit_count()
        framed = row << 1 | 1 | 1 << width + 1
        cost += 32 * ((framed ^ framed >> 1) & (1 << width + 1) - 1).bit_count()
        walls = (row << 1 | 1) & (row >> 1 | 1 << width - 1) & ~row & full
        cost += 34 * walls.bit_count()
        above |= row
    return cost + 93 * (above ^ full).bit_count()


def _options(rows: Rows, width: int, height: int, piece: str) -> Iterator[tuple[int, int, int, Rows, int]]:
    """The placements of a piece.

    Each has its cost, column, turns, the rows after it, and its lines.
    """
    for turns in ways(piece):
        shape = turned(piece, turns)
        for column in range(width - len(shape[0]) + 1):
            masks = _masks(piece, turns, column)
            at = _rested(rows, masks)
            if at + len(masks) > height:
                continue
            after, lines = _placed(rows, width, masks, at)
            yield _cost(after, width) + 22 * (2 * at + len(masks)) - 34 * lines, column, turns, after, lines


def best(board: Board, piece: str, following: str, urgent: bool = False) -> tuple[int, int]:
    """The placement of a player who looks one piece ahead.

    Args:
        board: The board.
        piece: The piece to place.
        following: The next piece.
        urgent: Whether each full line counts far more than a tidy board.
    """
    width, height = len(board[0]), len(board)
    gain = 2_000 if urgent else 0
    rows = _bits(board)
    first = sorted(_options(rows, width, height, piece), key=lambda option: option[0] - gain * option[4])[:_KEPT]
    if not first:
        return 0, 0

    def worth(option: tuple[int, int, int, Rows, int]) -> int:
        then = (cost - gain * lines for cost, _, _, _, lines in _options(option[3], width, height, following))
        return option[0] - gain * option[4] + 2 * min(then, default=100_000)

    _, column, turns, _, _ = min(first, key=worth)
    return column, turns


def lowest(board: Board, piece: str) -> tuple[int, int]:
    """The placement of a player who places each piece lowest."""
    width = len(board[0])
    rows = _bits(board)
    found = []
    for turns in ways(piece):
        for column in range(width - len(turned(piece, turns)[0]) + 1):
            masks = _masks(piece, turns, column)
            found.append((_rested(rows, masks) + len(masks), column, turns))
    _, column, turns = min(found)
    return column, turns


def _bits(board: Board) -> Rows:
    """The rows as bits, lowest first, without empty ones on top."""
    rows = [sum(1 << at for at, sign in enumerate(row) if sign != EMPTY) for row in reversed(board)]
    while rows and not rows[-1]:
        rows.pop()
    return tuple(rows)
