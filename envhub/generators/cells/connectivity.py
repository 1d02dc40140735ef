"""Connectivity by flood fill and articulation points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from envhub.generators.cells.law import NOTHING, Changed, Law

_UNSEEN: Final = -1
_OUTSIDE: Final = 1 << 60


class Connected(Law):
    """All cells with a value in a mask form one group.

    Args:
        near: For each cell, the cells that are joined to it.
        mask: The values.
        cells: The cells concerned; by default all.
    """

    __slots__ = ("mask", "near")
    expensive: ClassVar[bool] = True

    def __init__(self, near: Sequence[Sequence[int]], mask: int = 0b10, cells: Sequence[int] | None = None) -> None:
        super().__init__(range(len(near)) if cells is None else cells)
        self.near = near
        self.mask = mask

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the cells are connected."""
        inside = {cell for cell in self.cells if self.mask >> values[cell] & 1}
        return not inside or len(reached(min(inside), self.near, inside)) == len(inside)

    def prune(self, domains: list[int]) -> Changed | None:
        """Exclude cells out of reach, and decide those that join the group."""
        mask, other = self.mask, ~self.mask
        inside = [cell for cell in self.cells if domains[cell] & mask]
        sure = [cell for cell in inside if not domains[cell] & other]
        if not sure:
            return NOTHING
        depth = [_OUTSIDE] * len(self.near)
        for cell in inside:
            depth[cell] = _UNSEEN
        needed = _needed(self.near, depth, sure) if len(sure) > 1 else _flooded(self.near, depth, sure[0])
        changed = [cell for cell in inside if depth[cell] == _UNSEEN]
        for cell in changed:
            domains[cell] &= other
            if not domains[cell]:  # a sure cell is out of reach
                return None
        for cell in needed:
            if domains[cell] & other:
                domains[cell] &= mask
                changed.append(cell)
        return changed


def reached(start: int, near: Sequence[Sequence[int]], inside: set[int]) -> set[int]:
    """The cells that can be reached from a start within a set."""
    seen, todo = {start}, [start]
    while todo:
        for other in near[todo.pop()]:
            if other in inside and other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def _flooded(near: Sequence[Sequence[int]], depth: list[int], start: int) -> list[int]:
    """Mark the cells within reach of a single sure cell.

    As :func:`_needed`, with no needed cells.
    """
    depth[start] = 0
    todo = [start]
    while todo:
        for other in near[todo.pop()]:
            if depth[other] == _UNSEEN:
                depth[other] = 0
                todo.append(other)
    return []


def _needed(near: Sequence[Sequence[int]], depth: list[int], sure: Sequence[int]) -> list[int]:
    """Cells on every way between two sure cells.

    They are found, and listed, in the order of a depth-first search.

    Args:
        near: For each cell, the cells that are joined to it.
        depth: ``_UNSEEN`` for each cell to search; replaced by its depth if it is within reach.
        sure: The sure cells.
    """
    root, wanted = sure[0], set(sure)
    depth[root] = lowest = 0  # the least depth beside the part of the search tree behind the last cell of the path
    path, ways = [root], [iter(near[root])]
    above, behind = list[int](), [0]  # for each cell of the path, that depth so far, and the sure cells behind it
    needed: list[int] = []
    while True:
        for other in ways[-1]:
            found = depth[other]
            if found < lowest:
                if found == _UNSEEN:
                    above.append(lowest)
                    depth[other] = lowest = len(path)
                    path.append(other)
                    ways.append(iter(near[other]))
                    behind.append(other in wanted)
                    break
                lowest = found
        else:
            path.pop()
            if not path:
                return needed
            ways.pop()
            count = behind.pop()
            behind[-1] += count
            if count and lowest >= len(path) - 1 > 0:
                needed.append(path[-1])
            lowest = min(lowest, above.pop())
