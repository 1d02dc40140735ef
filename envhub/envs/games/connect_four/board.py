"""Connect four on bit boards, and the search for a forced win.

A side is an integer, seven bits a column, the lowest bit its lowest cell, the topmost bit always 0. ``mine`` is the
side to move, ``other`` the one that moved last::

    mine, other = drop(mine, other, 4)      # the fourth column; the sides change places
    look_ahead(mine, other, 5)              # Sight(plies=3, column=4, work=61, sole=True)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

COLUMNS: Final = 7
ROWS: Final = 6
ORDER: Final = (4, 3, 5, 2, 6, 1, 7)
_HIGH: Final = ROWS + 1
_BOTTOM: Final = sum(1 << _HIGH * column for column in range(COLUMNS))
_LOWEST: Final = (1 << ROWS) - 1
_SHIFTS: Final = [_HIGH * column for column in range(COLUMNS)]
FULL: Final = _BOTTOM * _LOWEST
_COLUMN: Final = {column: ((1 << ROWS) - 1) << _HIGH * (column - 1) for column in ORDER}
_TOP: Final = _BOTTOM << ROWS - 1
_WIDE: Final = 2 * COLUMNS * ROWS - 1
"""Characters of a drawing."""
_FOURS: Final = [
    sum(1 << (_HIGH * (column + i * right) + row + i * up) for i in range(4))
    for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))
    for column in range(COLUMNS - 3 * right)
    for row in range(3 if up < 0 else 0, ROWS - 3 * (up > 0))
]


def columns(taken: int) -> Sequence[int]:
    """The columns that are not full, 1 to 7, central ones first."""
    return _open(taken & _TOP)


@cache
def _open(full: int) -> Sequence[int]:
    """The columns without a disc in their top cell."""
    return tuple(column for column in ORDER if not _COLUMN[column] & full)


def drop(mine: int, other: int, column: int) -> tuple[int, int]:
    """Drop a disc; the side that moved becomes the second one."""
    taken = mine | other
    return other, mine | (taken + _BOTTOM) & _COLUMN[column] & ~taken


def four(discs: int) -> bool:
    """Whether four discs are in a row."""
    for step in (1, _HIGH, _HIGH - 1, _HIGH + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def rows(mine: int, other: int) -> list[str]:
    """The board from the top; X moves first."""
    return list(map("".join, _cells(mine, other)))


def drawing(mine: int, other: int) -> str:
    """The rows as lines, with spaces between cells."""
    x, o = (other, mine) if (mine | other).bit_count() % 2 else (mine, other)
    text = 0
    for at in _SHIFTS:
        text |= _written(at, x >> at & _LOWEST, o >> at & _LOWEST)
    return text.to_bytes(_WIDE, "little").decode()


def _cells(mine: int, other: int) -> Iterator[tuple[str, ...]]:
    x, o = (other, mine) if (mine | other).bit_count() % 2 else (mine, other)
    return zip(*[_drawn(x >> at & _LOWEST, o >> at & _LOWEST) for at in _SHIFTS], strict=True)


@cache
def _written(at: int, x: int, o: int) -> int:
    """The bytes of one column of the drawing, and 0 elsewhere.

    Each cell is followed by a space, in the last column by a line break.
    """
    text = bytearray(_WIDE + 1)
    left, end = 2 * (at // _HIGH), b"\n" if at == _SHIFTS[-1] else b" "
    for line, cell in enumerate(_drawn(x, o)):
        text[2 * COLUMNS * line + left : 2 * COLUMNS * line + left + 2] = cell.encode() + end
    return int.from_bytes(text[:_WIDE], "little")


@cache
def _drawn(x: int, o: int) -> str:
    """One column from the top."""
    return "".join("X" if x >> row & 1 else "O" if o >> row & 1 else "." for row in reversed(range(ROWS)))


def promise(mine: int, other: int) -> int:
    """One side's open fours less the other's.

    Each is weighted by the square of the side's discs in it.
    """
    worth = 0
    for line in _FOURS:
        own, foreign = (line & mine).bit_count(), (line & other).bit_count()
        if not (own and foreign):
            worth += own * own - foreign * foreign
    return worth


def winning(mine: int, other: int) -> int:
    """The empty cells, reachable or not, that complete four for ``mine``."""
    found = mine << 1 & mine << 2 & mine << 3
    for step in (_HIGH, _HIGH - 1, _HIGH + 1):
        pairs = mine << step & mine << 2 * step
        found |= pairs & mine << 3 * step
        found |= pairs & mine >> step
        pairs = mine >> step & mine >> 2 * step
        found |= pairs & mine << step
        found |= pairs & mine >> 3 * step
    return found & FULL & ~(mine | other)


def in_reach(taken: int) -> int:
    """The cells that a disc can fall to."""
    return (taken + _BOTTOM) & FULL & ~taken


def win_now(mine: int, other: int) -> int:
    """A column in which ``mine`` makes four; 0 if none."""
    cells = winning(mine, other) & in_reach(mine | other)
    return next((column for column in ORDER if _COLUMN[column] & cells), 0)


class Sight(NamedTuple):
    """The result of a search.

    Attributes:
        plies: Plies to the quickest forced win; 0 without one.
        column: A first move of it.
        work: Number of positions examined before it was found.
        sole: No other first move wins as fast.
    """

    plies: int
    column: int
    work: int
    sole: bool = False


def look_ahead(mine: int, other: int, plies: int) -> Sight:
    """The quickest forced win of the side to move.

    Within ``plies`` plies, by iterative deepening.
    """
    search = _Search()
    for depth in range(1, plies + 1, 2):
        tries = search.tries(mine, other, depth)
        cell = next(tries, 0)
        if cell:
            column, work = next(column for column, cells in _COLUMN.items() if cells & cell), search.work
            return Sight(depth, column, work, next(tries, 0) == 0)
    return Sight(0, 0, search.work)


class _Search:
    """Depth-first search for wins only; counts the positions it examines."""

    def __init__(self) -> None:
        self.work = 0

    def tries(self, mine: int, other: int, left: int) -> Iterator[int]:
        """The moves that force a win in ``left`` plies."""
        self.work += 1
        cells = in_reach(mine | other)
        now = winning(mine, other) & cells
        if now:
            yield from _bits(now)
            return
        if left < 3:
            return
        danger = winning(other, mine)
        blocks = danger & cells
        if blocks & (blocks - 1):
            return
        candidates = (blocks or cells) & ~(danger >> 1)  # never below a cell that wins for the other side
        for cell in _bits(candidates):
            if self._lost(other, mine | cell, left - 1):
                yield cell

    def _lost(self, mine: int, other: int, left: int) -> bool:
        """Whether the side to move loses in ``left`` plies.

        Whatever it plays, if it has no win in one.
        """
        self.work += 1
        cells = in_reach(mine | other)
        threats = winning(other, mine) & cells
        if threats & (threats - 1):
            return True
        replies = threats or cells
        if not replies:
            return False
        return all(next(self.tries(other, mine | cell, left - 1), 0) for cell in _bits(replies))


def _bits(cells: int) -> Iterator[int]:
    while cells:
        lowest = cells & -cells
        yield lowest
        cells ^= lowest
