"""A critic of its own: what it trains, that it learns returns, its normalised targets, and its warm-up."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
import torch
from torch import nn

from envhub_trainer.algorithms import algorithm
from envhub_trainer.batch import Batch
from envhub_trainer.companions.build import companions
from envhub_trainer.companions.value import ValueHead, ValueModel
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.skips import Skip
from envhub_trainer.update import Learner
from tests.trainer.models import tiny_llama
from tests.trainer.test_update import REWARDS, groups, learner, weights


def with_critic(trunk: str, **overrides: Any) -> tuple[Learner, ValueModel]:
    made = learner("ppo", 0, {"value_trunk": trunk, "value_learning_rate": 3e-3, "value_clip": None, **overrides})
    (critic,) = made.companions
    assert isinstance(critic, ValueModel)
    return made, critic


def prepared(made: Learner) -> Batch:
    batch = made.prepare(groups(REWARDS))
    assert not isinstance(batch, Skip)
    return batch


@pytest.mark.parametrize("trunk", ["detached", "own"])
def test_a_critic_trains_its_own_weights_alone(trunk: str) -> None:
    made, critic = with_critic(trunk)
    batch, policy = prepared(made), weights(made)
    trunk_before = [each.clone() for each in critic.trunk.parameters()]
    for step in range(2):  # the head is 0 at first, so that the first step has no gradient for the trunk
        critic.learn(batch, step)
    assert torch.equal(weights(made), policy)
    moved = any(not torch.equal(*pair) for pair in zip(critic.trunk.parameters(), trunk_before, strict=True))
    assert moved == (trunk == "own")
    assert critic.head.linear.weight.abs().max() > 0
    assert all(each.grad is None for each in made.model.parameters())


def test_the_policy_s_update_does_not_see_the_value_loss() -> None:
    with_own, _ = with_critic("own")
    other, _ = with_critic("own", value_coefficient=100.0)
    for made in (with_own, other):
        made.learn(prepared(made), 0)
    assert torch.equal(weights(with_own), weights(other))


@pytest.mark.parametrize("normalise", [False, True])
def test_it_learns_the_returns_and_says_how_well(normalise: bool) -> None:
    made, _ = with_critic("own", value_normalise=normalise, lam=1.0, value_warmup=1000)
    told = [made.learn(prepared(made), step) for step in range(60)]
    assert told[0]["value_explained"] == pytest.approx(0.0, abs=1e-6), "all values are 0 at first"
    assert told[-1]["value_explained"] > 0.8
    assert told[-1]["value_loss"] < 0.3 * told[0]["value_loss"]
    assert torch.equal(weights(made), weights(learner("ppo", 0, {"value_trunk": "own"}))), "still in its warm-up"
    assert "grad_norm" not in told[-1]


def test_after_the_warm_up_the_policy_learns_too() -> None:
    made, _ = with_critic("own", value_warmup=2)
    moved = []
    for step in range(3):
        before = weights(made)
        told = made.learn(prepared(made), step)
        moved.append(not torch.equal(weights(made), before))
        assert ("grad_norm" in told) == moved[-1]
    assert moved == [False, False, True]


def test_values_are_in_units_of_returns_whatever_the_head_s_unit() -> None:
    made, critic = with_critic("detached", value_normalise=True)
    batch = prepared(made)
    nn.init.normal_(critic.head.linear.weight)
    before = critic.score(batch, []).value
    critic.head.adapt(torch.tensor([90.0, 110.0]))
    after = critic.score(batch, []).value
    assert before is not None
    assert after is not None
    torch.testing.assert_close(after, before, rtol=1e-4, atol=1e-4)
    assert not after[batch.mask == 0].any()


def test_popart_by_hand() -> None:
    head = ValueHead(1)
    nn.init.constant_(head.linear.weight, 2.0)
    hidden = torch.ones(1, 1)
    assert head.raw(head(hidden)).item() == pytest.approx(2.0)
    head.adapt(torch.tensor([1.0, 3.0]))
    assert (head.mean.item(), head.deviation.item()) == pytest.approx((2.0, 1.0))
    assert head(hidden).item() == pytest.approx(0.0)
    head.adapt(torch.tensor([9.0, 13.0]))  # the mean of both batches: 6.5; of squares (5 + 125) / 2 = 65
    assert (head.mean.item(), head.deviation.item()) == pytest.approx((6.5, 22.75**0.5))
    assert head.raw(head(hidden)).item() == pytest.approx(2.0)
    assert head.normalised(torch.tensor(6.5)).item() == 0.0
    for _ in range(200):
        head.adapt(torch.tensor([1e3, 1e3]))
    assert head.deviation.item() >= 0.01
    assert head.mean.item() == pytest.approx(1e3, rel=1e-3)


@pytest.mark.parametrize("name", ["ppo", "vapo", "prime", "steps"])
def test_a_resumed_companion_is_the_same(name: str) -> None:
    trunk = {"value_trunk": "own", "value_normalise": True} if name == "ppo" else {}
    settings = {**trunk, "value_warmup": 1} if name in ("ppo", "vapo") else {}
    straight, stopped, resumed = (learner(name, 0, settings) for _ in range(3))
    for step in range(2):
        for made in (straight, stopped):
            made.learn(prepared(made), step)
    resumed.model.load_state_dict(stopped.model.state_dict())
    resumed.load_state_dict(stopped.state_dict())
    for step in range(2, 4):
        assert straight.learn(prepared(straight), step) == resumed.learn(prepared(resumed), step)
    assert torch.equal(weights(straight), weights(resumed))


def test_a_gradient_that_is_not_finite_leaves_critic_and_policy_as_they_were() -> None:
    made, critic = with_critic("own")
    batch = prepared(made)
    assert batch.returns is not None
    before, head = weights(made), critic.head.linear.bias.clone()
    with pytest.raises(FloatingPointError, match="gradient's norm is nan"):
        made.learn(batch.having(returns=batch.returns * torch.nan), 0)
    assert torch.equal(weights(made), before)
    assert torch.equal(critic.head.linear.bias, head)


def test_a_trunk_of_its_own_begins_as_the_first_model() -> None:
    made, critic = with_critic("own")
    assert all(torch.equal(*pair) for pair in zip(critic.trunk.parameters(), tiny_llama(99).parameters(), strict=True))
    assert with_critic("detached")[1].trunk is not critic.trunk
    assert with_critic("detached")[1].own is False
    assert critic.trunk is not made.model


@pytest.mark.parametrize("name", ["vapo", "prime", "steps"])
def test_companions_of_a_model_in_bfloat16_learn_and_resume(name: str) -> None:
    def low() -> Learner:
        row = algorithm(name, **({"value_warmup": 0} if name == "vapo" else {}))
        reference = tiny_llama(99).to(torch.bfloat16).eval() if row.needs_ref else None
        made = Learner(tiny_llama().to(torch.bfloat16), row, OptimizerConfig(learning_rate=1e-3), 10, 1.0, reference)
        made.companions = companions(made, lambda: tiny_llama(99).to(torch.bfloat16))
        return made

    straight, resumed = low(), low()
    straight.learn(prepared(straight), 0)
    resumed.model.load_state_dict(straight.model.state_dict())
    resumed.load_state_dict(deepcopy(straight.state_dict()))  # as from a file
    for step in (1, 2):
        assert straight.learn(prepared(straight), step) == resumed.learn(prepared(resumed), step)
