"""A board of hexagons, the cat's steps, and a search for walls.

Sets of cells are bits; the bit of a cell is its row times the number of columns plus its column. The second row, the fourth
and so on are shifted half a cell to the right::

    board = Board(7, 7)
    board.step(walls=0, cat=24, careful=False)     # the cell that the cat moves to; None if it is enclosed
    board.enclosing(walls=0, cat=24, careful=False, width=8)    # walls to place, in order
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

DIRECTIONS: Final = ("left", "upper left", "upper right", "right", "lower right", "lower left")
_STEPS: Final = {  # row change, column change in rows that are not shifted and in shifted ones
    "left": (0, -1, -1),
    "upper left": (-1, -1, 0),
    "upper right": (-1, 0, 1),
    "right": (0, 1, 1),
    "lower right": (1, 0, 1),
    "lower left": (1, -1, 0),
}


class Found(NamedTuple):
    """Walls that enclose the cat, and the number of positions compared."""

    walls: tuple[int, ...]
    compared: int


class Board:
    """A board of hexagons with a number of rows and columns."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self.cells = height * width

    @cached_property
    def near(self) -> list[list[int]]:
        """The neighbours of each cell, in the order of :data:`DIRECTIONS`."""
        found = []
        for row in range(self.height):
            for column in range(self.width):
                cells = []
                for down, plain, shifted in _STEPS.values():
                    r, c = row + down, column + (shifted if row % 2 else plain)
                    if 0 <= r < self.height and 0 <= c < self.width:
                        cells.append(r * self.width + c)
                found.append(cells)
        return found

    @cached_property
    def border(self) -> int:
        """The cells at the border."""
        return sum(
            1 << r * self.width + c
            for r in range(self.height)
            for c in range(self.width)
            if r in (0, self.height - 1) or c in (0, self.width - 1)
        )

    @cached_property
    def _masks(self) -> tuple[int, int, int, int]:
        """Four sets of cells, for shifts.

        Not in the first column, not in the last one, in shifted rows, in the other rows.
        """
        first = sum(1 << r * self.width for r in range(self.height))
        last = first << self.width - 1
        whole = (1 << self.cells) - 1
        shifted = sum(((1 << self.width) - 1) << r * self.width for r in range(1, self.height, 2))
        return whole ^ first, whole ^ last, shifted, whole ^ shifted

    def around(self, cells: int) -> int:
        """All neighbours of a set of cells."""
        not_first, not_last, shifted, plain = self._masks
        left, right = (cells & not_first) >> 1, (cells & not_last) << 1
        across = cells | (cells & shifted & not_last) << 1 | (cells & plain & not_first) >> 1
        return left | right | (across << self.width | across >> self.width) & ((1 << self.cells) - 1)

    def layers(self, walls: int, cat: int) -> list[int]:
        """Open cells by their distance to the border, up to the cat's.

        Empty if the cat cannot get there.
        """
        free = ~walls
        layer, target = self.border & free, 1 << cat
        seen, found = layer, [layer]
        while not layer & target:
            layer = self.around(layer) & free & ~seen
            if not layer:
                return []
            seen |= layer
            found.append(layer)
        return found

    def step(self, walls: int, cat: int, careful: bool) -> int | None:
        """The cell that the cat moves to; None if it is enclosed.

        It takes a neighbour that is nearest to the border. A careful cat takes, among these, the one with the most shortest
        ways to the border. Then the order of :data:`DIRECTIONS` decides.
        """
        layers = self.layers(walls, cat)
        if not layers:
            return None
        nearest = [cell for cell in self.near[cat] if layers[-2] >> cell & 1]
        if not careful or len(nearest) == 1:
            return nearest[0]
        ways: dict[int, int] = {}
        return max(nearest, key=lambda cell: self._ways(layers, cell, len(layers) - 2, ways))

    def _ways(self, layers: list[int], cell: int, far: int, known: dict[int, int]) -> int:
        if far == 0:
            return 1
        if cell not in known:
            known[cell] = sum(
                self._ways(layers, to, far - 1, known) for to in self.near[cell] if layers[far - 1] >> to & 1
            )
        return known[cell]

    def value(self, walls: int, cat: int) -> tuple[int, int]:
        """How good a position is for the walls.

        First its distance to the border, then how few cells lie on the last steps of its shortest ways.
        """
        layers = self.layers(walls, cat)
        if not layers:
            return 99, 0
        reach = 1 << cat
        for layer in reversed(layers[:-1]):
            reach = self.around(reach) & layer
        return len(layers), -reach.bit_count()

    def choices(self, walls: int, cat: int) -> Iterator[int]:
        """Cells that may be worth a wall.

        They lie on ways to the border that are hardly longer than the shortest.
        """
        layers = self.layers(walls, cat)
        free, seen, ring = ~(walls | 1 << cat), 1 << cat, 1 << cat
        inside, most = 0, len(layers)
        near_border = 0
        for layer in layers:
            near_border |= layer
        for _ in range(most):
            ring = self.around(ring) & free & ~seen
            seen |= ring
            inside |= ring
        cells = inside & near_border
        return (cell for cell in range(self.cells) if cells >> cell & 1)

    def enclosing(self, walls: int, cat: int, careful: bool, width: int, most: int = 40) -> Found | None:
        """Walls that enclose the cat; None if the search finds none.

        Only the best few positions of each turn are kept.
        """
        kept: list[tuple[int, int, tuple[int, ...]]] = [(walls, cat, ())]
        compared = 0
        for _ in range(most):
            ranked: dict[tuple[int, int], tuple[tuple[int, int], int, int, tuple[int, ...]]] = {}
            for held, at, made in kept:
                for cell in self.choices(held, at):
                    more, compared = held | 1 << cell, compared + 1
                    to = self.step(more, at, careful)
                    if to is None:
                        return Found((*made, cell), compared)
                    if not self.border >> to & 1 and (more, to) not in ranked:
                        ranked[more, to] = (self.value(more, to), more, to, (*made, cell))
            best = sorted(ranked.values(), key=lambda each: each[0], reverse=True)[:width]
            kept = [(more, to, made) for _, more, to, made in best]
            if not kept:
                return None
        return None


@lru_cache(maxsize=32)
def board_of(height: int, width: int) -> Board:
    """The board of a size, made once."""
    return Board(height, width)
