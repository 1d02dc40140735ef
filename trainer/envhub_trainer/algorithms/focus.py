"""Focus: which tokens the policy gradient uses.

Each is called ``(batch of one optimiser step, with entropy) -> (B, T)`` and returns a factor of the surrogate of each token.
Weights are unchanged: a token that is left out still counts in the number of tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from torch import Tensor

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.batch import Batch


@dataclass(frozen=True)
class HighEntropy:
    """The policy gradient of the tokens with the highest entropy alone.

    Source: Wang et al. 2025, "Beyond the 80/20 Rule" (2506.01939), the objective with the indicator H_t >= tau; share 0.2 of
    the tokens of each optimiser step.

    Worked example: share 0.2, ten tokens: 1 on the two of the highest entropy, and on others with the entropy of the second.

    Attributes:
        share: Share of the step's sampled tokens, 0..1.
    """

    share: float = 0.2

    def __post_init__(self) -> None:
        within("HighEntropy", "share", self.share, 0, 1)

    def __call__(self, batch: Batch) -> Tensor:
        """``(B, T)`` 1 on the tokens that are used."""
        entropy, on = required(batch, "entropy"), batch.mask > 0
        found = entropy[on]
        number = ceil(self.share * found.numel())
        if number == 0:
            return batch.mask * 0
        least = found.topk(number).values[-1]
        return batch.mask * (entropy >= least)
