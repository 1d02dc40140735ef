"""The rules of a house: facts, actions and goals.

A house is drawn once and then a :class:`House`, which numbers its facts; a state is an integer::

    house = House(places, things)
    house.go(state, "fridge 1")                  # an action of the planning engine
    solved(house, task, state)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from envhub.envs.worlds.household.catalogue import LAMPS, PLACES, THINGS, kind
from envhub.generators.planning.domains import read_domain
from envhub.generators.planning.space import Action, Space

MIDDLE: Final = "middle"
"""Where the policy starts: at no place."""
TREATMENTS: Final[Mapping[str, str]] = {"clean": "clean", "heat": "hot", "cool": "cold"}
"""What the three appliances make of a thing."""
DOMAIN: Final = read_domain(
    """
(define (domain household)
  (:types place thing)
  (:predicates
    (at ?p - place) (hinged ?p - place) (shut ?p - place)
    (cleans ?p - place) (heats ?p - place) (cools ?p - place)
    (in ?o - thing ?p - place) (held ?o - thing) (hand-free)
    (portable ?o - thing) (cleanable ?o - thing) (heatable ?o - thing) (coolable ?o - thing) (lamp ?o - thing)
    (clean ?o - thing) (hot ?o - thing) (cold ?o - thing) (lit ?o - thing))
  (:action go :parameters (?from ?to - place)
    :precondition (at ?from)
    :effect (and (not (at ?from)) (at ?to)))
  (:action open :parameters (?p - place)
    :precondition (and (at ?p) (hinged ?p) (shut ?p))
    :effect (not (shut ?p)))
  (:action close :parameters (?p - place)
    :precondition (and (at ?p) (hinged ?p) (not (shut ?p)))
    :effect (shut ?p))
  (:action take :parameters (?o - thing ?p - place)
    :precondition (and (at ?p) (in ?o ?p) (portable ?o) (hand-free) (not (shut ?p)))
    :effect (and (not (in ?o ?p)) (not (hand-free)) (held ?o)))
  (:action put :parameters (?o - thing ?p - place)
    :precondition (and (at ?p) (held ?o) (not (shut ?p)))
    :effect (and (not (held ?o)) (in ?o ?p) (hand-free)))
  (:action clean :parameters (?o - thing ?p - place)
    :precondition (and (at ?p) (cleans ?p) (held ?o) (cleanable ?o))
    :effect (clean ?o))
  (:action heat :parameters (?o - thing ?p - place)
    :precondition (and (at ?p) (heats ?p) (held ?o) (heatable ?o))
    :effect (and (not (cold ?o)) (hot ?o)))
  (:action cool :parameters (?o - thing ?p - place)
    :precondition (and (at ?p) (cools ?p) (held ?o) (coolable ?o))
    :effect (and (not (hot ?o)) (cold ?o)))
  (:action use :parameters (?o - thing ?p - place)
    :precondition (and (at ?p) (in ?o ?p) (lamp ?o) (not (shut ?p)))
    :effect (lit ?o)))
"""
)
_ABLE: Final = {"clean": "cleanable", "heat": "heatable", "cool": "coolable"}
_DOES: Final = {"clean": "cleans", "heat": "heats", "cool": "cools"}


class Task(NamedTuple):
    """What is asked for.

    Attributes:
        kind: ``place``, ``clean``, ``heat``, ``cool``, ``two`` or ``examine``.
        thing: The kind of thing.
        place: The kind of place, or the kind of lamp.
    """

    kind: str
    thing: str
    place: str


class Goal(NamedTuple):
    """One way to fulfil a task.

    Attributes:
        facts: The facts that must hold, as a mask.
        things: The things that are carried.
        places: The places that may have to be visited.
        lamp: The lamp to turn on, or nothing.
    """

    facts: int
    things: tuple[str, ...]
    places: tuple[str, ...]
    lamp: str = ""


class House:
    """The places and things of a house, and all actions in it.

    Args:
        places: Names of the places.
        things: Where each thing is at first, by name.
    """

    def __init__(self, places: Sequence[str], things: Mapping[str, str]) -> None:
        self.places, self.things = tuple(places), dict(things)
        self.space = Space(DOMAIN, {**dict.fromkeys((MIDDLE, *places), "place"), **dict.fromkeys(things, "thing")})

    @cached_property
    def start(self) -> int:
        """The first state: everything hinged is shut, and the hand is free."""
        facts = [("at", MIDDLE), ("hand-free",)]
        for place in self.places:
            about = PLACES[kind(place)]
            facts += [("hinged", place), ("shut", place)] if about.hinged else []
            facts += [(_DOES[about.does], place)] if about.does else []
        for thing, place in self.things.items():
            facts.append(("in", thing, place))
            if kind(thing) in LAMPS:
                facts.append(("lamp", thing))
                continue
            facts.append(("portable", thing))
            facts += [(_ABLE[treatment], thing) for treatment in THINGS[kind(thing)].can if treatment in _ABLE]
        return self.space.state(facts)

    def holds(self, state: int, *fact: str) -> bool:
        """Whether a fact holds."""
        return bool(state & self.space.bit(fact))

    def at(self, state: int) -> str:
        """The place where the policy is; :data:`MIDDLE` for none."""
        return next(place for bit, place in self._standing if state & bit)

    def held(self, state: int) -> str | None:
        """The thing that is held."""
        return next((thing for bit, thing in self._holding if state & bit), None)

    def contents(self, state: int, place: str) -> list[str]:
        """The things at a place, whether or not it is shut."""
        return [thing for bit, thing in self._containing[place] if state & bit]

    def where(self, state: int, thing: str) -> str | None:
        """The place of a thing; None if it is held."""
        return next((place for place in self.places if self.holds(state, "in", thing, place)), None)

    def of_kind(self, wanted: str) -> list[str]:
        """The places and things of a kind."""
        return [name for name in (*self.places, *self.things) if kind(name) == wanted]

    def doing(self, treatment: str) -> list[str]:
        """The places that clean, heat or cool."""
        return [place for place in self.places if PLACES[kind(place)].does == treatment]

    def action(self, name: str, *arguments: str) -> Action:
        """An action by its name and arguments."""
        return self.space.action(name, arguments)

    @cached_property
    def _standing(self) -> list[tuple[int, str]]:
        return [(self.space.bit(("at", place)), place) for place in (MIDDLE, *self.places)]

    @cached_property
    def _holding(self) -> list[tuple[int, str]]:
        return [(self.space.bit(("held", thing)), thing) for thing in self.things]

    @cached_property
    def _containing(self) -> dict[str, list[tuple[int, str]]]:
        return {
            place: [(self.space.bit(("in", thing, place)), thing) for thing in self.things] for place in self.places
        }


@lru_cache(maxsize=64)
def goals(house: House, task: Task) -> tuple[Goal, ...]:
    """Every way to fulfil a task, as facts."""
    return tuple(_examining(house, task) if task.kind == "examine" else _bringing(house, task))


def _examining(house: House, task: Task) -> Iterator[Goal]:
    bit = house.space.bit
    for lamp in house.of_kind(task.place):
        place = house.things[lamp]
        for thing in house.of_kind(task.thing):
            facts = bit(("held", thing)) | bit(("lit", lamp)) | bit(("at", place))
            yield Goal(facts, (thing,), (place,), lamp)


def _bringing(house: House, task: Task) -> Iterator[Goal]:
    bit, things = house.space.bit, house.of_kind(task.thing)
    for place in house.of_kind(task.place):
        for carried in combinations(things, 2 if task.kind == "two" else 1):
            facts = house.space.state(("in", thing, place) for thing in carried)
            if task.kind not in TREATMENTS:
                yield Goal(facts, carried, (place,))
                continue
            for appliance in house.doing(task.kind):
                yield Goal(facts | bit((TREATMENTS[task.kind], carried[0])), carried, (place, appliance))


def solved(house: House, task: Task, state: int) -> bool:
    """Whether a state fulfils a task."""
    return any(state & goal.facts == goal.facts for goal in goals(house, task))
