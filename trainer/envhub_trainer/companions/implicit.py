"""PRIME's process reward model, which learns online whether episodes succeed.

Its settings and the arithmetic of its loss are :class:`envhub_trainer.algorithms.process.Implicit`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from envhub_trainer.algorithms.process import Implicit
from envhub_trainer.batch import Batch
from envhub_trainer.companions.fitting import Fitting
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.episode import Episode
from envhub_trainer.logprobs import score
from envhub_trainer.policy.forward import evaluating


class ImplicitReward:
    """A process reward model, initially the reference policy.

    As in algorithm 1 of the paper, it scores a batch first and then learns from it in one optimiser step.

    Args:
        model: A Hugging Face causal language model of its own.
        implicit: Its settings.
        settings: The run's optimiser settings.
        temperature: Sampling temperature, at which the reference is evaluated too.
    """

    def __init__(self, model: Any, implicit: Implicit, settings: OptimizerConfig, temperature: float = 1.0) -> None:
        self.model, self._implicit, self._settings, self._temperature = model, implicit, settings, temperature
        self._fitting = Fitting(model.parameters(), settings, implicit.learning_rate, model.device)

    def score(self, batch: Batch, episodes: Sequence[Episode]) -> Batch:
        """Return the batch with ``process``."""
        with evaluating(self.model):
            logp = self._fitting.gathered(batch, self._logp)
        return batch.having(process=self._implicit.reward(logp, batch))

    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        """Learn which episodes succeeded.

        Returns:
            ``process_loss``: the cross-entropy beforehand.

        Raises:
            FloatingPointError: The gradient is not finite.
        """
        loss = self._implicit.loss(batch)
        weighed = batch.having(weight=self._implicit.weights(batch))

        def slope(part: Batch) -> Tensor:
            assert part.weight is not None
            return (self._logp(part) * part.weight).sum()

        self._fitting.step(weighed, slope)
        return {"process_loss": loss}

    def _logp(self, batch: Batch) -> Tensor:
        with self._fitting.precision():
            found = score(
                self.model, batch.ids, batch.mask, temperature=self._temperature, chunk=self._settings.head_chunk
            )
        return found.logp

    def state_dict(self) -> dict[str, Any]:
        """Weights and the optimiser's state."""
        return {"model": self.model.state_dict(), "optimizer": self._fitting.optimizer.state_dict()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""
        self.model.load_state_dict(state["model"])
        self._fitting.optimizer.load_state_dict(state["optimizer"])
