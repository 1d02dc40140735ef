"""Losses of tokens that a demonstrator wrote, in place of the surrogate's.

Each is called ``(logp (B, T) with gradient, batch having an advantage) -> (B, T)``; those of a row add up. They apply where
``batch.given`` is True: in demonstrations that are compared with a group's episodes, and in hints.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.algorithms.masked import on_mask
from envhub_trainer.batch import Batch


@dataclass(frozen=True)
class Shaped:
    """LUFFY: -f(pi) A with f(x) = x / (x + gamma).

    Without a clip. The demonstrator's probability counts as 1, so pi is the importance ratio. f has its largest slope at 0:
    unlikely tokens of a demonstration learn fastest.

    Source: Yan et al. 2025, "Learning to Reason under Off-Policy Guidance" (2504.14945), policy shaping; gamma 0.1.

    Worked example: gamma 0.1, pi = 0.4, A = 1: -0.8, derivative to log pi -0.4 * 0.1 / 0.25 = -0.16.

    Attributes:
        gamma: Where f is one half, above 0.
    """

    gamma: float = 0.1

    def __post_init__(self) -> None:
        within("Shaped", "gamma", self.gamma, 1e-6)

    def __call__(self, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` losses."""
        pi = on_mask(logp, batch).exp()
        return -pi / (pi + self.gamma) * required(batch, "advantage")


@dataclass(frozen=True)
class Likelihood:
    """Supervised learning: -coefficient * log pi, whatever the advantage.

    Source: Liu et al. 2025, UFT (2505.16984), the log-likelihood of hints in the objective; on whole demonstrations it is
    the usual mixture with supervised fine-tuning.

    Worked example: coefficient 0.1, log pi = -2: 0.2, derivative -0.1.

    Attributes:
        coefficient: Weight of the term.
    """

    coefficient: float = 0.001

    def __post_init__(self) -> None:
        within("Likelihood", "coefficient", self.coefficient, 0)

    def __call__(self, logp: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` losses."""
        return -self.coefficient * on_mask(logp, batch)
