"""A process reward model from rollouts: its labels and rewards by hand, and that it learns which turns lead to success."""

from __future__ import annotations

import pytest
import torch

from envhub_trainer.algorithms.steps import Steps, turn_ends
from envhub_trainer.batch import Batch, collate
from envhub_trainer.companions.steps import StepReward
from envhub_trainer.episode import Episode, Row
from envhub_trainer.skips import Skip
from tests.trainer.test_update import REWARDS, groups, learner


def episode(turns: list[list[int]], reward: float, group: int = 0, *, rows: int = 1) -> Episode:
    """Tokens 1 and 2 given before each turn, which is sampled; its rows share the turns."""
    made = Episode("e-v0", None, {}, group, [Row() for _ in range(rows)])
    for number, tokens in enumerate(turns):
        row = made.rows[number * rows // len(turns)]
        row.give([1, 2])
        row.take(tokens, [-1.0] * len(tokens), [0] * len(tokens))
    made.rows[-1].pay(reward)
    return made


def batch() -> Batch:
    return collate(
        [
            episode([[5, 9], [6, 9]], 1.0),
            episode([[5, 9], [7, 9]], 0.0),
            episode([[8, 9]], 0.0),
            episode([[5, 9], [6, 9]], 1.0, group=1),
        ]
    )


def test_a_turn_s_label_is_the_success_of_the_episodes_that_begin_with_it() -> None:
    made = batch()
    ends = turn_ends(made)
    assert ends.nonzero().tolist() == [[0, 2], [0, 6], [1, 2], [1, 6], [2, 2], [3, 2], [3, 6]]
    labels = Steps().labels(made)
    assert labels[ends].tolist() == [0.5, 1.0, 0.5, 0.0, 0.0, 1.0, 1.0]
    assert not labels[~ends].any()
    assert Steps(success=0.0).labels(made)[ends].tolist() == [1.0] * 7


@pytest.mark.parametrize("rows", [1, 2])
def test_a_turn_s_reward_is_what_it_added_to_the_chance(rows: int) -> None:
    made = collate([episode([[5, 9], [6, 9]], 1.0, rows=rows), episode([[8, 9]], 0.0)])
    on = made.mask > 0
    chance = torch.zeros_like(made.mask)
    chance[on] = torch.tensor([0.5, 0.4, 0.7, 0.9, 0.2, 0.3])
    reward = Steps().reward(chance, made)
    assert reward[on].tolist() == pytest.approx([0.0, -0.1, 0.0, 0.5, 0.0, 0.1])
    assert not reward[~on].any()


def test_it_learns_its_labels_and_nothing_else_learns() -> None:
    made = learner("steps", 0, {"process_learning_rate": 3e-3})
    (model,) = made.companions
    assert isinstance(model, StepReward)
    found = made.prepare(groups(REWARDS))
    assert not isinstance(found, Skip)
    assert found.process is not None
    assert not found.process.any(), "it begins with a chance of .5 everywhere"
    before = [each.clone() for each in made.model.parameters()]
    losses = [model.learn(found, step)["process_loss"] for step in range(25)]
    assert losses[0] == pytest.approx(0.693147, rel=1e-5)
    assert losses[-1] < 0.4 * losses[0]
    assert all(torch.equal(*pair) for pair in zip(made.model.parameters(), before, strict=True))
    after = model.score(found, []).process
    assert after is not None
    gained = torch.zeros(12).index_add(0, found.episode, after.sum(1))
    won = found.score >= 1
    assert gained[won].min() > gained[~won].max()
