"""Credit from continuations, by hand: which states are continued, and what a segment gains."""

from __future__ import annotations

from math import log, sqrt

import pytest
import torch

from envhub_trainer.algorithms import algorithm
from envhub_trainer.algorithms.forks import Forks, critical_mean
from envhub_trainer.batch import collate
from envhub_trainer.episode import Branch, Episode, Row, Segment


def episode(reward: float, *turns: list[float], rows: int = 1, error: str | None = None) -> Episode:
    """Turns of tokens with these probabilities; the reward comes at the end."""
    made = Episode("toy-v0", None, {}, 0, [Row() for _ in range(rows)], error=error)
    for number, probabilities in enumerate(turns):
        row = made.rows[number * rows // len(turns)]
        row.give([1, 2])
        row.take([3] * len(probabilities), [log(each) for each in probabilities], [0] * len(probabilities))
    made.rows[-1].pay(reward)
    return made


def branch(of: int, start: int, reward: float, error: str | None = None) -> Branch:
    return Branch(of, start, episode(reward, [0.5] * 4, error=error))


@pytest.mark.parametrize(
    ("settings", "turns", "chosen"),
    [
        ({"at": "turns"}, [[0.5] * 3, [0.5] * 2, [0.5] * 4], [3, 5]),
        ({"at": "turns"}, [[0.5] * 3], []),
        ({"at": "turns", "states": 2}, [[0.5]] * 9, [3, 7]),
        ({"at": "segments", "cuts": 1}, [[0.5, 0.99, 0.2, 0.6]], [2, 3]),
        ({"at": "segments", "cuts": 2}, [[0.5, 0.99, 0.2], [0.6, 0.95, 0.3, 0.4]], [3, 6]),
        ({"at": "segments"}, [[0.99] * 9], []),
        ({"at": "surprising", "states": 1}, [[0.1, 0.99, 0.2, 0.6]], [2]),
        ({"at": "surprising", "states": 2}, [[0.1, 0.99], [0.2, 0.6]], [2, 3]),
    ],
)
def test_the_states_that_are_continued(
    settings: dict[str, object], turns: list[list[float]], chosen: list[int]
) -> None:
    assert Forks(**settings).choose(episode(1.0, *turns)) == chosen  # type: ignore[arg-type]


def test_a_segment_gains_the_difference_of_the_values_around_it() -> None:
    found = [episode(1.0, [0.5] * 3, [0.5] * 2), episode(0.0, [0.5] * 5), episode(0.5, [0.5] * 2)]
    branches = [branch(0, 3, reward) for reward in (1.0, 0.0, 1.0, 1.0)]
    Forks().credit(found, branches)
    assert found[0].segments == [Segment(0, 0.75 - 0.25), Segment(3, 1.0 - 0.75)]
    assert found[1].segments == [Segment(0, 0.0 - 0.75)], "an episode without continuations has one segment"
    assert found[2].segments == [Segment(0, 0.5 - 0.5)]
    assert not branches[0].episode.segments, "continuations are not learned from"


def test_a_continuation_that_failed_is_not_counted() -> None:
    found = [episode(1.0, [0.5] * 5), episode(0.0, [0.5] * 5), episode(7.0, [0.5] * 5, error="judge: down")]
    branches = [branch(0, 3, 1.0), branch(0, 3, 9.0, "judge: down"), branch(0, 4, 9.0, "judge: down")]
    Forks().credit(found, branches)
    assert found[0].segments == [Segment(0, 1.0), Segment(3, 0.0)]
    assert not found[2].segments


def test_a_tree_adds_global_and_local_advantage_over_the_root_of_the_leaves() -> None:
    found = [episode(1.0, [0.5] * 6), episode(0.0, [0.5] * 6)]
    branches = [branch(0, 2, 0.0), branch(0, 2, 1.0), branch(0, 4, 0.0)]
    Forks(at="surprising", tree=True).credit(found, branches)
    root = 2 / 5  # of the five leaves two earned 1
    first, second = 2 / 4, 1 / 2  # below state 2: 1, 0, 1, 0; below state 4: 1, 0
    trunk = Segment(0, pytest.approx(2 * (first - root) / sqrt(4)))  # type: ignore[arg-type]
    between = Segment(2, pytest.approx((second - root + second - first) / sqrt(2)))  # type: ignore[arg-type]
    assert found[0].segments == [trunk, between, Segment(4, pytest.approx(1 - root + 1 - second))]  # type: ignore[arg-type]
    assert found[1].segments == [Segment(0, pytest.approx(-root - root))]  # type: ignore[arg-type]
    leaf, other, last = (each.episode.segments for each in branches)
    assert leaf == [trunk, Segment(2, pytest.approx(0 - root + 0 - first))]  # type: ignore[arg-type]
    assert other == [trunk, Segment(2, pytest.approx(1 - root + 1 - first))]  # type: ignore[arg-type]
    assert last == [trunk, between, Segment(4, pytest.approx(0 - root + 0 - second))]  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", [1, 2])
def test_the_tokens_of_a_segment_have_its_gain_across_turns_and_rows(rows: int) -> None:
    one = episode(1.0, [0.5] * 3, [0.5] * 2, rows=rows)
    one.segments = [Segment(0, 1.0), Segment(2, 2.0), Segment(4, 3.0)]
    batch = collate([one])
    assert batch.gain is not None
    assert batch.gain[batch.mask > 0].tolist() == [1.0, 1.0, 2.0, 2.0, 3.0]
    assert not batch.gain[batch.mask == 0].any()


def test_whitened_gains_by_hand() -> None:
    one = episode(1.0, [0.5] * 3)
    one.segments = [Segment(0, 1.0), Segment(2, -2.0)]
    wanted = {"vineppo": [0.57735, 0.57735, -1.1547], "treerl": [1.0, 1.0, -2.0]}
    for name, values in wanted.items():
        batch = algorithm(name).advantage(collate([one]))
        assert batch.advantage is not None
        assert batch.advantage[batch.mask > 0].tolist() == pytest.approx(values, abs=1e-5)


def test_likely_tokens_have_no_weight_in_segment_policy_optimisation() -> None:
    weights = critical_mean(batch := collate([episode(1.0, [0.5, 0.99, 0.2])]))
    assert torch.equal(weights[batch.mask > 0], torch.tensor([0.5, 0.0, 0.5]))
