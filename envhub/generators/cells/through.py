"""Loops through the middles of cells, and pearls on them.

A loop through the middles of cells runs along sides of a smaller board, whose cells are the corners that four cells share. The
inside is a grid of 0 and 1 on this inner board; the sides where the loop leaves each cell follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from envhub.generators.cells.directions import DOWN, LEFT, RIGHT, STEPS, UP, towards
from envhub.generators.cells.laws import Rows, Table

BLACK, WHITE = 0, 1
STRAIGHT: Final = frozenset({5, 10})
TURNING: Final = frozenset({3, 6, 9, 12})

_FACES: Final = {UP: ((-1, -1), (-1, 0)), RIGHT: ((-1, 0), (0, 0)), DOWN: ((0, -1), (0, 0)), LEFT: ((-1, -1), (0, -1))}
"""By direction, the two inner cells that a step from cell (0, 0) separates."""

_CORNERS: Final = ((-1, -1), (-1, 0), (0, -1), (0, 0))
"""The four inner cells round cell (0, 0)."""


def _around() -> list[tuple[int, int]]:
    """The inner cells that decide how a loop passes a cell."""
    found = []
    for way, (down, right) in enumerate(STEPS, 1):
        for row, column in _FACES[way]:
            found += [(row, column), (row + down, column + right)]
    return sorted(set(found))


AROUND: Final = _around()


def sides_of(inside: Sequence[int], height: int, width: int) -> list[int]:
    """The sides where the loop leaves each cell, as sums."""
    wide = width + 1
    padded = [0] * ((height + 1) * wide)
    for row in range(height - 1):
        padded[(row + 1) * wide + 1 : (row + 2) * wide - 1] = inside[row * (width - 1) : (row + 1) * (width - 1)]
    found = []
    for corner in (row * wide + column for row in range(height) for column in range(width)):
        top, bottom = padded[corner : corner + 2], padded[corner + wide : corner + wide + 2]
        ahead, behind = top[1] != bottom[1], top[0] != bottom[0]
        found.append((top[0] != top[1]) | ahead << 1 | (bottom[0] != bottom[1]) << 2 | behind << 3)
    return found


def inside_of(sides: Sequence[int], height: int, width: int) -> list[int] | None:
    """The inside of the loops that leave cells by these sides.

    None if a line branches or ends, or if neighbours disagree.
    """
    if any(code and code not in STRAIGHT | TURNING for code in sides):
        return None
    inside = []
    for row in range(height - 1):
        value = 0
        for column in range(width - 1):
            value ^= sides[row * width + column] >> DOWN - 1 & 1
            inside.append(value)
    return inside if sides_of(inside, height, width) == list(sides) else None


def pearls(inside: Sequence[int], height: int, width: int) -> dict[int, int]:
    """The colours of all pearls that a loop allows."""
    sides = sides_of(inside, height, width)
    found = {}
    for cell, code in enumerate(sides):
        next_to = [sides[towards(height, width, cell, way)] for way in range(1, 5) if code >> way - 1 & 1]
        if code in TURNING and STRAIGHT.issuperset(next_to):
            found[cell] = BLACK
        elif code in STRAIGHT and not STRAIGHT.issuperset(next_to):
            found[cell] = WHITE
    return found


def pearl(height: int, width: int, cell: int, colour: int) -> Table:
    """The law of a pearl.

    The loop turns at a black pearl and goes straight on both sides of it. It goes straight through a white pearl and turns
    on at least one side of it.
    """
    row, column = divmod(cell, width)
    places = tuple(place for place in AROUND if 0 <= row + place[0] < height - 1 and 0 <= column + place[1] < width - 1)
    return Table([(row + down) * (width - 1) + column + right for down, right in places], _passing(places, colour))


def leaving(height: int, width: int, cell: int, code: int) -> Table:
    """The law that the loop leaves a cell by given sides."""
    row, column = divmod(cell, width)
    corners = ((row + down, column + right) for down, right in _CORNERS)
    inside = tuple(0 <= r < height - 1 and 0 <= c < width - 1 for r, c in corners)
    places = [(row + down, column + right) for (down, right), kept in zip(_CORNERS, inside, strict=True) if kept]
    return Table([r * (width - 1) + c for r, c in places], _left_by(inside, code))


@lru_cache(maxsize=256)
def _left_by(inside: tuple[bool, ...], code: int) -> Rows:
    rows = []
    for row in product((0, 1), repeat=sum(inside)):
        values = iter(row)
        if sides_of([next(values) if kept else 0 for kept in inside], 3, 3)[4] == code:
            rows.append(row)
    return Rows(rows)


@lru_cache(maxsize=256)
def _passing(places: tuple[tuple[int, int], ...], colour: int) -> Rows:
    rows = []
    for row in product((0, 1), repeat=len(places)):
        known = dict(zip(places, row, strict=True))
        near, far = (
            sum(
                (known.get((a + i, b + j), 0) != known.get((c + i, d + j), 0)) << way - 1
                for way, ((a, b), (c, d)) in _FACES.items()
                for i, j in [STEPS[way - 1] if beyond else (0, 0)]
            )
            for beyond in (False, True)
        )
        straight_on = near & far == near
        if near in (TURNING if colour == BLACK else STRAIGHT) and straight_on == (colour == BLACK):
            rows.append(row)
    return Rows(rows)
