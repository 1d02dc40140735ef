"""Search in a state space for a shortest sequence of moves.

::

    found = shortest(start, moves=lambda s: [("up", s + 1)], done=lambda s: s == 3, budget=1000)
    found.witness    # ("up", "up", "up")

States are hashable values. Moves are tried in the order in which they are listed, so a result is the same everywhere.
Budgets are numbers of states, never seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from typing import Any, TypeVar

from envhub.generators.optimum import Optimum

S = TypeVar("S", bound=Hashable)
Moves = Callable[[S], Iterable[tuple[Any, S]]]


def _zero(_: Any) -> int:
    return 0


def _itself(state: Any) -> Any:
    return state


def shortest(
    start: S,
    moves: Moves[S],
    done: Callable[[S], bool],
    budget: int,
    bound: Callable[[S], int] = _zero,
    same: Callable[[S], Hashable] = _itself,
) -> Optimum | None:
    """A shortest sequence of moves to a state that is done.

    Args:
        start: The first state.
        moves: The moves of a state, each with the state after it.
        done: Whether a state is a goal.
        budget: Maximum number of states whose moves are listed.
        bound: A lower bound of the moves that are left, which no move reduces by more than 1.
        same: Equal for states that differ only by a symmetry.

    Returns:
        The number of moves, the moves, and the number of states whose moves were listed. None if there is no way, or none
        was found within the budget.
    """
    reached: dict[Hashable, tuple[int, Hashable | None, Any]] = {same(start): (0, None, None)}
    queue: list[tuple[int, int, int, S]] = [(bound(start), 0, 0, start)]
    number = steps = 0
    while queue:
        _, minus, _, state = heappop(queue)
        name = same(state)
        if -minus > reached[name][0]:
            continue
        if done(state):
            return Optimum(-minus, _traced(reached, name), steps)
        steps += 1
        if steps > budget:
            return None
        for move, after in moves(state):
            form, far = same(after), 1 - minus
            if form not in reached or far < reached[form][0]:
                reached[form] = (far, name, move)
                number += 1
                heappush(queue, (far + bound(after), -far, number, after))
    return None


def _traced(reached: dict[Hashable, tuple[int, Hashable | None, Any]], at: Hashable | None) -> tuple[Any, ...]:
    moves = []
    while at is not None:
        _, at, move = reached[at]
        if at is not None:
            moves.append(move)
    return tuple(reversed(moves))
