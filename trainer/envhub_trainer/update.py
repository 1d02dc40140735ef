"""Updates a model from groups of episodes.

::

    batch = learner.prepare(groups)             # filter, shape, collate, reference and old log-probabilities, advantage
    statistics = learner.learn(batch, step)     # epochs, minibatches, micro-batches

Weights of tokens are computed once for a whole optimiser step, so splitting it into micro-batches changes only its memory
use.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from envhub_trainer import optimizers, packing
from envhub_trainer.algorithms import Algorithm
from envhub_trainer.batch import Batch, collate
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.logprobs import Scored, score
from envhub_trainer.policy.forward import evaluating
from envhub_trainer.rollout import Group, seed_of
from envhub_trainer.skips import Skip


@dataclass
class Learner:
    """Trains a model with an algorithm.

    Attributes:
        model: A Hugging Face causal language model.
        algorithm: The algorithm.
        settings: Learning rate, minibatches and so on.
        steps: Number of steps of the run, for the schedule.
        temperature: Sampling temperature.
        reference: The reference model of a KL penalty.
        critic: Maps hidden states to values, for PPO.
        seed: Seed of the order of rows.
    """

    model: Any
    algorithm: Algorithm
    settings: OptimizerConfig
    steps: int
    temperature: float = 1.0
    reference: Any = None
    critic: nn.Module | None = None
    seed: int = 0
    optimizer: optimizers.Optimizer = field(init=False)

    def __post_init__(self) -> None:
        weights = [*self.model.parameters(), *(self.critic.parameters() if self.critic else ())]
        self.optimizer = optimizers.build(weights, self.settings)
        self.parameters = optimizers.parameters(self.optimizer)

    @property
    def size(self) -> int:
        """Number of trained weights."""
        return sum(parameter.numel() for parameter in self.parameters)

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        found: torch.device = next(self.model.parameters()).device
        return found

    # -- prepare -----------------------------------------------------------------------------------------------------

    def prepare(self, groups: Sequence[Group]) -> Batch | Skip:
        """Build a batch with advantages from groups.

        Returns a :class:`Skip` if nothing can be learned. Failed episodes are left out, and so are groups of several in
        which fewer than two did not fail.
        """
        algorithm = self.algorithm
        judged = [group for group in groups if group.comparable]
        if algorithm.greedy_baseline:
            judged = [group for group in judged if group.greedy is not None and group.greedy.error is None]
        kept = [group for group in judged if all(wanted(group.sound) for wanted in algorithm.keep)]
        episodes = [episode for group in kept for episode in group.sound]
        if not episodes:
            return Skip.UNIFORM if judged else Skip.FAILED
        for episode in episodes:
            episode.shaped = sum(shape(episode) for shape in algorithm.shape)
        greedy = [group.greedy.reward for group in kept if group.greedy for _ in group.sound]
        batch = collate(episodes, greedy if algorithm.greedy_baseline else None)
        if algorithm.include is not None:
            batch = batch.having(included=torch.tensor([on for group in kept for on in algorithm.include(group.sound)]))
        batch = algorithm.advantage(self._scored(batch.to(self.device)))
        if not self._informative(batch):
            return Skip.UNIFORM
        return self._learned(batch, [episode.overlong for episode in episodes])

    def _scored(self, batch: Batch) -> Batch:
        """Add old and reference log-probabilities and values to the batch."""
        if self.settings.recompute_old or self.algorithm.needs_old or self.critic is not None:
            now = self._all(self.model, batch, self.critic)
            batch = batch.having(old=now.logp, value=now.value)
        if self.algorithm.needs_ref:
            batch = batch.having(ref=self._all(self.reference, batch, None).logp)
        return batch

    @torch.no_grad()
    def _all(self, model: Any, batch: Batch, critic: nn.Module | None) -> Scored:
        logp, entropy = torch.zeros_like(batch.mask), torch.zeros_like(batch.mask)
        value = torch.zeros_like(batch.mask) if critic is not None else None
        for index in self._split(batch):
            part = batch.rows(index)
            with evaluating(model):
                found = self._score(model, part, critic)
            width = part.mask.shape[1]
            logp[index, :width], entropy[index, :width] = found.logp, found.entropy
            if value is not None and found.value is not None:
                value[index, :width] = found.value
        return Scored(logp, entropy, value)

    def _learned(self, batch: Batch, overlong: Sequence[bool]) -> Batch | Skip:
        """The rows to learn from, after advantages were computed over all rows."""
        if not self.algorithm.drop_overlong:
            return batch
        learned = ~torch.tensor(overlong, device=batch.episode.device)[batch.episode]
        return batch.rows(learned.nonzero()[:, 0]) if learned.any() else Skip.OVERLONG

    # -- learn -------------------------------------------------------------------------------------------------------

    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        """Take the optimiser steps for a batch.

        Args:
            batch: Batch from :meth:`prepare`.
            step: Step of the run, which determines the learning rate and the order of rows.

        Returns:
            Statistics: ``loss``, ``grad_norm``, ``entropy`` (nats per token), ``kl`` (to the sampler, k3, nats per token),
                ``clipped`` (share of tokens whose ratio left the clip range), ``ratio_max``, ``learning_rate``, ``tokens``
                (sampled tokens that were learned from), ``fed`` (all tokens that went through the model), ``computed`` (the
                same with padding).

        Raises:
            FloatingPointError: The gradient is not finite; that optimiser step was not taken.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(step)
        told: list[dict[str, float]] = []
        self.model.train()
        for epoch in range(self.settings.epochs):
            shuffled = torch.Generator().manual_seed(seed_of(self.seed, step, epoch))
            order = torch.randperm(len(batch.length), generator=shuffled).to(self.device)
            told += [self._step(batch.rows(rows)) for rows in order.chunk(self.settings.minibatches)]
        tokens = sum(each["tokens"] for each in told)
        summary = {
            name: sum(each[name] * each["tokens"] for each in told) / tokens for name in ("entropy", "kl", "clipped")
        }
        return {
            **summary,
            "loss": sum(each["loss"] for each in told) / len(told),
            "grad_norm": sum(each["grad_norm"] for each in told) / len(told),
            "ratio_max": max(each["ratio_max"] for each in told),
            "learning_rate": self.learning_rate(step),
            "tokens": tokens,
            "fed": sum(each["fed"] for each in told),
            "computed": sum(each["computed"] for each in told),
        }

    def learning_rate(self, step: int) -> float:
        """The learning rate of a step: linear warm-up, then the schedule."""
        settings = self.settings
        warm = min(1.0, (step + 1) / settings.warmup) if settings.warmup else 1.0
        done = step / max(self.steps, 1)
        shape = {"constant": 1.0, "linear": 1 - done, "cosine": (1 + math.cos(math.pi * done)) / 2}[settings.schedule]
        return settings.learning_rate * warm * shape

    def _step(self, batch: Batch) -> dict[str, float]:
        """Take one optimiser step."""
        algorithm = self.algorithm
        batch = batch.having(weight=algorithm.weigh(batch))
        if algorithm.choose is not None:
            batch = batch.having(chosen=algorithm.choose(self._all(self.model, batch, None).logp, batch))
        self.optimizer.zero_grad(set_to_none=True)
        told = [self._accumulate(part) for part in self._micro_batches(self._telling(batch))]
        norm = float(nn.utils.clip_grad_norm_(self.parameters, self.settings.clip_norm or math.inf))
        if not math.isfinite(norm):
            self.optimizer.zero_grad(set_to_none=True)
            raise FloatingPointError(f"The gradient's norm is {norm}; no step was taken.")
        self.optimizer.step()
        sums = {
            name: sum(each[name] for each in told)
            for name in ("loss", "entropy", "kl", "clipped", "tokens", "fed", "computed")
        }
        share = {name: sums[name] / sums["tokens"] for name in ("entropy", "kl", "clipped")}
        return {**sums, **share, "ratio_max": max(each["ratio_max"] for each in told), "grad_norm": norm}

    def _telling(self, batch: Batch) -> Batch:
        """Drop rows that add nothing to the gradient.

        Their weights are already normalised.
        """
        assert batch.advantage is not None
        if self._beyond_advantage:
            return batch
        tells = (batch.advantage != 0).any(1)
        return batch.rows(tells.nonzero()[:, 0]) if tells.any() else batch.rows(torch.arange(1, device=tells.device))

    @property
    def _beyond_advantage(self) -> bool:
        """Whether the loss has a gradient where the advantage is 0."""
        algorithm = self.algorithm
        return bool(algorithm.regularisers) or algorithm.choose is not None or self.critic is not None

    def _informative(self, batch: Batch) -> bool:
        assert batch.advantage is not None
        return self._beyond_advantage or bool(batch.advantage.any())

    def _micro_batches(self, batch: Batch) -> list[Batch]:
        return [batch.rows(index) for index in self._split(batch)]

    def _split(self, batch: Batch) -> Iterator[Tensor]:
        """Row indices of micro-batches."""
        split = packing.micro_batches if self.settings.pack else micro_batches
        return split(batch.length, self.settings.micro_tokens)

    def _accumulate(self, batch: Batch) -> dict[str, float]:
        """Accumulate the gradient of some rows; returns sums over their tokens."""
        found = self._score(self.model, batch, self.critic, entropy_grad=self.algorithm.needs_entropy)
        loss = self.algorithm.loss(found.logp, found.entropy, batch)
        if self.algorithm.critic is not None and found.value is not None:
            assert batch.weight is not None
            loss = loss + (self.algorithm.critic.loss(found.value, batch) * batch.weight).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        with torch.no_grad():
            told = {
                "loss": loss.detach(),
                "entropy": (found.entropy * batch.mask).sum(),
                "computed": torch.tensor(found.computed),
                **self._moved(found.logp, batch),
            }
        return {name: float(value) for name, value in told.items()}

    def _moved(self, logp: Tensor, batch: Batch) -> dict[str, Tensor]:
        """KL to the sampler and number of clipped ratios, summed over tokens."""
        off = ((logp - batch.behaviour) * batch.mask).clamp(-20, 20)
        ratio = torch.where(batch.mask > 0, self.algorithm.ratio(logp, batch), 1.0)
        low, high = self.algorithm.clip_range
        return {
            "kl": ((off.exp() - 1 - off) * batch.mask).sum(),
            "clipped": ((ratio < 1 - low) | (ratio > 1 + high)).sum(),
            "tokens": batch.mask.sum(),
            "fed": batch.length.sum(),
            "ratio_max": ratio.max(),
        }

    def _score(self, model: Any, batch: Batch, critic: nn.Module | None, entropy_grad: bool = False) -> Scored:
        bf16 = torch.autocast(self.device.type, torch.bfloat16) if self.settings.bf16 else nullcontext()
        options: dict[str, Any] = {
            "temperature": self.temperature,
            "critic": critic,
            "chunk": self.settings.head_chunk,
            "entropy_grad": entropy_grad,
        }
        with bf16:
            if self.settings.pack:
                return packing.score(model, batch.ids, batch.mask, batch.length, **options)
            return score(model, batch.ids, batch.mask, **options)


def micro_batches(length: Tensor, tokens: int) -> Iterator[Tensor]:
    """Row indices of micro-batches, grouping rows of similar length.

    Args:
        length: ``(B,)`` tokens of each row.
        tokens: Maximum number of padded tokens per micro-batch; a longer row is a micro-batch of its own.
    """
    order = length.argsort(descending=True, stable=True)
    sizes = length[order].tolist()
    start = 0
    while start < len(sizes):
        end = start + max(1, tokens // sizes[start])
        yield order[start:end]
        start = end
