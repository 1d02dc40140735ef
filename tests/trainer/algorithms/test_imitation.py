"""Losses of demonstrated tokens against a plain computation, next to tokens of the policy."""

from __future__ import annotations

from math import exp, log

import pytest
import torch

from envhub_trainer.algorithms import algorithm
from envhub_trainer.algorithms.imitation import Likelihood, Shaped
from envhub_trainer.batch import Batch, collate
from envhub_trainer.episode import GIVEN, Episode, Row
from tests.trainer.algorithms.toys import loss_and_slope, with_weights


def mixed() -> Batch:
    """A demonstration of two tokens, then an episode that begins with one given token and samples two."""
    found = []
    for version, reward in ((GIVEN, 1.0), (0, 0.0)):
        row = Row()
        row.give([1])
        row.take([2, 3], [0.0, 0.0] if version == GIVEN else [-1.0, -1.5], [version] * 2)
        row.pay(reward)
        found.append(Episode("toy-v0", None, {}, 0, [row]))
    found[1].rows[0].take([4], [0.0], [GIVEN])
    return collate(found)


LOGP = torch.tensor([[log(0.4), log(0.05), 0.0], [-0.9, -1.6, log(0.4)]])


def test_only_tokens_that_no_policy_sampled_are_given() -> None:
    assert mixed().given.tolist() == [[True, True, False], [False, False, True]]


def test_luffy_s_loss_and_slope_by_hand() -> None:
    row = algorithm("dr_grpo", shaping=0.1, aggregate="token_mean")
    batch = with_weights(row, mixed(), LOGP)
    loss, slope = loss_and_slope(row, batch, LOGP)

    def shaped(pi: float, advantage: float) -> tuple[float, float]:
        return -pi / (pi + 0.1) * advantage, -pi * 0.1 / (pi + 0.1) ** 2 * advantage

    def clipped(logp: float, old: float, advantage: float) -> tuple[float, float]:
        ratio = exp(logp - old)
        assert 0.8 < ratio < 1.2
        return -ratio * advantage, -ratio * advantage

    parts = [
        shaped(0.4, 0.5),
        shaped(0.05, 0.5),
        clipped(-0.9, -1.0, -0.5),
        clipped(-1.6, -1.5, -0.5),
        shaped(0.4, -0.5),
    ]
    assert float(loss) == pytest.approx(sum(value for value, _ in parts) / 5, abs=1e-6)
    assert slope[batch.mask > 0].tolist() == pytest.approx([down / 5 for _, down in parts], abs=1e-6)
    assert parts[0] == pytest.approx((-0.4, -0.08)), "half the worked example, whose advantage is 1"
    assert abs(parts[1][1]) > abs(parts[0][1]), "the less likely token learns faster"


def test_the_likelihood_of_a_demonstration_does_not_depend_on_its_advantage() -> None:
    row = algorithm("dr_grpo", likelihood=0.1, aggregate="token_mean")
    batch = mixed().having(score=torch.tensor([0.0, 0.0]))
    loss, slope = loss_and_slope(row, with_weights(row, batch, LOGP), LOGP)
    given = LOGP[batch.given]
    assert float(loss) == pytest.approx(-0.1 * float(given.sum()) / 5, abs=1e-6)
    assert slope[batch.given].tolist() == pytest.approx([-0.1 / 5] * 3)
    assert not slope[~batch.given].any()


def test_both_terms_add_up_and_none_leaves_the_surrogate() -> None:
    both = algorithm("dr_grpo", shaping=0.2, likelihood=0.1)
    assert both.demonstrated == (Shaped(0.2), Likelihood(0.1))
    losses = [
        loss_and_slope(row, with_weights(row, batch, LOGP), LOGP)[0]
        for batch in [mixed().having(budget=torch.tensor([4, 4]))]
        for row in (
            both,
            *(algorithm("dr_grpo", **{name: value}) for name, value in (("shaping", 0.2), ("likelihood", 0.1))),
        )
    ]
    sampled = algorithm("dr_grpo", likelihood=1e-9)
    batch = mixed().having(budget=torch.tensor([4, 4]))
    rest = loss_and_slope(sampled, with_weights(sampled, batch, LOGP), LOGP)[0]
    assert float(losses[0]) == pytest.approx(float(losses[1] + losses[2] - rest), abs=1e-6)
    assert algorithm("grpo", shaping=0.1, likelihood=0.0).demonstrated == (Shaped(0.1),)
