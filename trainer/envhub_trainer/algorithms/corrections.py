"""Corrections for a sampler that differs from the trainer.

In kernels, precision or weights. Each is called ``(batch) -> (B, T)``, without gradient, and multiplies the surrogate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from envhub_trainer.algorithms.checks import within
from envhub_trainer.algorithms.masked import LIMIT, old, on_mask
from envhub_trainer.batch import Batch


@dataclass(frozen=True)
class Tis:
    """Truncated importance sampling: min(pi_old / behaviour, cap) on each token.

    1 without ``batch.old``. Source: Yao et al. 2025, "Your Efficient RL Framework Secretly Brings You Off-Policy RL
    Training" (FlashRL); the truncation after Ionides 2008.

    Worked example: cap 2, old -1.0, behaviour -1.5: e^0.5 = 1.6487; behaviour -2.0: e^1 = 2.718, cut to 2.

    Attributes:
        cap: The largest factor, above 0.
    """

    cap: float = 2.0
    needs: ClassVar[frozenset[str]] = frozenset({"old"})

    def __post_init__(self) -> None:
        within("Tis", "cap", self.cap, 1e-6)

    def __call__(self, batch: Batch) -> Tensor:
        """``(B, T)`` factors, 1 off the mask."""
        return on_mask(old(batch) - batch.behaviour, batch).clamp(-LIMIT, LIMIT).exp().clamp(max=self.cap).detach()
