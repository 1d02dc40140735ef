"""SPIRAL: a running baseline for each game and role.

:class:`Roles` is the arithmetic; :mod:`envhub_trainer.companions.roles` keeps the baselines.
"""

from __future__ import annotations

from dataclasses import dataclass

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.algorithms.groups import on_tokens
from envhub_trainer.batch import Batch


@dataclass(frozen=True)
class Roles:
    """A moving average of the returns of each game and role.

    b <- decay * b + (1 - decay) * R after each episode, from 0; an episode is compared with b before it.

    Source: Liu et al. 2025, SPIRAL (2506.24119), role-conditioned advantage estimation; the order and 0.95 as in the authors'
    code.

    Worked example: decay 0.9, returns 1 and -1 of one role: baselines 0 and 0.1, afterwards -0.01.

    Attributes:
        decay: Weight of the past, 0..1.
    """

    decay: float = 0.95

    def __post_init__(self) -> None:
        within("Roles", "decay", self.decay, 0, 1)

    def updated(self, baseline: float, value: float) -> float:
        """The baseline after a return."""
        return self.decay * baseline + (1 - self.decay) * value


def over_role(batch: Batch) -> Batch:
    """A = R less the baseline of its game and role.

    It is not normalised. Source: Liu et al. 2025, SPIRAL (2506.24119), which has no standard deviation, as Dr. GRPO.

    Worked example: returns 1 and -1 with baselines 0 and 0.1: 1 and -1.1.

    Raises:
        ValueError: The batch has no baseline.
    """
    better = batch.score - required(batch, "baseline").to(batch.score.dtype)
    return on_tokens(better.masked_fill(~batch.included, 0.0), batch)
