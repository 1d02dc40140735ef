"""Shortest ways to complete a mission, by A* over complete positions.

::

    found = shortest(grid, mission, grid.start, frozenset(), budget=20_000)

Everything that the seven actions can change is part of a position, so a plan that is found is one of the shortest, and an
exhausted search proves that no plan exists. The estimate orders the cells that must be faced; it never exceeds the true cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from envhub.core.errors import EnvhubError
from envhub.generators.gridworld.distances import NEVER, distances_of
from envhub.generators.gridworld.missions import GO, OPENING, PICK, Mission, complete
from envhub.generators.gridworld.model import ACTIONS, GONE, HELD, INSIDE, LOCKED, OPEN, Grid, Position, after

DONE: Final = "done"
_ARRANGEMENT: Final = 10
"""The work for an arrangement of things and doors, in positions."""


class SearchLimit(EnvhubError):
    """The search was given up after its budget of positions."""


class Node(NamedTuple):
    """A position, and the tasks that have been confirmed."""

    position: Position
    confirmed: frozenset[int]


class Stop(NamedTuple):
    """Something that must be faced.

    Attributes:
        cells: One of these cells.
        near: Whether a cell beside it is enough.
        more: Further actions that it takes.
        objects: Things (as they are numbered) or doors (as -1, -2, ...) that these actions are done to.
        after: The stops that come before it, as bits.
    """

    cells: frozenset[int]
    near: bool = False
    more: int = 0
    objects: frozenset[int] = frozenset()
    after: int = 0


class Estimate:
    """A lower bound on the actions that complete a mission."""

    def __init__(self, grid: Grid, mission: Mission) -> None:
        self.grid, self.mission, self.distances = grid, mission, distances_of(grid)
        self._plans: dict[tuple[frozenset[int], tuple[int, ...], tuple[int, ...], int], tuple[int, list[_First]]] = {}
        self._regions: dict[tuple[int, ...], list[int]] = {}

    @property
    def arrangements(self) -> int:
        """The number of arrangements of things and doors that were estimated."""
        return len(self._plans)

    def __call__(self, node: Node) -> int:
        """The bound; ``NEVER`` or more if the mission cannot be completed."""
        position, confirmed = node
        region = self._region(position)[position.at]
        key = (confirmed, position.spots, position.doors, region)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._planned(position, confirmed)
        least, firsts = plan
        if not firsts:
            return least
        pose = position.at * 4 + position.facing
        return least + min(min(way[pose] for way in ways) + tail for ways, tail in firsts)

    def _planned(self, position: Position, confirmed: frozenset[int]) -> tuple[int, list[_First]]:
        """What does not depend on the pose.

        A constant, and each stop that may be first, with the distance of those that follow.
        """
        left = [stage for stage in self.mission.stages if not confirmed.issuperset(stage)]
        stops = self._stops(position, confirmed, left)
        if any(not stop.cells for stop in stops):
            return NEVER, []
        least, counted = len(left), set[int]()
        for stop in stops:
            least += 0 if counted & stop.objects else stop.more
            counted |= stop.objects
        things = zip(position.spots, self.grid.things, strict=True)
        unmoved = frozenset(spot for spot, thing in things if spot == thing.spot and spot >= 0)
        tails, firsts = self._tails(stops), []
        for number, stop in enumerate(stops):
            if not stop.after:
                ways = [self.distances.strict(cell, stop.near, position.doors, unmoved) for cell in stop.cells]
                firsts.append((ways, tails[number]))
        return least, firsts

    def _tails(self, stops: list[Stop]) -> list[int]:
        """For each stop the least distance through all others."""
        every = (1 << len(stops)) - 1
        best: dict[tuple[int, int], int] = {}

        def way(here: int, been: int) -> int:
            if been == every:
                return 0
            if (here, been) not in best:
                best[here, been] = min(
                    (
                        self._apart(stops[here], stops[other]) + way(other, been | 1 << other)
                        for other in range(len(stops))
                        if not been >> other & 1 and not stops[other].after & ~been
                    ),
                    default=NEVER,
                )
            return best[here, been]

        return [way(number, 1 << number) for number in range(len(stops))]

    def _apart(self, one: Stop, other: Stop) -> int:
        between = self.distances.between
        return min(between(a, one.near, b, other.near) for a in one.cells for b in other.cells)

    def _stops(self, position: Position, confirmed: frozenset[int], left: list[tuple[int, ...]]) -> list[Stop]:
        """What must be faced to complete the stages that are left."""
        stops = list[Stop]()
        earlier = 0
        for stage in left:
            here = earlier
            for task in stage:
                aim = self.mission.aims[task]
                fixed = aim.verb == GO and not aim.what.things  # it cannot be moved, so facing it before does not help
                for stop in self._of_task(position, task) if task not in confirmed else ():
                    here |= 1 << len(stops)
                    stops.append(stop._replace(after=earlier if fixed else 0))
            earlier = here
        return self._behind_locks(position, stops)

    def _behind_locks(self, position: Position, stops: list[Stop]) -> list[Stop]:
        """The stops, and those that unlock the way to them."""
        grid, regions = self.grid, self._region(position)
        here = regions[position.at]

        def reached(cell: int) -> bool:
            return any(regions[cell + step] == here for step in grid.steps if 0 <= cell + step < len(regions))

        def unreachable(stop: Stop) -> bool:
            if stop.near:
                return not any(
                    reached(cell + step) for cell in stop.cells for step in (0, *grid.steps) if cell + step >= 0
                )
            return not any(map(reached, stop.cells))

        blocked = [unreachable(stop) for stop in stops]
        if not any(blocked):
            return stops
        doors = [
            number for number, door in enumerate(grid.doors) if position.doors[number] == LOCKED and reached(door.cell)
        ]
        colours = {grid.doors[number].colour for number in doors}
        keys = [n for n, thing in enumerate(grid.things) if thing.kind == "key" and thing.colour in colours]
        lock = Stop(
            frozenset(grid.doors[number].cell for number in doors), False, 1, frozenset(-1 - number for number in doors)
        )
        found = [*stops, lock]
        bits = 1 << len(stops)
        spots = [position.spots[grid.things[key].box if position.spots[key] == INSIDE else key] for key in keys]
        if HELD not in spots:
            found[-1] = lock._replace(after=bits << 1)
            found.append(Stop(frozenset(spot for spot in spots if spot >= 0), False, 1, frozenset(keys)))
            bits |= bits << 1
        return [
            stop._replace(after=stop.after | bits) if number < len(stops) and blocked[number] else stop
            for number, stop in enumerate(found)
        ]

    def _region(self, position: Position) -> list[int]:
        """The part of the grid to which each cell belongs.

        Locked doors separate parts; they and walls have -1.
        """
        doors = position.doors
        if doors not in self._regions:
            grid = self.grid
            closed = {grid.doors[number].cell for number, state in enumerate(doors) if state == LOCKED} | grid.walls
            labels = [-1] * (grid.width * grid.height)
            for cell in range(len(labels)):
                if cell in closed or labels[cell] >= 0:
                    continue
                found, labels[cell] = [cell], cell
                for each in found:
                    for step in grid.steps:
                        if labels[each + step] < 0 and each + step not in closed:
                            labels[each + step] = cell
                            found.append(each + step)
            self._regions[doors] = labels
        return self._regions[doors]

    def _of_task(self, position: Position, task: int) -> Iterator[Stop]:
        """The stops of one task that is not confirmed."""
        grid, spots, held = self.grid, position.spots, position.held
        aim = self.mission.aims[task]
        cells = frozenset(grid.doors[door].cell for door in aim.what.doors)
        lying = frozenset(spots[thing] for thing in aim.what.things if spots[thing] >= 0)
        if aim.verb == GO:
            if held not in aim.what.things:
                yield Stop(lying | cells)
        elif aim.verb == PICK:
            if held not in aim.what.things:
                yield Stop(lying, False, 1 if held is None else 2, aim.what.things)
        elif aim.verb == OPENING:
            if all(position.doors[door] != OPEN for door in aim.what.doors):
                yield Stop(cells, False, 1, frozenset(-1 - door for door in aim.what.doors))
        elif not complete(grid, aim, position) and held not in aim.beside.things:
            fixed = frozenset(spots[thing] for thing in aim.beside.things if spots[thing] >= 0)
            fixed |= frozenset(grid.doors[door].cell for door in aim.beside.doors)
            if held in aim.what.things:
                yield Stop(fixed, True, 1, aim.what.things)
            else:
                yield Stop(lying, False, 2, aim.what.things)
                yield Stop(fixed, True)


_First = tuple[list[list[int]], int]


def shortest(
    grid: Grid,
    mission: Mission,
    position: Position,
    confirmed: frozenset[int],
    budget: int,
    estimate: Estimate | None = None,
    spared: frozenset[int] = frozenset(),
) -> list[str] | None:
    """A shortest plan for a mission; None if there is no plan.

    Args:
        grid: The grid.
        mission: The mission.
        position: Where to start.
        confirmed: The tasks that have been confirmed.
        budget: The work after which the search is given up: one for a position, ten for an arrangement of things and doors.
        estimate: The estimate, if it has been used before.
        spared: Things that may not be destroyed.

    Raises:
        SearchLimit: The work exceeds ``budget``.
    """
    estimate = estimate or Estimate(grid, mission)
    most = budget + _ARRANGEMENT * estimate.arrangements
    start, tasks = Node(position, confirmed), len(mission.aims)
    first = estimate(start)
    costs: dict[Node, int] = {start: 0}
    came: dict[Node, tuple[Node, str]] = {}
    order = count()
    waiting = [(first, 0, next(order), start)]
    closed = 0
    while waiting:
        bound, reached, _, node = heappop(waiting)
        cost = costs[node]
        if -reached != cost:
            continue  # a shorter way has been found since
        if bound >= NEVER:
            return None
        if len(node.confirmed) == tasks:
            return _way(came, node)
        closed += 1
        if closed + _ARRANGEMENT * estimate.arrangements > most:
            raise SearchLimit(f"No plan was found with a budget of {budget}.")
        for action in ACTIONS:
            following = _after(grid, mission, node, action)
            if following is None or any(following.position.spots[thing] == GONE for thing in spared):
                continue
            known = costs.get(following)
            if known is None or cost + 1 < known:
                costs[following] = cost + 1
                came[following] = (node, action)
                total = cost + 1 + estimate(following)
                heappush(waiting, (total, -cost - 1, next(order), following))
    return None


def _after(grid: Grid, mission: Mission, node: Node, action: str) -> Node | None:
    if action == DONE:
        met = mission.fulfilled(grid, node.position, node.confirmed)
        return Node(node.position, node.confirmed | met) if met else None
    now = after(grid, node.position, action)
    return None if now is node.position else Node(now, node.confirmed)


def _way(came: dict[Node, tuple[Node, str]], node: Node) -> list[str]:
    actions = []
    while node in came:
        node, action = came[node]
        actions.append(action)
    return actions[::-1]
