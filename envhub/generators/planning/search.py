"""Shortest plans by A*, with a counted budget.

::

    plan = shortest(start, goal, space.actions(start), Estimate(space, start, goal, actions))

The estimate must be admissible and consistent; then the plan is proved to be one of the shortest, and None means that there
is no plan. The order of the actions alone decides which of the shortest plans is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from envhub.core.errors import EnvhubError
from envhub.generators.planning.estimate import NEVER
from envhub.generators.planning.space import Action

MOST_STATES: Final = 1_000_000


class SearchLimit(EnvhubError):
    """The search was given up after its budget of states."""


def shortest(
    start: int,
    goal: int,
    actions: Sequence[Action],
    estimate: Callable[[int], int],
    most_steps: int | None = None,
    most_states: int = MOST_STATES,
) -> tuple[Action, ...] | None:
    """A shortest plan from a state to a goal.

    Args:
        start: The first state.
        goal: Facts that must hold in the end.
        actions: The actions that may be used.
        estimate: A lower bound on the steps from a state, which falls by at most one with each step.
        most_steps: Longer plans are not looked for.
        most_states: The number of states after which the search is given up.

    Returns:
        The plan; None if no plan is short enough, or no plan exists.

    Raises:
        SearchLimit: More than ``most_states`` states would have to be looked at.
    """
    found: dict[int, tuple[int, int, Action | None]] = {start: (0, start, None)}
    closed: set[int] = set()
    waiting: dict[int, list[int]] = {estimate(start): [start]}
    choices = _by_rarest_need(actions)
    pivots = sum(choices)
    while waiting:
        total = min(waiting)
        if total >= NEVER or (most_steps is not None and total > most_steps):
            return None
        stack = waiting[total]
        state = stack.pop()
        if not stack:
            del waiting[total]
        if state in closed:
            continue
        if state & goal == goal:
            return _plan(found, state)
        closed.add(state)
        if len(closed) > most_states:
            raise SearchLimit(f"No plan was found within {most_states} states.")
        steps = found[state][0] + 1
        for action in _candidates(choices, state & pivots):
            if state & action.needs == action.needs and not state & action.bars:
                after = state & ~action.deletes | action.adds
                if after not in found or steps < found[after][0]:
                    found[after] = steps, state, action
                    waiting.setdefault(steps + estimate(after), []).append(after)
    return None


def _by_rarest_need(actions: Sequence[Action]) -> dict[int, list[Action]]:
    """The actions by the fact of their needs that fewest actions need.

    Actions without needs are under 0.
    """
    counts: dict[int, int] = {}
    for action in actions:
        for fact in _bits(action.needs):
            counts[fact] = counts.get(fact, 0) + 1
    found: dict[int, list[Action]] = {}
    for action in actions:
        rarest = min(_bits(action.needs), key=lambda fact: (counts[fact], fact), default=0)
        found.setdefault(rarest, []).append(action)
    return found


def _candidates(choices: dict[int, list[Action]], facts: int) -> list[Action]:
    found = list(choices.get(0, ()))
    while facts:
        fact = facts & -facts
        found += choices[fact]
        facts ^= fact
    return found


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found


def _plan(found: dict[int, tuple[int, int, Action | None]], state: int) -> tuple[Action, ...]:
    plan: list[Action] = []
    while (step := found[state])[2] is not None:
        plan.append(step[2])
        state = step[1]
    return tuple(reversed(plan))
