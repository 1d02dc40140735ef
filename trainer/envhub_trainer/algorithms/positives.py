"""Imitation: a log-likelihood loss on some tokens, besides the policy gradient.

Each is called ``(batch of one optimiser step) -> (B, T)`` and returns the weight of -log pi of each token, 0 off the mask.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from envhub_trainer.algorithms.checks import within
from envhub_trainer.batch import Batch

_SAME = 1e-6
"""Returns are sums of float32."""


def succeeded(batch: Batch, least: float) -> Tensor:
    """``(E,)`` whether the return of each episode is at least ``least``."""
    return batch.score >= least - _SAME


@dataclass(frozen=True)
class Positives:
    """VAPO's positive-example loss: the mean of -log pi over right answers.

    The mean is over their tokens in the optimiser step.

    Source: Yue et al. 2025, VAPO (2504.05118), the positive-example LM loss; coefficient 0.1.

    Worked example: coefficient 0.1, an episode of 3 tokens with return 1 and one of 2 with return 0: weights 0.1 / 3 on the
    first three tokens and 0 on the others.

    Attributes:
        coefficient: Weight of the term.
        success: Least return of a right answer.
    """

    coefficient: float = 0.1
    success: float = 1.0

    def __post_init__(self) -> None:
        within("Positives", "coefficient", self.coefficient, 0)

    def __call__(self, batch: Batch) -> Tensor:
        """``(B, T)`` weights."""
        right = batch.mask * (succeeded(batch, self.success) & batch.included)[batch.episode].unsqueeze(1)
        return self.coefficient * right / right.sum().clamp(min=1)
