"""Shares with their bounds, rank correlation, percentiles."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.statistics import NORMAL_999, difference, percentile, spearman, wilson


def test_spearman_is_one_for_any_increasing_relation_and_minus_one_for_decreasing() -> None:
    xs = [1.0, 2.0, 3.0, 4.0]
    assert spearman(xs, [x**3 for x in xs]) == pytest.approx(1)
    assert spearman(xs, [-x for x in xs]) == pytest.approx(-1)
    assert spearman(xs, [5.0] * 4) == 0


def test_wilsons_interval_as_in_the_literature() -> None:
    low, high = wilson(81, 263)  # Newcombe 1998, table I, method 3
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)


@given(tried=st.integers(1, 10_000), part=st.floats(0, 1))
def test_the_interval_holds_the_share_and_widens_with_certainty(tried: int, part: float) -> None:
    hits = int(part * tried)
    low, high = wilson(hits, tried)
    assert -1e-12 <= low <= hits / tried + 1e-12
    assert hits / tried - 1e-12 <= high <= 1 + 1e-12
    wide = wilson(hits, tried, NORMAL_999)
    assert wide[0] <= low + 1e-12
    assert wide[1] >= high - 1e-12


def test_percentiles() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert percentile(values, 50) == 51.0
    assert percentile(values, 99) == 100.0
    assert percentile([7.0], 99) == 7.0
    assert percentile([], 50) == 0.0


def test_the_interval_of_a_difference_as_in_the_literature() -> None:
    low, high = difference((48, 80), (56, 70))  # Newcombe 1998, table II, method 10
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)
    assert difference((0, 0), (1, 2)) == (-1, 1)


@given(st.integers(0, 50), st.integers(1, 50), st.integers(0, 50), st.integers(1, 50))
def test_the_interval_of_a_difference_holds_it_and_is_the_same_the_other_way(a: int, n: int, b: int, m: int) -> None:
    one, other = (min(a, n), n), (min(b, m), m)
    low, high = difference(one, other)
    assert -1 <= low <= other[0] / m - one[0] / n <= high <= 1
    assert difference(other, one) == pytest.approx((-high, -low))
