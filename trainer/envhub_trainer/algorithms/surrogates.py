"""Surrogates: the loss whose gradient improves the policy, token by token, minimised.

Each is called ``(ratio (B, T), logp (B, T), batch having an advantage) -> (B, T)``; ratio and logp carry the gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.algorithms.masked import on_mask, row_mean
from envhub_trainer.batch import Batch


def plain(ratio: Tensor, logp: Tensor, batch: Batch) -> Tensor:
    """-r A, without a clip. With :func:`envhub_trainer.algorithms.ratios.on_policy` its gradient is REINFORCE's.

    Source: Schulman et al. 2017, PPO (1707.06347), equation 6; Williams 1992, "Simple Statistical Gradient-Following
    Algorithms for Connectionist Reinforcement Learning".

    Worked example: ratio 1, A = 0.5: -0.5, derivative to log pi -0.5.
    """
    return -ratio * required(batch, "advantage")


@dataclass(frozen=True)
class Clip:
    """PPO's clip: -min(r A, clip(r; 1 - low, 1 + high) A).

    Where A < 0, with ``dual`` c, at most -c A. Source: Schulman et al. 2017, PPO (1707.06347), equation 7; low and high
    apart: Yu et al. 2025, DAPO (2503.14476), equation 10 (0.2 and 0.28); dual clip: Ye et al. 2020 (1912.09729), c = 3.

    Worked example: low = high = 0.2, r = 1.5: A = 1 gives -1.2 without gradient, A = -1 gives 1.5 with gradient. r = 5, A = -1,
    dual 3: 3 without gradient.

    Attributes:
        low: Distance below 1 at which the ratio is clipped, 0..1.
        high: Distance above 1.
        dual: c, at least 1; None disables it.
    """

    low: float = 0.2
    high: float = 0.2
    dual: float | None = None

    def __post_init__(self) -> None:
        within("Clip", "low", self.low, 0, 1)
        within("Clip", "high", self.high, 0)
        if self.dual is not None:
            within("Clip", "dual", self.dual, 1)

    @property
    def clip_range(self) -> tuple[float, float]:
        """Distances below and above 1 at which the ratio is clipped."""
        return self.low, self.high

    def __call__(self, ratio: Tensor, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` losses."""
        advantage = required(batch, "advantage")
        loss = torch.maximum(-ratio * advantage, -ratio.clamp(1 - self.low, 1 + self.high) * advantage)
        if self.dual is None:
            return loss
        return torch.where(advantage < 0, torch.minimum(loss, -self.dual * advantage), loss)


@dataclass(frozen=True)
class Cispo:
    """-sg(clip(r; 1 - low, 1 + high)) A log pi.

    The ratio is clipped, and no token loses its gradient. Source: MiniMax 2025, "MiniMax-M1" (2506.13585), equations 4
    and 5. The paper sets no lower bound (low 1, so 0) and tunes the upper one without naming it; 1 + high = 5 is within
    the range of Khatri et al. 2025, ScaleRL (2510.13786).

    Worked example: high 4, r = 8, A = 1, log pi = -2: -5 * 1 * -2 = 10, derivative to log pi -5.

    Attributes:
        low: Distance below 1 at which the ratio is clipped, 0..1.
        high: Distance above 1.
    """

    low: float = 1.0
    high: float = 4.0

    def __post_init__(self) -> None:
        within("Cispo", "low", self.low, 0, 1)
        within("Cispo", "high", self.high, 0)

    @property
    def clip_range(self) -> tuple[float, float]:
        """Distances below and above 1 at which the ratio is clipped."""
        return self.low, self.high

    def __call__(self, ratio: Tensor, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` losses."""
        factor = ratio.clamp(1 - self.low, 1 + self.high).detach()
        return -factor * required(batch, "advantage") * on_mask(logp, batch)


@dataclass(frozen=True)
class Geometric:
    """GMPO: -A exp(mean_t of the clipped log r_t), on each token.

    The clip is sgn(A) min(sgn(A) log r, sgn(A) clip(log r; -low, high)). The geometric mean of a row's token ratios,
    each clipped where PPO would clip it; A is the mean over the row's tokens.

    Source: Zhao et al. 2025, "Geometric-Mean Policy Optimization" (2507.20673), objective and algorithm 1; bounds e^-0.4 and
    e^0.4.

    Worked example: log r = 0.6 and 0.2, A = 1: clipped 0.4 and 0.2, loss -e^0.3 = -1.3499; A = -1: not clipped, e^0.4 = 1.4918.

    Attributes:
        low: Bound of the log-ratio below 0.
        high: Bound above 0.
    """

    low: float = 0.4
    high: float = 0.4

    def __post_init__(self) -> None:
        within("Geometric", "low", self.low, 0)
        within("Geometric", "high", self.high, 0)

    @property
    def clip_range(self) -> tuple[float, float]:
        """Distances below and above 1 at which the ratio is clipped."""
        return -expm1(-self.low), expm1(self.high)

    def __call__(self, ratio: Tensor, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` losses, the same on each token of a row."""
        advantage = row_mean(required(batch, "advantage"), batch.mask)
        sign, log_r = advantage.sign(), on_mask(ratio.log(), batch)
        clipped = sign * torch.minimum(sign * log_r, sign * log_r.clamp(-self.low, self.high))
        return (-advantage * row_mean(clipped, batch.mask).exp()).expand_as(logp)
