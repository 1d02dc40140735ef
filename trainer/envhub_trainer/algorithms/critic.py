"""The critic of PPO: its value loss, and where its head stands.

:class:`envhub_trainer.algorithms.advantages.Gae` uses the values. A critic of its own is a
:class:`envhub_trainer.companions.value.ValueModel`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import one_of, required, within
from envhub_trainer.algorithms.masked import on_mask
from envhub_trainer.batch import Batch

TRUNKS = ("shared", "detached", "own")


@dataclass(frozen=True)
class Critic:
    """Settings of the value loss and of the value model.

    coefficient * 0.5 * max((V - R)^2, (V_clip - R)^2), V_clip = V_old + clip_[-c, c](V - V_old). The maximum makes the
    clip pessimistic: a value that moved by more than c in the right direction gets no gradient, one that moved in the
    wrong direction does.

    Source: Schulman et al. 2017 (1707.06347), equation 9, with the clipping of their implementation (Huang et al. 2022,
    "The 37 Implementation Details of PPO", detail 9).

    Worked example: coefficient 0.5, clip 0.2, V_old = 0, R = 1, V = 0.5: V_clip = 0.2, the maximum of 0.25 and 0.64 is 0.64,
    the loss 0.16.

    Attributes:
        coefficient: Weight of the value loss.
        clip: c; None disables it. In standard deviations of the returns if they are normalised.
        trunk: ``shared``: a head on the policy's hidden states, in the policy's optimiser, whose loss also trains the policy's
            layers. ``detached``: the same head with an optimiser of its own and without that gradient. ``own``: a second
            model, initially the policy's, with an optimiser of its own.
        warmup: Number of first steps in which only the critic learns (value pre-training); needs a trunk that is not shared.
        normalise: Learn returns less their running mean, over their running deviation (PopArt: van Hasselt et al. 2016,
            1602.07714); needs a trunk that is not shared.
        learning_rate: Of the critic's own optimiser; None for that of the policy.
    """

    coefficient: float = 0.5
    clip: float | None = 0.2
    trunk: str = "shared"
    warmup: int = 0
    normalise: bool = False
    learning_rate: float | None = None

    def __post_init__(self) -> None:
        within("Critic", "coefficient", self.coefficient, 0)
        if self.clip is not None:
            within("Critic", "clip", self.clip, 0)
        one_of("Critic", "trunk", self.trunk, TRUNKS)
        within("Critic", "warmup", self.warmup, 0, whole=True)
        if not isinstance(self.normalise, bool):
            raise ValueError(f"Critic: normalise is True or False, got {self.normalise!r}.")
        if self.learning_rate is not None:
            within("Critic", "learning_rate", self.learning_rate, 0)
        if self.shared and (self.warmup or self.normalise or self.learning_rate is not None):
            raise ValueError(
                "Critic: warmup, normalise and learning_rate need an optimiser of its own; set trunk to detached or own."
            )

    @property
    def shared(self) -> bool:
        """Whether the policy's own update trains it."""
        return self.trunk == "shared"

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
