"""Every algorithm against the recorded values of a reference that was written from the papers, without our code."""

from __future__ import annotations

import json
from dataclasses import replace
from math import exp
from typing import Any

import pytest
import torch

from envhub_trainer.algorithms import ALGORITHMS, algorithm
from envhub_trainer.batch import collate
from tests.trainer.algorithms.cases import NEAR, SEEDS, Case, case
from tests.trainer.algorithms.plain import Settings
from tests.trainer.algorithms.record import ENTRIES, GOLDEN, KEYS, apart, numbers, plain, recorded
from tests.trainer.algorithms.reference import REFERENCES, Outcome
from tests.trainer.algorithms.reference_advantages import covariances, group_relative, shortest
from tests.trainer.algorithms.reference_losses import clipped, overlong
from tests.trainer.algorithms.tensors import as_batch, as_episodes, outcome, padded

VALUES: dict[str, dict[str, Any]] = json.loads(GOLDEN.read_text())


def agree(made: Outcome, wanted: dict[str, Any], tolerance: float = 1e-9) -> None:
    assert all(distance < tolerance for distance in apart(plain(made), wanted).values()), apart(plain(made), wanted)


def test_there_is_a_reference_for_every_algorithm() -> None:
    assert REFERENCES.keys() == ALGORITHMS.keys()
    assert REFERENCES.keys() <= ENTRIES.keys()
    assert VALUES.keys() == KEYS.keys()


@pytest.mark.parametrize("key", KEYS)
def test_the_reference_reproduces_the_recorded_values(key: str) -> None:
    entry, seed = KEYS[key]
    distances = apart(recorded(entry, seed), VALUES[key])
    assert all(distance < 1e-11 for distance in distances.values()), distances


@pytest.mark.parametrize("key", KEYS)
def test_ours_has_the_recorded_advantage_loss_and_gradient(key: str) -> None:
    entry, seed = KEYS[key]
    name, overrides = ENTRIES[entry]
    agree(outcome(algorithm(name, **overrides), case(seed)), VALUES[key])


# The cases do reach what they are meant to reach: without that, agreement says little.


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cases_reach_both_sides_of_every_clip(seed: int) -> None:
    of = case(seed)
    advantage = group_relative(of, Settings())
    for sign in (1, -1):
        apart_by = [
            row.logp[t] - row.old[t]
            for b, row in enumerate(of.rows)
            for t in row.sampled
            if b != NEAR and advantage[b][t] * sign > 0
        ]
        assert min(apart_by) < -0.4
        assert max(apart_by) > 0.4
        assert any(abs(x) < 0.2 for x in apart_by)
    assert any(advantage[NEAR])
    assert any(
        a and row.chosen[t] for row, of_row in zip(of.rows, advantage, strict=True) for t, a in enumerate(of_row)
    )
    assert any(0 in row.mask[: row.sampled[-1]] for row in of.rows), "there are holes"
    assert len(of.rows) > len(of.score), "an episode has two rows"
    assert any(len(row.mask) == 1 for row in of.rows)


def test_the_two_bounds_and_the_dual_clip_by_hand() -> None:
    s = Settings(clip_low=0.2, clip_high=0.28, dual_clip=3.0)
    assert clipped(1.5, 2.0, s) == -2.56
    assert clipped(0.5, -2.0, s) == 1.6
    assert clipped(0.5, 2.0, s) == -1.0
    assert clipped(2.0, -2.0, s) == 4.0
    assert clipped(5.0, -2.0, s) == 6.0


# Ours in ways of being called that the recorded values do not have.


@pytest.mark.parametrize("name", REFERENCES)
def test_without_old_log_probabilities_those_of_sampling_are_taken(name: str) -> None:
    of = case(SEEDS[0])
    same = replace(of, rows=[replace(row, old=row.behaviour) for row in of.rows])
    agree(outcome(algorithm(name), of, old=None), plain(REFERENCES[name](same)))


@pytest.mark.parametrize("name", REFERENCES)
def test_each_row_of_the_table_has_the_paper_s_settings(name: str) -> None:
    agree(outcome(algorithm(name), case(SEEDS[1])), plain(REFERENCES[name](case(SEEDS[1]))))


OF_THEIR_OWN = ("reinforce++", "ppo", "vapo", "prime", "steps", "spo", "spiral")
"""Algorithms whose advantage is not only relative to a group's returns."""


@pytest.mark.parametrize("name", [name for name in REFERENCES if name not in OF_THEIR_OWN])
def test_a_group_whose_rewards_are_all_equal_has_no_advantage_at_all(name: str) -> None:
    of = case(SEEDS[0])
    # 0.7 is a float that the mean of three of it is not.
    rows = [replace(row, gain=[0.0] * len(row.gain)) for row in of.rows]
    equal = replace(of, rows=rows, score=[0.7] * len(of.score), greedy=[0.7] * len(of.score))
    made = outcome(algorithm(name), equal)
    assert set(numbers(made.advantage)) == {0.0}


def without_a_row(of: Case) -> Case:
    """The case, of which one row has no sampled token left in the loss."""
    return replace(
        of, rows=[replace(row, mask=[0] * len(row.mask)) if b == 5 else row for b, row in enumerate(of.rows)]
    )


@pytest.mark.parametrize("name", ["grpo", "dr_grpo", "dapo", "rloo", "gspo", "gmpo", "gepo", "ppo", "cispo"])
def test_a_row_without_sampled_tokens_counts_only_in_the_number_of_rows(name: str) -> None:
    agree(
        outcome(algorithm(name), without_a_row(case(SEEDS[1]))), plain(REFERENCES[name](without_a_row(case(SEEDS[1]))))
    )


def test_a_gradient_in_float32_is_that_of_float64() -> None:
    of = case(SEEDS[0])
    for name in REFERENCES:
        ours = algorithm(name)
        batch = as_batch(of)
        single = {n: t.float() for n, t in vars(batch).items() if isinstance(t, torch.Tensor) and t.is_floating_point()}
        batch = ours.advantage(batch.having(**single))
        batch = ours.weighed(batch)
        logp = padded([row.logp for row in of.rows]).float().requires_grad_()
        (slope,) = torch.autograd.grad(ours.loss(logp, None, batch), logp)
        wanted = padded(outcome(ours, of).gradient, 0.0)
        assert slope.dtype == torch.float32
        torch.testing.assert_close(slope.double(), wanted, rtol=1e-4, atol=1e-5)


# What is not a loss


@pytest.mark.parametrize("seed", SEEDS)
def test_episodes_become_the_batch_that_the_cases_describe(seed: int) -> None:
    of = case(seed)
    made, wanted = collate(as_episodes(of), of.greedy), as_batch(of)
    for name in ("length", "mask", "behaviour", "rewards", "episode", "score", "group", "included", "greedy"):
        torch.testing.assert_close(getattr(made, name).double(), getattr(wanted, name).double(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_gfpo_counts_the_shortest_of_each_group(seed: int) -> None:
    of = case(seed)
    include = algorithm("gfpo", keep_shortest=2).include
    assert include is not None
    episodes = as_episodes(of)
    wanted = shortest(of, 2)
    for group in set(of.group):
        members = [e for e, g in enumerate(of.group) if g == group]
        assert include([episodes[e] for e in members]) == [wanted[e] for e in members]


@pytest.mark.parametrize("seed", SEEDS)
def test_kl_cov_chooses_the_token_with_the_largest_covariance(seed: int) -> None:
    of = case(seed)
    ours = algorithm("kl_cov")
    assert ours.choose is not None
    batch = ours.advantage(as_batch(of, chosen=None))
    chosen = ours.choose(padded([row.logp for row in of.rows]), batch)
    values = covariances(of, group_relative(of, Settings()))
    assert [tuple(place) for place in chosen.nonzero().tolist()] == [max(values, key=lambda place: values[place])]


def test_clip_cov_chooses_among_the_tokens_within_its_bounds_that_the_clip_has_not_cut() -> None:
    ours = algorithm("clip_cov")
    assert ours.choose is not None
    numbers_chosen = []
    for seed in SEEDS:
        of = case(seed)
        advantage = group_relative(of, Settings())
        within = {
            (b, t)
            for (b, t), value in covariances(of, advantage).items()
            if 1 < value < 5 and 0.8 <= exp(of.rows[b].logp[t] - of.rows[b].old[t]) <= 1.2
        }
        batch = ours.advantage(as_batch(of, chosen=None))
        places = ours.choose(padded([row.logp for row in of.rows]), batch).nonzero().tolist()
        assert {tuple(place) for place in places} <= within
        assert len(places) == min(len(within), 1)
        numbers_chosen.append(len(places))
    assert 1 in numbers_chosen


def test_the_overlong_penalty_is_that_of_dapo() -> None:
    (shape,) = algorithm("dapo", overlong_buffer=4, overlong_penalty=1.0).shape
    of = case(SEEDS[0])
    lengths = [of.length(e) for e in range(len(of.score))]
    for longest in range(4, 12):
        made = [shape(episode) for episode in as_episodes(replace(of, max_tokens=longest))]
        assert made == pytest.approx([overlong(n, longest, 4) for n in lengths])
    assert overlong(9, 10, 4) == -0.75
    assert overlong(11, 10, 4) == -1


def test_the_zero_variance_filter_drops_the_group_of_equal_rewards() -> None:
    of = case(SEEDS[0])
    episodes = as_episodes(of)
    # Sums of floats in another order: equal but for rounding.
    for episode, paid in zip([e for e in episodes if e.group == 3], ([0.1, 0.2], [0.2, 0.1], [0.3]), strict=True):
        episode.rows[0].rewards = paid
    keep = algorithm("dapo", drop_uniform=True).keep
    kept = {g for g in of.group if all(k([episode for episode in episodes if episode.group == g]) for k in keep)}
    assert kept == {7, 12}
