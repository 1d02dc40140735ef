"""Lower bounds on the actions to get in front of a cell.

A pose is a cell and a direction. All distances count turns and steps; the strict ones also count opening closed doors and
picking up what has not been moved, and take locked doors for walls. The free ones ignore doors and things.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from envhub.generators.gridworld.model import CLOSED, LOCKED, Grid

NEVER: Final = 1 << 20
_WALL: Final = NEVER * 2
_MOST_KEPT: Final = 4000


class Distances:
    """Distances in a grid; what was computed is kept."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._kept: dict[tuple[int, bool, tuple[int, ...], frozenset[int]], list[int]] = {}
        self._between: dict[tuple[int, bool, int, bool], int] = {}

    def free(self, cell: int, near: bool = False) -> list[int]:
        """Distances of all poses to facing a cell, without obstacles."""
        return self._to(cell, near, (), frozenset())

    def strict(self, cell: int, near: bool, doors: tuple[int, ...], unmoved: frozenset[int]) -> list[int]:
        """Distances of all poses to facing a cell, with obstacles.

        Args:
            cell: The cell.
            near: Whether facing a cell beside it is enough.
            doors: The state of each door.
            unmoved: The cells of things that have not been moved.
        """
        return self._to(cell, near, doors, unmoved)

    def between(self, one: int, near: bool, other: int, other_near: bool) -> int:
        """The least free distance from facing one cell to facing another."""
        key = (one, near, other, other_near)
        if key not in self._between:
            there = self.free(other, other_near)
            self._between[key] = min((there[pose] for pose in self._facing(one, near)), default=NEVER)
        return self._between[key]

    def _facing(self, cell: int, near: bool) -> list[int]:
        """The poses that face a cell, or also one beside it."""
        grid = self.grid
        cells = [cell, *(cell + step for step in grid.steps)] if near else [cell]
        return [
            (front - step) * 4 + facing
            for front in cells
            for facing, step in enumerate(grid.steps)
            if 0 <= front - step < grid.width * grid.height and front - step not in grid.walls
        ]

    def _to(self, cell: int, near: bool, doors: tuple[int, ...], unmoved: frozenset[int]) -> list[int]:
        key = (cell, near, doors, unmoved)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = self._searched(cell, near, doors, unmoved)
        return found

    def _searched(self, cell: int, near: bool, doors: tuple[int, ...], unmoved: frozenset[int]) -> list[int]:
        """Backwards from the poses that face the cell, by distance."""
        grid = self.grid
        entering = [1] * (grid.width * grid.height)
        for wall in grid.walls:
            entering[wall] = _WALL
        for number, state in enumerate(doors):
            entering[grid.doors[number].cell] = {CLOSED: 2, LOCKED: NEVER}.get(state, 1)
        for spot in unmoved:
            entering[spot] += 1
        found = [NEVER] * (len(entering) * 4)
        waiting: list[list[int]] = [self._facing(cell, near), [], [], []]
        for pose in waiting[0]:
            found[pose] = 0
        distance, steps = 0, grid.steps
        while distance < len(waiting) - 3:
            waiting.append([])
            after = distance + 1
            for pose in waiting[distance]:
                if found[pose] != distance:
                    continue
                at, facing = pose >> 2, pose & 3
                for other in (pose - 3 if facing == 3 else pose + 1, pose + 3 if facing == 0 else pose - 1):
                    if after < found[other]:
                        found[other] = after
                        waiting[after].append(other)
                cost, behind = entering[at], at - steps[facing]
                if cost < NEVER and entering[behind] < _WALL:
                    other, total = behind * 4 + facing, distance + cost
                    if total < found[other]:
                        found[other] = total
                        waiting[total].append(other)
            distance += 1
            if not any(waiting[distance:]):
                break
        return found


@lru_cache(maxsize=64)
def distances_of(grid: Grid) -> Distances:
    """The distances in a grid; those of recent grids are kept."""
    return Distances(grid)
