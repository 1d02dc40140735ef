"""Planning tasks: drawn with a proved shortest length, and carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.worlds.planning.domains import DOMAINS, DRAWS
from envhub.generators.planning.domains import Atom, Problem, write_atom
from envhub.generators.planning.estimate import Estimate
from envhub.generators.planning.search import SearchLimit, shortest
from envhub.generators.planning.space import Action, Space

_MOST_STATES: Final = 2_500


class Scene(NamedTuple):
    """A task as masks.

    Attributes:
        space: All facts and actions.
        start: The first state.
        goal: Facts that must hold in the end.
        actions: The actions that may become possible.
    """

    space: Space
    start: int
    goal: int
    actions: tuple[Action, ...]


def draw(rng: Stream, domain: str, size: int) -> dict[str, JSON]:
    """A random task of a domain as JSON, of any length."""
    name = rng.choice(list(DRAWS)) if domain == "any" else domain
    drawn = DRAWS[name](rng, size)
    start = [list(atom) for atom in drawn.start]
    return {"domain": name, "objects": dict(drawn.objects), "start": start, "goal": [list(atom) for atom in drawn.goal]}


def canonical(content: JSON) -> JSON:
    """A task whatever the order of its facts."""
    return [content["domain"], sorted(content["start"]), sorted(content["goal"])]


def solution(content: JSON, least: int, most: int) -> tuple[Action, ...] | None:
    """A shortest plan, if it has the requested length.

    None otherwise, or if it was not found within the budget of states.
    """
    scene = scene_of(content)
    estimate = Estimate(scene.space, scene.start, scene.goal, scene.actions)
    try:
        plan = shortest(scene.start, scene.goal, scene.actions, estimate, most, _MOST_STATES)
    except SearchLimit:
        return None
    return plan if plan is not None and len(plan) >= least else None


def problem_of(content: JSON) -> Problem:
    """A task as the planner's problem."""
    start, goal = (tuple(map(tuple, content[part])) for part in ("start", "goal"))
    return Problem(content["objects"], start, goal)


def scene_of(content: JSON) -> Scene:
    """A task as masks, made once for a few tasks."""
    problem = problem_of(content)
    return _scene(content["domain"], tuple(problem.objects.items()), problem.start, problem.goal)


@lru_cache(maxsize=32)
def _scene(domain: str, objects: tuple[tuple[str, str], ...], start: Sequence[Atom], goal: Sequence[Atom]) -> Scene:
    space = Space(DOMAINS[domain], dict(objects))
    state = space.state(start)
    return Scene(space, state, space.state(goal), space.actions(state))


@lru_cache(maxsize=32)
def _actions(scene: Scene) -> Mapping[tuple[str, ...], Action]:
    return {(action.name, *action.arguments): action for action in scene.actions}


def carried_out(content: JSON, state: int, step: Sequence[str]) -> int | str:
    """The state after a step, or why it is not possible."""
    scene, domain = scene_of(content), DOMAINS[content["domain"]]
    action = _actions(scene).get(tuple(step))
    if action is not None and action.possible(state):
        return action.after(state)
    name, *arguments = step
    if name not in domain.schemas:
        return f"there is no action {name}; there are {', '.join(domain.schemas)}"
    kind = domain.schemas[name]
    if len(arguments) != len(kind.parameters):
        return f"{name} takes {len(kind.parameters)} objects, got {len(arguments)}"
    for argument, (_, type) in zip(arguments, kind.parameters, strict=True):
        if argument not in scene.space.named(type):
            return f"{argument} is not an object of the type {type}"
    whole = scene.space.action(name, arguments)
    missing = scene.space.facts(whole.needs & ~state)
    if missing:
        return f"{write_atom(missing[0])} does not hold"
    return f"{write_atom(scene.space.facts(whole.bars & state)[0])} holds"


def fault(content: JSON, plan: Sequence[Sequence[str]]) -> str:
    """Why a plan does not reach the goal; empty if it does."""
    scene = scene_of(content)
    state = scene.start
    for number, step in enumerate(plan, 1):
        after = carried_out(content, state, step)
        if isinstance(after, str):
            return f"Action {number}, {write_atom(tuple(step))}, is not possible: {after}."
        state = after
    if state & scene.goal == scene.goal:
        return ""
    return f"The plan is possible, but {write_atom(scene.space.facts(scene.goal & ~state)[0])} does not hold after it."


def possible(content: JSON, state: int) -> list[Action]:
    """Every possible action, in the order of the domain."""
    return [action for action in scene_of(content).actions if action.possible(state)]


def write_step(action: Action) -> str:
    """``(stack b1 b2)``."""
    return write_atom((action.name, *action.arguments))


def describe(content: JSON, state: int) -> str:
    """A sentence with the facts that hold.

    Facts that no action can change are left out, and it says so.
    """
    scene = scene_of(content)
    changing = 0
    for action in scene.actions:
        changing |= action.adds | action.deletes
    without = ", without those that no action can change" if state & ~changing else ""
    return f"Facts that hold now{without}: {', '.join(map(write_atom, scene.space.facts(state & changing)))}."
