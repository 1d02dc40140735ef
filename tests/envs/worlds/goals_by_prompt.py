"""A second recogniser of goals: breadth-first over sets of facts, from the text of the prompt alone.

It has no estimate and no bits: one search among all states finds how far each goal is, a second one those states that agree
with the observed actions. Both end when every goal has been met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from tests.envs.worlds.plans_by_prompt import Fact, Scene, literals, typed

FACT = re.compile(r"\([a-z][a-z0-9 -]*\)")
Ground = tuple[Fact, set[Fact], set[Fact], set[Fact], set[Fact]]


def fact(text: str) -> Fact:
    return tuple(text.strip("()").split())


def observed(prompt: str) -> list[Fact]:
    """The observed actions of a prompt that shows PDDL."""
    return list(map(fact, prompt.split("The given actions, in order:\n")[1].split("\n\n")[0].split("\n")))


def candidates(prompt: str) -> list[set[Fact]]:
    """The candidate goals, in order."""
    lines = prompt.split("The candidate goals:\n")[1].split("\n\n")[0].split("\n")
    assert [line.partition(".")[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
    return [set(map(fact, FACT.findall(line.partition("(and ")[2][:-1]))) for line in lines]


def grounded(scene: Scene) -> list[Ground]:
    found = []
    for name, action in scene.actions.items():
        parameters = typed(action[":parameters"])
        fitting = [[each for each in scene.objects if scene.is_a(each, kind)] for kind in parameters.values()]
        for objects in product(*fitting):
            bound = dict(zip(parameters, objects, strict=True))
            needs, bars, adds, deletes = (
                {tuple(bound.get(word, word) for word in each) for each in part}
                for section in (":precondition", ":effect")
                for part in literals(action[section])
            )
            found.append(((name, *objects), needs, bars, adds, deletes))
    return found


def layers(scene: Scene, watched: list[Fact], gaps: bool) -> Iterator[list[tuple[frozenset[Fact], int]]]:
    """States with the number of matched observations, by the number of actions. Without ``watched``, all states."""
    actions = grounded(scene)
    layer = {(frozenset(scene.facts), 0)}
    known = set(layer)
    while layer:
        yield list(layer)
        after = set()
        for state, matched in layer:
            for step, needs, bars, adds, deletes in actions:
                if needs <= state and not bars & state:
                    new = frozenset(state - deletes | adds)
                    if matched < len(watched) and step == watched[matched]:
                        after.add((new, matched + 1))
                    if gaps or matched == len(watched):
                        after.add((new, matched))
        layer = after - known
        known |= layer


def first_met(scene: Scene, goals: list[set[Fact]], watched: list[Fact], gaps: bool, most: int) -> list[int | None]:
    """By goal, the fewest actions of a plan that agrees with the observations; None if it has more than ``most``."""
    found: list[int | None] = [None] * len(goals)
    for steps, layer in enumerate(layers(scene, watched, gaps)):
        if steps > most or None not in found:
            break
        for number, goal in enumerate(goals):
            if found[number] is None and any(matched == len(watched) and goal <= state for state, matched in layer):
                found[number] = steps
    return found


def possible(prompt: str, gaps: bool, watched: list[Fact] | None = None, most: int = 20) -> list[int]:
    """The numbers of the possible candidates; goals further away than ``most`` count as not possible."""
    scene, goals = Scene.read(prompt), candidates(prompt)
    watched = observed(prompt) if watched is None else watched
    free = first_met(scene, goals, [], True, most)
    bound = first_met(scene, goals, watched, gaps, max(each for each in free if each is not None))
    return [
        number
        for number, pair in enumerate(zip(free, bound, strict=True), 1)
        if pair[0] is not None and pair[0] == pair[1]
    ]
