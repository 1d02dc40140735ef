"""Tiles with coloured edges: turns, and arrangements in which all edges match.

A tile is the codes of its top, right, bottom and left edge. A code is the letters of colours, read from left to right or
from top to bottom; the code of an edge at the border is empty::

    turned(("rgb", "", "yyy", "rby"), 1)                       # ("ybr", "rgb", "", "yyy")
    arrangements(2, 3, tiles, turns=False)                     # solutions, each a list of tile and quarter turns
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from envhub.core.seeding import Stream

Tile = tuple[str, str, str, str]
Place = tuple[int, int]

LETTERS: Final = "rgby"
BORDER: Final = ""
_SLOTS: Final = 3


@lru_cache(maxsize=4096)
def turned(tile: Tile, turns: int) -> Tile:
    """A tile after quarter turns clockwise."""
    for _ in range(turns % 4):
        top, right, bottom, left = tile
        tile = left[::-1], top, right[::-1], bottom
    return tile


def cut(rng: Stream, height: int, width: int, codes: int) -> list[Tile]:
    """The tiles of a random picture, row by row.

    Args:
        rng: Randomness.
        height: Number of rows.
        width: Number of columns.
        codes: How many different codes the inner edges have at most.
    """
    kept: list[str] = []
    while len(kept) < codes:
        code = "".join(rng.choice(LETTERS) for _ in range(_SLOTS))
        if code not in kept:
            kept.append(code)
    under = [[rng.choice(kept) for _ in range(width)] for _ in range(height - 1)]
    beside = [[rng.choice(kept) for _ in range(width - 1)] for _ in range(height)]
    return [
        (
            under[row - 1][column] if row else BORDER,
            beside[row][column] if column + 1 < width else BORDER,
            under[row][column] if row + 1 < height else BORDER,
            beside[row][column - 1] if column else BORDER,
        )
        for row in range(height)
        for column in range(width)
    ]


def arrangements(height: int, width: int, tiles: Sequence[Tile], upright: int | None) -> Iterator[list[Place]]:
    """All arrangements in which the edges match and borders are outside.

    Args:
        height: Number of rows.
        width: Number of columns.
        tiles: The tiles.
        upright: The tile that is not turned, if the others may be; None if no tile may be turned.

    Yields:
        For each place, row by row, the number of the tile and its quarter turns.
    """
    ways = [
        [(turns, turned(tile, turns)) for turns in ((0,) if upright is None or number == upright else range(4))]
        for number, tile in enumerate(tiles)
    ]
    placed: list[tuple[int, int, Tile]] = []
    used: set[int] = set()

    def fits(tile: Tile, at: int) -> bool:
        row, column = divmod(at, width)
        above = placed[at - width][2][2] if row else BORDER
        before = placed[at - 1][2][1] if column else BORDER
        return (
            tile[0] == above
            and tile[3] == before
            and (tile[1] == BORDER) == (column + 1 == width)
            and (tile[2] == BORDER) == (row + 1 == height)
        )

    def extend() -> Iterator[list[Place]]:
        at = len(placed)
        if at == height * width:
            yield [(number, turns) for number, turns, _ in placed]
            return
        for number in range(len(tiles)):
            if number in used:
                continue
            for turns, tile in ways[number]:
                if fits(tile, at):
                    placed.append((number, turns, tile))
                    used.add(number)
                    yield from extend()
                    placed.pop()
                    used.discard(number)

    return extend()


def matches(height: int, width: int, tiles: Sequence[Tile], places: Sequence[Place]) -> bool:
    """Whether all edges of an arrangement match, and borders are outside."""
    shown = [turned(tiles[number], turns) for number, turns in places]
    for at, (top, right, bottom, left) in enumerate(shown):
        row, column = divmod(at, width)
        if (top != BORDER if row == 0 else top != shown[at - width][2] or top == BORDER) or (
            left != BORDER if column == 0 else left != shown[at - 1][1] or left == BORDER
        ):
            return False
        if (column + 1 == width and right != BORDER) or (row + 1 == height and bottom != BORDER):
            return False
    return True
