"""PRIME's process reward model: its rewards and its loss against the paper's equations in plain Python, and that it learns."""

from __future__ import annotations

from math import exp, log

import pytest
import torch

from envhub_trainer.algorithms.process import Implicit
from envhub_trainer.companions.implicit import ImplicitReward
from envhub_trainer.skips import Skip
from tests.trainer.algorithms.cases import SEEDS, Case, case
from tests.trainer.algorithms.plain import Number, Real, Tokens, gradient, over_tokens
from tests.trainer.algorithms.tensors import as_batch, padded, ragged
from tests.trainer.test_update import REWARDS, groups, learner

BETA, SUCCESS = 0.3, 0.4


def cross_entropy(of: Case, logp: Tokens) -> Number:
    """PRIME (2502.01456), equations 3 and 4: r(y) = beta sum_t log(pi_phi / pi_ref), CE of sigmoid(r(y)) with success."""
    total: Number = 0.0
    for episode, score in enumerate(of.score):
        rows = [(b, row) for b, row in enumerate(of.rows) if row.episode == episode]
        reward = BETA * sum(logp[b][t] - row.ref[t] for b, row in rows for t in row.sampled)
        total -= log_sigmoid(reward if score >= SUCCESS else -reward)
    return total / len(of.score)


def log_sigmoid(x: Number) -> Number:
    """log(1 / (1 + e^-x)) for a number whose imaginary part is tiny: the derivative is 1 / (1 + e^x)."""
    x = complex(x)
    return complex(-log(1 + exp(-x.real)), x.imag / (1 + exp(x.real)))


@pytest.mark.parametrize("seed", SEEDS)
def test_rewards_loss_and_gradient_are_the_paper_s(seed: int) -> None:
    of, settings = case(seed), Implicit(beta=BETA, success=SUCCESS)
    logp: Real = [row.logp for row in of.rows]
    batch = as_batch(of)
    batch = batch.having(process=settings.reward(padded(logp), batch))
    wanted = over_tokens(of, lambda b, t: BETA * (logp[b][t] - of.rows[b].ref[t]))
    assert batch.process is not None
    torch.testing.assert_close(padded(ragged(batch.process, of)), padded(wanted))  # type: ignore[arg-type]
    assert settings.loss(batch) == pytest.approx(cross_entropy(of, [list(row) for row in logp]).real, abs=1e-12)
    slope = gradient(lambda point: cross_entropy(of, point), logp)
    torch.testing.assert_close(padded(ragged(settings.weights(batch), of)), padded(slope), rtol=1e-10, atol=1e-14)
    assert 0 < sum(score >= SUCCESS for score in of.score) < len(of.score), "there are both successes and failures"


def test_the_worked_example() -> None:
    of = case(SEEDS[0])
    batch = as_batch(of)
    mask = torch.zeros_like(batch.mask)
    mask[0, 0] = mask[1, 0] = 1
    score, episode = torch.tensor([0.0, 1.0]), torch.tensor([0, 1])
    small = batch.rows(torch.tensor([0, 1])).having(score=score, episode=episode, group=episode)
    small = small.having(mask=mask[:2, : small.mask.shape[1]], process=torch.zeros_like(small.mask))
    assert small.process is not None
    small.process[0, 0] = 0.4
    settings = Implicit()
    assert settings.weights(small)[0, 0].item() == pytest.approx(0.014967, abs=1e-6)
    assert settings.loss(small) == pytest.approx((0.9130153 + log(2)) / 2, abs=1e-6)


def test_it_learns_which_episodes_succeed_and_nothing_else_learns() -> None:
    made = learner("prime", 0, {"process_learning_rate": 3e-3})
    (model,) = made.companions
    assert isinstance(model, ImplicitReward)
    batch = made.prepare(groups(REWARDS))
    assert not isinstance(batch, Skip)
    assert batch.process is not None
    assert not batch.process.any(), "it begins as the reference"
    before = [each.clone() for each in made.model.parameters()]
    losses = []
    for step in range(15):
        losses.append(model.learn(batch, step)["process_loss"])
        batch = model.score(batch, [])
    assert losses[0] == pytest.approx(log(2), rel=1e-5)
    assert losses[-1] < 0.4 * losses[0]
    assert all(torch.equal(*pair) for pair in zip(made.model.parameters(), before, strict=True))


@pytest.mark.parametrize("tokens", [1, 30])
def test_micro_batches_change_nothing_but_the_memory(tokens: int) -> None:
    ends = []
    for size in (tokens, 16_384):
        made = learner("prime", 0, {"process_learning_rate": 1e-3}, micro_tokens=size, clip_norm=0)
        (model,) = made.companions
        assert isinstance(model, ImplicitReward)
        model._fitting.optimizer = torch.optim.SGD(model.model.parameters(), lr=1.0)  # Adam would magnify rounding
        batch = made.prepare(groups(REWARDS))
        assert not isinstance(batch, Skip)
        model.learn(batch, 0)
        ends.append(torch.cat([each.detach().flatten() for each in model.model.parameters()]))
    torch.testing.assert_close(ends[0], ends[1], atol=2e-6, rtol=0)
