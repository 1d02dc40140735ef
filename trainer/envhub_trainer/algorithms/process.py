"""Process rewards of tokens, by a model that learns from outcomes.

PRIME: Cui et al. 2025, "Process Reinforcement through Implicit Rewards" (2502.01456). The model is a language model pi_phi;
its reward of a token is beta * log(pi_phi / pi_ref) (equation 3), in ``batch.process``. It is trained only on whether whole
episodes succeeded. :mod:`envhub_trainer.companions.implicit` holds the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.algorithms.groups import discounted, group_statistics
from envhub_trainer.algorithms.masked import Timeline, learned, on_mask, whiten
from envhub_trainer.algorithms.positives import succeeded
from envhub_trainer.batch import Batch


@dataclass(frozen=True)
class ProcessAdvantage:
    """PRIME: process rewards to go plus the outcome, each with a baseline.

    A_t = sum_{s >= t} gamma^(s - t) (r_s - mean over the others of their mean r) + R - mean over the others of R, whitened over
    the batch's sampled tokens. The others are the other included episodes of the group, r is ``batch.process``, and time runs
    over the episode's sampled tokens.

    Source: Cui et al. 2025, PRIME (2502.01456), equation 5; the whitening is from the authors' code.

    Worked example: two episodes with process rewards 0.1, 0.3 and 0.4, returns 1 and 0: the means are 0.2 and 0.4, the tokens
    -0.3, -0.1 and 0.2; before whitening the advantages are -0.4 + 1 = 0.6, -0.1 + 1 = 0.9 and 0.2 - 1 = -0.8.

    Attributes:
        gamma: Discount per token, 0..1.
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        within("ProcessAdvantage", "gamma", self.gamma, 0, 1)

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with its advantage; ValueError without process rewards."""
        timeline = Timeline.of(batch)
        process = timeline.join(on_mask(required(batch, "process"), batch))
        average = process.sum(1) / timeline.length.clamp(min=1)
        own = torch.arange(process.shape[1], device=process.device) < timeline.length.unsqueeze(1)
        better = (process - _of_others(average, batch).unsqueeze(1)) * own
        outcome = batch.score - _of_others(batch.score, batch)
        raw = timeline.split(discounted(better, self.gamma) + outcome.unsqueeze(1), batch)
        compared = group_statistics(batch.score, batch).size[batch.episode].unsqueeze(1) > 1
        return batch.having(advantage=whiten(raw * compared, learned(batch)))


def _of_others(values: Tensor, batch: Batch) -> Tensor:
    """``(E,)`` mean of each group's other included episodes; 0 without any."""
    same = (batch.group.unsqueeze(1) == batch.group) & batch.included
    others = (same & ~torch.eye(len(values), dtype=torch.bool, device=values.device)).to(values.dtype)
    return (others @ values) / others.sum(1).clamp(min=1)


@dataclass(frozen=True)
class Implicit:
    """Settings of PRIME's model and the gradient of its loss.

    The loss is the cross-entropy of sigmoid(sum of an episode's process rewards) with its success, averaged over episodes.

    Source: Cui et al. 2025, PRIME (2502.01456), equation 4 and algorithm 1; beta 0.05.

    Worked example: beta 0.05, two episodes; one failed, with a log-ratio of 8 in all: R = 0.4, loss 0.9130, and each token's
    weight is 0.05 * 0.5987 / 2 = 0.01497.

    Attributes:
        beta: Coefficient of the log-ratio.
        learning_rate: Of the model's own optimiser; None for that of the policy.
        success: Least return of an episode that succeeded.
    """

    beta: float = 0.05
    learning_rate: float | None = None
    success: float = 1.0
    needs: ClassVar[frozenset[str]] = frozenset({"ref"})

    def __post_init__(self) -> None:
        within("Implicit", "beta", self.beta, 1e-6)
        if self.learning_rate is not None:
            within("Implicit", "learning_rate", self.learning_rate, 0)

    def reward(self, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` process rewards from the model's log-probabilities and the reference's."""
        return self.beta * on_mask(logp - required(batch, "ref"), batch)

    def loss(self, batch: Batch) -> float:
        """The cross-entropy at the rewards of the batch."""
        logit, label, has = self._labelled(batch)
        if not has.any():
            return 0.0
        return float(torch.nn.functional.binary_cross_entropy_with_logits(logit[has], label[has]))

    def weights(self, batch: Batch) -> Tensor:
        """``(B, T)`` derivatives to log-probabilities, equal within an episode whatever its rows."""
        logit, label, has = self._labelled(batch)
        slope = self.beta * (logit.sigmoid() - label) / has.sum().clamp(min=1)
        return batch.mask * slope[batch.episode].unsqueeze(1)

    def _labelled(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """``(E,)`` sum of rewards, success, and whether the episode has tokens."""
        timeline = Timeline.of(batch)
        logit = timeline.join(on_mask(required(batch, "process"), batch)).sum(1)
        return logit, succeeded(batch, self.success).to(logit.dtype), timeline.length > 0
