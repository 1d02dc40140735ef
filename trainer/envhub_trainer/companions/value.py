"""A critic with its own optimiser.

A value head on a model of its own, or on the policy's hidden states.

::

    critic = ValueModel(trunk, row.critic, optimizer, seed=0)
    batch = critic.score(batch, episodes)       # batch.value, in units of returns
    critic.learn(batch, step)                   # towards batch.returns
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from envhub_trainer.algorithms.checks import required
from envhub_trainer.algorithms.critic import Critic
from envhub_trainer.algorithms.weights import token_mean
from envhub_trainer.batch import Batch
from envhub_trainer.companions.fitting import Fitting
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.episode import Episode
from envhub_trainer.logprobs import values
from envhub_trainer.policy.forward import evaluating
from envhub_trainer.portions import minibatches

_RATE = 0.05
"""Share of the newest batch in the running statistics of returns."""


class ValueHead(nn.Module):
    """A linear value head in units of the returns' running deviation.

    Its output and its targets are normalised. When the statistics change, its weights are rescaled so that it predicts the
    same returns as before (PopArt: van Hasselt et al. 2016, "Learning values across many orders of magnitude", 1602.07714,
    algorithm 1). Without :meth:`adapt` the mean is 0 and the deviation 1.

    Worked example: a head that outputs 2 with mean 0 and deviation 1 predicts 2. After a first batch of returns 1 and 3 the
    mean is 2 and the deviation 1; it outputs 0 and still predicts 2.
    """

    mean: Tensor
    square: Tensor
    batches: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, 1)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        self.register_buffer("mean", torch.zeros(()))
        self.register_buffer("square", torch.ones(()))
        self.register_buffer("batches", torch.zeros(()))

    @property
    def deviation(self) -> Tensor:
        """The running standard deviation, at least 0.01."""
        return (self.square - self.mean.square()).clamp(min=1e-4).sqrt()

    def forward(self, hidden: Tensor) -> Tensor:
        """``(N, 1)`` normalised values of hidden states ``(N, d)``."""
        normal: Tensor = self.linear(hidden)
        return normal

    def normalised(self, returns: Tensor) -> Tensor:
        """Returns in units of the head."""
        return (returns - self.mean) / self.deviation

    def raw(self, normal: Tensor) -> Tensor:
        """The head's values in units of returns."""
        return normal * self.deviation + self.mean

    @torch.no_grad()
    def adapt(self, returns: Tensor) -> None:
        """Adapt the statistics to returns ``(N,)``; predictions stay, first batches weigh equally."""
        mean, deviation = self.mean.clone(), self.deviation.clone()
        self.batches += 1
        rate = max(_RATE, 1 / float(self.batches))
        self.mean += rate * (returns.mean() - self.mean)
        self.square += rate * (returns.square().mean() - self.square)
        self.linear.weight *= deviation / self.deviation
        self.linear.bias.copy_((deviation * self.linear.bias + mean - self.mean) / self.deviation)


class ValueModel:
    """A critic with its own optimiser.

    Args:
        trunk: A Hugging Face causal language model: the critic's own, or the policy.
        critic: Its settings, with a trunk that is not shared.
        settings: The run's optimiser settings.
        seed: Seed of the order of rows.
    """

    def __init__(self, trunk: Any, critic: Critic, settings: OptimizerConfig, seed: int = 0) -> None:
        self.trunk, self._critic, self._settings, self._seed = trunk, critic, settings, seed
        self.own = critic.trunk == "own"
        self.head = ValueHead(trunk.config.get_text_config().hidden_size).to(trunk.device)
        trained = [*self.head.parameters(), *(trunk.parameters() if self.own else ())]
        self._fitting = Fitting(trained, settings, critic.learning_rate, trunk.device)

    def score(self, batch: Batch, episodes: Sequence[Episode]) -> Batch:
        """Return the batch with ``value``."""
        with evaluating(self.trunk):
            normal = self._fitting.gathered(batch, self._normal)
        return batch.having(value=self.head.raw(normal) * batch.mask)

    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        """Learn the returns, with the epochs and minibatches of the policy.

        Returns:
            ``value_loss``, and ``value_explained``: the share of the returns' variance that the values explained beforehand.

        Raises:
            FloatingPointError: A gradient is not finite.
        """
        on = batch.mask > 0
        value, returns = required(batch, "value")[on], required(batch, "returns")[on]
        if self._critic.normalise:
            self.head.adapt(returns)
        losses = [self._step(part) for part in minibatches(batch, self._settings, self._seed, step)]
        told = {"value_loss": sum(losses) / len(losses)}
        if len(returns) > 1 and float(returns.var()) > 0:
            told["value_explained"] = float(1 - (returns - value).var() / returns.var())
        return told

    def _step(self, batch: Batch) -> float:
        """Take one optimiser step."""
        batch = batch.having(
            weight=token_mean(batch),
            value=self.head.normalised(required(batch, "value")),
            returns=self.head.normalised(required(batch, "returns")),
        )

        def loss(part: Batch) -> Tensor:
            return (self._critic.loss(self._normal(part), part) * required(part, "weight")).sum()

        return self._fitting.step(batch, loss)

    def _normal(self, batch: Batch) -> Tensor:
        """``(B, T)`` normalised values of some rows."""
        with self._fitting.precision():
            return values(self.trunk, batch.ids, batch.mask, self.head, trunk_grad=self.own)

    def state_dict(self) -> dict[str, Any]:
        """Weights, statistics and the optimiser's state."""
        return {
            "head": self.head.state_dict(),
            "trunk": self.trunk.state_dict() if self.own else None,
            "optimizer": self._fitting.optimizer.state_dict(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""
        self.head.load_state_dict(state["head"])
        if self.own:
            self.trunk.load_state_dict(state["trunk"])
        self._fitting.optimizer.load_state_dict(state["optimizer"])
