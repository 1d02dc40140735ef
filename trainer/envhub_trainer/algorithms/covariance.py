"""Clip-Cov and KL-Cov: hold back the few tokens that make entropy collapse.

A policy loses entropy through likely tokens with a high advantage, that is, a high covariance
(A - mean A)(log pi - mean log pi), with means over all sampled tokens of the optimiser step. Both classes are a surrogate
(:meth:`__call__`) and select the tokens to hold back (:meth:`choose`, on the whole step, for ``batch.chosen``).

Source: Cui et al. 2025, "The Entropy Mechanism of Reinforcement Learning for Reasoning Language Models" (2505.22617), the
sections on Clip-Cov and KL-Cov, and the authors' listing, which takes at least one token and, for Clip-Cov, none that
the clip has cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.algorithms.masked import log_ratio, mean, on_mask
from envhub_trainer.algorithms.surrogates import Clip, plain
from envhub_trainer.batch import Batch


def covariance(logp: Tensor, batch: Batch) -> Tensor:
    """``(B, T)`` (A - mean A)(log pi - mean log pi).

    0 off the mask. Worked example: advantages 1 and -1, log-probabilities -1 and -3: 1 * 1 = 1 and -1 * -1 = 1.
    """
    advantage, clean = required(batch, "advantage"), on_mask(logp.detach(), batch)
    return on_mask((advantage - mean(advantage, batch.mask)) * (clean - mean(clean, batch.mask)), batch)


def _number(share: float, batch: Batch) -> int:
    return max(int(share * int(batch.mask.sum())), 1)


@dataclass(frozen=True)
class CovClip:
    """PPO's clip without loss on some tokens of high covariance.

    They are a random share of the tokens whose covariance is between ``minimum`` and ``maximum``.

    The draw is seeded by the batch's token ids: the same batch selects the same tokens.

    Worked example: 10,000 tokens, share 2e-4: two of those with covariance above 1 and below 5 have loss 0; of 100, one.

    Attributes:
        low: As in :class:`envhub_trainer.algorithms.surrogates.Clip`.
        high: As in ``Clip``.
        share: Share of all sampled tokens, 0..1.
        minimum: The covariance must be above this.
        maximum: The covariance must be below this.
    """

    low: float = 0.2
    high: float = 0.2
    share: float = 2e-4
    minimum: float = 1.0
    maximum: float = 5.0

    def __post_init__(self) -> None:
        within("CovClip", "low", self.low, 0, 1)
        within("CovClip", "high", self.high, 0)
        within("CovClip", "share", self.share, 0, 1)

    @property
    def clip_range(self) -> tuple[float, float]:
        """Distances below and above 1 at which the ratio is clipped."""
        return self.low, self.high

    def __call__(self, ratio: Tensor, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` losses."""
        return Clip(self.low, self.high)(ratio, logp, batch).masked_fill(required(batch, "chosen"), 0.0)

    def choose(self, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` True where the loss is dropped."""
        advantage, ratio = required(batch, "advantage"), log_ratio(logp.detach(), batch).exp()
        cut = ratio.clamp(1 - self.low, 1 + self.high) * advantage < ratio * advantage
        cov = covariance(logp, batch)
        candidates = ((cov > self.minimum) & (cov < self.maximum) & ~cut & (batch.mask > 0)).nonzero()
        places = torch.arange(1, batch.ids.shape[1] + 1, device=batch.ids.device)
        generator = torch.Generator().manual_seed(int((batch.ids * places).sum()))
        drawn = torch.randperm(len(candidates), generator=generator)[: _number(self.share, batch)]
        row, at = candidates[drawn.to(candidates.device)].unbind(1)
        chosen = torch.zeros_like(batch.mask, dtype=torch.bool)
        chosen[row, at] = True
        return chosen


@dataclass(frozen=True)
class CovKl:
    """-r A without a clip, plus a penalty on some tokens.

    coefficient * |log pi - log pi_old| on the share of tokens with the highest covariance. Worked example: r = e^0.1, A
    = 1, chosen, coefficient 1: -1.10517 + 0.1 = -1.00517; its gradient is -1.10517 + 1.

    Attributes:
        coefficient: Weight of the divergence.
        share: Share of all sampled tokens, 0..1; the paper has 2e-3 for 7B and 2e-4 for 32B parameters.
    """

    coefficient: float = 1.0
    share: float = 2e-4

    def __post_init__(self) -> None:
        within("CovKl", "coefficient", self.coefficient, 0)
        within("CovKl", "share", self.share, 0, 1)

    def __call__(self, ratio: Tensor, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` losses."""
        held = log_ratio(logp, batch).abs() * required(batch, "chosen")
        return plain(ratio, logp, batch) + self.coefficient * held

    def choose(self, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` True where the divergence is added."""
        cov = covariance(logp, batch).masked_fill(batch.mask == 0, -torch.inf).flatten()
        number = min(_number(self.share, batch), int((batch.mask > 0).sum()))
        chosen = torch.zeros_like(cov, dtype=torch.bool)
        chosen[cov.topk(number).indices] = True
        return chosen.view_as(batch.mask)
