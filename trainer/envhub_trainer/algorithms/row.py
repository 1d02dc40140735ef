"""An algorithm as a row of small, replaceable choices.

>>> row = ALGORITHMS["dapo"]
>>> batch = row.advantage(batch)                                              # once a batch
>>> batch = row.weighed(batch)                                                # once an optimiser step
>>> loss = sum(row.loss(logp, None, batch.rows(part)) for part in parts)      # micro-batches add up
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields
from math import inf

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import required
from envhub_trainer.algorithms.controllers import Controller
from envhub_trainer.algorithms.critic import Critic
from envhub_trainer.algorithms.forks import Forks
from envhub_trainer.algorithms.masked import on_mask
from envhub_trainer.algorithms.process import Implicit
from envhub_trainer.algorithms.ratios import on_policy
from envhub_trainer.algorithms.roles import Roles
from envhub_trainer.algorithms.steps import Steps
from envhub_trainer.algorithms.tracked import Tracker
from envhub_trainer.batch import Batch
from envhub_trainer.episode import Episode

Regulariser = Callable[[Tensor, Tensor | None, Batch], Tensor]


@dataclass(frozen=True, repr=False)
class Algorithm:
    """A learning algorithm. All choices are pure functions.

    Attributes:
        advantage: ``(batch) -> batch`` with ``advantage`` and, with a critic, ``returns`` set.
        ratio: ``(logp with gradient, batch) -> (B, T)`` importance ratio with gradient.
        surrogate: ``(ratio, logp, batch) -> (B, T)`` loss of each token, minimised.
        weigh: ``(batch of one optimiser step) -> (B, T)`` weight of each token, 0 off the mask.
        correct: ``(batch) -> (B, T)`` factor without gradient that corrects for a sampler that differs from the trainer.
        choose: ``(logp without gradient, batch of one optimiser step) -> (B, T)`` for ``batch.chosen``.
        focus: ``(batch of one optimiser step) -> (B, T)`` factor of each token's surrogate.
        imitate: ``(batch of one optimiser step) -> (B, T)`` weight of each token's log-likelihood loss.
        demonstrated: Each ``(logp, batch) -> (B, T)``; if any, their sum is the loss where ``batch.given``.
        regularisers: Each ``(logp, entropy or None, batch) -> (B, T)``, added to the loss of each token.
        keep: Each decides from a group's episodes that did not fail whether the group is used.
        include: Which episodes of a group count, for ``batch.included``.
        shape: Each is ``(episode) -> float``, added to the episode's reward.
        critic: The critic; None without one.
        process: The process reward model, which learns online; None without one.
        tracker: The baseline of each task, which decides what is drawn; None without one.
        roles: The baseline of each game and role; None without one.
        controllers: What changes coefficients from step to step.
        forks: States of each episode to continue, for ``batch.gain``; None needs none.
        greedy_baseline: Each task needs a greedy episode, for ``batch.greedy``.
        drop_overlong: Rows of episodes that ran out of tokens are excluded from the loss.
        refill: Groups rejected by ``keep`` are replaced until the batch is full.
    """

    advantage: Callable[[Batch], Batch]
    ratio: Callable[[Tensor, Batch], Tensor]
    surrogate: Callable[[Tensor, Tensor, Batch], Tensor]
    weigh: Callable[[Batch], Tensor]
    correct: Callable[[Batch], Tensor] | None = None
    choose: Callable[[Tensor, Batch], Tensor] | None = None
    focus: Callable[[Batch], Tensor] | None = None
    imitate: Callable[[Batch], Tensor] | None = None
    demonstrated: tuple[Callable[[Tensor, Batch], Tensor], ...] = ()
    regularisers: tuple[Regulariser, ...] = ()
    keep: tuple[Callable[[Sequence[Episode]], bool], ...] = ()
    include: Callable[[Sequence[Episode]], list[bool]] | None = None
    shape: tuple[Callable[[Episode], float], ...] = ()
    critic: Critic | None = None
    process: Implicit | Steps | None = None
    tracker: Tracker | None = None
    roles: Roles | None = None
    controllers: tuple[Controller, ...] = ()
    forks: Forks | None = None
    greedy_baseline: bool = False
    drop_overlong: bool = False
    refill: bool = False

    def weighed(self, batch: Batch, logp: Tensor | None = None, entropy: Tensor | None = None) -> Batch:
        """Return an optimiser step's batch with what depends on the whole step.

        Args:
            batch: With ``advantage``.
            logp: ``(B, T)`` log-probabilities before the step; needed if :attr:`looks_ahead`.
            entropy: ``(B, T)`` entropies before the step; needed likewise.
        """
        batch = batch.having(weight=self.weigh(batch), entropy=entropy)
        if self.choose is not None and logp is not None:
            batch = batch.having(chosen=self.choose(logp, batch))
        return batch.having(
            focus=self.focus(batch) if self.focus else None, imitation=self.imitate(batch) if self.imitate else None
        )

    def loss(self, logp: Tensor, entropy: Tensor | None, batch: Batch) -> Tensor:
        """Return the loss of some rows of an optimiser step.

        The losses of all rows add up to the loss of the step.

        Args:
            logp: ``(B, T)`` current log-probabilities of the tokens, with gradient; ignored off the mask.
            entropy: ``(B, T)`` entropy of each token's distribution, with gradient; None if not needed.
            batch: With ``advantage``, ``weight`` and everything else the choices need.

        Returns:
            A scalar, without the critic's loss.

        Raises:
            ValueError: The batch lacks a tensor; the message names it and where it comes from.
        """
        weight = required(batch, "weight")
        logp = on_mask(logp, batch)
        losses = self.surrogate(self.ratio(logp, batch), logp, batch)
        if self.correct is not None:
            losses = losses * self.correct(batch)
        if self.focus is not None:
            losses = losses * required(batch, "focus")
        if self.demonstrated:
            shown = torch.stack([each(logp, batch) for each in self.demonstrated]).sum(0)
            losses = torch.where(batch.given, shown, losses)
        for regulariser in self.regularisers:
            losses = losses + regulariser(logp, entropy, batch)
        total = (losses * weight).sum()
        return total if self.imitate is None else total - (required(batch, "imitation") * logp).sum()

    def keeps(self, episodes: Sequence[Episode]) -> bool:
        """Whether a group with these episodes is used."""
        return all(wanted(episodes) for wanted in self.keep)

    @property
    def clip_range(self) -> tuple[float, float]:
        """Distances from 1 at which the ratio is clipped; ``(1, inf)``: never."""
        low, high = getattr(self.surrogate, "clip_range", (1.0, inf))
        return low, high

    @property
    def looks_ahead(self) -> bool:
        """Whether :meth:`weighed` needs another forward pass over the whole step."""
        return self.choose is not None or self.focus is not None

    @property
    def warmup(self) -> int:
        """Number of first steps that leave the policy as it is."""
        return self.critic.warmup if self.critic is not None else 0

    @property
    def on_policy(self) -> bool:
        """Whether it has no importance ratio, so that samples must be fresh."""
        return self.ratio is on_policy

    @property
    def needs_ref(self) -> bool:
        """Whether the loss or the reward requires ``batch.ref``."""
        return self._needs("ref")

    @property
    def needs_old(self) -> bool:
        """Whether the trainer must compute ``batch.old``, to compare it with the sampler's.

        Ratios also use it if it is set, and the sampler's otherwise.
        """
        return self._needs("old")

    @property
    def needs_entropy(self) -> bool:
        """Whether :meth:`loss` needs the entropy of each token."""
        return self._needs("entropy")

    def _needs(self, what: str) -> bool:
        parts = self.advantage, self.ratio, self.surrogate, self.correct, self.process
        choices: tuple[object, ...] = (*parts, *self.regularisers)
        return any(what in getattr(choice, "needs", ()) for choice in choices)

    def __repr__(self) -> str:
        """The choices that are not the default, alike in every process."""
        parts = [
            f"{each.name}={_words(getattr(self, each.name))}"
            for each in fields(self)
            if each.default is MISSING or getattr(self, each.name) != each.default
        ]
        return f"Algorithm({', '.join(parts)})"


def _words(choice: object) -> str:
    """The repr of a choice without its memory address."""
    if isinstance(choice, tuple):
        return f"({', '.join(_words(each) for each in choice)})"
    return str(getattr(choice, "__qualname__", None) or repr(choice))
