"""An admissible estimate of the number of steps to a goal.

Each action is counted for one object, its first argument. For every object that the goal is about, all other facts are
ignored, and a table holds the fewest actions of its own that it still needs. No action is counted twice, so the sum never
exceeds the number of steps that are left; and it falls by at most one with each step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from envhub.generators.planning.space import Action, Space

NEVER: Final = 1_000_000
"""The estimate where the goal is out of reach."""


class _Part(NamedTuple):
    """The facts about one object.

    Attributes:
        mask: These facts.
        steps: By their state, the fewest actions of the object's own to the goal.
    """

    mask: int
    steps: Mapping[int, int]


class Estimate:
    """The estimate for one goal, in states reachable from a start.

    Args:
        space: Where the masks come from.
        start: The first state.
        goal: Facts that must hold in the end.
        actions: The actions that may be used.
    """

    def __init__(self, space: Space, start: int, goal: int, actions: Sequence[Action]) -> None:
        self._parts = []
        for name in space.objects:
            mask = space.about(name)
            if goal & mask:
                self._parts.append(_Part(mask, _own_steps(name, mask, start & mask, goal & mask, actions)))

    def __call__(self, state: int) -> int:
        """A lower bound on the number of steps from a state."""
        total = 0
        for mask, steps in self._parts:
            total += steps[state & mask]
        return total


def _own_steps(name: str, mask: int, start: int, goal: int, actions: Iterable[Action]) -> dict[int, int]:
    """Fewest actions of an object's own, from each reachable state."""
    moves = {
        (
            action.needs & mask,
            action.bars & mask,
            action.adds & mask,
            action.deletes & mask,
            action.arguments[:1] == (name,),
        )
        for action in actions
        if (action.adds | action.deletes) & mask
    }
    before: dict[int, list[tuple[int, int]]] = {start: []}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for needs, bars, adds, deletes, own in moves:
            if state & needs == needs and not state & bars:
                after = state & ~deletes | adds
                if after not in before:
                    before[after] = []
                    queue.append(after)
                before[after].append((state, own))
    return _backwards(before, goal)


def _backwards(before: Mapping[int, Sequence[tuple[int, int]]], goal: int) -> dict[int, int]:
    """Distances to the goal over steps that cost 0 or 1."""
    steps = dict.fromkeys(before, NEVER)
    queue = deque(state for state in before if state & goal == goal)
    steps.update(dict.fromkeys(queue, 0))
    while queue:
        state = queue.popleft()
        for earlier, cost in before[state]:
            if steps[state] + cost < steps[earlier]:
                steps[earlier] = steps[state] + cost
                if cost:
                    queue.append(earlier)
                else:
                    queue.appendleft(earlier)
    return steps
