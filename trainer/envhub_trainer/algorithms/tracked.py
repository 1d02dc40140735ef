"""SPO: a baseline for each task that persists, instead of a group.

Xu and Ding 2025, "Single-stream Policy Optimization" (2509.13232). :class:`Belief` is the arithmetic of one task's tracker;
:mod:`envhub_trainer.companions.tracker` keeps one for each task of the pool and draws tasks by :meth:`Tracker.priority`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import torch

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.algorithms.groups import on_tokens
from envhub_trainer.batch import Batch


def over_tracker(batch: Batch) -> Batch:
    """SPO: R less the tracker's estimate of it, normalised over the batch.

    A = (R - v - mean) / (std + 1e-8), with mean and unbiased standard deviation over the batch's included episodes; v is from
    before this answer.

    Source: Xu and Ding 2025, SPO (2509.13232), the advantage and its global normalisation; the 1e-8 is from the authors' code.

    Worked example: returns 1 and 0 with v = 0.75 and 0.25: 0.25 and -0.25, over std 0.35355: +-0.70711.

    Raises:
        ValueError: The batch has no baseline.
    """
    better = batch.score - required(batch, "baseline").to(batch.score.dtype)
    found = better[batch.included]
    if len(found) < 2 or bool(found.max() == found.min()):
        return on_tokens(torch.zeros_like(better), batch)
    normal = (better - found.mean()) / (found.std() + 1e-8)
    return on_tokens(normal.masked_fill(~batch.included, 0.0), batch)


@dataclass(frozen=True)
class Belief:
    """A Beta distribution of a task's success.

    Attributes:
        a: Weight of successes.
        b: Weight of failures.
    """

    a: float
    b: float

    @property
    def value(self) -> float:
        """The expected success, the baseline."""
        return self.a / (self.a + self.b)


@dataclass(frozen=True)
class Tracker:
    """Settings of the tracker, and its update.

    a <- rho a + R, b <- rho b + 1 - R, with rho = 2^(-D / half) within [low, high]: the more the policy has changed since it
    last answered the task, the more of the past is forgotten. D is the mean of |log pi_now - log pi_then| over the tokens of
    the last answer. A task is drawn with weight sqrt(v (1 - v)) + explore.

    Source: Xu and Ding 2025, SPO (2509.13232), the tracker and prioritised sampling; half 0.06, the estimate of D and the prior
    of a task without earlier answers, Beta(0.5, 0.5), are from the authors' code.

    Worked example: a = b = 0.5, R = 1, D = 0: rho is cut to 0.96, a = 1.48, b = 0.48, v = 0.7551; D = 0.012 gives rho = 0.8706,
    cut to 0.875.

    Attributes:
        half: The D that halves the past.
        low: Smallest rho.
        high: Largest rho.
        explore: Least weight of a task.
    """

    half: float = 0.06
    low: float = 0.875
    high: float = 0.96
    explore: float = 0.05

    def __post_init__(self) -> None:
        within("Tracker", "half", self.half, 1e-6)
        within("Tracker", "low", self.low, 0, 1)
        within("Tracker", "high", self.high, self.low, 1)
        within("Tracker", "explore", self.explore, 1e-6)

    @property
    def prior(self) -> Belief:
        """The belief about a new task."""
        return Belief(0.5, 0.5)

    def updated(self, belief: Belief, returns: list[float], moved: float) -> Belief:
        """The belief after some answers to a task.

        Args:
            belief: The belief before.
            returns: Returns of the answers, each from 0 to 1.
            moved: D.

        Raises:
            ValueError: A return is not from 0 to 1.
        """
        for value in returns:
            if not -1e-6 <= value <= 1 + 1e-6:
                raise ValueError(
                    f"SPO estimates a probability, so returns must be from 0 to 1, got {value:g}. Use a reward in this range, "
                    "without shaping, or another algorithm."
                )
        rho = min(max(2 ** (-moved / self.half), self.low), self.high)
        won = sum(returns)
        return Belief(rho * belief.a + won, rho * belief.b + len(returns) - won)

    def priority(self, belief: Belief) -> float:
        """The weight with which a task is drawn."""
        return sqrt(max(belief.value * (1 - belief.value), 0.0)) + self.explore
