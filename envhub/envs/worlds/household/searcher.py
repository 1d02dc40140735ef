"""A scripted policy that searches the places in turn.

It acts in the manner of the ALFWorld paper's heuristics: it looks for the thing, carries it, and does with it what the
task says. It knows the names of the places and what has been shown, and nothing else. It never plans ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.household.catalogue import LAMPS, THINGS, kind
from envhub.envs.worlds.household.rules import TREATMENTS, House, Task


class View(NamedTuple):
    """What a policy knows.

    Attributes:
        house: The house; only its places may be read.
        state: The facts; only those about seen places and the held thing may be read.
        seen: The places whose contents have been shown.
    """

    house: House
    state: int
    seen: frozenset[str]

    def found(self, wanted: str) -> dict[str, str]:
        """The things of a kind that have been seen, with their places."""
        return {
            thing: place
            for place in self.house.places
            if place in self.seen
            for thing in self.house.contents(self.state, place)
            if kind(thing) == wanted
        }


def in_turn(house: House, task: Task) -> Sequence[str]:
    """The places in the order of the list."""
    return house.places


def likely_first(house: House, task: Task) -> Sequence[str]:
    """The usual places of the thing first, then those of the lamp."""
    usual = [*THINGS[task.thing].usual, *LAMPS.get(task.place, ())]
    return sorted(house.places, key=lambda place: usual.index(kind(place)) if kind(place) in usual else len(usual))


def next_command(view: View, task: Task, order: Sequence[str]) -> Command:
    """The next command of the script.

    Args:
        view: What is known.
        task: What is asked for.
        order: The order in which places are searched.
    """
    house, state = view.house, view.state
    held = house.held(state)
    if held is not None:
        return _carry(view, task, order, held)
    target = _target(view, task)
    for thing, place in view.found(task.thing).items():
        treated = task.kind not in TREATMENTS or house.holds(state, TREATMENTS[task.kind], thing)
        if kind(place) != task.place or not treated or (task.kind == "two" and place != target):
            return _reach(view, place) or Command("take", (thing, place))
    return _explore(view, order)


def _carry(view: View, task: Task, order: Sequence[str], held: str) -> Command:
    """What to do with the thing in the hand."""
    house, state = view.house, view.state
    here = house.at(state)
    if kind(held) != task.thing:
        return _reach(view, here if here in house.places else order[0]) or Command("put", (held, here))
    if task.kind == "examine":
        for lamp, place in view.found(task.place).items():
            return _reach(view, place) or Command("use", (lamp,))
        return _explore(view, order)
    if task.kind in TREATMENTS and not house.holds(state, TREATMENTS[task.kind], held):
        appliance = house.doing(task.kind)[0]
        return Command("go", (appliance,)) if here != appliance else Command(task.kind, (held, appliance))
    target = _target(view, task)
    return _reach(view, target) or Command("put", (held, target))


def _target(view: View, task: Task) -> str:
    """The place to carry things to.

    Where one has been put already, or the first of its kind.
    """
    if task.kind == "examine":
        return ""
    found = [place for place in view.found(task.thing).values() if kind(place) == task.place]
    return found[0] if found else view.house.of_kind(task.place)[0]


def _reach(view: View, place: str) -> Command | None:
    """The command that leads to a place or opens it.

    None at an open place.
    """
    if view.house.at(view.state) != place:
        return Command("go", (place,))
    return Command("open", (place,)) if view.house.holds(view.state, "shut", place) else None


def _explore(view: View, order: Sequence[str]) -> Command:
    """Look into the next place."""
    here = view.house.at(view.state)
    if here in view.house.places and here not in view.seen:
        return Command("open", (here,))
    return next((Command("go", (place,)) for place in order if place not in view.seen), Command("look"))
