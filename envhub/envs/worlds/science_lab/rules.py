"""The rules of a laboratory: facts, actions, and what counts as proved.

A laboratory is drawn once and then a :class:`Lab`, which numbers its facts; a state is an integer::

    lab = Lab(content)
    lab.action("go", "kitchen", "hallway").after(lab.start)
    lab.proved(state)                       # whether the experiments prove the answer
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Final

from envhub.core.types import JSON
from envhub.envs.worlds.science_lab.catalogue import DEGREES, EXPERIMENTS, HINGED, REFERENCE_CONDUCTOR, STAGES, kind
from envhub.generators.planning.domains import Atom, read_domain
from envhub.generators.planning.space import Action, Space

DOMAIN: Final = read_domain(
    """
(define (domain laboratory)
  (:types room container item subject level)
  (:predicates
    (at ?r - room) (visited ?r - room) (door ?a ?b - room) (ajar ?a ?b - room) (bench ?r - room) (sink ?r - room)
    (stands ?c - container ?r - room) (shut ?c - container) (in ?i - item ?c - container) (carried ?i - item)
    (next ?a ?b - level) (instrument ?i - item)
    (specimen ?i - item) (hot) (plate-free) (on-plate ?i - item) (temperature ?i - item ?l - level)
    (melts ?i - item ?l - level) (melted ?i - item) (measured ?i - item)
    (bulb ?i - item) (works ?i - item) (socket-free) (in-socket ?i - item)
    (conductor ?i - item) (clips-free) (in-clips ?i - item) (tested ?i - item) (checked ?i - item)
    (seeds ?i - item) (can ?i - item) (filled ?i - item)
    (sown ?s - subject) (stage ?s - subject ?l - level) (limit ?s - subject ?l - level) (grown ?s - subject)
    (block ?i - item) (timed ?s - subject ?i - item)
    (clean-brush) (pollen ?s - subject) (proves ?s ?t - subject) (crossed ?s - subject))
  (:action open-door :parameters (?a ?b - room)
    :precondition (and (at ?a) (door ?a ?b) (not (ajar ?a ?b)))
    :effect (and (ajar ?a ?b) (ajar ?b ?a)))
  (:action go :parameters (?a ?b - room)
    :precondition (and (at ?a) (ajar ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (visited ?b)))
  (:action open :parameters (?c - container ?r - room)
    :precondition (and (at ?r) (stands ?c ?r) (shut ?c))
    :effect (not (shut ?c)))
  (:action take :parameters (?i - item ?c - container ?r - room)
    :precondition (and (at ?r) (stands ?c ?r) (in ?i ?c) (not (shut ?c)))
    :effect (and (not (in ?i ?c)) (carried ?i)))

  (:action heat-up :parameters (?r - room)
    :precondition (and (at ?r) (bench ?r) (not (hot)))
    :effect (hot))
  (:action place :parameters (?i - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (specimen ?i) (carried ?i) (plate-free))
    :effect (and (not (carried ?i)) (not (plate-free)) (on-plate ?i)))
  (:action lift :parameters (?i - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (on-plate ?i))
    :effect (and (not (on-plate ?i)) (carried ?i) (plate-free)))
  (:action warm :parameters (?i - item ?r - room ?l ?m - level)
    :precondition (and (at ?r) (bench ?r) (hot) (on-plate ?i) (temperature ?i ?l) (next ?l ?m) (not (melts ?i ?m)))
    :effect (and (not (temperature ?i ?l)) (temperature ?i ?m)))
  (:action melt :parameters (?i - item ?r - room ?l ?m - level)
    :precondition (and (at ?r) (bench ?r) (hot) (on-plate ?i) (temperature ?i ?l) (next ?l ?m) (melts ?i ?m))
    :effect (and (not (temperature ?i ?l)) (temperature ?i ?m) (melted ?i)))
  (:action measure :parameters (?i ?t - item)
    :precondition (and (instrument ?t) (carried ?t) (specimen ?i) (carried ?i))
    :effect (measured ?i))
  (:action measure-hot :parameters (?i ?t - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (instrument ?t) (carried ?t) (on-plate ?i))
    :effect (measured ?i))

  (:action fit :parameters (?i - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (bulb ?i) (carried ?i) (socket-free))
    :effect (and (not (carried ?i)) (not (socket-free)) (in-socket ?i)))
  (:action unfit :parameters (?i - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (in-socket ?i))
    :effect (and (not (in-socket ?i)) (socket-free) (carried ?i)))
  (:action clip :parameters (?i - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (conductor ?i) (carried ?i) (clips-free))
    :effect (and (not (carried ?i)) (not (clips-free)) (in-clips ?i)))
  (:action unclip :parameters (?i - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (in-clips ?i))
    :effect (and (not (in-clips ?i)) (clips-free) (carried ?i)))
  (:action check :parameters (?b ?i - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (in-socket ?b) (in-clips ?i) (instrument ?i))
    :effect (checked ?b))
  (:action test :parameters (?i ?b - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (in-socket ?b) (in-clips ?i) (works ?b))
    :effect (tested ?i))

  (:action fill :parameters (?i - item ?r - room)
    :precondition (and (at ?r) (sink ?r) (can ?i) (carried ?i) (not (filled ?i)))
    :effect (filled ?i))
  (:action sow :parameters (?s - subject ?i - item ?r - room ?l - level)
    :precondition (and (at ?r) (bench ?r) (seeds ?i) (carried ?i) (not (sown ?s)))
    :effect (and (sown ?s) (stage ?s ?l)))
  (:action grow :parameters (?s - subject ?i - item ?r - room ?l ?m - level)
    :precondition (and (at ?r) (bench ?r) (can ?i) (carried ?i) (filled ?i) (stage ?s ?l) (next ?l ?m)
                       (not (limit ?s ?l)))
    :effect (and (not (stage ?s ?l)) (stage ?s ?m)))
  (:action stall :parameters (?s - subject ?i - item ?r - room ?l - level)
    :precondition (and (at ?r) (bench ?r) (can ?i) (carried ?i) (filled ?i) (stage ?s ?l) (limit ?s ?l))
    :effect (grown ?s))

  (:action slide :parameters (?s - subject ?i ?t - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (block ?i) (carried ?i) (instrument ?t) (carried ?t))
    :effect (timed ?s ?i))

  (:action dip :parameters (?s - subject ?t - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (instrument ?t) (carried ?t) (clean-brush))
    :effect (and (not (clean-brush)) (pollen ?s)))
  (:action pollinate :parameters (?s ?p - subject ?t - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (instrument ?t) (carried ?t) (pollen ?p) (not (proves ?p ?s)) (not (proves ?s ?p)))
    :effect (and (not (pollen ?p)) (clean-brush)))
  (:action prove :parameters (?s ?p - subject ?t - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (instrument ?t) (carried ?t) (pollen ?p) (proves ?p ?s))
    :effect (and (not (pollen ?p)) (clean-brush) (crossed ?s)))
  (:action prove-back :parameters (?s ?p - subject ?t - item ?r - room)
    :precondition (and (at ?r) (bench ?r) (instrument ?t) (carried ?t) (pollen ?p) (proves ?s ?p))
    :effect (and (not (pollen ?p)) (clean-brush) (crossed ?p))))
"""
)


class Lab:
    """A laboratory with its hidden properties, and all actions in it.

    Args:
        content: What was drawn (:mod:`envhub.envs.worlds.science_lab.drawing`).
    """

    def __init__(self, content: JSON) -> None:
        self.content = content
        self.kind: str = content["kind"]
        self.experiment = EXPERIMENTS[self.kind]
        self.rooms: dict[str, str] = content["rooms"]
        self.furniture: dict[str, str] = content["furniture"]
        self.things: dict[str, str] = content["things"]
        self.subjects: list[str] = content["subjects"]
        self.hidden: dict[str, JSON] = content["hidden"]
        self.standing = [] if self.experiment.carried else [*self.subjects, *self.hidden.get("pure", {})]
        levels = {"matter": DEGREES, "growth": STAGES}.get(self.kind, ())
        objects = dict.fromkeys(self.rooms, "room") | dict.fromkeys(self.furniture, "container")
        objects |= dict.fromkeys(self.things, "item") | dict.fromkeys(self.standing, "subject")
        self.space = Space(DOMAIN, objects | dict.fromkeys(levels, "level"))
        self._bits: dict[Atom, int] = {}
        self._actions: dict[tuple[str, ...], Action] = {}

    @cached_property
    def start(self) -> int:
        """The first state: all doors and hinged furniture are closed."""
        facts: list[Atom] = [("at", self.content["start"]), ("visited", self.content["start"])]
        facts += [("bench", self.content["bench"]), ("sink", self.content["sink"])]
        for room, above in self.rooms.items():
            facts += [("door", room, above), ("door", above, room)] if above else []
        for name, room in self.furniture.items():
            facts += [("stands", name, room), *([("shut", name)] if kind(name) in HINGED else [])]
        facts += [("in", thing, spot) for thing, spot in self.things.items()]
        return self.space.state([*facts, *_OF_KIND[self.kind](self)])

    def holds(self, state: int, *fact: str) -> bool:
        """Whether a fact holds."""
        bit = self._bits.get(fact)
        if bit is None:
            bit = self._bits[fact] = self.space.bit(fact)
        return bool(state & bit)

    def at(self, state: int) -> str:
        """The room of the policy."""
        return next(room for room in self.rooms if self.holds(state, "at", room))

    def carried(self, state: int) -> list[str]:
        """The things that the policy carries."""
        return [thing for thing in self.things if self.holds(state, "carried", thing)]

    def contents(self, state: int, spot: str) -> list[str]:
        """The things in or on furniture, even if it is closed."""
        return [thing for thing in self.things if self.holds(state, "in", thing, spot)]

    def one(self, state: int, predicate: str) -> str | None:
        """The thing or subject of which a fact of one argument holds."""
        names = self.standing if predicate == "pollen" else self.things
        return next((name for name in names if self.holds(state, predicate, name)), None)

    def level(self, state: int, predicate: str, name: str) -> str | None:
        """The temperature of a sample, or the stage of a pot."""
        return next(
            (level for level in self.space.named("level") if self.holds(state, predicate, name, level)),
            None,
        )

    def neighbours(self, room: str) -> list[str]:
        """The rooms behind the doors of a room."""
        return [other for other in self.rooms if self.rooms[other] == room or self.rooms[room] == other]

    def action(self, name: str, *arguments: str) -> Action:
        """An action by its name and arguments."""
        found = self._actions.get((name, *arguments))
        if found is None:
            found = self._actions[(name, *arguments)] = self.space.action(name, arguments)
        return found

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The values of the subjects, in their order."""
        values = self.hidden["values"]
        return tuple(str(values[subject]) for subject in self.subjects)

    @cached_property
    def proofs(self) -> tuple[tuple[int, ...], ...]:
        """Ways to prove the answer: facts that must hold, by subject."""
        bit = self.space.bit
        if self.kind == "planes":
            blocks = [thing for thing in self.things if kind(thing) == self.experiment.spares]
            return tuple(tuple(bit(("timed", plane, block)) for plane in self.subjects) for block in blocks)
        facts = {
            "matter": ("melted", "measured"),
            "circuits": ("tested",),
            "growth": ("grown",),
            "genetics": ("crossed",),
        }
        return (tuple(self.space.state((fact, name) for fact in facts[self.kind]) for name in self.subjects),)

    def proved(self, state: int) -> bool:
        """Whether the experiments prove the answer."""
        return any(all(state & fact == fact for fact in proof) for proof in self.proofs)


def _matter(lab: Lab) -> Iterator[Atom]:
    yield from (("next", low, high) for low, high in pairwise(DEGREES))
    yield from (("plate-free",), ("instrument", "thermometer"))
    for sample in lab.subjects:
        yield ("specimen", sample)
        yield ("temperature", sample, lab.hidden["at_first"][sample])
        yield ("melts", sample, lab.hidden["values"][sample])


def _circuits(lab: Lab) -> Iterator[Atom]:
    yield from (("socket-free",), ("clips-free",), ("instrument", REFERENCE_CONDUCTOR))
    yield from (("conductor", thing) for thing in (REFERENCE_CONDUCTOR, *lab.subjects))
    yield from (("bulb", thing) for thing in lab.things if kind(thing) == "bulb")
    yield from (("works", thing) for thing in lab.hidden["working"])


def _growth(lab: Lab) -> Iterator[Atom]:
    yield from (("next", low, high) for low, high in pairwise(STAGES))
    yield from (("seeds", "seeds"), ("can", "watering can"))
    yield from (("limit", pot, lab.hidden["values"][pot]) for pot in lab.subjects)


def _planes(lab: Lab) -> Iterator[Atom]:
    yield ("instrument", "stopwatch")
    yield from (("block", thing) for thing in lab.things if kind(thing) == "block")


def _genetics(lab: Lab) -> Iterator[Atom]:
    yield from (("instrument", "brush"), ("clean-brush",))
    looks = lab.hidden["looks"]
    for pure in lab.hidden["pure"]:
        yield from (("proves", pure, plant) for plant in lab.subjects if looks[plant] != looks[pure])


_OF_KIND: Final = {
    "matter": _matter,
    "circuits": _circuits,
    "growth": _growth,
    "planes": _planes,
    "genetics": _genetics,
}
