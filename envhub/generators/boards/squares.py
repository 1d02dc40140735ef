"""Square boards: names of squares, drawing, symmetries, and 8x8 boards as bits.

A board is a text with one letter per square, row by row; columns have letters, rows have numbers from the top::

    names(8)[0], names(8)[63]          # "a1", "h8"
    diagram("XO.." + "." * 12)         # four rows under the letters of the columns
    least("XO.." + "." * 12)           # the same for all eight ways to turn and mirror the board

As bits, a set of squares is an integer: bit ``n`` is square ``n``. ``shifted(cells, way)`` moves a set one square in
one of the eight ``WAYS``; squares that leave the board are dropped.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import Final

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
ALL: Final = (1 << 64) - 1
_NOT_LEFT: Final = 0xFEFEFEFEFEFEFEFE  # squares moved right cannot be in the first column
_NOT_RIGHT: Final = 0x7F7F7F7F7F7F7F7F
WAYS: Final = (
    *((1, _NOT_LEFT), (-1, _NOT_RIGHT), (8, ALL), (-8, ALL)),
    *((9, _NOT_LEFT), (-9, _NOT_RIGHT), (7, _NOT_RIGHT), (-7, _NOT_LEFT)),
)


@lru_cache(maxsize=16)
def names(size: int) -> tuple[str, ...]:
    """The names of a board's squares, in order.

    The board has ``size`` rows.
    """
    return tuple(f"{letter}{row}" for row in range(1, size + 1) for letter in LETTERS[:size])


_PLACES: Final = {name: at for at, name in enumerate(names(8))}


def rows(board: str) -> list[str]:
    """A board row by row."""
    size = isqrt(len(board))
    return [board[at : at + size] for at in range(0, len(board), size)]


def diagram(board: str) -> str:
    """A board as shown to a policy, with column and row names."""
    lines = rows(board)
    margin = len(str(len(lines)))
    numbered = (f"{row:>{margin}} {' '.join(line)}" for row, line in enumerate(lines, 1))
    return "\n".join([f"{'':{margin}} {' '.join(LETTERS[: len(lines)])}", *numbered])


def turns(board: str) -> list[str]:
    """The eight boards that are equal under rotation and reflection."""
    found, lines = [], rows(board)
    for _ in range(4):
        found += ["".join(lines), "".join(line[::-1] for line in lines)]
        lines = ["".join(column) for column in zip(*reversed(lines), strict=True)]
    return found


def least(board: str) -> str:
    """The first of the eight in text order: the canonical board."""
    return min(turns(board))


def shifted(cells: int, way: tuple[int, int]) -> int:
    """A set of squares, moved by one square."""
    step, kept = way
    return (cells << step if step > 0 else cells >> -step) & kept


def beside(cells: int) -> int:
    """The squares beside a set of squares, in all eight directions."""
    row = cells | cells << 1 & _NOT_LEFT | cells >> 1 & _NOT_RIGHT
    return row | row << 8 & ALL | row >> 8


def enclosed(square: int, mine: int, other: int) -> int:
    """The other side's squares between a square and one of mine.

    On straight and diagonal lines.
    """
    found = 0
    for first, line, rising in _lines(square):
        if first & other and line & mine:
            stops = line & ~other
            if rising:
                stop = stops & -stops
                if stop & mine:
                    found |= line & stop - 1
            else:
                stop = 1 << stops.bit_length() - 1
                if stop & mine:
                    found |= line & -stop ^ stop
    return found


@lru_cache(maxsize=64)
def _lines(square: int) -> tuple[tuple[int, int, bool], ...]:
    """The lines out of a square.

    Each is its first square, all its squares, and whether their numbers rise.
    """
    found = []
    for way in WAYS:
        line, cell = 0, shifted(square, way)
        first = cell
        while cell:
            line |= cell
            cell = shifted(cell, way)
        if line != first:  # nothing can be enclosed on a line of one square
            found.append((first, line, way[0] > 0))
    return tuple(found)


def name_of(square: int) -> str:
    """The name of a square."""
    return names(8)[square.bit_length() - 1]


def cell_of(name: str) -> int:
    """The set of one square, by name."""
    return 1 << _PLACES[name]


def cells_of(board: str, letter: str) -> int:
    """The squares that hold a letter."""
    return sum(1 << at for at, here in enumerate(board) if here == letter)


def board_of(first: int, second: int, letters: str = "XO") -> str:
    """The board with two sets of squares as letters, and dots elsewhere."""
    return "".join(letters[0] if first >> at & 1 else letters[1] if second >> at & 1 else "." for at in range(64))
