"""Maps of land and water as graphs of land cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from envhub.generators.graphs.graph import Graph

LAND: Final = "#"
WATER: Final = "."

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def cell(row: int, column: int) -> str:
    """The name of a cell: ``A1`` is row 0, column 0."""
    return f"{_LETTERS[column]}{row + 1}"


def land(rows: Sequence[str]) -> Graph:
    """The land cells by name; edges join cells that share sides."""
    places = [(y, x) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == LAND]
    known = set(places)
    steps = [(place, (place[0] + down, place[1] + 1 - down)) for place in places for down in (0, 1)]
    edges = ((cell(*one), cell(*other), 1) for one, other in steps if other in known)
    return Graph(tuple(cell(*place) for place in places), tuple(edges))


def symmetric(rows: Sequence[str]) -> Iterator[list[str]]:
    """The map, turned and reflected in all eight ways."""
    for turned in (list(rows), ["".join(column) for column in zip(*rows, strict=True)]):
        for upright in (turned, turned[::-1]):
            yield upright
            yield [row[::-1] for row in upright]
