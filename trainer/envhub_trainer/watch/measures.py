"""Measures of a step's episodes, as numbers by name.

:func:`measures` is a pure function of the groups. Undefined numbers are left out, so no value is NaN::

    measures(groups, version=7)["solved"]

Unless stated, a number is over *sound* episodes, those without an error; greedy episodes are never counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Final

from envhub_trainer.episode import GIVEN, Episode

if TYPE_CHECKING:
    from envhub_trainer.group import Group

SAME: Final = 1e-6
"""Returns closer than this are equal."""


def measures(groups: Sequence[Group], version: int) -> dict[str, float]:
    """Compute the measures of a step.

    Args:
        groups: The groups of the step.
        version: Version of the weights at the start of the update.

    Returns:
        Numbers by name:

        - ``episodes``: number of episodes, including failed ones; in self-play each seat's counts as one
        - ``reward``, ``reward_std``: mean and population standard deviation of the return
        - ``branches``: number of continuations that estimated the values of states, if any; in no other number
        - ``league/reward``: mean return against frozen opponents, if any
        - ``shaped``: mean of the shaping in it, if any
        - ``solved``: share of solved episodes, of those where it is known
        - ``zero_variance``: share of groups whose returns are all equal, of groups with two or more sound episodes
        - ``masked``: share of failed episodes, of all; ``errors/<code>``: number of failures by code
        - ``truncated``, ``overlong``: shares; ``rewritten``: total number of times a template rewrote history
        - ``response_tokens``, ``response_tokens_max``: sampled tokens per turn
        - ``episode_tokens``: tokens of an episode's rows, given and sampled; ``turns``: mean
        - ``staleness``, ``staleness_max``: versions between ``version`` and the weights that sampled a token, over tokens
        - ``episode_seconds/policy``, ``episode_seconds/environment``: mean seconds per episode
        - ``components/<name>``: mean over the episodes that have it
        - ``env/<id>/reward``, ``env/<id>/solved``: by environment
        - ``env/<id>/seat/<number>/reward``: by seat, in self-play; in a zero-sum game the mean over seats is meaningless
    """
    everything = [episode for group in groups for episode in group.episodes]
    sound = [episode for episode in everything if episode.error is None]
    told: dict[str, float] = {"episodes": float(len(everything))}
    if branches := sum(len(group.branches) for group in groups):
        told["branches"] = float(branches)
    told |= _outcome("", sound)
    if against := _finite(episode.reward for group in groups if group.frozen for episode in group.sound):
        told["league/reward"] = fmean(against)
    rewards = _finite(episode.reward for episode in sound)
    if rewards:
        told["reward_std"] = pstdev(rewards)
    if any(episode.shaped for episode in sound):
        told["shaped"] = fmean(episode.shaped for episode in sound)
    compared = [group.sound for group in groups if len(group.sound) > 1]
    if compared:
        told["zero_variance"] = fmean(_uniform(episodes) for episodes in compared)
    told |= _failures(everything)
    told |= _lengths(sound)
    told |= _staleness(sound, version)
    told |= _means("episode_seconds", [episode.seconds for episode in sound])
    told |= _means("components", [episode.components for episode in sound])
    for env_id in sorted({episode.env_id for episode in sound}):
        played = [episode for episode in sound if episode.env_id == env_id]
        told |= _outcome(f"env/{env_id}/", played)
        for seat in sorted({episode.seat for episode in played if episode.seat is not None}):
            told |= _outcome(f"env/{env_id}/seat/{seat}/", [episode for episode in played if episode.seat == seat])
    return told


def error_code(error: str) -> str:
    """The start of an episode's error: a code or an exception's name."""
    found = re.match(r"\s*([\w.-]{1,60})\s*(:|$)", error)
    return found[1] if found else "other"


def _outcome(prefix: str, episodes: Sequence[Episode]) -> dict[str, float]:
    told = {}
    if rewards := _finite(episode.reward for episode in episodes):
        told[f"{prefix}reward"] = fmean(rewards)
    if judged := [episode.solved for episode in episodes if episode.solved is not None]:
        told[f"{prefix}solved"] = sum(judged) / len(judged)
    return told


def _uniform(episodes: Sequence[Episode]) -> bool:
    rewards = [episode.reward for episode in episodes]
    return max(rewards) - min(rewards) <= SAME


def _failures(episodes: Sequence[Episode]) -> dict[str, float]:
    if not episodes:
        return {}
    codes = Counter(error_code(episode.error) for episode in episodes if episode.error is not None)
    told = {"masked": codes.total() / len(episodes)}
    return told | {f"errors/{code}": float(count) for code, count in sorted(codes.items())}


def _lengths(episodes: Sequence[Episode]) -> dict[str, float]:
    if not episodes:
        return {}
    told = {
        "truncated": fmean(episode.truncated for episode in episodes),
        "overlong": fmean(episode.overlong for episode in episodes),
        "rewritten": float(sum(episode.rewritten for episode in episodes)),
        "episode_tokens": fmean(sum(len(row.ids) for row in episode.rows) for episode in episodes),
        "turns": fmean(len(episode.turns) for episode in episodes),
    }
    responses = [tokens for episode in episodes for tokens in episode.lengths]
    if responses:
        told["response_tokens"] = fmean(responses)
        told["response_tokens_max"] = float(max(responses))
    return told


def _staleness(episodes: Sequence[Episode], version: int) -> dict[str, float]:
    counts: Counter[int] = Counter()
    for episode in episodes:
        for row in episode.rows:
            counts.update(row.versions)
    del counts[GIVEN]
    if not counts:
        return {}
    late = sum((version - sampled) * count for sampled, count in counts.items())
    return {"staleness": late / counts.total(), "staleness_max": float(version - min(counts))}


def _means(prefix: str, parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = sorted({name for part in parts for name in part})
    values = {name: _finite(part[name] for part in parts if name in part) for name in names}
    return {f"{prefix}/{name}": fmean(found) for name, found in values.items() if found}


def _finite(values: Iterable[float]) -> list[float]:
    return [value for value in values if isfinite(value)]
