"""Corrections for a sampler that differs from the trainer.

In kernels, precision or weights. Each is called ``(batch) -> (B, T)``, without gradient, and multiplies the surrogate. Both
work on the ratio k = pi_old / behaviour of a ``token``, or of a ``sequence``: the product over the tokens of a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from envhub_trainer.algorithms.checks import one_of, within
from envhub_trainer.algorithms.masked import LIMIT, old, on_mask
from envhub_trainer.batch import Batch

LEVELS = ("token", "sequence")
_OLD = frozenset({"old"})


def mismatch(batch: Batch, level: str) -> Tensor:
    """``(B, T)`` ratio of the trainer's policy to the sampler's; 1 if unknown."""
    log_ratio = on_mask(old(batch) - batch.behaviour, batch)
    if level == "sequence":
        log_ratio = on_mask(log_ratio.sum(1, keepdim=True).expand_as(log_ratio), batch)
    return log_ratio.clamp(-LIMIT, LIMIT).exp().detach()


@dataclass(frozen=True)
class Tis:
    """Truncated importance sampling: min(k, cap).

    Source: Yao et al. 2025, "Your Efficient RL Framework Secretly Brings You Off-Policy RL Training" (FlashRL), by token; the
    truncation after Ionides 2008. By sequence: Liu et al. 2025, "When Speed Kills Stability".

    Worked example: cap 2, old -1.0, behaviour -1.5: e^0.5 = 1.6487; behaviour -2.0: e^1 = 2.718, cut to 2. By sequence, both in
    a row: e^1.5 = 4.4817, cut to 2 on both.

    Attributes:
        cap: The largest factor, above 0.
        level: ``token`` or ``sequence``.
    """

    cap: float = 2.0
    level: str = "token"
    needs: ClassVar[frozenset[str]] = _OLD

    def __post_init__(self) -> None:
        within("Tis", "cap", self.cap, 1e-6)
        one_of("Tis", "level", self.level, LEVELS)

    def __call__(self, batch: Batch) -> Tensor:
        """``(B, T)`` factors, 1 off the mask."""
        return mismatch(batch, self.level).clamp(max=self.cap)


@dataclass(frozen=True)
class Masked:
    """Masked importance sampling: k where low <= k <= high, else 0.

    What sampler and trainer disagree about is not learned from. A token that is masked still counts in the weights.

    Source: by token, IcePop: Ling Team 2025, "Every Step Evolves" (2510.18855), bounds 0.5 and 5; by sequence: Liu et al. 2025,
    "When Speed Kills Stability".

    Worked example: old -1.0, behaviour -1.5: 1.6487; behaviour -3.0: e^2 = 7.389 is above 5, so 0. By sequence, both in a row:
    e^2.5 = 12.18, so 0 on both.

    Attributes:
        level: ``token`` or ``sequence``.
        low: Smallest ratio that is kept, from 0 to 1.
        high: Largest ratio that is kept, at least 1.
    """

    level: str = "token"
    low: float = 0.5
    high: float = 5.0
    needs: ClassVar[frozenset[str]] = _OLD

    def __post_init__(self) -> None:
        one_of("Masked", "level", self.level, LEVELS)
        within("Masked", "low", self.low, 0, 1)
        within("Masked", "high", self.high, 1)

    def __call__(self, batch: Batch) -> Tensor:
        """``(B, T)`` factors, 1 off the mask."""
        ratio = mismatch(batch, self.level)
        return ratio * ((ratio >= self.low) & (ratio <= self.high))
