"""Which groups are learned from, and which episodes of a group.

A group filter is called with the group's episodes that did not fail and says whether the group is kept; an episode filter says
of each whether it counts. Both see episodes, before there are tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envhub_trainer.algorithms.checks import within
from envhub_trainer.episode import Episode

_SAME = 1e-6
"""Returns nearer than this are one return; they are sums of floats, and the batch holds float32."""


def varied(episodes: Sequence[Episode]) -> bool:
    """Whether the returns of a group differ; where they do not, a group-relative advantage is 0 and teaches nothing.

    What shaping adds (``Episode.shaped``) does not count: the paper's condition is on right and wrong answers, and a group that
    differs in length alone is one that is solved, or failed, throughout.

    Source: Yu et al. 2025, DAPO (2503.14476), equation 11, 0 < |right answers| < G, for rewards of any value.

    Worked example: returns 1, 1, 1 give False; 1, 0, 1 give True; no episode or one gives False.
    """
    returns = [sum(sum(row.rewards) for row in episode.rows) for episode in episodes]
    return bool(returns) and max(returns) - min(returns) > _SAME


@dataclass(frozen=True)
class KeepShortest:
    """GFPO: of a group only the k episodes with the fewest sampled tokens count; the first ones among equals.

    Its statistics are those of the k, and the advantage of the others is 0.

    Source: Shrivastava et al. 2025, "Sample More to Think Less: Group Filtered Policy Optimization" (2508.09726), section 3,
    algorithm 1 with the metric of length.

    Worked example: k = 2 and lengths 7, 3, 9, 3 give False, True, False, True.

    Attributes:
        k: How many are kept, at least 1; all if the group is not larger. With 1 nothing is learned.
    """

    k: int = 8

    def __post_init__(self) -> None:
        within("KeepShortest", "k", self.k, 1, whole=True)

    def __call__(self, episodes: Sequence[Episode]) -> list[bool]:
        """Of each episode, whether it counts."""
        by_length = sorted(range(len(episodes)), key=lambda i: (episodes[i].sampled, i))
        kept = set(by_length[: self.k])
        return [i in kept for i in range(len(episodes))]
