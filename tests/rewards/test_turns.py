"""Credit by turn: returns, gates, and where a reward stands."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.types import Verdict
from envhub.rewards import GatedTurns, at_ends, broadcast, discounted_returns, gated_turns, min_form_returns
from tests.rewards.samples import RIGHT, WRONG, sample

NUMBERS = st.floats(-10, 10)
REWARDS = st.lists(NUMBERS, max_size=8)
SHARES = st.floats(0, 1)


def test_returns_by_hand() -> None:
    assert discounted_returns([1.0, 0.0, 4.0], 0.5) == [2.0, 2.0, 4.0]
    assert discounted_returns([1.0, 0.0, 4.0]) == [5.0, 4.0, 4.0]
    assert discounted_returns([1.0, 0.0, 4.0], 0.0) == [1.0, 0.0, 4.0]
    assert min_form_returns([0.9, 0.2, 0.7]) == [0.2, 0.2, 0.7]
    assert broadcast(0.5, 3) == [0.5, 0.5, 0.5]
    assert at_ends([1.0, 2.0], [1, 4], 5) == [0.0, 1.0, 0.0, 0.0, 2.0]
    assert discounted_returns([]) == min_form_returns([]) == broadcast(1.0, 0) == []


@given(REWARDS, SHARES)
def test_each_return_is_the_reward_and_the_discounted_next(rewards: list[float], discount: float) -> None:
    returns = discounted_returns(rewards, discount)
    for turn, value in enumerate(returns):
        direct = sum(discount**later * reward for later, reward in enumerate(rewards[turn:]))
        assert math.isclose(value, direct, abs_tol=1e-9)


@given(REWARDS)
def test_the_min_form_is_the_least_to_come(rewards: list[float]) -> None:
    assert min_form_returns(rewards) == [min(rewards[turn:]) for turn in range(len(rewards))]


@given(REWARDS, SHARES)
def test_an_error_at_the_end_leaves_no_turn_a_number(rewards: list[float], discount: float) -> None:
    rewards = [*rewards, math.nan]
    for credited in (
        discounted_returns(rewards, discount),
        min_form_returns(rewards),
        broadcast(math.nan, len(rewards)),
        gated_turns([0.5] * len(rewards), math.nan, least=-1.0),
    ):
        assert len(credited) == len(rewards)
        assert all(map(math.isnan, credited))


def test_turn_rewards_count_only_when_the_outcome_meets_the_gate() -> None:
    assert gated_turns([0.5, 0.25, 0.0], 1.0) == [0.5, 0.25, 1.0]
    assert gated_turns([0.5, 0.25, 0.0], 0.9) == [0.0, 0.0, 0.9]
    assert gated_turns([0.5, 0.25, 0.0], 0.9, least=0.9, weight=2.0) == [1.0, 0.5, 0.9]
    assert gated_turns([], 1.0) == []
    assert GatedTurns()(sample(RIGHT, turn_rewards=(0.5, 0.25))) == 1.75
    assert GatedTurns()(sample(WRONG, turn_rewards=(0.5, 0.25))) == 0.0
    assert GatedTurns(least=0.5, weight=0.1)(sample(Verdict(0.5), turn_rewards=(1.0,))) == pytest.approx(0.6)


@given(st.lists(NUMBERS, min_size=1, max_size=8), SHARES, SHARES, NUMBERS)
def test_by_turn_and_by_episode_the_gate_pays_the_same(
    turns: list[float], score: float, least: float, weight: float
) -> None:
    by_turn = gated_turns(turns, score, least, weight)
    whole = GatedTurns(least, weight)(sample(Verdict(score), turn_rewards=turns))
    assert math.isclose(sum(by_turn), whole, abs_tol=1e-9)
    if score < least:
        assert whole == score  # no turn reward can be earned around the outcome


@given(st.sets(st.integers(0, 30), max_size=8), st.data())
def test_a_reward_moved_to_its_last_token_is_neither_lost_nor_doubled(places: set[int], data: Any) -> None:
    ends = sorted(places)
    rewards = data.draw(st.lists(NUMBERS, min_size=len(ends), max_size=len(ends)))
    tokens = at_ends(rewards, ends, 31)
    assert [tokens[end] for end in ends] == rewards
    assert not any(tokens[i] for i in range(31) if i not in places)


@pytest.mark.parametrize("ends", [[1], [1, 1], [2, 1], [-1, 1], [1, 5], [1, 2, 3]])
def test_ends_that_do_not_fit_are_refused(ends: list[int]) -> None:
    with pytest.raises(InvalidParameters, match="2 steps need as many ends"):
        at_ends([1.0, 2.0], ends, 5)


@pytest.mark.parametrize("discount", [-0.1, 1.1, math.nan])
def test_a_discount_is_a_share(discount: float) -> None:
    with pytest.raises(InvalidParameters):
        discounted_returns([1.0], discount)
