"""Connectivity by flood fill and articulation points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from envhub.generators.cells.law import Changed, Law


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
        mask = self.mask
        possible = {cell for cell in self.cells if domains[cell] & mask}
        sure = [cell for cell in self.cells if not domains[cell] & ~mask]
        if not sure:
            return ()
        group = reached(sure[0], self.near, possible)
        if not group.issuperset(sure):
            return None
        changed = [cell for cell in self.cells if cell in possible and cell not in group]
        for cell in changed:
            domains[cell] &= ~mask
        if len(sure) > 1:
            for cell in _needed(sure[0], self.near, group, set(sure)):
                if domains[cell] & ~mask:
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


def _needed(root: int, near: Sequence[Sequence[int]], inside: set[int], sure: set[int]) -> list[int]:
    """Cells on every way from the root to some sure cell."""
    depth = {root: 0}
    low = {root: 0}
    behind = {root: 0}  # sure cells in the part of the search tree behind a cell
    needed: list[int] = []
    stack = [(root, -1, iter(near[root]))]
    while stack:
        cell, parent, others = stack[-1]
        for other in others:
            if other not in inside or other == parent:
                continue
            if other in depth:
                low[cell] = min(low[cell], depth[other])
            else:
                depth[other] = low[other] = len(stack)
                behind[other] = int(other in sure)
                stack.append((other, cell, iter(near[other])))
                break
        else:
            stack.pop()
            if parent >= 0:
                low[parent] = min(low[parent], low[cell])
                behind[parent] += behind[cell]
                if low[cell] >= depth[parent] and behind[cell] and parent != root:
                    needed.append(parent)
    return needed
