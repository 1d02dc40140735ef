"""Neighbours, distances, areas and slides on the board of a view."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Final

from envhub.envs.pictures.picture_qa.source import Cell, View

WAYS: Final[Mapping[str, Cell]] = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
_ROUND: Final = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))


def around(view: View, cell: Cell, symbol: str) -> int:
    """How many of the eight cells around one show a symbol."""
    near = [(cell[0] + r, cell[1] + c) for r, c in _ROUND]
    return sum(inside(view, one) and view.at(one) == symbol for one in near)


def inside(view: View, cell: Cell) -> bool:
    """Whether a cell is on the board."""
    return 0 <= cell[0] < len(view.rows) and 0 <= cell[1] < len(view.rows[0])


def distances(view: View, start: Cell) -> dict[Cell, int]:
    """Steps to all cells of the same connected area."""
    found, queue, symbol = {start: 0}, deque([start]), view.at(start)
    while queue:
        r, c = queue.popleft()
        for down, right in WAYS.values():
            to = (r + down, c + right)
            if to not in found and inside(view, to) and view.at(to) == symbol:
                found[to] = found[r, c] + 1
                queue.append(to)
    return found


def sizes(view: View, symbol: str) -> list[int]:
    """Sizes of the connected areas of a symbol, largest first."""
    seen: set[Cell] = set()
    found = []
    for cell in view.cells():
        if view.at(cell) == symbol and cell not in seen:
            area = distances(view, cell)
            seen |= area.keys()
            found.append(len(area))
    return sorted(found, reverse=True)


def slid(view: View, cell: Cell, way: str) -> Iterator[Cell]:
    """The cells that a slide enters, in order."""
    down, right = WAYS[way]
    symbol, to = view.at(cell), (cell[0] + down, cell[1] + right)
    while inside(view, to) and view.at(to) == symbol:
        yield to
        to = (to[0] + down, to[1] + right)
