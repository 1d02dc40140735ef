"""Length rewards: the papers' formulas by hand, their ranges, and which way they go."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.rewards import (
    CosineLength,
    ExactBudget,
    Gate,
    MaxBudget,
    Outcome,
    Overlong,
    Sum,
    Within,
    cosine_length,
    exact_budget,
    max_budget,
    overlong,
)
from tests.rewards.samples import RIGHT, WRONG, sample

LENGTHS = st.integers(0, 5000)


@pytest.mark.parametrize(
    ("length", "penalty"),
    [(0, 0.0), (16384, 0.0), (17408, -0.25), (18432, -0.5), (20479, -4095 / 4096), (20480, -1.0), (99999, -1.0)],
)
def test_the_soft_overlong_penalty_with_the_lengths_of_the_paper(length: int, penalty: float) -> None:
    assert overlong(length, 20480, 4096) == penalty
    assert Overlong(20480, 4096)(sample(WRONG, length=length)) == penalty


@given(LENGTHS, st.integers(1, 4000), st.data())
def test_the_penalty_falls_from_0_to_minus_1(length: int, limit: int, data: Any) -> None:
    buffer = data.draw(st.integers(0, limit))
    penalty = overlong(length, limit, buffer)
    assert -1.0 <= overlong(length + 1, limit, buffer) <= penalty <= 0.0
    assert (penalty == 0.0) == (length <= limit - buffer)
    assert (penalty == -1.0) == (length > limit or (length == limit and buffer > 0))


def test_the_reward_of_l1_exact() -> None:
    reward = Sum([(1.0, Outcome()), (1.0, ExactBudget())])  # 1{right} - 0.0003 * |budget - length|
    for verdict, length, paid in ((RIGHT, 1000, 1.0), (RIGHT, 2000, 0.7), (RIGHT, 0, 0.7), (WRONG, 1500, -0.15)):
        assert reward(sample(verdict, length=length, budget=1000)) == pytest.approx(paid)


def test_the_reward_of_l1_max() -> None:
    reward = Gate(MaxBudget(), by=Outcome())  # 1{right} * clip(0.0003 * (budget - length) + 0.5, 0, 1)
    for length, paid in ((1000, 0.5), (500, 0.65), (0, 0.8), (2000, 0.2), (2700, 0.0), (9000, 0.0)):
        assert reward(sample(RIGHT, length=length, budget=1000)) == pytest.approx(paid)
        assert reward(sample(WRONG, length=length, budget=1000)) == 0.0
    assert reward(sample(RIGHT, length=0, budget=9000)) == 1.0


def test_a_target_for_all_takes_the_place_of_the_samples_own() -> None:
    assert ExactBudget(target=10)(sample(length=6, budget=None)) == pytest.approx(-0.0012)
    assert MaxBudget(target=6)(sample(length=6, budget=99)) == 0.5


@given(LENGTHS, LENGTHS, st.floats(0, 1), st.floats(-1, 1))
def test_budgets_have_their_ranges_and_go_their_way(length: int, target: int, alpha: float, delta: float) -> None:
    assert exact_budget(length, target, alpha) <= 0.0 == exact_budget(target, target, alpha)
    assert exact_budget(length, target, alpha) == exact_budget(2 * target - length, target, alpha)
    assert 0.0 <= max_budget(length + 1, target, alpha, delta) <= max_budget(length, target, alpha, delta) <= 1.0


@pytest.mark.parametrize(
    ("verdict", "length", "paid"),
    [
        (RIGHT, 0, 2.0),
        (RIGHT, 250, 1.5 + math.sqrt(2) / 4),
        (RIGHT, 500, 1.5),
        (RIGHT, 1000, -10.0),
        (WRONG, 0, -10.0),
        (WRONG, 500, -5.0),
        (WRONG, 750, -5.0 + 5 * math.sqrt(2) / 2),
        (WRONG, 2000, -10.0),
    ],
)
def test_the_cosine_reward_with_the_values_of_the_paper(verdict: Any, length: int, paid: float) -> None:
    assert CosineLength(1000)(sample(verdict, length=length)) == pytest.approx(paid)


@given(st.integers(0, 999), st.floats(-10, 10), st.floats(-10, 10))
def test_the_cosine_goes_from_one_value_to_the_other(length: int, start: float, end: float) -> None:
    here, next_ = (cosine_length(at, 1000, start, end) for at in (length, length + 1))
    assert min(start, end) - 1e-9 <= here <= max(start, end) + 1e-9
    assert (next_ - here) * (end - start) >= -1e-9
    assert cosine_length(0, 1000, start, end) == pytest.approx(start)
    assert cosine_length(1000, 1000, start, end) == pytest.approx(end)


@given(LENGTHS, LENGTHS, LENGTHS)
def test_within_is_a_plain_limit(length: int, one: int, other: int) -> None:
    least, most = sorted((one, other))
    assert Within(least, most)(sample(length=length)) == float(least <= length <= most)
    assert Within(least)(sample(length=length)) == float(least <= length)


@pytest.mark.parametrize(
    "build",
    [
        lambda: Overlong(0, 0),
        lambda: Overlong(10, 11),
        lambda: Overlong(10, -1),
        lambda: Overlong(10.0, 1),  # type: ignore[arg-type]
        lambda: ExactBudget(alpha=-0.1),
        lambda: MaxBudget(alpha=math.nan),
        lambda: MaxBudget(delta=math.inf),
        lambda: CosineLength(0),
        lambda: CosineLength(9, right=(math.nan, 1.0)),
        lambda: Within(3, 2),
        lambda: Within(True),
    ],
)
def test_settings_that_make_no_sense_are_refused(build: Any) -> None:
    with pytest.raises(InvalidParameters):
        build()
