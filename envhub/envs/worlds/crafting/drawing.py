"""Drawing a task: a technology, goals, a map, and a plan.

The plan is carried out, which proves that the goals can be reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.worlds.crafting import terrain, trees
from envhub.envs.worlds.crafting.planner import STYLES, Style, next_action, whole
from envhub.envs.worlds.crafting.rules import EVENTS, World
from envhub.envs.worlds.crafting.technology import Technology, demand, least_work

KINDS: Final = ("obtain", "kit", "achievements")
_SPARE: Final = 3
"""Cells of an ore beyond those that the goals take."""
_FAMILIAR_GOALS: Final = (
    ("stone pickaxe",),
    ("stone pickaxe", "furnace"),
    ("iron", "furnace", "torch"),
    ("iron pickaxe", "iron sword", "diamond"),
)


class Bound(NamedTuple):
    """What is proved about a task.

    Attributes:
        work: The least number of gather, make and place actions, with one for each other event.
        steps: A lower bound of the steps of any solution.
    """

    work: int
    steps: int


def draw(rng: Stream, kind: str, p: Any) -> JSON | None:
    """A world with goals of a kind.

    None if the map has too little for them.

    Whether the goals can be reached is not known yet.
    """
    if p.theme == "familiar":
        technology = trees.familiar()
    else:
        technology = trees.rewired(rng, p.tools, p.stations, p.parts, p.alternatives, p.theme == "invented")
    made = Technology(technology)
    goals = _goals(rng, kind, made, p)
    rock, counts, soft = _amounts(made, goals)
    found = terrain.draw_map(rng, p.width, p.height, rock, counts, soft)
    if found is None:
        return None
    cells, start = found
    needs = [rng.between(4, 6) for _ in range(p.needs)]
    return {
        "technology": technology,
        "width": p.width,
        "height": p.height,
        "cells": cells,
        "start": start,
        "creatures": terrain.creatures(rng, cells, start, p.width, p.prowlers, p.lurkers),
        "day": p.day,
        "night": p.night,
        "needs": needs,
        "goals": goals,
    }


class Plan(NamedTuple):
    """A plan that reached the goals: its steps and its style."""

    steps: int
    style: Style


def plan(world: World, most: int) -> Plan | None:
    """The shortest of the planner's plans; None above ``most`` steps."""
    found: Plan | None = None
    for style in STYLES:
        state = world.begin()
        while state.health > 0 and state.step < most:
            state = world.after(state, next_action(whole(world, state), style)).state
            if all(world.met(state)) and state.health > 0:
                most, found = state.step - 1, Plan(state.step, style)
                break
    return found


def bound(world: World) -> Bound | None:
    """The proved bounds; None if the goals cannot be reached.

    The least work is exact for the technology. Any solution also walks to the nearest cell of each source that it cannot do
    without, and every other event takes an action.
    """
    goals = [(name, count) for _, name, count in world.goals if name]
    events = sum(not name for _, name, _ in world.goals)
    schedule = least_work(world.technology, goals)
    if schedule is None:
        return None
    walk, content = 0, world.content
    row, column = divmod(content["start"], world.width)
    for number, source in enumerate(world.technology.sources):
        if least_work(world.technology, goals, banned=frozenset({source.item})) is None:
            places = [
                divmod(cell, world.width)
                for cell, sign in enumerate(content["cells"])
                if sign == terrain.SOURCES[number]
            ]
            walk = max(walk, min((abs(row - y) + abs(column - x) - 1 for y, x in places), default=0))
    work = schedule.work + events
    return Bound(work, work + walk)


def _goals(rng: Stream, kind: str, technology: Technology, p: Any) -> list[list[Any]]:
    """Goals of the deepest tier that the level opens."""
    tier = p.tools
    if p.theme == "familiar":
        deep = list(_FAMILIAR_GOALS[tier - 1])
    else:
        deep = [technology.sources[-1].item, technology.tools[-1], list(technology.weapons)[1]]
        deep += [recipe.item for recipe in technology.recipes if recipe.item not in technology.durables][-2:]
    holds = [name for name in dict.fromkeys(deep) if name not in technology.stations]
    first = rng.choice(holds)
    if kind == "obtain":
        return [["hold", first, 1 if first in technology.durables else rng.between(p.amount, p.amount + 1)]]
    if kind == "kit":
        others = [name for name in technology.items if _depth(technology, name) and name not in technology.stations]
        others = [name for name in others if name != first and _within(technology, name, tier)]
        chosen = [first, *rng.sample(others, min(p.goals - 1, len(others)))]
        return [["hold", name, 1 if name in technology.durables else rng.between(1, p.amount)] for name in chosen]
    durables = [name for name in (*technology.tools, *technology.weapons) if _within(technology, name, tier)]
    every: list[list[Any]] = [["make", name, 1] for name in durables]
    every += [["place", name, 1] for name in technology.stations]
    made = [goal for goal in every if _within(technology, goal[1], tier)]
    last = max(made, key=lambda goal: _work(technology, goal[1]))
    events = [[event, "", 1] for event in EVENTS[: p.needs]] + ([["defeat", "", 1]] if p.prowlers else [])
    rest = [goal for goal in made if goal is not last]
    most = max(0, p.goals - 1)
    several = rng.sample(events, min(len(events), most // 2))
    several += rng.sample(rest, min(len(rest), most - len(several)))
    return [last, *several]


def _work(technology: Technology, name: str) -> int:
    found = least_work(technology, [(name, 1)])
    return found.work if found is not None else 0


def _depth(technology: Technology, name: str) -> bool:
    """Whether an item takes more than one action."""
    return _work(technology, name) > 1


def _within(technology: Technology, name: str, tier: int) -> bool:
    """Whether an item can be had with the first tools alone."""
    found = least_work(technology, [(name, 1)])
    return found is not None and not set(found.durables) & set(technology.tools[tier:])


def _amounts(technology: Technology, goals: list[list[Any]]) -> tuple[int, list[int], int]:
    """How many cells of rock, ores and the soft source are needed."""
    wanted = [(name, count) for _, name, count in goals if name]
    schedule = least_work(technology, wanted)
    raw: Mapping[str, int] = {}
    if schedule is not None:
        raw = demand(technology, schedule, wanted, frozenset(), {}).raw
    rock, *counts = (raw.get(source.item, 0) + _SPARE for source in technology.sources[1:])
    soft = not technology.sources[2].tool
    return (2 * rock, counts[1:], 2 * counts[0]) if soft else (2 * rock, counts, 0)
