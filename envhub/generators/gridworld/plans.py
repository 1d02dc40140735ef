"""Plans for missions, proved to be shortest where that is possible.

::

    planner = planner_of(content)
    planner.plan(planner.grid.start, frozenset())    # actions, and whether no shorter list exists

Every plan completes its mission. A mission with more than two tasks, or whose search exceeds its budget, is planned one task
after the other, the nearest first where the order is free; such a plan may be longer than needed.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final, NamedTuple

from envhub.core.types import JSON
from envhub.generators.gridworld.distances import NEVER
from envhub.generators.gridworld.missions import Mission, read_stages
from envhub.generators.gridworld.model import Grid, Position, after
from envhub.generators.gridworld.search import DONE, Estimate, Node, SearchLimit, shortest

_WHOLE: Final = 1500
"""Budget of a search for the whole mission, doubled for one task."""
_MOST_WHOLE: Final = 2
"""Most tasks of a mission that is searched as a whole."""
_KEPT: Final = 512


class Planned(NamedTuple):
    """Actions that complete a mission.

    Attributes:
        actions: The actions.
        proved: Whether no shorter list completes it.
    """

    actions: tuple[str, ...]
    proved: bool


class Planner:
    """Plans for one mission; they are kept, with their later parts."""

    def __init__(self, content: JSON) -> None:
        self.grid = Grid(content)
        self.mission = Mission(self.grid, read_stages(content["stages"]), content["order"])
        self._kept: dict[Node, Planned | None] = {}

    def plan(self, position: Position, confirmed: frozenset[int]) -> Planned | None:
        """A plan; None if none is found."""
        node = Node(position, confirmed)
        if node not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            found = self._kept[node] = self._found(node)
            for number, action in enumerate(found.actions if found else ()):
                node = _following(self.grid, self.mission, node, action)
                self._kept[node] = found and Planned(found.actions[number + 1 :], found.proved)
            return found
        return self._kept[node]

    def _found(self, node: Node) -> Planned | None:
        estimate = Estimate(self.grid, self.mission)
        if estimate(node) >= NEVER:
            return None
        if len(self.mission.aims) <= _MOST_WHOLE:
            try:
                found = shortest(self.grid, self.mission, *node, _WHOLE, estimate)
                return None if found is None else Planned(tuple(found), True)
            except SearchLimit:
                pass
        return self._one_by_one(node)

    def _one_by_one(self, node: Node) -> Planned | None:
        """A plan of plans for single tasks."""
        actions: list[str] = []
        while left := self.mission.open_tasks(node.confirmed):
            ways = [way for task in left if (way := self._for_task(node, task)) is not None]
            if not ways:
                return None
            best = min(ways, key=len)
            actions += best
            for action in best:
                node = _following(self.grid, self.mission, node, action)
        return Planned(tuple(actions), False)

    def _for_task(self, node: Node, task: int) -> list[str] | None:
        """A way to complete one task that keeps what the others need."""
        others = [number for number in range(len(self.mission.aims)) if number not in node.confirmed | {task}]
        aims = [self.mission.aims[number] for number in others]
        spared = frozenset(thing for aim in aims for thing in aim.what.things | aim.beside.things)
        alone = Mission.of_aims((self.mission.aims[task],))
        try:
            return shortest(self.grid, alone, node.position, frozenset(), 2 * _WHOLE, spared=spared)
        except SearchLimit:
            return None


def _following(grid: Grid, mission: Mission, node: Node, action: str) -> Node:
    if action == DONE:
        met = mission.fulfilled(grid, node.position, node.confirmed)
        return Node(node.position, node.confirmed | met)
    return Node(after(grid, node.position, action), node.confirmed)


def planner_of(content: JSON) -> Planner:
    """The planner of a content; recent ones are kept."""
    return _kept(json.dumps(content, sort_keys=True))


@lru_cache(maxsize=32)
def _kept(text: str) -> Planner:
    content: Any = json.loads(text)
    return Planner(content)
