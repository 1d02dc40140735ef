"""Verdict to reward: a weighted sum, and never a number for what could not be judged."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.types import Verdict
from envhub.rewards import WeightedReward

WEIGHTS = st.dictionaries(st.sampled_from(["accuracy", "format", "near", "far"]), st.floats(-100, 100))
SHARES = st.floats(0, 1)


def test_by_default_the_reward_is_the_score() -> None:
    for score in (0.0, 0.25, 1.0):
        assert WeightedReward()(Verdict(score, components={"format": 1.0})) == score
    assert WeightedReward()(Verdict.no_answer("empty", "")) == 0.0


@given(WEIGHTS, SHARES, st.dictionaries(st.sampled_from(["format", "near"]), SHARES))
def test_the_reward_is_the_weighted_sum_of_the_parts(weights: Any, score: float, components: Any) -> None:
    parts = {"far": 0.0, "format": 0.0, "near": 0.0, **components, "accuracy": score}
    expected = sum(weight * parts[name] for name, weight in weights.items())
    reward = WeightedReward(weights)(Verdict(score, components=components))
    assert math.isclose(reward, expected, abs_tol=1e-9)
    assert (
        sum(w for w in weights.values() if w < 0) - 1e-9 <= reward <= sum(w for w in weights.values() if w > 0) + 1e-9
    )


@given(WEIGHTS)
def test_what_could_not_be_judged_has_no_reward_whatever_the_weights(weights: Any) -> None:
    assert math.isnan(WeightedReward(weights)(Verdict.failed("a", "b")))
    assert math.isnan(WeightedReward(weights)(Verdict.failed("a", "b").noting("x", format=1.0)))
    assert not math.isnan(WeightedReward(weights)(Verdict.no_answer("empty", "")))


@pytest.mark.parametrize("weight", ["1", None, True, math.nan, math.inf, -math.inf, [1.0], 1j])
def test_a_weight_is_a_finite_number(weight: Any) -> None:
    with pytest.raises(InvalidParameters, match="The weight of the reward 'format' must be a finite number"):
        WeightedReward({"accuracy": 1.0, "format": weight})
