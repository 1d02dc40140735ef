"""Candidate goals, and which of them the observed actions allow.

An agent follows a shortest plan. A goal is *possible* if some shortest plan for it begins with the observed actions, or, if
others may have been missed, contains them in their order. Both are decided by search::

    watch = Watch(scene, actions, gaps=False)
    watch.possible(goal)                 # True, False, or None if the budget of states does not suffice

In a search with gaps, the number of observations matched so far is part of the state, as bits beyond those of the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.worlds.planning.tasks import Scene
from envhub.generators.planning.domains import Atom, Problem
from envhub.generators.planning.estimate import NEVER, Estimate
from envhub.generators.planning.search import SearchLimit, shortest
from envhub.generators.planning.space import Action

MOST_STATES: Final = 800
Goal = tuple[Atom, ...]


class Watch:
    """Observed actions of an agent in a scene.

    Args:
        scene: The problem; its goal does not matter.
        given: The observed actions, in order.
        gaps: Whether other actions may lie before and between them.
        most: Length of the longest plans that are looked for.

    Attributes:
        gaps: The same.
    """

    def __init__(self, scene: Scene, given: Sequence[Action], gaps: bool, most: int = 99) -> None:
        self.gaps, self._most = gaps, most
        self._scene, self._given = scene, tuple(given)
        self._lengths: dict[int, tuple[Estimate, int | None]] = {}

    def possible(self, goal: Goal, without: int | None = None) -> bool | None:
        """Whether a shortest plan for a goal agrees with the observations.

        Args:
            goal: The facts of the goal.
            without: The position of an observation that is left out; without gaps, all later ones are left out as well.

        Returns:
            None if no plan for the goal is short enough, or the search was given up.
        """
        scene, mask, given = self._scene, self._scene.space.state(goal), self._given
        if without is not None:
            given = given[:without] + (given[without + 1 :] if self.gaps else ())
        try:
            estimate, length = self._shortest(mask)
            if length is None:
                return None
            fits = _contained if self.gaps else _continued
            return fits(scene, mask, given, estimate, length)
        except SearchLimit:
            return None

    def _shortest(self, goal: int) -> tuple[Estimate, int | None]:
        """The estimate for a goal, and the length of its shortest plan."""
        if goal not in self._lengths:
            scene = self._scene
            estimate = Estimate(scene.space, scene.start, goal, scene.actions)
            plan = shortest(scene.start, goal, scene.actions, estimate, self._most, MOST_STATES)
            self._lengths[goal] = estimate, None if plan is None else len(plan)
        return self._lengths[goal]


def _continued(scene: Scene, goal: int, given: Sequence[Action], estimate: Estimate, length: int) -> bool:
    """Whether the actions begin a plan of this length."""
    if len(given) > length:
        return False
    state = scene.start
    for action in given:
        state = action.after(state)
    left = length - len(given)
    rest = shortest(state, goal, scene.actions, estimate, left, MOST_STATES)
    return rest is not None and len(rest) == left


def _contained(scene: Scene, goal: int, given: Sequence[Action], estimate: Estimate, length: int) -> bool:
    """Whether a plan of this length contains the actions in order."""
    first = scene.space.size
    marks = [1 << first + number for number in range(len(given) + 1)]
    matching = [
        action._replace(
            needs=action.needs | marks[number],
            adds=action.adds | marks[number + 1],
            deletes=action.deletes | marks[number],
        )
        for number, action in enumerate(given)
    ]
    least = {mark: len(given) - number for number, mark in enumerate(marks)}

    def bound(state: int) -> int:
        return max(estimate(state), least[state >> first << first])

    found = shortest(
        scene.start | marks[0], goal | marks[-1], [*scene.actions, *matching], bound, length, 4 * MOST_STATES
    )
    return found is not None


def best_plan(rng: Stream, scene: Scene, goal: Goal) -> tuple[Action, ...] | None:
    """A random one of the shortest plans for a goal.

    None if no plan was found within the budget.
    """
    mask, actions = scene.space.state(goal), list(scene.actions)
    rng.shuffle(actions)
    estimate = Estimate(scene.space, scene.start, mask, actions)
    if estimate(scene.start) >= NEVER:
        return None
    try:
        return shortest(scene.start, mask, actions, estimate, most_states=MOST_STATES)
    except SearchLimit:
        return None


# -- drawing goals -----------------------------------------------------------------------------------------------------


def draw_goal(rng: Stream, domain: str, problem: Problem, facts: int) -> Goal:
    """A random goal of a domain.

    It has at most ``facts`` facts, and none of them holds at first.
    """
    return _sorted(fact for fact in _DRAWS[domain](rng, problem, facts) if fact not in problem.start)


def variation(rng: Stream, domain: str, problem: Problem, goal: Goal) -> Goal:
    """A goal that shares most of its facts with another one.

    Sometimes this goal itself.
    """
    kept = list(goal)
    which = rng.below(3)
    if which or len(kept) == 1:
        del kept[rng.below(len(kept))]
    if which < 2 or not kept:
        kept += draw_goal(rng, domain, problem, 1)
    found = _sorted(kept)
    return found if len({fact[1] for fact in found}) == len(found) else goal


def _sorted(facts: object) -> Goal:
    return tuple(sorted(set(facts)))  # type: ignore[call-overload]


def _named(problem: Problem, *types: str) -> list[str]:
    return [name for name, type in problem.objects.items() if type in types]


def _delivered(predicate: str, goods: str, *spots: str) -> Callable[[Stream, Problem, int], Goal]:
    def draw(rng: Stream, problem: Problem, facts: int) -> Goal:
        names = _named(problem, goods)
        chosen = rng.sample(names, min(facts, len(names)))
        return tuple((predicate, name, rng.choice(_named(problem, *spots))) for name in chosen)

    return draw


def _stacked(rng: Stream, problem: Problem, facts: int) -> Goal:
    """Blocks on blocks, in one tower or in several."""
    blocks = _named(problem, "block")
    order = rng.sample(blocks, len(blocks))
    pairs = [("on", above, below) for above, below in pairwise(order)]
    return tuple(rng.sample(pairs, min(facts, len(pairs))))


def _piled(rng: Stream, problem: Problem, facts: int) -> Goal:
    """Crates on a pallet, or on other crates."""
    crates = _named(problem, "crate")
    order = [rng.choice(_named(problem, "pallet")), *rng.sample(crates, len(crates))]
    pairs = [("on", above, below) for below, above in pairwise(order)]
    return tuple(rng.sample(pairs, min(facts, len(pairs))))


_DRAWS: Final[Mapping[str, Callable[[Stream, Problem, int], Goal]]] = {
    "blocksworld": _stacked,
    "logistics": _delivered("at", "package", "location", "airport"),
    "gripper": _delivered("in", "ball", "room"),
    "ferry": _delivered("at", "car", "port"),
    "depots": _piled,
}
