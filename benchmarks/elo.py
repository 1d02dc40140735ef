"""Maximum-likelihood Elo ratings of players, with bootstrap intervals.

::

    ratings({("random", "greedy"): [0.0, 0.5, ...], ...})    # {"random": Rating(0, 0, 0), "greedy": Rating(190, 240, 310)}

A game's result is that of the first of the pair: 1, 0.5 or 0; a draw counts as half a win, as in Elo. One draw per pair is
added, so that an unbeaten player has a rating; the largest differences are therefore understated. The first player is at 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from envhub.core.seeding import Stream

Results = Mapping[tuple[str, str], Sequence[float]]
_RESAMPLES: Final = 200
_ROUNDS: Final = 2_000
_CLOSE: Final = 1e-7


class Rating(NamedTuple):
    """Rating with the bounds of 95 % of the resamples."""

    low: float
    points: float
    high: float


def ratings(results: Results) -> dict[str, Rating]:
    """The ratings of all players, in order of first appearance; deterministic."""
    found = _likeliest({pair: (sum(games), len(games)) for pair, games in results.items()})
    again: dict[str, list[float]] = {name: [] for name in found}
    for number in range(_RESAMPLES):
        rng = Stream(b"", "elo", number)
        drawn = {}
        for pair, games in results.items():
            picked = [games[rng.below(len(games))] for _ in games]
            drawn[pair] = (sum(picked), len(picked))
        for name, points in _likeliest(drawn).items():
            again[name].append(points)
    bounds = {name: sorted(points) for name, points in again.items()}
    at = _RESAMPLES // 40
    return {name: Rating(bounds[name][at], points, bounds[name][-1 - at]) for name, points in found.items()}


def _likeliest(totals: Mapping[tuple[str, str], tuple[float, int]]) -> dict[str, float]:
    """The maximum-likelihood ratings (Hunter 2004, "MM algorithms for generalized Bradley-Terry models")."""
    names = list(dict.fromkeys(name for pair in totals for name in pair))
    won = dict.fromkeys(names, 0.0)
    played: dict[tuple[str, str], float] = {}
    for (one, other), (score, games) in totals.items():
        won[one] += score + 0.5
        won[other] += games - score + 0.5
        played[one, other] = played[other, one] = games + 1.0
    strength = dict.fromkeys(names, 1.0)
    for _ in range(_ROUNDS):
        new = {
            name: won[name]
            / sum(games / (strength[name] + strength[b]) for (a, b), games in played.items() if a == name)
            for name in names
        }
        mean = math.exp(sum(map(math.log, new.values())) / len(new))
        new = {name: value / mean for name, value in new.items()}
        moved = max(abs(math.log(new[name] / strength[name])) for name in names)
        strength = new
        if moved < _CLOSE:
            break
    return {name: 400 * math.log10(strength[name] / strength[names[0]]) for name in names}
