"""Ways over the map: cheapest routes to cells.

A route may lead through what can be dug, picked up or fought on the way; the cost counts the actions that this takes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from heapq import heappop, heappush
from typing import Final, NamedTuple

from envhub.envs.worlds.crafting import terrain
from envhub.envs.worlds.crafting.rules import DIRECTIONS, Action, State, World
from envhub.envs.worlds.crafting.terrain import LAMP, OPEN, WATER

UNKNOWN: Final = "?"
"""A cell that has not been seen."""
_FIGHT: Final = 6
_CARRY: Final = 6
_DIG: Final = 3
_BRIDGE: Final = 4
_POSES: Final = 600


class Ground(NamedTuple):
    """What a policy knows of the map.

    Attributes:
        world: The fixed part; of its map nothing is read.
        state: The state; of its map nothing is read, of its creatures only the known ones.
        cells: The map; :data:`UNKNOWN` for cells that are not known.
        creatures: The cells of known creatures.
    """

    world: World
    state: State
    cells: str
    creatures: Collection[int]


class Route(NamedTuple):
    """A route: cost, first direction (-1 without one), and end."""

    cost: int
    direction: int
    end: int


def costs(ground: Ground) -> Mapping[str, int]:
    """The cost of each kind of cell that can be entered."""
    world, state = ground.world, ground.state
    found = dict.fromkeys(OPEN, 1)
    for number, source in enumerate(world.technology.sources):
        if not source.lasting and (not source.tool or world.holds(state, source.tool)):
            found[terrain.SOURCES[number]] = _DIG
    found |= dict.fromkeys((*terrain.STATIONS, LAMP), _CARRY)
    if world.holds(state, world.technology.sources[1].item):
        found[WATER] = _BRIDGE
    return found


def route(ground: Ground, used: Collection[int], stood: Callable[[int], bool] | None = None) -> Route | None:
    """The cheapest route to a cell.

    Args:
        ground: What is known.
        used: Cells to act on, from beside them.
        stood: Accepts cells to stand on.
    """
    near, cells, state = ground.world.near, ground.cells, ground.state
    price, still = costs(ground), _still(ground)
    reached = {state.at: 0}
    waiting = [(0, state.at, -1, -1 if state.at not in used else state.at)]
    while waiting:
        cost, cell, first, final = heappop(waiting)
        if final >= 0 or (stood is not None and cell not in used and stood(cell)):
            return Route(cost, first, cell)
        if cost > reached[cell]:
            continue
        for direction, other in enumerate(near[cell]):
            if other < 0:
                continue
            begun = direction if first < 0 else first
            if other in used:
                turn = int(cell == state.at and direction != state.facing)
                heappush(waiting, (cost + 1 + turn, other, begun, other))
                continue
            step = price.get(cells[other])
            if step is None:
                continue
            faced = step > 1 and cell == state.at and direction == state.facing
            total = cost + step - faced + (_FIGHT if other in still else 0)
            if total < reached.get(other, 10**9):
                reached[other] = total
                heappush(waiting, (total, other, begun, -1))
    return None


def _still(ground: Ground) -> set[int]:
    """The known creatures that are asleep; others will be elsewhere soon."""
    awake = ground.world.dark(ground.state.step)
    return {each.at for each in ground.state.creatures if not each.kind and not awake and each.at in ground.creatures}


def towards(ground: Ground, direction: int, use: bool) -> Action:
    """The action that leads into a direction, or acts on its cell."""
    ahead = ground.world.near[ground.state.at][direction]
    sign = ground.cells[ahead]
    if not use and sign in OPEN and ahead not in ground.creatures:
        return Action(DIRECTIONS[direction])
    if direction != ground.state.facing:
        return Action(DIRECTIONS[direction])
    if sign == WATER and not use and ahead not in ground.creatures:
        return Action("place", ground.world.technology.sources[1].item)
    return Action("use")


def towards_placing(ground: Ground, item: str, fits: Callable[[int], bool]) -> Action:
    """The next action to place an item from a cell that fits."""
    near, cells, state = ground.world.near, ground.cells, ground.state

    def free(cell: int) -> bool:
        return cell >= 0 and cells[cell] in OPEN and cell not in ground.creatures

    poses = [(state.at, state.facing, -1)]
    known = {(state.at, state.facing)}
    for at, facing, first in poses:
        if fits(at) and free(near[at][facing]):
            return Action("place", item) if first < 0 else Action(DIRECTIONS[first])
        if len(poses) > _POSES:
            break
        for direction in range(4):
            pose = (near[at][direction], direction) if free(near[at][direction]) else (at, direction)
            if pose not in known:
                known.add(pose)
                poses.append((*pose, direction if first < 0 else first))
    price = costs(ground)
    for direction in (state.facing, *range(4)):
        ahead = near[state.at][direction]
        if ahead >= 0 and cells[ahead] in price and cells[ahead] != WATER:
            return towards(ground, direction, use=True)
    return Action("wait")
