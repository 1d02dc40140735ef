"""pass@k against its definition, intervals that cover, tests that find what is there and nothing else."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.core.statistics import interval, pass_at_k, sign_flip


@given(st.integers(1, 8), st.data())
def test_pass_at_k_is_the_share_of_choices_with_a_success(attempts: int, data: st.DataObject) -> None:
    solved, k = data.draw(st.integers(0, attempts)), data.draw(st.integers(1, attempts))
    outcomes = [True] * solved + [False] * (attempts - solved)
    chosen = list(combinations(outcomes, k))
    assert pass_at_k(attempts, solved, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))


@pytest.mark.parametrize("k", [0, 4])
def test_pass_at_k_needs_k_attempts(k: int) -> None:
    with pytest.raises(ValueError, match=f"pass@{k} of 3"):
        pass_at_k(3, 1, k)


def test_intervals_cover_what_they_should() -> None:
    rng, covered, samples = Stream(b"coverage"), 0, 200
    for _ in range(samples):
        values = [float(rng.below(10) < 3) for _ in range(60)]
        low, high = interval(values, draws=200)
        assert low <= fmean(values) <= high
        covered += low <= 0.3 <= high
    assert 0.88 <= covered / samples <= 0.99


def test_intervals_are_the_same_again_and_narrow_with_tasks() -> None:
    few, many = [0.0, 1.0] * 10, [0.0, 1.0] * 200
    assert interval(few) == interval(few)
    width = [high - low for low, high in (interval(few), interval(many))]
    assert width[1] < width[0] / 3


def test_without_spread_the_bounds_are_those_of_a_share() -> None:
    low, high = interval([1.0] * 5)
    assert 0.5 < low < 0.6
    assert high == 1.0
    low, high = interval([0.0] * 5)
    assert (low, 0.4 < high < 0.5) == (0.0, True)
    assert interval([]) == (0.0, 1.0)
    low, high = interval([0.5] * 5)
    assert 0.1 < low < 0.2
    assert low + high == pytest.approx(1.0)


def test_a_difference_is_found_and_none_is_not() -> None:
    assert sign_flip([1.0] * 12) < 0.01
    assert sign_flip([0.5, -0.5] * 10) > 0.5
    assert sign_flip([0.0] * 10) == 1.0
    assert sign_flip([1.0, 1.0, 1.0]) == pytest.approx(0.25, abs=0.03)  # two of eight ways of signs are as far apart
    assert sign_flip([0.0] * 50 + [1.0] * 12) == sign_flip([1.0] * 12)
    assert sign_flip([-1.0] * 12) == sign_flip([1.0] * 12)


def test_chance_differences_are_rarely_called_sure() -> None:
    rng = Stream(b"null")
    ps = [sign_flip([float(rng.below(3) - 1) for _ in range(20)], draws=300) for _ in range(100)]
    assert sum(p < 0.05 for p in ps) <= 12
