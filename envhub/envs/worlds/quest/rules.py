"""The rules of a house: facts, actions, and the quest.

A house is made from its content; a state is an integer, the facts that hold as bits::

    house = House(content)
    house.room(house.start)
    house.done(state), house.lost(state)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from envhub.core.types import JSON
from envhub.envs.worlds.quest.catalogue import (
    APPLIANCES,
    COOKED,
    COOKING,
    CUTS,
    FOODS,
    KITCHEN,
    KNIFE,
    MEAL,
    OPPOSITE,
    holder,
)
from envhub.generators.planning.domains import Atom, read_domain
from envhub.generators.planning.space import Action, Space

_CUT: Final = """
  (:action {0} :parameters (?o ?k - thing)
    :precondition (and (held ?o) (held ?k) (knife ?k) (food ?o) (not (cut ?o)))
    :effect (and (cut ?o) ({1} ?o)))"""
_COOK: Final = """
  (:action {0} :parameters (?o - thing ?h - holder ?r - room)
    :precondition (and (at ?r) (beside ?h ?r) (makes-{1} ?h) (held ?o) (food ?o) (not (cooked ?o)))
    :effect (and (cooked ?o) ({1} ?o)))"""
DOMAIN: Final = read_domain(
    f"""
(define (domain quest)
  (:types room opening thing - object door holder - opening)
  (:predicates
    (at ?r - room) (joins ?d - door ?a ?b - room) (beside ?x - opening ?r - room)
    (hinged ?x - opening) (shut ?x - opening) (locked ?x - opening) (fits ?k - thing ?x - opening)
    (in ?o - thing ?h - holder) (lies ?o - thing ?r - room) (held ?o - thing)
    (edible ?o - thing) (food ?o - thing) (knife ?o - thing)
    (cut ?o - thing) (cooked ?o - thing) (burnt ?o - thing) (eaten ?o - thing)
    {" ".join(f"({each} ?o - thing)" for each in (*CUTS.values(), *COOKED))}
    {" ".join(f"(makes-{each} ?h - holder)" for each in COOKED)} (heats ?h - holder))
  (:action go :parameters (?from ?to - room ?d - door)
    :precondition (and (at ?from) (joins ?d ?from ?to) (not (shut ?d)))
    :effect (and (not (at ?from)) (at ?to)))
  (:action open :parameters (?x - opening ?r - room)
    :precondition (and (at ?r) (beside ?x ?r) (hinged ?x) (shut ?x) (not (locked ?x)))
    :effect (not (shut ?x)))
  (:action close :parameters (?x - opening ?r - room)
    :precondition (and (at ?r) (beside ?x ?r) (hinged ?x) (not (shut ?x)))
    :effect (shut ?x))
  (:action unlock :parameters (?k - thing ?x - opening ?r - room)
    :precondition (and (at ?r) (beside ?x ?r) (held ?k) (fits ?k ?x) (locked ?x))
    :effect (not (locked ?x)))
  (:action lock :parameters (?k - thing ?x - opening ?r - room)
    :precondition (and (at ?r) (beside ?x ?r) (held ?k) (fits ?k ?x) (shut ?x) (not (locked ?x)))
    :effect (locked ?x))
  (:action pick :parameters (?o - thing ?r - room)
    :precondition (and (at ?r) (lies ?o ?r))
    :effect (and (not (lies ?o ?r)) (held ?o)))
  (:action drop :parameters (?o - thing ?r - room)
    :precondition (and (at ?r) (held ?o))
    :effect (and (not (held ?o)) (lies ?o ?r)))
  (:action take :parameters (?o - thing ?h - holder ?r - room)
    :precondition (and (at ?r) (beside ?h ?r) (in ?o ?h) (not (shut ?h)))
    :effect (and (not (in ?o ?h)) (held ?o)))
  (:action put :parameters (?o - thing ?h - holder ?r - room)
    :precondition (and (at ?r) (beside ?h ?r) (held ?o) (not (shut ?h)))
    :effect (and (not (held ?o)) (in ?o ?h)))
  (:action eat :parameters (?o - thing)
    :precondition (and (held ?o) (edible ?o))
    :effect (and (not (held ?o)) (eaten ?o)))
  (:action burn :parameters (?o - thing ?h - holder ?r - room)
    :precondition (and (at ?r) (beside ?h ?r) (heats ?h) (held ?o) (food ?o) (cooked ?o))
    :effect (burnt ?o))
  {"".join(_CUT.format(*pair) for pair in CUTS.items())}
  {"".join(_COOK.format(*pair) for pair in COOKING.items())})
"""
)


class Way(NamedTuple):
    """A way out of a room.

    Attributes:
        direction: Where it leads.
        room: The room beyond.
        door: The door, or the opening, that it leads through.
    """

    direction: str
    room: str
    door: str


class House:
    """A house with a quest.

    Args:
        content: The house as ``drawing.draw`` returns it.
    """

    def __init__(self, content: JSON) -> None:
        self.kind: str = content["kind"]
        self.rooms: list[str] = content["rooms"]
        self.doors: list[str] = [name for *_, name in content["ways"]]
        self.holders: dict[str, str] = content["holders"]
        self.keys: dict[str, str] = content["keys"]
        self.things: list[str] = [*content["things"], *([MEAL] if self.kind == "cooking" else [])]
        self.goals: Sequence[Sequence[str]] = content["goals"]
        self.hinged = frozenset(content["shut"])
        self.ways: dict[str, list[Way]] = {room: [] for room in self.rooms}
        for one, direction, other, door in content["ways"]:
            self.ways[one].append(Way(direction, other, door))
            self.ways[other].append(Way(OPPOSITE[direction], one, door))
        for ways in self.ways.values():
            ways.sort(key=lambda way: list(OPPOSITE).index(way.direction))
        self.space = Space(
            DOMAIN,
            {
                **dict.fromkeys(self.rooms, "room"),
                **dict.fromkeys(self.doors, "door"),
                **dict.fromkeys(self.holders, "holder"),
                **dict.fromkeys(self.things, "thing"),
            },
        )
        self.start = self.space.state(self._first(content))
        self._acts: dict[tuple[str, ...], Action] = {}

    def _first(self, content: JSON) -> Iterator[Atom]:
        yield ("at", content["start"])
        for room, ways in self.ways.items():
            for way in ways:
                yield from (("joins", way.door, room, way.room), ("beside", way.door, room))
        for name, room in self.holders.items():
            yield ("beside", name, room)
            if name in APPLIANCES:
                yield from ((f"makes-{holder(name).does}", name), ("heats", name))
        for name, locked in content["shut"].items():
            yield from (("hinged", name), ("shut", name), *([("locked", name)] if locked else []))
        yield from (("fits", key, name) for key, name in self.keys.items())
        for name, place in content["things"].items():
            yield ("lies" if place in self.ways else "in", name, place)
        for name in self.things:
            if name in FOODS or name == MEAL:
                yield from (("edible", name), *([("food", name)] if name != MEAL else []))
        if KNIFE in self.things:
            yield ("knife", KNIFE)
        for name, marks in content["done"].items():
            for mark in marks:
                yield from ((mark, name), ("cooked" if mark in COOKED else "cut", name))

    # -- states ----------------------------------------------------------------------------------------------------

    def holds(self, state: int, *fact: str) -> bool:
        """Whether a fact holds."""
        return bool(state & self.space.bit(fact))

    def room(self, state: int) -> str:
        """The policy's room."""
        return next(room for bit, room in self._rooms if state & bit)

    def held(self, state: int) -> list[str]:
        """The things that the policy carries."""
        return [name for bit, name in self._held if state & bit]

    def contents(self, state: int, name: str) -> list[str]:
        """The things in or on a piece of furniture, open or not."""
        return [thing for bit, thing in self._within[name] if state & bit]

    def floor(self, state: int, room: str) -> list[str]:
        """The things on the floor of a room."""
        return [thing for bit, thing in self._within[room] if state & bit]

    def standing(self, room: str) -> list[str]:
        """The furniture of a room."""
        return [name for name, where in self.holders.items() if where == room]

    def where(self, state: int, thing: str) -> str | None:
        """The furniture or room of a thing.

        None if it is carried, used up, or not made yet.
        """
        return next(
            (place for place, inside in self._within.items() for bit, name in inside if name == thing and state & bit),
            None,
        )

    def visible(self, state: int) -> list[str]:
        """The things that the policy sees or carries."""
        room = self.room(state)
        found = [*self.held(state), *self.floor(state, room)]
        for name in self.standing(room):
            if not self.holds(state, "shut", name):
                found += self.contents(state, name)
        return found

    def action(self, *words: str) -> Action:
        """An action by its name and objects."""
        if words not in self._acts:
            self._acts[words] = self._prepare() if words == ("prepare",) else self.space.action(words[0], words[1:])
        return self._acts[words]

    def _prepare(self) -> Action:
        """Make the meal out of all ingredients, as the recipe says."""
        bit = self.space.bit
        held = self.space.state(("held", food) for food, *_ in self.goals)
        needs = held | bit(("at", KITCHEN)) | self._marks
        return Action("prepare", (), needs, self._wrong, bit(("held", MEAL)), held)

    # -- the quest -------------------------------------------------------------------------------------------------

    def done(self, state: int) -> bool:
        """Whether the quest is fulfilled."""
        return state & self._goal == self._goal

    def lost(self, state: int) -> bool:
        """Whether the meal can no longer be made.

        An ingredient is eaten, burnt, or cut or cooked in another way than the recipe says.
        """
        return self.kind == "cooking" and bool(state & (self._wrong | self._eaten))

    def parts(self, state: int) -> float:
        """The share of the quest's parts that are fulfilled."""
        if self.kind != "cooking":
            return sum(bool(state & bit) for bit in self._parts) / len(self._parts)
        made = self.holds(state, "held", MEAL) or self.holds(state, "eaten", MEAL)
        ready = sum(made or self._ready(state, goal) for goal in self.goals)
        return (ready + made + self.holds(state, "eaten", MEAL)) / (len(self.goals) + 2)

    def _ready(self, state: int, goal: Sequence[str]) -> bool:
        food, *marks = goal
        return all(self.holds(state, *fact) for fact in (("held", food), *((mark, food) for mark in marks if mark)))

    @cached_property
    def _parts(self) -> list[int]:
        """The facts of the goal, one for each part."""
        if self.kind == "cooking":
            return [self.space.bit(("eaten", MEAL))]
        if self.kind == "treasure":
            return [self.space.bit(("held", thing)) for thing, *_ in self.goals]
        return [self.space.bit(("in", thing, place)) for thing, place in self.goals]

    @cached_property
    def _goal(self) -> int:
        return sum(self._parts)

    @cached_property
    def _marks(self) -> int:
        """What the recipe makes of its ingredients."""
        return self.space.state((mark, food) for food, *marks in self.goals for mark in marks if mark)

    @cached_property
    def _wrong(self) -> int:
        """What must never become of an ingredient."""
        every = (*CUTS.values(), *COOKED, "burnt")
        return self.space.state((mark, food) for food, *marks in self.goals for mark in every if mark not in marks)

    @cached_property
    def _eaten(self) -> int:
        return self.space.state(("eaten", food) for food, *_ in self.goals)

    @cached_property
    def _rooms(self) -> list[tuple[int, str]]:
        return [(self.space.bit(("at", room)), room) for room in self.rooms]

    @cached_property
    def _held(self) -> list[tuple[int, str]]:
        return [(self.space.bit(("held", thing)), thing) for thing in self.things]

    @cached_property
    def _within(self) -> dict[str, list[tuple[int, str]]]:
        return {
            place: [(self.space.bit((fact, thing, place)), thing) for thing in self.things]
            for fact, places in (("in", list(self.holders)), ("lies", self.rooms))
            for place in places
        }


@lru_cache(maxsize=64)
def house_of(content: bytes) -> House:
    """A house by its content as canonical JSON.

    The keys are sorted, so the bits always mean the same.
    """
    return House(json.loads(content))
