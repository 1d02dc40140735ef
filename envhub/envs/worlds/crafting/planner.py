"""A policy that plans what to make, where to gather, and survival.

It decides from what it knows: the whole map for the oracle, the seen cells for the scripted policies. It makes durable things
in the order of the least work, gathers on the way what will be needed later, fights what bites, drinks, eats and sleeps
in time, and explores the nearest unknown cells if nothing else is left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from envhub.envs.worlds.crafting import terrain
from envhub.envs.worlds.crafting.routes import UNKNOWN, Ground, Route, route, towards, towards_placing
from envhub.envs.worlds.crafting.rules import MOST, Action, State, World
from envhub.envs.worlds.crafting.sight import ACROSS, CLOSE, DOWN, visible
from envhub.envs.worlds.crafting.technology import Demand, Schedule, demand, least_work, units_of
from envhub.envs.worlds.crafting.terrain import BUSH, WATER

_LOW: Final = 3
"""A need is cared for when it has fallen to this value."""
_FULL: Final = 8
_RESTED: Final = 6
_DETOUR: Final = 3
_WORTH: Final = 8
"""Unknown cells that make a place worth exploring."""
_WAIT: Final = Action("wait")


def whole(world: World, state: State) -> Ground:
    """All there is to know."""
    return Ground(world, state, state.cells, {each.at for each in state.creatures})


def seen_part(world: World, state: State, seen: int) -> Ground:
    """The seen cells, and the creatures that are in view."""
    cells = "".join(sign if seen >> cell & 1 else UNKNOWN for cell, sign in enumerate(state.cells))
    view = visible(world, state)
    return Ground(world, state, cells, {each.at for each in state.creatures if each.at in view})


class Style(NamedTuple):
    """How to decide.

    Attributes:
        careful: Whether to fight, and to care for needs.
        early: Whether to gather on the way what later things take.
    """

    careful: bool = True
    early: bool = True


CAREFUL: Final = Style()
SIMPLE: Final = Style(careful=False, early=False)
STYLES: Final = (CAREFUL, Style(early=False), Style(careful=False), SIMPLE)


def next_action(ground: Ground, style: Style = CAREFUL, lookups: bool = False) -> Action:
    """The next action.

    Args:
        ground: What is known.
        style: How to decide.
        lookups: Whether recipes must be looked up before they are used.
    """
    if lookups:
        unread = _unread(ground)
        if unread is not None:
            return unread
    if style.careful:
        urgent = _fought(ground) or _cared(ground)
        if urgent is not None:
            return urgent
    return _pursued(ground, style.early) or _events(ground) or _explored(ground) or _WAIT


# -- knowledge -----------------------------------------------------------------------------------------------------------


def _unread(ground: Ground) -> Action | None:
    """The look-up of a recipe that matters and is not known."""
    world, state = ground.world, ground.state
    waiting = [name for kind, name, _ in world.goals if name]
    for name in waiting:
        if not state.asked >> world.number[name] & 1:
            return Action("recipe", name)
        waiting += [each for each in world.technology.named(name) if each not in waiting]
    return None


@lru_cache(maxsize=4096)
def _schedule(world: World, wanted: tuple[tuple[str, int], ...], held: frozenset[str]) -> Schedule | None:
    return least_work(world.technology, wanted, held)


def _wanted(ground: Ground) -> tuple[tuple[str, int], ...]:
    """What must be held, or has not been made or placed."""
    met = ground.world.met(ground.state)
    return tuple(
        (name, count)
        for done, (kind, name, count) in zip(met, ground.world.goals, strict=True)
        if kind == "hold" or (name and not done)
    )


def _held(ground: Ground) -> frozenset[str]:
    """The durable things that are carried, or stand somewhere."""
    world, technology = ground.world, ground.world.technology
    carried = {name for name in technology.durables if world.holds(ground.state, name)}
    signs = set(ground.cells)
    return frozenset(carried | {name for n, name in enumerate(technology.stations) if terrain.STATIONS[n] in signs})


def _to_do(ground: Ground) -> Demand | None:
    wanted, held = _wanted(ground), _held(ground)
    goals = ground.world.goals
    unmade = {name for kind, name, _ in goals if kind == "make"} & {name for name, _ in wanted}
    schedule = _schedule(ground.world, wanted, held - unmade)
    if schedule is None:
        return None
    technology = ground.world.technology
    carried = {
        name: ground.world.holds(ground.state, name) for name in technology.items if name not in technology.durables
    }
    return demand(technology, schedule, wanted, held - unmade, carried)


# -- survival ------------------------------------------------------------------------------------------------------------


def _fought(ground: Ground) -> Action | None:
    """A blow at a creature beside the player that is awake."""
    world, state = ground.world, ground.state
    awake = {each.at for each in state.creatures if each.kind or world.dark(state.step)} & set(ground.creatures)
    for direction in (state.facing, *range(4)):
        if world.near[state.at][direction] in awake:
            return towards(ground, direction, use=True)
    return None


def _cared(ground: Ground) -> Action | None:
    """Drink, eat or sleep, if it is time."""
    state = ground.state
    ahead = ground.world.near[state.at][state.facing]
    sign = ground.cells[ahead] if ahead >= 0 else ""
    low = [need <= _LOW for need in state.needs]
    if state.needs and (low[0] or (sign == WATER and state.needs[0] < _FULL)):
        found = _use(ground, _cells(ground, (WATER,)))
        if found is not None or low[0]:
            return found or _explored(ground)
    if len(state.needs) > 1 and low[1]:
        return _use(ground, _cells(ground, (BUSH,))) or _explored(ground)
    if len(state.needs) > 2 and (state.needs[2] <= _LOW - 1 or (state.asleep and state.needs[2] < _RESTED)):
        return Action("sleep")
    return None


# -- goals ---------------------------------------------------------------------------------------------------------------


def _pursued(ground: Ground, early: bool) -> Action | None:
    """Gather, make or place for the goals; None if nothing is left."""
    world, state = ground.world, ground.state
    left = _to_do(ground)
    if left is None:
        return None
    if early and left.raw:
        close = route(ground, _sources(ground, left.raw))
        if close is not None and close.cost <= _DETOUR:
            return _along(ground, close, True)
    units = units_of(world.technology, _held(ground))
    for item in left.makes:
        way = units.way.get(item)
        if way is not None and all(world.holds(state, name) >= count for name, count in way.inputs):
            return _made(ground, item, way.stations)
    for items in (left.first, left.raw) if early else (left.first,):
        found = _use(ground, _sources(ground, items))
        if found is not None:
            return found
    if left.raw or left.makes:
        return _explored(ground)
    met = world.met(state)
    for done, (kind, name, _) in zip(met, world.goals, strict=True):
        if kind == "place" and not done:
            if world.holds(state, name):
                return towards_placing(ground, name, lambda cell: True)
            standing = _use(ground, _stations(ground, name))
            if standing is not None:
                return standing
    return None


def _made(ground: Ground, item: str, stations: tuple[str, ...]) -> Action | None:
    """Make an item where its stations are; carry them if needed."""
    world, state = ground.world, ground.state
    if world.stations_near(state).issuperset(stations):
        return Action("make", item)
    standing = {name: set(_stations(ground, name)) for name in stations}
    there = [name for name in stations if standing[name]]
    missing = [name for name in stations if not standing[name]]

    def fits(cell: int) -> bool:
        square = world.reach[cell]
        return all(any(other in standing[name] for other in square) for name in there)

    if missing and fits(state.at):
        return towards_placing(ground, missing[0], fits)
    found = route(ground, (), fits)
    if found is not None and found.direction >= 0:
        return _along(ground, found, False)
    return _use(ground, standing[there[-1]]) if there else _explored(ground)


def _events(ground: Ground) -> Action | None:
    """Drink, eat, sleep or defeat a creature, for a goal."""
    state, world = ground.state, ground.world
    unmet = [kind for done, (kind, _, _) in zip(world.met(state), world.goals, strict=True) if not done]
    found: Action | None = None
    for kind in unmet:
        if kind == "drink" and state.needs[0] < MOST:
            found = _use(ground, _cells(ground, (WATER,)))
        elif kind == "eat" and state.needs[1] < MOST:
            found = _use(ground, _cells(ground, (BUSH,)))
        elif kind == "sleep" and state.needs[2] < MOST:
            found = Action("sleep")
        elif kind == "defeat":
            found = _use(ground, ground.creatures)
        if found is not None:
            return found
    return None


# -- ways ----------------------------------------------------------------------------------------------------------------


def _cells(ground: Ground, signs: Collection[str]) -> set[int]:
    return {cell for cell, sign in enumerate(ground.cells) if sign in signs}


def _sources(ground: Ground, items: Iterable[str]) -> set[int]:
    """The cells that yield these items now."""
    world, state = ground.world, ground.state
    signs = {
        terrain.SOURCES[number]
        for number, source in enumerate(world.technology.sources)
        if source.item in items and (not source.tool or world.holds(state, source.tool))
    }
    return _cells(ground, signs)


def _stations(ground: Ground, name: str) -> set[int]:
    return _cells(ground, (terrain.STATIONS[ground.world.technology.stations.index(name)],))


def _use(ground: Ground, cells: Collection[int]) -> Action | None:
    """Towards the nearest of some cells, and use it."""
    found = route(ground, cells) if cells else None
    return None if found is None else _along(ground, found, True)


def _along(ground: Ground, found: Route, used: bool) -> Action:
    ahead = ground.world.near[ground.state.at][found.direction]
    return towards(ground, found.direction, use=used and ahead == found.end)


def _explored(ground: Ground) -> Action | None:
    """Towards the nearest cell from which something new can be seen."""
    world, state = ground.world, ground.state
    if UNKNOWN not in ground.cells:
        return None
    across, down = (CLOSE, CLOSE) if world.dark(state.step) else (ACROSS, DOWN)
    for least in (_WORTH, 1):
        found = route(ground, (), _new_at(ground, across, down, least))
        if found is not None and found.direction >= 0:
            return _along(ground, found, False)
    return None


def _new_at(ground: Ground, across: int, down: int, least: int) -> Callable[[int], bool]:
    width, height, cells = ground.world.width, ground.world.height, ground.cells

    def new(cell: int) -> bool:
        row, column = divmod(cell, width)
        first, last = max(0, column - across), min(width, column + across + 1)
        rows = range(max(0, row - down), min(height, row + down + 1))
        return sum(cells.count(UNKNOWN, y * width + first, y * width + last) for y in rows) >= least

    return new
