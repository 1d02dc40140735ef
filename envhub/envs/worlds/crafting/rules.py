"""The rules: what each action does, and what happens after it.

::

    place = world_of(canonical_json(content))
    place.after(place.begin(), Action("use"))    # Outcome(state, "You get 1 wood.", True)

A state is a value. Every step is deterministic: creatures act on even steps, in the order of their cells, and needs fall at
fixed steps. An action that cannot be carried out changes nothing, but the step passes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from envhub.core.types import JSON
from envhub.envs.worlds.crafting import terrain
from envhub.envs.worlds.crafting.technology import Recipe, Technology, with_article
from envhub.envs.worlds.crafting.terrain import BARE, BUSH, FLOOR, GRASS, LAMP, OPEN, SAND, WATER

DIRECTIONS: Final = ("north", "east", "south", "west")
NEEDS: Final = ("water", "food", "energy")
MOST: Final = 9
"""The greatest health, and the greatest value of a need."""
FALLS: Final = (25, 30, 40)
"""Steps after which water, food and energy fall by one."""
HEALING: Final = 10
"""Steps after which health rises or falls by one."""
FOOD: Final = 4
"""Food of a bush."""
REACH: Final = 2
"""Cells from which a station can be used, also diagonally."""
HIDE: Final = 3
"""Health of a creature."""
SCENT: Final = 6
"""Distance from which creatures approach."""
CREATURES: Final = ("prowler", "lurker")
_HAUNTS: Final = (frozenset((GRASS, SAND)), frozenset((FLOOR,)))
_PLAIN: Final = {GRASS: "grass", SAND: "sand", FLOOR: "floor", WATER: "water", BUSH: "berry bush", BARE: "bare bush"}
EVENTS: Final = ("drink", "eat", "sleep", "defeat")


class Action(NamedTuple):
    """An action: a direction, ``use``, ``make``, ``place``, ``recipe``, ``sleep`` or ``wait``."""

    verb: str
    name: str = ""


class Creature(NamedTuple):
    """A creature: its cell, kind and health."""

    at: int
    kind: int
    health: int


class State(NamedTuple):
    """Everything that can change.

    Attributes:
        cells: The map.
        at: The cell of the player.
        facing: The number of the direction.
        items: The carried items, by number.
        creatures: The living creatures, in the order of their cells.
        health: The player's health.
        needs: Water, food and energy, as far as the task has them.
        asleep: Whether the last action was sleep.
        step: The steps that have passed.
        done: The events and places that have happened, as bits of the goals.
        asked: The items whose recipes have been looked up, as bits.
    """

    cells: str
    at: int
    facing: int
    items: tuple[int, ...]
    creatures: tuple[Creature, ...]
    health: int
    needs: tuple[int, ...]
    asleep: bool
    step: int
    done: int
    asked: int


class Outcome(NamedTuple):
    """The state after a step, a sentence, and whether it succeeded."""

    state: State
    said: str
    carried_out: bool


class World:
    """The fixed part of a task: its map, technology and goals."""

    def __init__(self, content: JSON) -> None:
        self.technology = Technology(content["technology"])
        self.width: int = content["width"]
        self.height: int = content["height"]
        self.day: int = content["day"]
        self.night: int = content["night"]
        self.goals: tuple[tuple[str, str, int], ...] = tuple(
            (kind, name, count) for kind, name, count in content["goals"]
        )
        self.content = content
        self.number: Mapping[str, int] = {item: n for n, item in enumerate(self.technology.items)}

    @cached_property
    def signs(self) -> Mapping[str, int]:
        """The number of each source and station by its character."""
        return terrain.signs(len(self.technology.sources), len(self.technology.stations))

    @cached_property
    def near(self) -> tuple[tuple[int, int, int, int], ...]:
        """The cell in each direction of every cell; -1 outside the map."""
        found = []
        for cell in range(self.width * self.height):
            row, column = divmod(cell, self.width)
            north = cell - self.width if row else -1
            east = cell + 1 if column + 1 < self.width else -1
            south = cell + self.width if row + 1 < self.height else -1
            found.append((north, east, south, cell - 1 if column else -1))
        return tuple(found)

    @cached_property
    def reach(self) -> tuple[tuple[int, ...], ...]:
        """The cells within reach of every cell."""
        return tuple(tuple(self.square(cell, REACH)) for cell in range(self.width * self.height))

    def square(self, cell: int, radius: int) -> list[int]:
        """The cells at most ``radius`` rows and columns away."""
        row, column = divmod(cell, self.width)
        rows = range(max(0, row - radius), min(self.height, row + radius + 1))
        columns = range(max(0, column - radius), min(self.width, column + radius + 1))
        return [y * self.width + x for y in rows for x in columns]

    def begin(self) -> State:
        """The state at the start."""
        content = self.content
        found = tuple(Creature(cell, kind, HIDE) for cell, kind in content["creatures"])
        items = (0,) * len(self.technology.items)
        return State(content["cells"], content["start"], 2, items, found, MOST, tuple(content["needs"]), False, 0, 0, 0)

    def dark(self, step: int) -> bool:
        """Whether it is night after this number of steps."""
        return step % (self.day + self.night) >= self.day

    def named(self, sign: str) -> str:
        """The name of a cell."""
        if sign in _PLAIN:
            return _PLAIN[sign]
        if sign == LAMP:
            return self.technology.lamp
        number = self.signs[sign]
        return self.technology.sources[number].cell if sign in terrain.SOURCES else self.technology.stations[number]

    def item_of(self, sign: str) -> str:
        """The item that a cell yields, whatever it takes; empty if none."""
        if sign == LAMP:
            return self.technology.lamp
        if sign in terrain.STATIONS:
            return self.technology.stations[self.signs[sign]]
        return self.technology.sources[self.signs[sign]].item if sign in terrain.SOURCES else ""

    def holds(self, state: State, item: str) -> int:
        """How many of an item are carried."""
        return state.items[self.number[item]]

    def stations_near(self, state: State) -> set[str]:
        """The stations within reach."""
        found = {state.cells[cell] for cell in self.reach[state.at]}
        return {name for n, name in enumerate(self.technology.stations) if terrain.STATIONS[n] in found}

    def met(self, state: State) -> list[bool]:
        """Whether each goal is met.

        Things to hold must be held now; everything else must have happened.
        """
        return [
            self.holds(state, name) >= count if kind == "hold" else bool(state.done >> number & 1)
            for number, (kind, name, count) in enumerate(self.goals)
        ]

    def after(self, state: State, action: Action) -> Outcome:
        """Carry out an action, and let the step pass."""
        now, said, carried_out = self._acted(state, action)
        now = now._replace(asleep=action.verb == "sleep" and carried_out)
        return Outcome(self._passed(now), said, carried_out)

    # -- actions -----------------------------------------------------------------------------------------------------

    def _acted(self, state: State, action: Action) -> tuple[State, str, bool]:
        if action.verb in DIRECTIONS:
            return self._walked(state, DIRECTIONS.index(action.verb))
        if action.verb == "use":
            return self._used(state)
        if action.verb == "make":
            return self._made(state, action.name)
        if action.verb == "place":
            return self._placed(state, action.name)
        if action.verb == "recipe":
            return self._looked_up(state, action.name)
        if action.verb == "sleep" and len(self.content["needs"]) > 2:
            if state.needs[2] >= MOST:
                return state, "You are not tired.", False
            rested = (*state.needs[:2], state.needs[2] + 1)
            return self._happened(state._replace(needs=rested), "sleep", ""), "You sleep.", True
        if action.verb == "sleep":
            return state, "You never need sleep here.", False
        return state, "You wait.", True

    def _walked(self, state: State, direction: int) -> tuple[State, str, bool]:
        ahead, name = self.near[state.at][direction], DIRECTIONS[direction]
        if self._free(state, ahead):
            return state._replace(at=ahead, facing=direction), f"You walk {name}.", True
        if direction != state.facing:
            return state._replace(facing=direction), f"You turn {name}.", True
        return state, "The way is blocked.", False

    def _used(self, state: State) -> tuple[State, str, bool]:
        ahead = self.near[state.at][state.facing]
        if ahead < 0:
            return state, "There is nothing to use.", False
        creature = next((each for each in state.creatures if each.at == ahead), None)
        if creature is not None:
            return self._hit(state, creature)
        sign = state.cells[ahead]
        if sign == WATER and state.needs:
            if state.needs[0] >= MOST:
                return state, "You are not thirsty.", False
            drunk = (state.needs[0] + 1, *state.needs[1:])
            return self._happened(state._replace(needs=drunk), "drink", ""), "You drink.", True
        if sign == BUSH and len(state.needs) > 1:
            if state.needs[1] >= MOST:
                return state, "You are not hungry.", False
            fed = (state.needs[0], min(MOST, state.needs[1] + FOOD), *state.needs[2:])
            now = state._replace(needs=fed, cells=_changed(state.cells, ahead, BARE))
            return self._happened(now, "eat", ""), "You eat the berries.", True
        item = self.item_of(sign)
        if not item:
            return state, "There is nothing to use.", False
        lasting, under = False, FLOOR
        if sign in terrain.SOURCES:
            source = self.technology.sources[self.signs[sign]]
            if source.tool and not self.holds(state, source.tool):
                return state, f"You need another tool for {source.cell}.", False
            lasting, under = source.lasting, FLOOR if source.tool else GRASS
        cells = state.cells if lasting else _changed(state.cells, ahead, under)
        return state._replace(cells=cells, items=self._counted(state, item, 1)), f"You get 1 {item}.", True

    def _hit(self, state: State, creature: Creature) -> tuple[State, str, bool]:
        weapons = self.technology.weapons
        strength = max([1, *(damage for name, damage in weapons.items() if self.holds(state, name))])
        name = CREATURES[creature.kind]
        rest = tuple(each for each in state.creatures if each is not creature)
        if creature.health <= strength:
            return self._happened(state._replace(creatures=rest), "defeat", ""), f"You defeat the {name}.", True
        hurt = creature._replace(health=creature.health - strength)
        return state._replace(creatures=tuple(sorted((*rest, hurt)))), f"You hit the {name}.", True

    def _made(self, state: State, item: str) -> tuple[State, str, bool]:
        ways = self.technology.ways.get(item, ())
        if not ways:
            return state, f"Nothing called {item} can be made.", False
        stations = self.stations_near(state)
        way = next((each for each in ways if self._can(state, each, stations)), None)
        if way is None:
            return state, f"You cannot make {item} here: something is missing.", False
        items = list(state.items)
        for name, count in way.inputs:
            items[self.number[name]] -= count
        items[self.number[item]] += 1
        return self._happened(state._replace(items=tuple(items)), "make", item), f"You make 1 {item}.", True

    def _can(self, state: State, way: Recipe, stations: set[str]) -> bool:
        return stations.issuperset(way.stations) and all(self.holds(state, name) >= count for name, count in way.inputs)

    def _placed(self, state: State, item: str) -> tuple[State, str, bool]:
        ahead = self.near[state.at][state.facing]
        if item not in self.technology.placeable:
            return state, f"{item} cannot be placed.", False
        if not self.holds(state, item):
            return state, f"You carry no {item}.", False
        rock = self.technology.sources[1].item
        if not self._free(state, ahead) and not (item == rock and ahead >= 0 and state.cells[ahead] == WATER):
            return state, "The cell ahead is not free.", False
        if item == rock:
            sign = terrain.SOURCES[1]
        elif item == self.technology.lamp:
            sign = LAMP
        else:
            sign = terrain.STATIONS[self.technology.stations.index(item)]
        now = state._replace(cells=_changed(state.cells, ahead, sign), items=self._counted(state, item, -1))
        return self._happened(now, "place", item), f"You place 1 {item}.", True

    def _looked_up(self, state: State, item: str) -> tuple[State, str, bool]:
        if item not in self.number:
            return state, f"There is no item called {item}.", False
        return state._replace(asked=state.asked | 1 << self.number[item]), described(self.technology, item), True

    def _counted(self, state: State, item: str, change: int) -> tuple[int, ...]:
        number = self.number[item]
        return (*state.items[:number], state.items[number] + change, *state.items[number + 1 :])

    def _happened(self, state: State, kind: str, name: str) -> State:
        """The state with the goals of this event noted."""
        done = state.done
        for number, goal in enumerate(self.goals):
            if goal[:2] == (kind, name):
                done |= 1 << number
        return state._replace(done=done)

    def _free(self, state: State, cell: int) -> bool:
        return cell >= 0 and state.cells[cell] in OPEN and all(each.at != cell for each in state.creatures)

    # -- what happens after an action --------------------------------------------------------------------------------

    def _passed(self, state: State) -> State:
        step = state.step + 1
        now = state._replace(step=step)
        if not step % 2 and now.creatures:
            now = self._stirred(now)
        if now.needs:
            fallen = zip(now.needs, FALLS, strict=False)
            now = now._replace(needs=tuple(max(0, need - (step % falls == 0)) for need, falls in fallen))
        if not step % HEALING:
            change = -1 if 0 in now.needs else 1
            now = now._replace(health=min(MOST, now.health + change)) if now.health > 0 else now
        return now

    def _stirred(self, state: State) -> State:
        """The creatures that are awake act: they bite, or approach."""
        awake = self.dark(state.step)
        taken = {each.at for each in state.creatures} | {state.at}
        found, health = [], state.health
        for creature in state.creatures:
            at = creature.at
            if creature.kind or awake:
                apart = self._apart(at, state.at)
                if apart == 1:
                    health -= 2 if state.asleep else 1
                elif apart <= SCENT:
                    at = self._approached(state, creature, taken)
                    taken = taken - {creature.at} | {at}
            found.append(creature._replace(at=at))
        return state._replace(creatures=tuple(sorted(found)), health=max(0, health))

    def _approached(self, state: State, creature: Creature, taken: set[int]) -> int:
        """The cell to which a creature moves: along the longer distance first."""
        row, column = divmod(creature.at, self.width)
        down, across = state.at // self.width - row, state.at % self.width - column
        ways = [(abs(down), 2 if down > 0 else 0), (abs(across), 1 if across > 0 else 3)]
        for length, direction in ways if abs(down) >= abs(across) else reversed(ways):
            cell = self.near[creature.at][direction]
            if length and cell not in taken and state.cells[cell] in _HAUNTS[creature.kind]:
                return cell
        return creature.at

    def _apart(self, cell: int, other: int) -> int:
        return abs(cell // self.width - other // self.width) + abs(cell % self.width - other % self.width)


def described(technology: Technology, item: str) -> str:
    """How an item is had, in one sentence."""
    source = technology.source_of.get(item)
    if source is not None:
        tool = f" while you carry {with_article(source.tool)}" if source.tool else ""
        return f"{item}: use {with_article(source.cell)} cell{tool}."
    ways = [
        " and ".join(
            [
                " + ".join(f"{count} {name}" for name, count in way.inputs),
                *([f"near {' and '.join(way.stations)}"] if way.stations else []),
            ]
        ).replace(" and near", " near", 1)
        for way in technology.ways[item]
    ]
    return f"{item}: make it from {', or from '.join(ways)}."


def _changed(cells: str, at: int, sign: str) -> str:
    return cells[:at] + sign + cells[at + 1 :]


@lru_cache(maxsize=64)
def world_of(text: bytes) -> World:
    """The world of a content, as canonical JSON; recent ones are kept."""
    content: Any = json.loads(text)
    return World(content)
