"""Search for a side that is far ahead.

Find mates, hang nothing, drive a bare king to the edge, avoid draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from envhub.generators.chess.board import Position, Step, bare, in_check, step, steps, stuck
from envhub.generators.chess.mates import Search
from envhub.generators.chess.worth import by_promise, points

_MATE: Final = 100_000


def hunt(p: Position, past: Sequence[Any] = (), plies: int = 3) -> Step:
    """A mate in one or two, else alpha-beta's best move."""
    search = Search()
    for depth in (1, 2):
        found = next(search.mating(p, depth), None)
        if found:
            return found
    seen = frozenset(past)
    best, chosen = -_MATE * 2, steps(p)[0]
    for move in by_promise(p, steps(p)):
        value = -_value(step(p, move), plies - 1, -2 * _MATE, -best, seen)
        if value > best:
            best, chosen = value, move
    return chosen


def _value(p: Position, plies: int, low: int, high: int, seen: frozenset[Any]) -> int:
    """Value of a position for the side to move.

    Repeated positions are no progress.
    """
    if bare(p) or p.clock >= 100 or (p.clock and p.same in seen):
        return 0
    if stuck(p):
        return -_MATE - plies if in_check(p) else 0
    if not plies:
        return points(p) if p.white else -points(p)
    best = -2 * _MATE
    for move in by_promise(p, steps(p)):
        best = max(best, -_value(step(p, move), plies - 1, -high, -max(low, best), seen))
        if best >= high:
            break
    return best
