"""Algorithms as rows of small choices: advantage, ratio, loss, weights.

>>> algorithm("dapo", clip_high=0.3, overlong_buffer=64)     # a row of the table with other settings
>>> ALGORITHMS["grpo"]                                       # a row as in its paper; its repr says all

A row is an :class:`Algorithm`; its choices are functions and frozen dataclasses in this package's modules, each with its
source and a worked example. Where a paper and its code differ, or a paper omits a number, the choice documents which one is
used.

Rows in brief, from the papers: ``grpo`` has the KL term (k3, 0.04) and so a reference model, ``kl=0`` removes both;
``reinforce++`` has the divergence in the reward (0.01), ``beta=0`` removes it; ``rloo`` and ``ppo`` accept ``beta``, 0 by
default; ``prime`` needs a reference model for its process rewards, no other row uses one. ``dapo`` refills, drops uniform
groups and penalises the last fifth of the budget. ``vapo`` trains its critic alone for 50 steps. ``prime`` refills until the
groups have between 20 % and 80 % successes. ``spo`` needs ``tasks.pool``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from envhub_trainer.algorithms.advantages import (
    Discounted,
    Gae,
    GroupExpecting,
    GroupRelative,
    LeaveOneOut,
    WhitenedGroup,
    over_greedy,
)
from envhub_trainer.algorithms.checks import one_of
from envhub_trainer.algorithms.corrections import Tis
from envhub_trainer.algorithms.covariance import CovClip, CovKl
from envhub_trainer.algorithms.critic import Critic
from envhub_trainer.algorithms.filters import Between, KeepShortest, varied
from envhub_trainer.algorithms.forks import Forks, Gains, critical_mean
from envhub_trainer.algorithms.overrides import Setting, overridden
from envhub_trainer.algorithms.positives import Positives
from envhub_trainer.algorithms.process import Implicit, ProcessAdvantage
from envhub_trainer.algorithms.ratios import group_expectation, on_policy, sequence, sequence_token, token
from envhub_trainer.algorithms.regularisers import Kl
from envhub_trainer.algorithms.roles import Roles, over_role
from envhub_trainer.algorithms.row import Algorithm
from envhub_trainer.algorithms.shaping import SoftOverlong
from envhub_trainer.algorithms.steps import Steps
from envhub_trainer.algorithms.surrogates import Cispo, Clip, Geometric, plain
from envhub_trainer.algorithms.tracked import Tracker, over_tracker
from envhub_trainer.algorithms.weights import constant, sequence_mean, sequence_sum, token_mean

__all__ = ["ALGORITHMS", "Algorithm", "Critic", "algorithm"]

_GROUP = GroupRelative()
_HIGHER = Clip(low=0.2, high=0.28)
_COV_CLIP, _COV_KL = CovClip(), CovKl()

ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {
        # With a critic, or a separate baseline
        "ppo": Algorithm(Gae(), token, Clip(), token_mean, critic=Critic()),
        "vapo": Algorithm(
            Gae(critic_lam=1.0, alpha=0.05),
            token,
            _HIGHER,
            token_mean,
            critic=Critic(trunk="own", warmup=50),
            imitate=Positives(),
        ),
        "reinforce++": Algorithm(Discounted(), token, Clip(), token_mean),
        "reinforce++-baseline": Algorithm(WhitenedGroup(), token, Clip(), token_mean),
        "remax": Algorithm(over_greedy, on_policy, plain, sequence_sum, greedy_baseline=True),
        "rloo": Algorithm(LeaveOneOut(), on_policy, plain, sequence_sum),
        "spo": Algorithm(over_tracker, token, _HIGHER, token_mean, tracker=Tracker()),
        "spiral": Algorithm(over_role, token, Clip(), constant, roles=Roles()),
        # With continuations from forks
        "vineppo": Algorithm(Gains(whiten=True), token, Clip(), token_mean, forks=Forks("turns")),
        "spo_segment": Algorithm(Gains(), token, Clip(), critical_mean, forks=Forks("segments")),
        "treerl": Algorithm(Gains(), token, Clip(), token_mean, forks=Forks("surprising", tree=True)),
        # Group-relative advantage, token ratio
        "grpo": Algorithm(_GROUP, token, Clip(), sequence_mean, regularisers=(Kl(),)),
        "dr_grpo": Algorithm(GroupRelative(std="none"), token, Clip(), constant),
        "dapo": Algorithm(_GROUP, token, _HIGHER, token_mean, keep=(varied,), shape=(SoftOverlong(),), refill=True),
        "liteppo": Algorithm(GroupRelative(std="batch"), token, Clip(), token_mean),
        "cispo": Algorithm(_GROUP, token, Cispo(), token_mean),
        "clip_cov": Algorithm(_GROUP, token, _COV_CLIP, token_mean, choose=_COV_CLIP.choose),
        "kl_cov": Algorithm(_GROUP, token, _COV_KL, token_mean, choose=_COV_KL.choose),
        "gfpo": Algorithm(_GROUP, token, _HIGHER, token_mean, include=KeepShortest()),
        "prime": Algorithm(
            ProcessAdvantage(), token, Clip(), token_mean, process=Implicit(), keep=(Between(),), refill=True
        ),
        "steps": Algorithm(ProcessAdvantage(), token, _HIGHER, token_mean, process=Steps()),
        "flashrl": Algorithm(_GROUP, token, _HIGHER, token_mean, correct=Tis()),
        # Group-relative advantage, sequence ratio
        "gspo": Algorithm(_GROUP, sequence, Clip(low=3e-4, high=4e-4), sequence_mean),
        "gspo_token": Algorithm(_GROUP, sequence_token, Clip(low=3e-4, high=4e-4), sequence_mean),
        "gmpo": Algorithm(_GROUP, token, Geometric(), sequence_mean),
        "gepo": Algorithm(GroupExpecting(), group_expectation, Clip(), sequence_mean),
    }
)
"""All algorithms by name. Read-only; :func:`algorithm` creates variants."""


def algorithm(name: str, **overrides: Setting) -> Algorithm:
    """Return a row of :data:`ALGORITHMS` with changed settings.

    Args:
        name: Name of the algorithm, or ``module:NAME`` for a row of your own module.
        **overrides: ``clip_low``, ``clip_high``, ``dual_clip`` (None disables it); ``kl`` (coefficient in the loss),
            ``kl_kind`` (``k2``, ``k3``); ``beta`` (divergence in the reward); ``entropy`` (coefficient of the bonus);
            ``aggregate`` (``token_mean``, ``sequence_mean``, ``constant``, ``sequence_sum``); ``std`` (``group``, ``batch``,
            ``none``); ``tis`` (cap); ``importance`` (cap of the token ratio that a row without one gets, off-policy);
            ``gamma``, ``lam``, ``critic_lam``, ``alpha`` (length-adaptive lambda); ``value_coefficient``, ``value_clip``
            (None disables it), ``value_trunk`` (``shared``, ``detached``, ``own``), ``value_warmup`` (steps),
            ``value_normalise``, ``value_learning_rate``; ``process_beta``, ``process_learning_rate``; ``tracker_half``,
            ``tracker_low``, ``tracker_high``, ``explore``; ``role_decay``; ``tis_level``, ``mask`` (``token`` or
            ``sequence``), ``mask_low``, ``mask_high``; ``kl_target``, ``entropy_target``; ``top_entropy`` (share of tokens);
            ``positives`` (coefficient), ``success`` (least return of a right answer); ``at``, ``states``, ``continuations``,
            ``cuts``, ``tree`` (of :class:`Forks`), ``whiten``; ``shaping`` (gamma of LUFFY) and ``likelihood`` (coefficient)
            for tokens of demonstrations; ``length`` (penalty for using the whole budget); ``overlong_buffer`` (tokens; None
            for a fifth of the budget), ``overlong_penalty``; ``keep_shortest`` (episodes of a group); ``drop_overlong``,
            ``drop_uniform``, ``refill`` (True or False). 0 removes a term.

    Raises:
        ValueError: Unknown algorithm, module or setting, a setting that does not apply to it, or an invalid value.
    """
    return overridden(name, _row(name), overrides)


def _row(name: str) -> Algorithm:
    if ":" not in name:
        one_of("algorithm", "its name", name, ALGORITHMS)
        return ALGORITHMS[name]
    module, _, attribute = name.partition(":")
    try:
        row = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"algorithm: {name!r} cannot be imported: {error}.") from error
    if not isinstance(row, Algorithm):
        raise ValueError(f"algorithm: {name!r} must be an Algorithm, got {type(row).__name__}.")
    return row
