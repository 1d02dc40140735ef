"""A process reward model that learns each turn's success from rollouts.

Its settings, labels and rewards are :class:`envhub_trainer.algorithms.steps.Steps`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from envhub_trainer.algorithms.steps import Steps, turn_ends
from envhub_trainer.batch import Batch
from envhub_trainer.companions.fitting import Fitting
from envhub_trainer.companions.value import ValueHead
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.episode import Episode
from envhub_trainer.logprobs import values
from envhub_trainer.policy.forward import evaluating


class StepReward:
    """A process reward model: a head on a model of its own.

    Args:
        model: A Hugging Face causal language model of its own.
        steps: Its settings.
        settings: The run's optimiser settings.
    """

    def __init__(self, model: Any, steps: Steps, settings: OptimizerConfig) -> None:
        self.model, self._steps = model, steps
        self.head = ValueHead(model.config.get_text_config().hidden_size).to(model.device)
        trained = [*model.parameters(), *self.head.parameters()]
        self._fitting = Fitting(trained, settings, steps.learning_rate, model.device)

    def score(self, batch: Batch, episodes: Sequence[Episode]) -> Batch:
        """Return the batch with ``process``."""
        with evaluating(self.model):
            chance = self._fitting.gathered(batch, self._logit).sigmoid()
        return batch.having(process=self._steps.reward(chance, batch))

    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        """Learn the labels of the batch's turns in one optimiser step.

        Returns:
            ``process_loss``: the mean cross-entropy beforehand.

        Raises:
            FloatingPointError: The gradient is not finite.
        """
        ends = turn_ends(batch).to(batch.mask.dtype)
        labelled = batch.having(process=self._steps.labels(batch), weight=ends / ends.sum().clamp(min=1))

        def loss(part: Batch) -> Tensor:
            assert part.process is not None
            assert part.weight is not None
            apart = torch.nn.functional.binary_cross_entropy_with_logits
            return (apart(self._logit(part), part.process, reduction="none") * part.weight).sum()

        return {"process_loss": self._fitting.step(labelled, loss)}

    def _logit(self, batch: Batch) -> Tensor:
        with self._fitting.precision():
            return values(self.model, batch.ids, batch.mask, self.head)

    def state_dict(self) -> dict[str, Any]:
        """Weights and the optimiser's state."""
        return {
            "model": self.model.state_dict(),
            "head": self.head.state_dict(),
            "optimizer": self._fitting.optimizer.state_dict(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""
        self.model.load_state_dict(state["model"])
        self.head.load_state_dict(state["head"])
        self._fitting.optimizer.load_state_dict(state["optimizer"])
