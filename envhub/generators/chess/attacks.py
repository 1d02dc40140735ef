"""Attacks of chess pieces, as sets of squares.

Bit ``n`` is square ``n``, a8 being 0 and h1 being 63, as in FEN. Knights, kings and pawns are tables. The lines of
sliding pieces depend on the occupied squares; each is computed once, on first use::

    KNIGHT[63]                      # f2 and g3
    straight(0, 1 << 2 | 1 << 8)    # from a8: b8, c8 and a7
    between(0, 63)                  # b7, c6, d5, e4, f3, g2
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from envhub.generators.boards.squares import WAYS, shifted

_STRAIGHT: Final = WAYS[:4]
_SLANTED: Final = WAYS[4:]
_JUMPS: Final = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
_AROUND: Final = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


def _steps(jumps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    found = []
    for at in range(64):
        ends = [(at // 8 + down, at % 8 + right) for down, right in jumps]
        found.append(sum(1 << 8 * row + column for row, column in ends if 0 <= row < 8 and 0 <= column < 8))
    return tuple(found)


KNIGHT: Final = _steps(_JUMPS)
KING: Final = _steps(_AROUND)
PAWN: Final = (_steps(((1, -1), (1, 1))), _steps(((-1, -1), (-1, 1))))
"""Squares that a pawn attacks: Black's, then White's."""


def _line(at: int, occupied: int, ways: tuple[tuple[int, int], ...]) -> int:
    """The squares a sliding piece reaches.

    Up to and including the first occupied one.
    """
    found = 0
    for way in ways:
        cell = shifted(1 << at, way)
        while cell:
            found |= cell
            cell = 0 if cell & occupied else shifted(cell, way)
    return found


class _Lines(dict[int, int]):
    """Lines from one square, by occupied squares.

    Filled on demand. 107,648 entries for all squares.
    """

    def __init__(self, at: int, ways: tuple[tuple[int, int], ...]) -> None:
        super().__init__()
        self._at, self._ways = at, ways

    def __missing__(self, occupied: int) -> int:
        found = self[occupied] = _line(self._at, occupied, self._ways)
        return found


def _inner(at: int, ways: tuple[tuple[int, int], ...]) -> int:
    """The squares of lines that matter as obstacles.

    All but each line's last.
    """
    found = 0
    for way in ways:
        cell = shifted(1 << at, way)
        while onward := shifted(cell, way):
            found, cell = found | cell, onward
    return found


_STRAIGHT_LINES: Final = tuple(_Lines(at, _STRAIGHT) for at in range(64))
_SLANTED_LINES: Final = tuple(_Lines(at, _SLANTED) for at in range(64))
_STRAIGHT_INNER: Final = tuple(_inner(at, _STRAIGHT) for at in range(64))
_SLANTED_INNER: Final = tuple(_inner(at, _SLANTED) for at in range(64))


def straight(at: int, occupied: int) -> int:
    """The squares a rook attacks."""
    return _STRAIGHT_LINES[at][occupied & _STRAIGHT_INNER[at]]


def slanted(at: int, occupied: int) -> int:
    """The squares a bishop attacks."""
    return _SLANTED_LINES[at][occupied & _SLANTED_INNER[at]]


@lru_cache(maxsize=4096)
def between(one: int, other: int) -> int:
    """The squares between two on a line; empty if they share none."""
    for ways in (_STRAIGHT, _SLANTED):
        if _line(one, 0, ways) >> other & 1:
            return _line(one, 1 << other, ways) & _line(other, 1 << one, ways)
    return 0


@lru_cache(maxsize=4096)
def through(one: int, other: int) -> int:
    """The whole line through two squares, edge to edge.

    Empty if they share none.
    """
    for ways in (_STRAIGHT, _SLANTED):
        if _line(one, 0, ways) >> other & 1:
            return _line(one, 0, ways) & _line(other, 0, ways) | 1 << one | 1 << other
    return 0


def squares(cells: int) -> Iterator[int]:
    """The squares of a set, in order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest
