"""Settings by name: what they change, which rows they apply to, and what is said where they do not."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from envhub_trainer.algorithms import ALGORITHMS, algorithm
from tests.trainer.algorithms.toys import batch_of, episodes, loss_and_slope, with_weights

each_algorithm = pytest.mark.parametrize("name", ALGORITHMS)


def test_what_a_row_needs_follows_from_its_choices() -> None:
    assert algorithm("grpo").needs_ref
    assert not algorithm("grpo", kl=0).needs_ref
    assert algorithm("grpo", kl=0).regularisers == ()
    assert algorithm("rloo", beta=0.1).needs_ref
    assert not algorithm("rloo").needs_ref
    assert not algorithm("reinforce++", beta=0).needs_ref
    assert algorithm("flashrl").needs_old
    assert not algorithm("flashrl", tis=0).needs_old
    assert algorithm("dapo", entropy=0.01).needs_entropy
    assert not algorithm("dapo").needs_entropy


@pytest.mark.parametrize(
    ("name", "setting", "parts"),
    [
        ("grpo", {"clip_low": 0.1, "clip_high": 0.3, "dual_clip": 3.0}, ["Clip(low=0.1, high=0.3, dual=3.0)"]),
        ("gmpo", {"clip_high": 0.5}, ["Geometric(low=0.4, high=0.5)"]),
        ("dapo", {"kl_kind": "k2", "kl": 0.1}, ["Kl(kind='k2', coefficient=0.1)"]),
        ("grpo", {"kl_kind": "k2"}, ["Kl(kind='k2', coefficient=0.04)"]),
        ("grpo", {"aggregate": "constant", "std": "none"}, ["weigh=constant", "GroupRelative(std='none')"]),
        ("gepo", {"std": "none"}, ["GroupExpecting(std='none')"]),
        ("rloo", {"tis": 3}, ["Tis(cap=3, level='token')"]),
        ("ppo", {"gamma": 0.9, "lam": 1.0, "value_coefficient": 1.0, "value_clip": None},
         ["Gae(gamma=0.9, lam=1.0, beta=0.0,", "Critic(coefficient=1.0, clip=None,"]),
        ("dapo", {"overlong_buffer": 8, "length": 0.1, "overlong_penalty": 0.5},
         ["SoftOverlong(buffer=8, penalty=0.5)", "LengthPenalty(coefficient=0.1)"]),
        ("grpo", {"drop_uniform": True, "refill": True, "drop_overlong": True},
         ["keep=(varied)", "refill=True", "drop_overlong=True"]),
        ("vineppo", {"at": "segments", "states": 8, "continuations": 2, "cuts": 3, "whiten": False},
         ["Forks(at='segments', states=8, continuations=2, cuts=3, tree=False)", "Gains(whiten=False)"]),
        ("dapo", {"keep_shortest": 2}, ["KeepShortest(k=2)"]),
        ("clip_cov", {"clip_high": 0.4}, ["choose=CovClip.choose", "high=0.4"]),
        ("grpo", {"tis": 3.0, "tis_level": "sequence"}, ["Tis(cap=3.0, level='sequence')"]),
        ("flashrl", {"mask": "token", "mask_high": 4.0}, ["Masked(level='token', low=0.5, high=4.0)"]),
        ("dapo", {"top_entropy": 0.2, "positives": 0.1, "success": 0.9},
         ["focus=HighEntropy(share=0.2)", "Positives(coefficient=0.1, success=0.9)"]),
        ("ppo", {"value_trunk": "own", "value_warmup": 4, "value_normalise": True, "critic_lam": 1.0, "alpha": 0.5},
         ["trunk='own', warmup=4, normalise=True", "critic_lam=1.0, alpha=0.5"]),
        ("grpo", {"kl_target": 0.02, "entropy_target": 0.3}, ["AdaptiveKl(target=0.02", "EntropyTarget(target=0.3",
         "Entropy(coefficient=0.0)"]),
        ("prime", {"process_beta": 0.1, "success": 0.5}, ["Implicit(beta=0.1", "Between(low=0.2, high=0.8, success=0.5)"]),
        ("spiral", {"role_decay": 0.5}, ["roles=Roles(decay=0.5)"]),
        ("spo", {"tracker_low": 0.9, "explore": 0.1}, ["low=0.9, high=0.96, explore=0.1"]),
    ],
)  # fmt: skip
def test_an_override_stands_in_the_row_s_words(name: str, setting: dict[str, Any], parts: list[str]) -> None:
    words = repr(algorithm(name, **setting))
    assert all(part in words for part in parts), words
    assert words != repr(algorithm(name))
    assert words == repr(algorithm(name, **dict(reversed(setting.items())))), "the order makes no difference"


def test_a_term_is_taken_out_by_nought() -> None:
    row = algorithm("dapo", overlong_buffer=0, overlong_penalty=2, drop_uniform=False, refill=False, length=0, kl=0)
    off = algorithm("dapo", tis=0, mask="", top_entropy=0, positives=0, kl_target=0, entropy_target=0)
    assert off == algorithm("dapo")
    assert (row.shape, row.keep, row.refill, row.regularisers) == ((), (), False, ())
    assert algorithm("gfpo", keep_shortest=0).include is None
    assert algorithm("grpo", kl=0, kl_kind="k2").regularisers == ()


def test_a_clip_override_reaches_what_clip_cov_chooses_by() -> None:
    row = algorithm("clip_cov", clip_low=0.0, clip_high=0.0)
    assert row.choose is not None
    assert row.choose == row.surrogate.choose  # type: ignore[attr-defined]
    assert row.clip_range == (0.0, 0.0)
    assert algorithm("gmpo").clip_range == pytest.approx((1 - 0.670320046, 0.491824698))
    assert algorithm("rloo").clip_range == (1.0, float("inf"))


@each_algorithm
def test_words_hold_no_address_and_all_overrides_offered_are_accepted(name: str) -> None:
    assert "0x" not in repr(algorithm(name))
    values: dict[str, Any] = {
        "kl_kind": "k2", "aggregate": "constant", "std": "none", "drop_uniform": True, "drop_overlong": True,
        "refill": True, "dual_clip": 3.0, "keep_shortest": 2, "overlong_buffer": 4, "tis": 2.0, "importance": 1.5,
        "tis_level": "sequence", "value_trunk": "own", "value_warmup": 3, "value_normalise": True,
        "at": "segments", "states": 2, "continuations": 2, "cuts": 1, "tree": True, "whiten": True,
    }  # fmt: skip
    with pytest.raises(ValueError, match="what applies: ") as error:
        algorithm(name, nothing_such=1)
    offered = str(error.value).split("what applies: ")[1].split(".")[0].split(", ")
    assert {"kl", "entropy", "aggregate", "tis"} <= set(offered)
    settings = {each: values.get(each, 0.5) for each in offered if not each.startswith("mask")}
    row = algorithm(name, **settings)
    batch, logp = batch_of(episodes())
    loss, slope = loss_and_slope(row, with_weights(row, batch, logp), logp)
    assert torch.isfinite(loss)
    assert torch.isfinite(slope).all()


@pytest.mark.parametrize(
    ("name", "setting", "message"),
    [
        ("grpoo", {}, "Did you mean 'grpo'"),
        ("grpo", {"clip_hihg": 0.3}, "'clip_hihg' is not a setting of grpo.*Did you mean 'clip_high'"),
        ("rloo", {"clip_high": 0.3}, "'clip_high' does not apply to rloo; what applies: aggregate, beta"),
        ("grpo", {"lam": 0.9}, "'lam' does not apply to grpo"),
        ("grpo", {"value_clip": 0.1}, "does not apply"),
        ("ppo", {"drop_uniform": True}, "does not apply"),
        ("kl_cov", {"dual_clip": 3.0}, "does not apply"),
        ("dapo", {"kl_kind": "k2"}, "set 'kl' to its coefficient"),
        ("grpo", {"kl_kind": "k1"}, "one of k2, k3; got 'k1'"),
        ("grpo", {"aggregate": "tokenmean"}, "Did you mean 'token_mean'"),
        ("grpo", {"std": "groups"}, "Did you mean 'group'"),
        ("grpo", {"clip_low": 1.5}, "low is a number from 0 to 1, got 1.5"),
        ("grpo", {"kl": "much"}, "coefficient is a number at least 0, got 'much'"),
        ("grpo", {"dual_clip": 0.5}, "dual is a number at least 1"),
        ("grpo", {"refill": 1}, "refill is True or False, got 1"),
        ("dapo", {"keep_shortest": 2.5}, "k is a whole number at least 1"),
        ("ppo", {"value_warmup": 5}, "set trunk to detached or own"),
        ("ppo", {"value_trunk": "onw"}, "Did you mean 'own'"),
        ("dapo", {"tis": 2.0, "mask": "token"}, "set 'tis' or 'mask', not both"),
        ("dapo", {"mask": "tokens"}, "Did you mean 'token'"),
        ("dapo", {"kl_target": 0.1}, "'kl_target' needs a divergence to control"),
        ("dapo", {"success": 0.5}, "which nothing here uses; set 'positives' too"),
        ("spo", {"tracker_low": 0.99}, "Tracker: high is a number at least|Tracker: high is a number from 0.99"),
        ("vineppo", {"at": "turn"}, "Did you mean 'turns'"),
        ("vineppo", {"states": 0}, "states is a whole number at least 1"),
        ("vineppo", {"whiten": 1}, "whiten is True or False, got 1"),
        ("grpo", {"continuations": 4}, "'continuations' does not apply to grpo"),
        ("ppo", {"gamma": float("nan")}, "gamma is a number from 0 to 1"),
    ],
)
def test_an_override_that_cannot_be_says_what_can(name: str, setting: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        algorithm(name, **setting)


@pytest.mark.parametrize(
    ("name", "lacking", "setting"),
    [
        ("grpo", "ref", {}),
        ("remax", "greedy", {}),
        ("ppo", "value", {}),
        ("reinforce++", "ref", {"beta": 0.1}),
        ("prime", "process", {}),
        ("spo", "baseline", {}),
        ("spiral", "baseline", {}),
        ("vineppo", "gain", {}),
    ],
)
def test_what_the_batch_lacks_is_named(name: str, lacking: str, setting: dict[str, Any]) -> None:
    batch, logp = batch_of(episodes())
    row = algorithm(name, **setting)
    with pytest.raises(ValueError, match=f"needs batch.{lacking}, which is None: "):
        loss_and_slope(row, with_weights(row, batch.having(**{lacking: None}), logp), logp)


def test_a_loss_before_its_weights_or_without_entropy_says_so() -> None:
    batch, logp = batch_of(episodes())
    with pytest.raises(ValueError, match="call the algorithm's `weighed`"):
        algorithm("dapo").loss(logp, None, batch)
    row = algorithm("dapo", entropy=0.1)
    with pytest.raises(ValueError, match="entropy of each token, got None"):
        row.loss(logp, None, with_weights(row, batch, logp))


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        ALGORITHMS["grpo"] = ALGORITHMS["dapo"]  # type: ignore[index]
