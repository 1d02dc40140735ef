"""From groups to a step of the optimiser: what is left out, what is counted, and that micro-batches change nothing."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from envhub_trainer.algorithms import ALGORITHMS, algorithm
from envhub_trainer.companions.build import companions
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.episode import Episode, Row
from envhub_trainer.group import Group
from envhub_trainer.portions import micro_batches
from envhub_trainer.skips import Skip
from envhub_trainer.update import Learner
from tests.trainer.models import tiny_llama


def episode(group: int, reward: float, length: int, seed: int, **more: Any) -> Episode:
    """Three given tokens, some sampled, two given, some sampled."""
    torch.manual_seed(seed)
    ids = torch.randint(0, 300, (5 + 2 * length,)).tolist()
    row = Row()
    row.give(ids[:3])
    row.take(ids[3 : 3 + length], [-5.0] * length, [0] * length)
    row.give(ids[3 + length : 5 + length])
    row.take(ids[5 + length :], [-5.0] * length, [0] * length)
    row.pay(reward)
    return Episode("e-v0", 1, {}, group, rows=[row], solved=reward > 0, budget=16, **more)


def groups(rewards: list[list[float]], **more: Any) -> list[Group]:
    return [
        Group(g, None, [episode(g, r, 2 + (g + m) % 4, 100 * g + m, **more) for m, r in enumerate(each)])  # type: ignore[arg-type]
        for g, each in enumerate(rewards)
    ]


REWARDS = [[0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.5, 0.25, 0.0, 1.0]]


def learner(name: str = "dapo", seed: int = 0, overrides: Any = None, **settings: Any) -> Learner:
    row = algorithm(name, **(overrides or {}))
    model = tiny_llama(seed)
    critic = torch.nn.Linear(32, 1) if row.critic and row.critic.shared else None
    reference = tiny_llama(99).eval() if row.needs_ref else None
    given: dict[str, Any] = {"learning_rate": 1e-3, **settings}
    made = Learner(model, row, OptimizerConfig(**given), 10, reference=reference, critic=critic)
    made.companions = companions(made, lambda: tiny_llama(99))
    return made


def weights(trained: Learner) -> Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in trained.parameters])


def with_greedy(found: list[Group]) -> list[Group]:
    for group in found:
        group.greedy = episode(group.number, 0.5, 2, 1)
    return found


@pytest.mark.parametrize("name", ALGORITHMS)
def test_micro_batches_change_nothing_but_the_memory(name: str) -> None:
    ends = []
    for tokens in (1, 30, 16_384):
        overrides = {"value_warmup": 0} if name == "vapo" else {}
        trained = learner(name, 0, overrides, micro_tokens=tokens, minibatches=2, clip_norm=0, learning_rate=1e-2)
        trained.optimizer = torch.optim.SGD(
            trained.parameters
        )  # Adam would magnify what rounding does to a small gradient
        batch = trained.prepare(with_greedy(groups(REWARDS)))
        assert batch is not None
        told = trained.learn(batch, 0)
        assert all(math.isfinite(value) for value in told.values())
        ends.append((weights(trained), told))
    start = weights(learner(name))
    assert (ends[0][0] - start).abs().max() > 1e-4
    for end, told in ends[1:]:
        torch.testing.assert_close(end, ends[0][0], atol=2e-6, rtol=0)
        assert told["loss"] == pytest.approx(ends[0][1]["loss"], abs=1e-5)
        assert told["kl"] == pytest.approx(ends[0][1]["kl"], rel=1e-4, abs=1e-6)


def test_the_policy_moves_towards_what_was_rewarded() -> None:
    trained = learner(learning_rate=1e-3)
    found = groups([[1.0, 0.0]])
    for step in range(5):
        batch = trained.prepare(found)
        assert batch is not None
        trained.learn(batch, step)
    now = trained._all(trained.model, batch, None).logp
    before = learner()._all(tiny_llama(0), batch, None).logp
    gained = ((now - before) * batch.mask).sum(1)
    assert gained[0] > 0.1
    assert gained[1] < -0.1


def test_an_episode_that_failed_is_as_if_it_had_never_been() -> None:
    with_failure, without = groups(REWARDS), groups(REWARDS)
    broken = episode(1, math.nan, 3, 5, error="judge: down")
    with_failure[1].episodes.insert(2, broken)
    one, other = learner(), learner()
    for trained, found in ((one, with_failure), (other, without)):
        batch = trained.prepare(found)
        assert batch is not None
        trained.learn(batch, 0)
    assert torch.equal(weights(one), weights(other))


def test_an_episode_whose_fellows_have_failed_is_compared_with_nobody() -> None:
    found = groups(REWARDS)
    for failed in found[0].episodes[1:]:
        failed.error = "judge: down"
    batch = learner("reinforce++-baseline").prepare(found)
    assert batch is not None
    assert set(batch.group.tolist()) == {1, 2}


def test_rows_without_advantage_count_where_an_algorithm_chooses_tokens() -> None:
    trained = learner("kl_cov")
    batch = trained.prepare(groups([[1.0, 0.0], [1.0, 1.0]]))
    assert batch is not None
    assert len(trained._telling(batch).length) == 4
    assert len(learner("gspo")._telling(batch).length) == 2


def test_a_step_without_anything_to_learn_from_says_why() -> None:
    failed = [Group(0, None, [episode(0, 0.0, 2, 1, error="x: y")])]  # type: ignore[arg-type]
    uniform = [[1.0, 1.0], [0.0, 0.0]]
    assert learner().prepare(failed) is Skip.FAILED
    assert learner("remax").prepare(groups(REWARDS)) is Skip.FAILED  # there are no greedy episodes
    assert learner("dapo").prepare(groups(uniform)) is Skip.UNIFORM
    assert learner("grpo", overrides={"kl": 0}).prepare(groups(uniform)) is Skip.UNIFORM
    assert not isinstance(learner("grpo").prepare(groups(uniform)), Skip), "the KL term has a gradient of its own"
    overlong = learner("grpo", overrides={"drop_overlong": True}).prepare(groups([[1.0, 0.0]], overlong=True))
    assert overlong is Skip.OVERLONG


def test_groups_without_a_greedy_episode_are_left_out_where_one_is_compared_with() -> None:
    found = with_greedy(groups(REWARDS))
    assert found[1].greedy is not None
    found[1].greedy.error = "x: y"
    batch = learner("remax").prepare(found)
    assert batch is not None
    assert sorted(set(batch.group.tolist())) == [0, 2]
    assert batch.advantage is not None
    assert batch.advantage.sum(1).sign().tolist() == [-1, 1, 1, -1, 0, -1, -1, 1]


def test_overlong_rows_are_not_learned_from_but_count_in_their_group() -> None:
    found = groups([[1.0, 0.0, 0.0, 0.0]])
    found[0].episodes[0].overlong = True
    kept = learner("grpo", overrides={"kl": 0}).prepare(found)
    dropped = learner("grpo", overrides={"kl": 0, "drop_overlong": True}).prepare(found)
    assert kept is not None
    assert dropped is not None
    assert dropped.advantage is not None
    assert kept.advantage is not None
    assert len(dropped.length) == 3
    assert torch.equal(dropped.advantage.min(1).values, kept.rows(torch.tensor([1, 2, 3])).advantage.min(1).values)


def test_shaping_is_added_to_the_reward() -> None:
    found = groups([[1.0, 0.0]])
    batch = learner("grpo", overrides={"length": 0.5, "kl": 0}).prepare(found)
    assert batch is not None
    sampled = [each.sampled for each in found[0].episodes]
    assert batch.score.tolist() == pytest.approx([1.0 - 0.5 * sampled[0] / 16, -0.5 * sampled[1] / 16])


def test_a_gradient_that_is_not_finite_leaves_the_model_as_it_was() -> None:
    trained = learner()
    batch = trained.prepare(groups(REWARDS))
    assert batch is not None
    assert batch.advantage is not None
    start = weights(trained)
    with pytest.raises(FloatingPointError, match="gradient's norm is nan"):
        trained.learn(batch.having(advantage=batch.advantage * math.nan), 0)
    assert torch.equal(weights(trained), start)


def test_the_learning_rate_follows_warm_up_and_schedule() -> None:
    linear = learner(warmup=4, schedule="linear", learning_rate=1.0)
    assert [round(linear.learning_rate(step), 4) for step in (0, 3, 5, 9)] == [0.25, 0.7, 0.5, 0.1]
    cosine = learner(schedule="cosine", learning_rate=1.0)
    assert [round(cosine.learning_rate(step), 4) for step in (0, 5, 10)] == [1.0, 0.5, 0.0]
    assert learner(learning_rate=0.5).learning_rate(7) == 0.5


def test_what_is_told_are_means_over_tokens() -> None:
    trained = learner("grpo", overrides={"kl": 0}, minibatches=1)
    batch = trained.prepare(groups([[1.0, 0.0]]))
    assert batch is not None
    now = trained._all(trained.model, batch, None)
    tokens = float(batch.mask.sum())
    off = (now.logp - batch.behaviour) * batch.mask
    told = trained.learn(batch, 0)
    assert told["tokens"] == tokens
    assert told["entropy"] == pytest.approx(float(now.entropy.sum()) / tokens, rel=1e-5)
    assert told["kl"] == pytest.approx(float((off.exp() - 1 - off).sum()) / tokens, rel=1e-4)
    assert told["ratio_max"] == pytest.approx(float(off.exp().max()), rel=1e-4)
    clipped = ((off.exp() < 0.8) | (off.exp() > 1.2)) * batch.mask
    assert told["clipped"] == pytest.approx(float(clipped.sum()) / tokens)


def test_micro_batches_hold_every_row_once_and_no_more_than_they_may() -> None:
    length = torch.tensor([5, 9, 2, 7, 7, 3])
    found = list(micro_batches(length, 15))
    assert sorted(torch.cat(found).tolist()) == [0, 1, 2, 3, 4, 5]
    for index in found:
        assert len(index) == 1 or len(index) * int(length[index].max()) <= 15
    assert [index.tolist() for index in micro_batches(torch.tensor([40]), 15)] == [[0]]


@pytest.mark.parametrize("name", ["dapo", "ppo"])
def test_bfloat16_leaves_the_weights_in_float32_and_learns(name: str) -> None:
    trained = learner(name, bf16=True)
    batch = trained.prepare(groups(REWARDS))
    assert batch is not None
    start = weights(trained)
    trained.learn(batch, 0)
    assert weights(trained).dtype == torch.float32
    assert not torch.equal(weights(trained), start)
