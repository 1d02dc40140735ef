"""Filters of groups and of episodes within a group.

A group filter is called with the group's episodes that did not fail and returns whether to keep the group; an episode filter
returns for each one whether it counts. Both see episodes, before they become tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envhub_trainer.algorithms.checks import within
from envhub_trainer.episode import Episode

_SAME = 1e-6
"""Returns closer than this are equal; they are sums of floats, and the batch holds float32."""


def varied(episodes: Sequence[Episode]) -> bool:
    """Whether the returns of a group differ.

    If not, its relative advantages are 0. Shaping (``Episode.shaped``) is ignored: the paper's condition is on right
    and wrong answers, and a group that differs only in length is entirely solved or entirely failed.

    Source: Yu et al. 2025, DAPO (2503.14476), equation 11, 0 < |right answers| < G, for rewards of any value.

    Worked example: returns 1, 1, 1 give False; 1, 0, 1 give True; no episode or one gives False.
    """
    returns = [sum(sum(row.rewards) for row in episode.rows) for episode in episodes]
    return bool(returns) and max(returns) - min(returns) > _SAME


@dataclass(frozen=True)
class Between:
    """Whether the share of successes in a group is within bounds.

    Success is a return of at least ``success``, without shaping.

    Source: Cui et al. 2025, PRIME (2502.01456), online prompt filtering, with 0.2 and 0.8.

    Worked example: of 4 episodes 1, 2 or 3 successes keep the group, 0 or 4 do not.

    Attributes:
        low: Least share.
        high: Largest share.
        success: Least return of an episode that succeeded.
    """

    low: float = 0.2
    high: float = 0.8
    success: float = 1.0

    def __post_init__(self) -> None:
        within("Between", "low", self.low, 0, 1)
        within("Between", "high", self.high, self.low, 1)

    def __call__(self, episodes: Sequence[Episode]) -> bool:
        """Return whether to keep the group."""
        returns = [sum(sum(row.rewards) for row in episode.rows) for episode in episodes]
        share = sum(value >= self.success - _SAME for value in returns) / max(len(returns), 1)
        return bool(returns) and self.low <= share <= self.high


@dataclass(frozen=True)
class KeepShortest:
    """GFPO: only the k shortest episodes of a group count.

    Length is the number of sampled tokens; ties go to the first episode.

    Group statistics are over these k, and the advantage of the others is 0.

    Source: Shrivastava et al. 2025, "Sample More to Think Less: Group Filtered Policy Optimization" (2508.09726), section 3,
    algorithm 1 with the metric of length.

    Worked example: k = 2 and lengths 7, 3, 9, 3 give False, True, False, True.

    Attributes:
        k: Number of episodes to keep, at least 1; all if the group is not larger. With 1 nothing is learned.
    """

    k: int = 8

    def __post_init__(self) -> None:
        within("KeepShortest", "k", self.k, 1, whole=True)

    def __call__(self, episodes: Sequence[Episode]) -> list[bool]:
        """Return for each episode whether it counts."""
        by_length = sorted(range(len(episodes)), key=lambda i: (episodes[i].sampled, i))
        kept = set(by_length[: self.k])
        return [i in kept for i in range(len(episodes))]
