"""The shortest way to fulfil a task, knowing the whole house.

Each way to fulfil it (which thing, which place, which appliance) is planned by itself, with only the actions that can help:
other things need not be touched, except to free the hand, other places need not be visited, and nothing need be closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from envhub.envs.worlds.household.catalogue import PLACES, kind
from envhub.envs.worlds.household.rules import TREATMENTS, Goal, House, Task, goals
from envhub.generators.planning.estimate import Estimate
from envhub.generators.planning.search import shortest
from envhub.generators.planning.space import Action

_KEPT: Final = 256


@lru_cache(maxsize=_KEPT)
def shortest_plan(house: House, task: Task, state: int) -> tuple[Action, ...]:
    """A shortest plan for a task, the first of several.

    Raises:
        ValueError: The task cannot be fulfilled.
    """
    best: tuple[Action, ...] | None = None
    for goal in _distinct(house, task, state):
        actions = tuple(_helpful(house, task, goal, state))
        estimate = Estimate(house.space, state, goal.facts, actions)
        most = None if best is None else len(best) - 1
        found = shortest(state, goal.facts, actions, estimate, most)
        best = best if found is None else found
    if best is None:
        raise ValueError(f"{task} cannot be fulfilled")
    return best


def _distinct(house: House, task: Task, state: int) -> Iterator[Goal]:
    """The ways to fulfil a task, up to renaming."""
    here, seen = house.at(state), set()
    for goal in goals(house, task):
        spots = [house.where(state, thing) for thing in goal.things]
        marks = tuple(
            (spot, *(house.holds(state, fact, thing) for fact in TREATMENTS.values()))
            for spot, thing in zip(spots, goal.things, strict=True)
        )
        ends = tuple(
            place if place == here or place in spots else (kind(place), house.holds(state, "shut", place))
            for place in goal.places
        )
        if (marks, ends) not in seen:
            seen.add((marks, ends))
            yield goal


def _helpful(house: House, task: Task, goal: Goal, state: int) -> Iterator[Action]:
    """The actions that a shortest plan for a goal may need."""
    here, held = house.at(state), house.held(state)
    things = list(dict.fromkeys([*goal.things, *([held] if held else [])]))
    spots = [place for thing in goal.things if (place := house.where(state, thing)) is not None]
    places = list(dict.fromkeys([*spots, *goal.places]))
    for place in places:
        for start in dict.fromkeys([here, *places]):
            if start != place:
                yield house.action("go", start, place)
    for place in dict.fromkeys([*places, *([here] if here in house.places else [])]):
        if PLACES[kind(place)].hinged:
            yield house.action("open", place)
        for thing in things:
            yield house.action("take", thing, place)
            yield house.action("put", thing, place)
        if PLACES[kind(place)].does == task.kind:
            yield house.action(task.kind, goal.things[0], place)
        if goal.lamp and house.holds(state, "in", goal.lamp, place):
            yield house.action("use", goal.lamp, place)
