"""Tiles that disappear in runs of three, and a player.

A board is a tuple of rows of letters, from top to bottom. Where tiles that are not known have fallen, it has ``?``, which
matches nothing::

    runs(("AAA", "BCB", "CBB"))                        # {(0, 0), (0, 1), (0, 2)}
    settled(("ABA", "BAB", "AAB"), fill)               # falls until no run is left
    best(board)                                        # the swap of a player
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from envhub.core.seeding import Stream

Board = tuple[str, ...]
Cell = tuple[int, int]
Swap = tuple[Cell, Cell]

LETTERS: Final = "ABCDEFG"
UNKNOWN: Final = "?"
_RUN: Final = 3
_TRIES: Final = 500
_TRIED: Final = 6


class Settled(NamedTuple):
    """What became of a board when its runs had disappeared.

    The board without runs, the number of tiles that disappeared and of rounds, and the tiles that fell into each column.
    """

    board: Board
    removed: int
    rounds: int
    fallen: tuple[int, ...]


def runs(board: Board) -> set[Cell]:
    """The cells of all runs.

    A run is three or more equal tiles in a row or column.
    """
    found: set[Cell] = set()
    for lines, upright in ((board, False), (tuple(map("".join, zip(*board, strict=True))), True)):
        for at, line in enumerate(lines):
            start = 0
            for end in range(1, len(line) + 1):
                if end < len(line) and line[end] == line[start]:
                    continue
                if end - start >= _RUN and line[start] != UNKNOWN:
                    found |= {(k, at) if upright else (at, k) for k in range(start, end)}
                start = end
    return found


def swapped(board: Board, swap: Swap) -> Board:
    """The board with two tiles exchanged."""
    rows = [[*row] for row in board]
    (a, b), (c, d) = swap
    rows[a][b], rows[c][d] = rows[c][d], rows[a][b]
    return tuple(map("".join, rows))


def adjacent(swap: Swap) -> bool:
    """Whether two cells share a side."""
    (a, b), (c, d) = swap
    return abs(a - c) + abs(b - d) == 1


def useful(board: Board) -> list[Swap]:
    """All swaps that make a run, in order."""
    return [swap for swap, _ in _counted(board)]


def _counted(board: Board) -> Iterator[tuple[Swap, int]]:
    """The swaps that make a run, with the tiles that disappear."""
    rows = [[*row] for row in board]
    height, width = len(rows), len(rows[0])
    for a in range(height):
        for b in range(width):
            for c, d in ((a, b + 1), (a + 1, b)):
                if c < height and d < width and rows[a][b] != rows[c][d]:
                    rows[a][b], rows[c][d] = rows[c][d], rows[a][b]
                    count = _in_runs(rows, a, b) + _in_runs(rows, c, d)
                    rows[a][b], rows[c][d] = rows[c][d], rows[a][b]
                    if count:
                        yield ((a, b), (c, d)), count


def _in_runs(rows: list[list[str]], row: int, column: int) -> int:
    """The number of tiles in the runs through a cell."""
    tile, line = rows[row][column], rows[row]
    if tile == UNKNOWN:
        return 0
    left = right = column
    while left and line[left - 1] == tile:
        left -= 1
    while right + 1 < len(line) and line[right + 1] == tile:
        right += 1
    top = bottom = row
    while top and rows[top - 1][column] == tile:
        top -= 1
    while bottom + 1 < len(rows) and rows[bottom + 1][column] == tile:
        bottom += 1
    across, down = right - left + 1, bottom - top + 1
    if across >= _RUN:
        return across + (down - 1 if down >= _RUN else 0)
    return down if down >= _RUN else 0


def settled(board: Board, fill: Callable[[int, int], str], fallen: tuple[int, ...] = ()) -> Settled:
    """Remove runs and let tiles fall until no run is left.

    Args:
        board: A board.
        fill: The tile that falls into a column, by the number of the tiles that fell into it before.
        fallen: The tiles that have fallen into each column so far.
    """
    counts = list(fallen or [0] * len(board[0]))
    removed = rounds = 0
    while gone := runs(board):
        removed, rounds = removed + len(gone), rounds + 1
        columns = []
        for column, tiles in enumerate(zip(*board, strict=True)):
            left = "".join(tile for row, tile in enumerate(tiles) if (row, column) not in gone)
            new = ""
            for _ in range(len(tiles) - len(left)):  # the first one to fall ends up lowest
                new = fill(column, counts[column]) + new
                counts[column] += 1
            columns.append(new + left)
        board = tuple(map("".join, zip(*columns, strict=True)))
    return Settled(board, removed, rounds, tuple(counts))


def drawn(rng: Stream, size: int, kinds: int) -> Board | None:
    """A random board without runs on which some swap makes one.

    None if this try gave another board.
    """
    rows: list[list[str]] = []
    for row in range(size):
        rows.append([])
        for column in range(size):
            barred = {rows[row][column - 1]} if column > 1 and rows[row][column - 1] == rows[row][column - 2] else set()
            if row > 1 and rows[row - 1][column] == rows[row - 2][column]:
                barred.add(rows[row - 1][column])
            rows[row].append(rng.choice([tile for tile in LETTERS[:kinds] if tile not in barred]))
    board = tuple(map("".join, rows))
    return board if useful(board) else None


def rearranged(rng: Stream, board: Board) -> Board | None:
    """The same tiles in another order, as :func:`drawn` requires.

    None if no such order was found.
    """
    tiles = [*"".join(board)]
    for _ in range(_TRIES):
        rng.shuffle(tiles)
        made = tuple("".join(tiles[at : at + len(board[0])]) for at in range(0, len(tiles), len(board[0])))
        if not runs(made) and useful(made):
            return made
    return None


def best(board: Board) -> Swap:
    """The swap of a player who looks two swaps ahead.

    Only tiles that are certain to disappear count.

    The second swap is tried after the most promising first ones.
    """
    first = [(settled(swapped(board, swap), _unknown), swap) for swap in useful(board)]
    first.sort(key=lambda option: -option[0].removed)

    def worth(option: tuple[Settled, Swap]) -> int:
        then = max((count for _, count in _counted(option[0].board)), default=0)
        return 3 * option[0].removed + 2 * then

    return max(first[:_TRIED], key=worth)[1]


def _unknown(column: int, number: int) -> str:
    return UNKNOWN
