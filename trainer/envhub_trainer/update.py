"""Updates a model from groups of episodes.

::

    batch = learner.prepare(groups)             # filter, shape, collate, reference and old log-probabilities, advantage
    statistics = learner.learn(batch, step)     # epochs, minibatches, micro-batches

Weights of tokens are computed once for a whole optimiser step, so splitting it into micro-batches changes only its memory
use.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

import torch
from torch import Tensor, nn

from envhub_trainer import optimizers, packing
from envhub_trainer.algorithms import Algorithm
from envhub_trainer.algorithms.controllers import coefficients, controlled, with_coefficients
from envhub_trainer.batch import Batch, collate
from envhub_trainer.companions import Companion
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.group import Group
from envhub_trainer.logprobs import Scored, score
from envhub_trainer.policy.forward import evaluating
from envhub_trainer.portions import micro_batches, minibatches
from envhub_trainer.skips import Skip

_PER_TOKEN: Final[tuple[str, ...]] = ("entropy", "kl", "kl_ref", "clipped")
"""Statistics that are means over tokens."""


@dataclass
class Learner:
    """Trains a model with an algorithm.

    Attributes:
        model: A Hugging Face causal language model.
        algorithm: The algorithm; controllers change its coefficients after a step.
        settings: Learning rate, minibatches and so on.
        steps: Number of steps of the run, for the schedule.
        temperature: Sampling temperature.
        reference: The reference model of a KL penalty.
        critic: Maps the policy's hidden states to values and is trained with it, for PPO with a shared trunk.
        seed: Seed of the order of rows.
        companions: What learns beside the model.
    """

    model: Any
    algorithm: Algorithm
    settings: OptimizerConfig
    steps: int
    temperature: float = 1.0
    reference: Any = None
    critic: nn.Module | None = None
    seed: int = 0
    companions: list[Companion] = field(default_factory=list)
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

    def renew_reference(self, step: int) -> None:
        """Reset the reference model and the optimiser if due after a step.

        Source: Liu et al. 2025, ProRL (2505.24864), section 2.3.2: a policy that has moved far from its reference is held back
        by the penalty, until it is measured from where it is.
        """
        every = self.settings.reference_reset
        if every and step % every == 0:
            self.reference.load_state_dict(self.model.state_dict())
            self.optimizer.state.clear()

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
        kept = [group for group in judged if algorithm.keeps(group.learned)]
        episodes = [episode for group in kept for episode in group.learned]
        if not episodes:
            return Skip.UNIFORM if judged else Skip.FAILED
        for episode in [*episodes, *(branch.episode for group in kept for branch in group.branches)]:
            episode.shaped = sum(shape(episode) for shape in algorithm.shape)
        if algorithm.forks is not None:
            for group in kept:
                algorithm.forks.credit(group.episodes, group.branches)
        greedy = [group.greedy.reward for group in kept if group.greedy for _ in group.learned]
        batch = collate(episodes, greedy if algorithm.greedy_baseline else None)
        if algorithm.include is not None:
            batch = batch.having(
                included=torch.tensor([on for group in kept for on in algorithm.include(group.learned)])
            )
        batch = self._scored(batch.to(self.device))
        for companion in self.companions:
            batch = companion.score(batch, episodes)
        batch = algorithm.advantage(batch)
        if not self._informative(batch):
            return Skip.UNIFORM
        return self._learned(batch, [episode.overlong for episode in episodes])

    def _scored(self, batch: Batch) -> Batch:
        """Add old and reference log-probabilities and values to the batch."""
        batch = self._as_sampled(batch)
        if self.settings.recompute_old or self.algorithm.needs_old or self.critic is not None:
            now = self._all(self.model, batch, self.critic)
            batch = batch.having(old=now.logp, value=now.value)
        if self.algorithm.needs_ref:
            batch = batch.having(ref=self._all(self.reference, batch, None).logp)
        return batch

    def _as_sampled(self, batch: Batch) -> Batch:
        """Give demonstrated tokens the model's log-probabilities; ratios then begin at 1."""
        rows = batch.given.any(1).nonzero()[:, 0]
        if not len(rows):
            return batch
        part, behaviour = batch.rows(rows), batch.behaviour.clone()
        own = torch.where(part.given, self._all(self.model, part, None).logp, part.behaviour)
        behaviour[rows, : part.mask.shape[1]] = own
        return batch.having(behaviour=behaviour)

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

    def log_probabilities(self, batch: Batch) -> Tensor:
        """``(B, T)`` log-probabilities of the tokens under the current weights."""
        return self._all(self.model, batch, None).logp

    def _learned(self, batch: Batch, overlong: Sequence[bool]) -> Batch | Skip:
        """The rows to learn from, after advantages were computed over all rows."""
        if not self.algorithm.drop_overlong:
            return batch
        learned = ~torch.tensor(overlong, device=batch.episode.device)[batch.episode]
        return batch.rows(learned.nonzero()[:, 0]) if learned.any() else Skip.OVERLONG

    # -- learn -------------------------------------------------------------------------------------------------------

    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        """Take the optimiser steps for a batch.

        Companions learn first; during the algorithm's warm-up they alone do.

        Args:
            batch: Batch from :meth:`prepare`.
            step: Step of the run, which determines the learning rate and the order of rows.

        Returns:
            Statistics of the companions and, after the warm-up: ``loss``, ``grad_norm``, ``entropy`` (nats per token), ``kl``
                (to the sampler, k3, nats per token), ``kl_ref`` (to the reference, likewise), ``clipped`` (share of tokens
                whose ratio left the clip range), ``ratio_max``, ``learning_rate``, ``tokens`` (sampled tokens that were learned
                from), ``fed`` (all tokens that went through the model), ``computed`` (the same with padding), ``coefficient/0``
                (of the first controller).

        Raises:
            FloatingPointError: The gradient is not finite; that optimiser step was not taken.
        """
        found: dict[str, float] = {}
        for companion in self.companions:
            found |= companion.learn(batch, step)
        if step >= self.algorithm.warmup:
            found |= self._updated(batch, step)
            self.algorithm = controlled(self.algorithm, found)
        return found

    def _updated(self, batch: Batch, step: int) -> dict[str, float]:
        """Update the model."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(step)
        self.model.train()
        told = [self._step(rows) for rows in minibatches(batch, self.settings, self.seed, step)]
        tokens = sum(each["tokens"] for each in told)
        summary = {
            name: sum(each[name] * each["tokens"] for each in told) / tokens for name in _PER_TOKEN if name in told[0]
        }
        return {
            **summary,
            **{f"coefficient/{at}": value for at, value in enumerate(coefficients(self.algorithm))},
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
        now = self._all(self.model, batch, None) if self.algorithm.looks_ahead else None
        batch = self.algorithm.weighed(batch, now and now.logp, now and now.entropy)
        self.optimizer.zero_grad(set_to_none=True)
        told = [self._accumulate(part) for part in self._micro_batches(self._telling(batch))]
        norm = float(nn.utils.clip_grad_norm_(self.parameters, self.settings.clip_norm or math.inf))
        if not math.isfinite(norm):
            self.optimizer.zero_grad(set_to_none=True)
            raise FloatingPointError(f"The gradient's norm is {norm}; no step was taken.")
        self.optimizer.step()
        sums = {name: sum(each[name] for each in told) for name in told[0] if name != "ratio_max"}
        share = {name: sums[name] / sums["tokens"] for name in _PER_TOKEN if name in sums}
        return {**sums, **share, "ratio_max": max(each["ratio_max"] for each in told), "grad_norm": norm}

    def _telling(self, batch: Batch) -> Batch:
        """Drop rows that add nothing to the gradient; weights are already normalised."""
        assert batch.advantage is not None
        if self._beyond_advantage:
            return batch
        tells = (batch.advantage != 0).any(1) | self._shown(batch)
        return batch.rows(tells.nonzero()[:, 0]) if tells.any() else batch.rows(torch.arange(1, device=tells.device))

    @property
    def _beyond_advantage(self) -> bool:
        """Whether the loss has a gradient where the advantage is 0."""
        algorithm = self.algorithm
        beyond = algorithm.choose, algorithm.imitate, self.critic
        return bool(algorithm.regularisers) or any(each is not None for each in beyond)

    def _informative(self, batch: Batch) -> bool:
        assert batch.advantage is not None
        found = batch.advantage.any() or self._shown(batch).any()
        return self._beyond_advantage or bool(self.companions) or bool(found)

    def _shown(self, batch: Batch) -> Tensor:
        """``(B,)`` whether a row's demonstrated tokens have their own loss."""
        return batch.given.any(1) & bool(self.algorithm.demonstrated)

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
        to_ref = {} if batch.ref is None else {"kl_ref": (_k3(batch.ref - logp) * batch.mask).sum()}
        ratio = torch.where(batch.mask > 0, self.algorithm.ratio(logp, batch), 1.0)
        low, high = self.algorithm.clip_range
        return {
            "kl": (_k3(logp - batch.behaviour) * batch.mask).sum(),
            **to_ref,
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

    # -- checkpoints -------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """What a resumed run needs besides the model, as torch saves it."""
        return {
            "optimizer": self.optimizer.state_dict(),
            "critic": self.critic.state_dict() if self.critic else None,
            "companions": [companion.state_dict() for companion in self.companions],
            "coefficients": coefficients(self.algorithm),
            "reference": self.reference.state_dict() if self.settings.reference_reset else None,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""
        self.optimizer.load_state_dict(state["optimizer"])
        if self.critic is not None:
            self.critic.load_state_dict(state["critic"])
        for companion, saved in zip(self.companions, state.get("companions", ()), strict=True):
            companion.load_state_dict(saved)
        self.algorithm = with_coefficients(self.algorithm, state.get("coefficients", ()))
        if self.settings.reference_reset:
            self.reference.load_state_dict(state["reference"])


def _k3(log_ratio: Tensor) -> Tensor:
    """e^d - 1 - d, an estimate of a divergence."""
    d = log_ratio.clamp(-20, 20)
    return d.exp() - 1 - d
