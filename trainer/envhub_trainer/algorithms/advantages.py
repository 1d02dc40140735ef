"""Advantages: how much better than expected an episode or token was.

Each is called ``(batch) -> batch`` and returns the batch with ``advantage`` ``(B, T)`` set, 0 off the mask and 0 for episodes
that are not included; :class:`Gae` also sets ``returns``. Statistics are over episodes, never rows: an episode split into
several rows counts once, and each row gets its advantage. Standard deviations are unbiased. Group-relative advantages are
exactly 0 in a group whose episodes have equal returns or that has only one episode.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import one_of, required, within
from envhub_trainer.algorithms.groups import EPS, discounted, group_statistics, on_tokens
from envhub_trainer.algorithms.masked import Timeline, learned, log_ratio_to_ref, on_mask, whiten
from envhub_trainer.algorithms.ratios import log_expectation
from envhub_trainer.batch import Batch

_REF = frozenset({"ref"})


@dataclass(frozen=True)
class GroupRelative:
    """A_i = (R_i - mean of the group) / (std + 1e-6).

    Source: ``group``: Shao et al. 2024, GRPO (2402.03300), section 4.1.2. ``none``, no division: Liu et al. 2025, Dr. GRPO
    (2503.20783), section 3.2. ``batch``, the standard deviation of all returns: Liu et al. 2025, Lite PPO (2508.08221),
    section 4.

    Worked example: returns 1, 0, 0, 1 in a group: mean 0.5, std 0.57735, advantages +-0.86602; with ``none`` +-0.5.

    Attributes:
        std: ``group``, ``batch`` or ``none``.
    """

    std: str = "group"

    def __post_init__(self) -> None:
        one_of("GroupRelative", "std", self.std, ("group", "batch", "none"))

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with its advantage."""
        centred, std, _ = group_statistics(batch.score, batch)
        if self.std == "none":
            return on_tokens(centred, batch)
        if self.std == "batch":
            scores = batch.score[batch.included]
            std = scores.std() if len(scores) > 1 else torch.zeros_like(std)
        return on_tokens(centred / (std + EPS), batch)


@dataclass(frozen=True)
class GroupExpecting(GroupRelative):
    """:class:`GroupRelative` that also sets ``batch.expected`` for GEPO.

    :func:`envhub_trainer.algorithms.ratios.group_expectation` needs it over a whole group, but a micro-batch has only a part.
    """

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with its advantage and ``expected``."""
        return super().__call__(batch).having(expected=log_expectation(batch))


@dataclass(frozen=True)
class LeaveOneOut:
    """A_i = R_i - mean of the *other* episodes of the group.

    = G / (G - 1) * (R_i - mean); R less beta * KL(pi_old || pi_ref). Source: Ahmadian et al. 2024, "Back to Basics"
    (2402.14740), the estimator RLOO; the divergence of an episode is the sum of log(pi_old / pi_ref) over its tokens,
    part of the reward there.

    Worked example: returns 1, 0, 0 in a group: 1 - 0 = 1, 0 - 0.5 = -0.5, -0.5.

    Attributes:
        beta: Coefficient of the divergence; 0 needs no reference policy.
    """

    beta: float = 0.0

    def __post_init__(self) -> None:
        within("LeaveOneOut", "beta", self.beta, 0)

    @property
    def needs(self) -> frozenset[str]:
        """``ref`` if ``beta`` is not 0."""
        return _REF if self.beta else frozenset()

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with its advantage."""
        score = batch.score
        if self.beta:
            kl = log_ratio_to_ref(batch).sum(1)
            score = score - self.beta * torch.zeros_like(score).index_add(0, batch.episode, kl.to(score.dtype))
        centred, _, size = group_statistics(score, batch)
        return on_tokens(centred * size / (size - 1).clamp(min=1), batch)


def over_greedy(batch: Batch) -> Batch:
    """ReMax: A = R - R(greedy answer to the same task).

    Source: Li et al. 2023, "ReMax" (2310.10505), algorithm 1.

    Worked example: returns 1 and 0 where the greedy answer earned 1: advantages 0 and -1.

    Raises:
        ValueError: The batch has no greedy returns.
    """
    better = batch.score - required(batch, "greedy")
    return on_tokens(better.masked_fill(~batch.included, 0.0), batch)


@dataclass(frozen=True)
class WhitenedGroup:
    """REINFORCE++-baseline: R_i - mean of the group, whitened.

    Over the batch's sampled tokens. A uniform group has 0 before whitening; whitening subtracts the mean over tokens
    from it.

    Source: Hu et al. 2025, REINFORCE++ (2501.03262), the variant with baseline. Their separate k2 term is the
    override ``kl`` with ``kl_kind="k2"``.

    Worked example: returns 1, 0 in a group, one token each: +-0.5, over std 0.70711: +-0.70711.
    """

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with its advantage."""
        raw = required(on_tokens(group_statistics(batch.score, batch).centred, batch), "advantage")
        return batch.having(advantage=whiten(raw, learned(batch)))


@dataclass(frozen=True)
class Discounted:
    """REINFORCE++: discounted token rewards, whitened.

    A_t = sum_{s >= t} gamma^(s - t) r_s, r_t = -beta log(pi_old / pi_ref), plus R at the last token. R is the return of
    the episode, at its last sampled token; time runs over its sampled tokens, across turns and rows.

    Source: Hu et al. 2025, REINFORCE++ (2501.03262), the advantage with the divergence in it and its global
    normalisation.

    Worked example: beta 0, gamma 1, returns 1 and 0, one token each: 1, 0, whitened +-0.70711. Before whitening, beta 0.1,
    R = 1 and log-ratios 0.5 and 1.0: the rewards are -0.05 and 0.9, the advantages 0.85 and 0.9.

    Attributes:
        beta: Coefficient of the divergence; 0 needs no reference policy.
        gamma: Discount per token, 0..1.
    """

    beta: float = 0.01
    gamma: float = 1.0

    def __post_init__(self) -> None:
        within("Discounted", "beta", self.beta, 0)
        within("Discounted", "gamma", self.gamma, 0, 1)

    @property
    def needs(self) -> frozenset[str]:
        """``ref`` if ``beta`` is not 0."""
        return _REF if self.beta else frozenset()

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with its advantage."""
        timeline = Timeline.of(batch)
        paid = -self.beta * log_ratio_to_ref(batch) if self.beta else torch.zeros_like(batch.mask)
        rewards = timeline.at_end(timeline.join(paid), batch.score)
        to_go = timeline.split(discounted(rewards, self.gamma), batch)
        return batch.having(advantage=whiten(to_go, learned(batch)))


@dataclass(frozen=True)
class Gae:
    """Generalised advantage estimation, whitened.

    A_t = sum_k (gamma lam)^k delta_{t+k}, delta_t = r_t + gamma V_{t+1} - V_t.

    ``t + 1`` is the policy's next token, skipping observations and continuing in the episode's next row: nothing is
    bootstrapped through tokens that the policy did not write, and after its last token V is 0. r_t is ``batch.rewards`` (a
    turn's reward at its last sampled token) less beta * log(pi_old / pi_ref). ``returns`` are the advantage before whitening,
    plus V; with ``critic_lam`` that of another lambda. With ``alpha`` the policy's lambda is 1 - 1 / (alpha l), where l is the
    number of the episode's sampled tokens, and 0 where this is negative.

    Source: Schulman et al. 2015, "High-Dimensional Continuous Control Using Generalized Advantage Estimation" (1506.02438),
    equation 16; Schulman et al. 2017, PPO (1707.06347), equation 11; the divergence in the reward: Ouyang et al. 2022,
    InstructGPT (2203.02155), equation 2; ``critic_lam``: Yuan et al. 2025, VC-PPO (2503.01491), decoupled GAE; ``alpha``: Yue
    et al. 2025, VAPO (2504.05118), length-adaptive GAE, which has alpha 0.05.

    Worked example: gamma 1, lam 0.5, V = 0.2, 0.4, reward 1 at the second of two tokens: deltas 0.2 and 0.6, advantages before
    whitening 0.2 + 0.5 * 0.6 = 0.5 and 0.6, returns 0.7 and 1.0. With critic_lam 1 the returns are 1.0 and 1.0. With alpha 1
    lambda is 1 - 1 / 2 = 0.5.

    Attributes:
        gamma: Discount per token, 0..1.
        lam: lambda, 0..1; not used with ``alpha``.
        beta: Coefficient of the divergence; 0 needs no reference policy.
        critic_lam: lambda of ``returns``, 0..1; None for the policy's.
        alpha: Factor of the length in the policy's lambda; None for the same lambda at all lengths.
    """

    gamma: float = 1.0
    lam: float = 0.95
    beta: float = 0.0
    critic_lam: float | None = None
    alpha: float | None = None

    def __post_init__(self) -> None:
        within("Gae", "gamma", self.gamma, 0, 1)
        within("Gae", "lam", self.lam, 0, 1)
        within("Gae", "beta", self.beta, 0)
        if self.critic_lam is not None:
            within("Gae", "critic_lam", self.critic_lam, 0, 1)
        if self.alpha is not None:
            within("Gae", "alpha", self.alpha, 1e-6)

    @property
    def needs(self) -> frozenset[str]:
        """``ref`` if ``beta`` is not 0."""
        return _REF if self.beta else frozenset()

    def __call__(self, batch: Batch) -> Batch:
        """The batch with advantage and ``returns``; needs values, with beta also references."""
        timeline = Timeline.of(batch)
        paid = batch.rewards - self.beta * log_ratio_to_ref(batch) if self.beta else batch.rewards
        value = timeline.join(on_mask(required(batch, "value"), batch).detach())
        following = torch.cat([value[:, 1:], torch.zeros_like(value[:, :1])], 1)
        delta = timeline.join(paid) + self.gamma * following - value
        raw = discounted(delta, self.gamma * self._lam(timeline.length.to(delta.dtype)))
        target = raw if self.critic_lam is None else discounted(delta, self.gamma * self.critic_lam)
        return batch.having(
            advantage=whiten(timeline.split(raw, batch), learned(batch)), returns=timeline.split(target + value, batch)
        )

    def _lam(self, length: Tensor) -> Tensor | float:
        """The policy's lambda: ``(E,)``, or one number."""
        return self.lam if self.alpha is None else (1 - 1 / (self.alpha * length.clamp(min=1))).clamp(min=0)
