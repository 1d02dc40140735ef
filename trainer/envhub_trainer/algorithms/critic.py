"""The value loss of PPO's critic.

:class:`envhub_trainer.algorithms.advantages.Gae` uses the values.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.algorithms.masked import on_mask
from envhub_trainer.batch import Batch


@dataclass(frozen=True)
class Critic:
    """Settings of the value loss.

    coefficient * 0.5 * max((V - R)^2, (V_clip - R)^2), V_clip = V_old + clip_[-c, c](V - V_old). The maximum makes the
    clip pessimistic: a value that moved by more than c in the right direction gets no gradient, one that moved in the
    wrong direction does.

    Source: Schulman et al. 2017 (1707.06347), equation 9, with the clipping of their implementation (Huang et al. 2022,
    "The 37 Implementation Details of PPO", detail 9).

    Worked example: coefficient 0.5, clip 0.2, V_old = 0, R = 1, V = 0.5: V_clip = 0.2, the maximum of 0.25 and 0.64 is 0.64,
    the loss 0.16.

    Attributes:
        coefficient: Weight of the value loss.
        clip: c; None disables it.
    """

    coefficient: float = 0.5
    clip: float | None = 0.2

    def __post_init__(self) -> None:
        within("Critic", "coefficient", self.coefficient, 0)
        if self.clip is not None:
            within("Critic", "clip", self.clip, 0)

    def loss(self, new_value: Tensor, batch: Batch) -> Tensor:
        """Return the loss of each token, to be summed with ``batch.weight``.

        Args:
            new_value: ``(B, T)`` the critic's current values, with gradient.
            batch: With ``value`` and ``returns``.

        Returns:
            ``(B, T)``, 0 off the mask.

        Raises:
            ValueError: The batch has no values or no returns.
        """
        value, returns = required(batch, "value"), required(batch, "returns")
        now, then, target = (on_mask(each, batch) for each in (new_value, value, returns))
        error = (now - target).square()
        if self.clip is not None:
            clipped = then + (now - then).clamp(-self.clip, self.clip)
            error = torch.maximum(error, (clipped - target).square())
        return self.coefficient * 0.5 * error
