"""Bridges between islands: straight lines of one or two.

A cell has the value 0 (nothing, or an island), 1 or 2 (as many horizontal bridges), 3 or 4 (one or two vertical bridges).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import ClassVar, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.cells.board import beside, ray
from envhub.generators.cells.directions import DOWN, RIGHT, STEPS, Parts, towards
from envhub.generators.cells.law import NOTHING, Changed, Law
from envhub.generators.cells.laws import Rows, Table

_BRIDGES: Final = {RIGHT: 0b00110, DOWN: 0b11000}
"""By direction, the mask of its bridges."""


class Crossing(NamedTuple):
    """Two islands in sight of each other, and the cells between them.

    Attributes:
        one: The island above or to the left.
        other: The island underneath or to the right.
        way: The direction from one to the other.
        cells: The cells between them, at least one.
    """

    one: int
    other: int
    way: int
    cells: tuple[int, ...]


def crossings(height: int, width: int, islands: Sequence[int]) -> list[Crossing]:
    """All places for bridges."""
    found = []
    for one in islands:
        for way in (RIGHT, DOWN):
            line = ray(height, width, one, *STEPS[way - 1])
            at = next((at for at, cell in enumerate(line) if cell in islands), 0)
            if at:
                found.append(Crossing(one, line[at], way, tuple(line[:at])))
    return found


def possible(height: int, width: int, islands: Sequence[int]) -> list[int]:
    """For each cell, the mask of its possible values."""
    found = [1] * (height * width)
    for crossing in crossings(height, width, islands):
        for cell in crossing.cells:
            found[cell] |= _BRIDGES[crossing.way]
    return found


def unbroken(height: int, width: int, islands: Sequence[int]) -> list[Table]:
    """Bridges continue until they reach an island."""
    return [
        Table(pair, _continued(crossing.way))
        for crossing in crossings(height, width, islands)
        for pair in zip(crossing.cells, crossing.cells[1:], strict=False)
    ]


def ending(height: int, width: int, island: int, number: int) -> Table:
    """An island is the end of a number of bridges."""
    ways = [(towards(height, width, island, way), RIGHT if way % 2 == 0 else DOWN) for way in range(1, 5)]
    near = [(cell, way) for cell, way in ways if cell >= 0]
    return Table([cell for cell, _ in near], _adding(tuple(way for _, way in near), number))


def count(value: int, way: int) -> int:
    """The bridges in a direction that a value stands for."""
    return (value - 1) % 2 + 1 if _BRIDGES[way] >> value & 1 else 0


@lru_cache(maxsize=4)
def _continued(way: int) -> Rows:
    return Rows([(a, b) for a, b in product(range(5), repeat=2) if count(a, way) == count(b, way)])


@lru_cache(maxsize=256)
def _adding(ways: tuple[int, ...], number: int) -> Rows:
    every = product(range(5), repeat=len(ways))
    return Rows([row for row in every if sum(map(count, row, ways)) == number])


class Joined(Law):
    """All islands are connected by bridges.

    Args:
        crossings: The places for bridges.
        islands: The islands.
    """

    __slots__ = ("crossings", "islands")
    expensive: ClassVar[bool] = True

    def __init__(self, crossings: Sequence[Crossing], islands: Sequence[int]) -> None:
        super().__init__([crossing.cells[0] for crossing in crossings])
        self.crossings = [(c.one, c.other, c.cells[0], _BRIDGES[c.way]) for c in crossings]
        self.islands = tuple(islands)

    def holds(self, values: Sequence[int]) -> bool:
        """Whether all islands are connected."""
        return self.prune([1 << value for value in values]) is not None

    def prune(self, domains: list[int]) -> Changed | None:
        """Check that all islands can still be connected."""
        parts = Parts(max(self.islands) + 1)
        joins = sum(parts.join(one, other) for one, other, cell, mask in self.crossings if domains[cell] & mask)
        return NOTHING if joins == len(self.islands) - 1 else None


def archipelago(rng: Stream, height: int, width: int, wanted: int) -> tuple[list[int], list[int]] | None:
    """Islands joined by bridges, and all values; None without enough room.

    No two islands share a side. Each new island is joined to an earlier one; later, some islands in sight are joined as well.
    """
    near = beside(height, width)
    grid = [0] * (height * width)
    islands = [rng.below(height * width)]
    for _ in range(12 * wanted):
        start, way = rng.choice(islands), rng.below(4)
        line = ray(height, width, start, *STEPS[way])
        free = next((at for at, cell in enumerate(line) if grid[cell] or cell in islands), len(line))
        if free < 2:
            continue
        at = rng.between(1, free - 1)
        if any(other in islands for other in near[line[at]]):
            continue
        islands.append(line[at])
        value = rng.between(1, 2) + (0 if way % 2 else 2)
        for cell in line[:at]:
            grid[cell] = value
        if len(islands) == wanted:
            break
    else:
        return None
    islands.sort()
    for crossing in crossings(height, width, islands):
        if not any(grid[cell] for cell in crossing.cells) and not rng.below(3):
            value = rng.between(1, 2) + (0 if crossing.way == RIGHT else 2)
            for cell in crossing.cells:
                grid[cell] = value
    return islands, grid
