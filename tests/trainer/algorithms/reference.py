"""Every algorithm once more, from its paper, in plain Python loops: what the golden values are made with.

Nothing here knows of tensors or of the package under test; only the names in :class:`~tests.trainer.algorithms.plain.Settings`
are those of its overrides.

    outcome = REFERENCES["dapo"](case(5), clip_low=0.1)
    outcome.loss, outcome.advantage, outcome.gradient

Conventions that the papers leave open and the package fixes: a standard deviation is unbiased and has 1e-6 added, whitening
adds 1e-8 to the variance; a mean of sequences is over the rows that have sampled tokens, while a sum over sequences and Dr.
GRPO's constant are divided by all rows; a sequence is a row. Settings that a paper does not name are the package's and say so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.trainer.algorithms.cases import Case
from tests.trainer.algorithms.plain import Real, Settings, gradient
from tests.trainer.algorithms.reference_advantages import (
    gae,
    gains,
    globally_normalised,
    greedy_baseline,
    group_relative,
    leave_one_out,
    process_rewards,
    role_conditioned,
    shortest,
    single_stream,
    to_go,
    whitened_gae,
    whitened_gains,
)
from tests.trainer.algorithms.reference_losses import (
    Loss,
    by_sequence,
    by_token,
    cispo_token,
    clip_cov_token,
    gepo_sequence,
    gmpo_sequence,
    gspo_sequence,
    gspo_token_token,
    kl_cov_token,
    ppo_token,
    reinforce_token,
    value_loss,
)


@dataclass(frozen=True)
class Outcome:
    """What an algorithm makes of a case; a value's entries are None without a critic."""

    advantage: Real
    loss: float
    gradient: Real
    returns: Real | None = None
    value_loss: float | None = None
    value_gradient: Real | None = None


@dataclass(frozen=True)
class Reference:
    """An algorithm as its paper has it. Call it on a case, with what is to be set otherwise."""

    advantage: Callable[[Case, Settings], Real]
    loss: Loss
    settings: Settings
    critic: bool = False

    def __call__(self, case: Case, **overrides: Any) -> Outcome:
        s = replace(self.settings, **overrides)
        if s.keep_shortest:
            case = replace(case, included=shortest(case, s.keep_shortest))
        advantage = self.advantage(case, s)
        logp = [row.logp for row in case.rows]
        outcome = Outcome(
            advantage,
            self.loss(case, s, [list(row) for row in logp], advantage).real,
            gradient(lambda point: self.loss(case, s, point, advantage), logp),
        )
        if not self.critic:
            return outcome
        returns = gae(case, s)[1]
        values = [row.new_value for row in case.rows]
        return replace(
            outcome,
            returns=returns,
            value_loss=value_loss(case, s, [list(row) for row in values], returns).real,
            value_gradient=gradient(lambda point: value_loss(case, s, point, returns), values),
        )


_TOKENS = Settings(aggregate="token_mean")
_HIGHER = replace(_TOKENS, clip_high=0.28)
_NARROW = Settings(clip_low=3e-4, clip_high=4e-4)

REFERENCES: dict[str, Reference] = {
    "grpo": Reference(group_relative, by_token(ppo_token), Settings(kl=0.04)),
    "dr_grpo": Reference(group_relative, by_token(ppo_token), Settings(std="none", aggregate="constant")),
    "dapo": Reference(group_relative, by_token(ppo_token), _HIGHER),
    "rloo": Reference(leave_one_out, by_token(reinforce_token), Settings(aggregate="sequence_sum")),
    "reinforce++": Reference(to_go, by_token(ppo_token), replace(_TOKENS, beta=0.01)),
    "reinforce++-baseline": Reference(globally_normalised, by_token(ppo_token), _TOKENS),
    "remax": Reference(greedy_baseline, by_token(reinforce_token), Settings(aggregate="sequence_sum")),
    "ppo": Reference(
        # lambda is InstructGPT's; the critic's coefficient is the package's.
        whitened_gae,
        by_token(ppo_token),
        replace(_TOKENS, lam=0.95, value_coefficient=0.5),
        critic=True,
    ),
    "vapo": Reference(
        whitened_gae,
        by_token(ppo_token),
        replace(_HIGHER, critic_lam=1.0, alpha=0.05, positives=0.1, value_coefficient=0.5),
        critic=True,
    ),
    "prime": Reference(process_rewards, by_token(ppo_token), _TOKENS),
    # As PRIME, with the process rewards of another model.
    "steps": Reference(process_rewards, by_token(ppo_token), _HIGHER),
    "spo": Reference(single_stream, by_token(ppo_token), _HIGHER),
    "spiral": Reference(role_conditioned, by_token(ppo_token), Settings(aggregate="constant")),
    "vineppo": Reference(whitened_gains, by_token(ppo_token), _TOKENS),
    "spo_segment": Reference(gains, by_token(ppo_token), Settings(aggregate="critical_mean")),
    "treerl": Reference(gains, by_token(ppo_token), _TOKENS),
    "gspo": Reference(group_relative, by_sequence(gspo_sequence), _NARROW),
    "gspo_token": Reference(group_relative, by_token(gspo_token_token), _NARROW),
    # The paper has no lower bound and does not name the upper one: the package's.
    "cispo": Reference(group_relative, by_token(cispo_token), replace(_TOKENS, clip_low=1.0, clip_high=4.0)),
    "liteppo": Reference(group_relative, by_token(ppo_token), replace(_TOKENS, std="batch")),
    "gmpo": Reference(group_relative, by_sequence(gmpo_sequence), Settings(clip_low=0.4, clip_high=0.4)),
    "gepo": Reference(group_relative, by_sequence(gepo_sequence), Settings()),
    "clip_cov": Reference(group_relative, by_token(clip_cov_token), _TOKENS),
    "kl_cov": Reference(group_relative, by_token(kl_cov_token), _TOKENS),
    "gfpo": Reference(group_relative, by_token(ppo_token), replace(_HIGHER, keep_shortest=8)),
    "flashrl": Reference(group_relative, by_token(ppo_token), replace(_HIGHER, tis=2.0)),
}
