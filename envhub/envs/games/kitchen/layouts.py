"""Random kitchens: one room, or two that share a row of counters.

Every cooker, box, window and the plates can be reached by construction: the floor of a room is connected, and
everything is next to it. In a kitchen of two rooms the boxes are in one and the cookers in the other, so each cook
needs the other, and items change rooms over the counters between them::

    rows = lay_out(rng, 7, 5, kinds=2, pots=1, islands=2, divided=False)     # None where it does not fit
    starts = stand(rng, rows)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.games.kitchen.rules import INGREDIENTS, ground

_PASSAGES: Final = 2
"""Minimum number of counters that two rooms share."""


def lay_out(
    rng: Stream, width: int, height: int, kinds: int, pots: int, islands: int, divided: bool
) -> tuple[str, ...] | None:
    """Draw the map of a kitchen; None if the draw is unusable.

    Args:
        rng: Source of randomness.
        width: Cells of a row, the outer counters included.
        height: Rows, the same way.
        kinds: Number of kinds of ingredients.
        pots: Number of cookers.
        islands: Number of counters on the floor.
        divided: Two rooms.
    """
    cells = [["#"] * width for _ in range(height)]
    wall = rng.between(2, width - 3) if divided else -1
    inner = [(row, column) for row in range(1, height - 1) for column in range(1, width - 1) if column != wall]
    blocked = set(rng.sample(inner, islands))
    for row, column in inner:
        cells[row][column] = "#" if (row, column) in blocked else "."
    rows = _joined(cells)
    rooms = rooms_of(rows)
    if len(rooms) != (2 if divided else 1) or min(map(len, rooms)) < 2:
        return None
    reach = [{cell for cell, near in ground(rows).near.items() if room[0] in near} for room in rooms]
    if divided:
        rng.shuffle(reach)  # the first has the boxes, the second the cookers
        if len(reach[0] & reach[1]) < _PASSAGES:
            return None
        own = [sorted(reach[0] - reach[1]), sorted(reach[1] - reach[0])]
        sides = [0] * kinds + [1] * pots + [rng.below(2), rng.below(2)]
    else:
        own, sides = [sorted(reach[0])], [0] * (kinds + pots + 2)
    marks = [*list(INGREDIENTS)[:kinds], *("C" * pots), "P", "W"]
    return _placed(rng, cells, marks, sides, own)


def _placed(
    rng: Stream, cells: list[list[str]], marks: Sequence[str], sides: Sequence[int], own: Sequence[list[int]]
) -> tuple[str, ...] | None:
    """The map with each item at a separate place on its side."""
    for side, places in enumerate(own):
        here = [mark for mark, at in zip(marks, sides, strict=True) if at == side]
        if len(here) >= len(places):
            return None  # one counter stays free
        for mark, cell in zip(here, rng.sample(places, len(here)), strict=True):
            cells[cell // len(cells[0])][cell % len(cells[0])] = mark
    return _joined(cells)


def _joined(cells: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple("".join(row) for row in cells)


def rooms_of(rows: tuple[str, ...]) -> list[list[int]]:
    """The floor, room by room."""
    around = ground(rows).around
    rooms: list[list[int]] = []
    left = set(around)
    for cell in around:
        if cell not in left:
            continue
        room, edge = [], [cell]
        left.discard(cell)
        while edge:
            at = edge.pop()
            room.append(at)
            for to in around[at]:
                if to in left:
                    left.discard(to)
                    edge.append(to)
        rooms.append(sorted(room))
    return rooms


def stand(rng: Stream, rows: tuple[str, ...]) -> tuple[int, int]:
    """Starting cells of the cooks.

    One in each room if there are two.
    """
    rooms = rooms_of(rows)
    if len(rooms) == 1:
        one, other = rng.sample(rooms[0], 2)
        return one, other
    rng.shuffle(rooms)
    return rng.choice(rooms[0]), rng.choice(rooms[1])


def menu(rng: Stream, kinds: int, size: int, orders: int) -> tuple[str, ...]:
    """Ordered soups, each of random ingredients."""
    marks = list(INGREDIENTS)[:kinds]
    return tuple("".join(sorted(rng.choice(marks) for _ in range(size))) for _ in range(orders))


def canonical(rows: Sequence[str]) -> list[str]:
    """The map up to rotation, reflection, and renaming of ingredients."""
    turned, forms = list(rows), []
    for _ in range(4):
        turned = ["".join(column) for column in zip(*turned[::-1], strict=True)]
        forms += [_relabelled(turned), _relabelled([row[::-1] for row in turned])]
    return min(forms)


def _relabelled(rows: Sequence[str]) -> list[str]:
    """The map with ingredients named in order of appearance."""
    text = "\n".join(rows)
    found = sorted((mark for mark in INGREDIENTS if mark in text), key=text.index)
    return text.translate(str.maketrans("".join(found), "".join(list(INGREDIENTS)[: len(found)]))).split("\n")
