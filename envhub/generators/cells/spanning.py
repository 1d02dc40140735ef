"""Spanning trees of boards whose cells have open sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from envhub.generators.cells.directions import Parts, links
from envhub.generators.cells.law import Changed, Law

_CLOSED: Final = {side: sum(1 << sides for sides in range(16) if not sides & side) for side in (1, 2, 4, 8)}
"""By side, the mask of the values in which it is not open."""


class Spanning(Law):
    """Open sides join all cells, without a loop.

    Args:
        height: Number of rows.
        width: Number of columns.
    """

    __slots__ = ("links",)
    expensive: ClassVar[bool] = True

    def __init__(self, height: int, width: int) -> None:
        super().__init__(range(height * width))
        self.links = [(cell, 1 << way - 1, other) for cell, way, other in links(height, width)]

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the links form a spanning tree."""
        parts = Parts(len(self.cells))
        linked = [(cell, other) for cell, side, other in self.links if values[cell] & side]
        return len(linked) == len(self.cells) - 1 and all(parts.join(*link) for link in linked)

    def prune(self, domains: list[int]) -> Changed | None:
        """Refute loops and separate parts; close sides of possible loops."""
        size = len(self.cells)
        sure, possible = Parts(size), Parts(size)
        open_: list[tuple[int, int, int]] = []
        left = size - 1
        for link in self.links:
            cell, side, other = link
            if not domains[cell] & ~_CLOSED[side]:
                continue
            left -= possible.join(cell, other)
            if domains[cell] & _CLOSED[side]:
                open_.append(link)
            elif not sure.join(cell, other):
                return None
        if left:
            return None
        changed = []
        for cell, side, other in open_:
            if sure.of(cell) == sure.of(other):
                domains[cell] &= _CLOSED[side]
                if not domains[cell]:
                    return None
                changed.append(cell)
        return changed
