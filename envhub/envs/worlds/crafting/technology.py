"""Technologies: what can be gathered and made, and its least work.

A technology is a graph. Sources are cells that yield an item, some only to who holds a tool. Recipes turn items into another
one, some only near stations. Tools, weapons and stations are *durable*: they are needed, never used up, so one is enough.

:func:`least_work` returns the exact minimum of actions (gather, make, place) that a goal takes, and the order in which its
durable things are made. Consumable items are cheapest just before they are used, because more durables never make a unit
dearer; so a search over the sets of durables is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from typing import Final, NamedTuple

from envhub.core.types import JSON

NEVER: Final = 10**9


def with_article(name: str) -> str:
    """A name with its indefinite article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


class Source(NamedTuple):
    """A kind of cell that yields an item.

    Attributes:
        cell: The name of the cell.
        item: What it yields.
        tool: The tool that it takes; empty if none.
        lasting: Whether the cell stays when it is used.
    """

    cell: str
    item: str
    tool: str
    lasting: bool


class Recipe(NamedTuple):
    """A way to make one item.

    Attributes:
        item: What is made.
        inputs: The items that are used up, with their numbers.
        stations: The stations that must be near.
    """

    item: str
    inputs: tuple[tuple[str, int], ...]
    stations: tuple[str, ...]


class Schedule(NamedTuple):
    """The least work for goals.

    Attributes:
        work: The number of actions: gather, make and place.
        durables: The durable things to make, in order.
    """

    work: int
    durables: tuple[str, ...]


class Technology:
    """The sources and recipes of a task.

    Attributes:
        sources: The sources; the second one is rock, whose item can be placed.
        recipes: The recipes; an item may have two.
        tools: The tools.
        stations: The stations.
        weapons: The damage of weapons.
        lamp: The item that gives light when it is placed; empty without one.
        items: All items: those of sources, then those of recipes.
    """

    def __init__(self, content: JSON) -> None:
        self.sources = tuple(
            Source(cell, item, tool, bool(lasting)) for cell, item, tool, lasting in content["sources"]
        )
        self.recipes = tuple(
            Recipe(item, tuple((name, count) for name, count in inputs), tuple(stations))
            for item, inputs, stations in content["recipes"]
        )
        self.tools: tuple[str, ...] = tuple(content["tools"])
        self.stations: tuple[str, ...] = tuple(content["stations"])
        self.weapons: Mapping[str, int] = dict(content["weapons"])
        self.lamp: str = content["lamp"]
        names = [source.item for source in self.sources] + [recipe.item for recipe in self.recipes]
        self.items: tuple[str, ...] = tuple(dict.fromkeys(names))

    @cached_property
    def source_of(self) -> Mapping[str, Source]:
        """The source of each item that is gathered."""
        return {source.item: source for source in self.sources}

    @cached_property
    def ways(self) -> Mapping[str, tuple[Recipe, ...]]:
        """The recipes of each item that is made."""
        return {item: tuple(r for r in self.recipes if r.item == item) for item in self.items}

    @cached_property
    def durables(self) -> frozenset[str]:
        """Tools, stations and weapons."""
        return frozenset((*self.tools, *self.stations, *self.weapons))

    @cached_property
    def placeable(self) -> frozenset[str]:
        """What can be placed: stations, rock and the lamp."""
        return frozenset((*self.stations, self.sources[1].item, *([self.lamp] if self.lamp else [])))

    def named(self, item: str) -> list[str]:
        """The items that the ways to get an item name."""
        if item in self.source_of:
            tool = self.source_of[item].tool
            return [tool] if tool else []
        return [name for way in self.ways[item] for name in (*(name for name, _ in way.inputs), *way.stations)]


class Units:
    """The least work for one unit of each item, with given durables.

    Attributes:
        work: The least work by item; missing if it cannot be had.
        way: The best recipe by item that is made.
    """

    def __init__(self, technology: Technology, held: frozenset[str], banned: frozenset[str] = frozenset()) -> None:
        self.work = {
            source.item: 1
            for source in technology.sources
            if source.item not in banned and (not source.tool or source.tool in held)
        }
        self.way: dict[str, Recipe] = {}
        changed = True
        while changed:
            changed = False
            for recipe in technology.recipes:
                work = self.cost(recipe, held)
                if work < self.work.get(recipe.item, NEVER):
                    self.work[recipe.item], self.way[recipe.item], changed = work, recipe, True

    def cost(self, recipe: Recipe, held: frozenset[str]) -> int:
        """The least work of a recipe; ``NEVER`` if it cannot be followed."""
        if not held.issuperset(recipe.stations):
            return NEVER
        return min(NEVER, 1 + sum(count * self.work.get(name, NEVER) for name, count in recipe.inputs))


@lru_cache(maxsize=2048)
def units_of(technology: Technology, held: frozenset[str], banned: frozenset[str] = frozenset()) -> Units:
    """The units of a technology; recent ones are kept."""
    return Units(technology, held, banned)


def least_work(
    technology: Technology,
    goals: Iterable[tuple[str, int]],
    held: frozenset[str] = frozenset(),
    banned: frozenset[str] = frozenset(),
) -> Schedule | None:
    """The least number of gather, make and place actions.

    Args:
        technology: The sources and recipes.
        goals: The items to hold at the same time, with their numbers; a station is to be placed.
        held: The durable things that exist.
        banned: Gathered items that may not be used.

    Returns:
        The schedule; None if the goals cannot be reached.
    """
    wanted = list(goals)
    must = frozenset(name for name, _ in wanted if name in technology.durables)
    useful = (frozenset((*technology.tools, *technology.stations)) | must) - held
    rest = [(name, count) for name, count in wanted if name not in technology.durables]
    costs: dict[frozenset[str], int] = {held: 0}
    waiting: list[tuple[int, int, list[str], bool, tuple[str, ...]]] = [(0, 0, sorted(held), False, ())]
    number = 0
    while waiting:
        cost, _, names, final, order = heappop(waiting)
        if final:
            return Schedule(cost, order)
        here = frozenset(names)
        if cost > costs[here]:
            continue
        units = units_of(technology, here, banned)
        if must <= here:
            total = cost + sum(count * units.work.get(name, NEVER) for name, count in rest)
            number += 1
            if total < NEVER:
                heappush(waiting, (total, number, names, True, order))
        for name in sorted(useful - here):
            following, more = here | {name}, units.work.get(name, NEVER) + (name in technology.stations)
            if more < NEVER and cost + more < costs.get(following, NEVER):
                costs[following] = cost + more
                number += 1
                heappush(waiting, (cost + more, number, sorted(following), False, (*order, name)))
    return None


class Demand(NamedTuple):
    """What is left to do for goals.

    Attributes:
        makes: The items to make next, in order: those of the first durable thing, or of the goals themselves.
        first: The items to gather for these, with their numbers.
        raw: All items to gather, with their numbers.
    """

    makes: tuple[str, ...]
    first: Mapping[str, int]
    raw: Mapping[str, int]


def demand(
    technology: Technology,
    schedule: Schedule,
    goals: Iterable[tuple[str, int]],
    held: frozenset[str],
    carried: Mapping[str, int],
) -> Demand:
    """What is left to make and to gather, with what is carried.

    Args:
        technology: The sources and recipes.
        schedule: The order of the durable things.
        goals: The items to hold.
        held: The durable things that exist.
        carried: The numbers of carried items.
    """
    left, raw, makes = dict(carried), dict[str, int](), list[str]()
    first: Demand | None = None
    here = held

    def need(item: str, count: int, units: Units) -> None:
        have = min(count, left.get(item, 0))
        left[item] = left.get(item, 0) - have
        for _ in range(count - have):
            if item not in units.way:
                raw[item] = raw.get(item, 0) + 1
                continue
            for name, many in units.way[item].inputs:
                need(name, many, units)
            makes.append(item)

    for name in schedule.durables:
        units = units_of(technology, here)
        for each, many in units.way[name].inputs:
            need(each, many, units)
        makes.append(name)
        first = first or Demand(tuple(makes), dict(raw), {})
        here = here | {name}
    units = units_of(technology, here)
    for name, count in goals:
        if name not in technology.durables:
            need(name, count, units)
    first = first or Demand(tuple(makes), dict(raw), {})
    return first._replace(raw=raw)
