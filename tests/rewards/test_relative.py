"""Relative length: the formula by hand, its range, and that wrong answers gain nothing by being short."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.rewards import Sample, relative_length
from tests.rewards.samples import FAILED, RIGHT, SILENT, WRONG

GROUPS = st.lists(st.tuples(st.sampled_from([RIGHT, WRONG, SILENT, FAILED]), st.integers(0, 40)), max_size=8)


def rewards_of(group: list[tuple[Any, int]]) -> list[float]:
    return relative_length([Sample(verdict, length=length) for verdict, length in group])


def test_by_hand() -> None:
    assert rewards_of([(RIGHT, 100), (RIGHT, 200), (RIGHT, 300)]) == [0.5, 0.0, -0.5]
    assert rewards_of([(WRONG, 100), (RIGHT, 150), (WRONG, 250), (WRONG, 300)]) == [0.0, 0.25, -0.25, -0.5]
    assert rewards_of([(RIGHT, 7), (WRONG, 7)]) == [0.0, 0.0]
    assert rewards_of([]) == []


def test_what_could_not_be_judged_sets_no_length() -> None:
    first, *others = rewards_of([(FAILED, 1), (RIGHT, 100), (RIGHT, 300), (FAILED, 999)])
    assert math.isnan(first)
    assert math.isnan(others.pop())
    assert others == [0.5, -0.5]
    assert all(map(math.isnan, rewards_of([(FAILED, 1), (FAILED, 2)])))


@given(GROUPS, st.randoms(use_true_random=False))
def test_laws(group: list[tuple[Any, int]], random: Any) -> None:
    rewards = rewards_of(group)
    for (verdict, length), reward in zip(group, rewards, strict=True):
        assert math.isnan(reward) == (verdict is FAILED)
        if verdict is FAILED:
            continue
        assert -0.5 <= reward <= (0.5 if verdict is RIGHT else 0.0)
        for (other, longer), less in zip(group, rewards, strict=True):
            if other is verdict and longer > length:
                assert less <= reward
    order = list(range(len(group)))
    random.shuffle(order)
    assert str(rewards_of([group[i] for i in order])) == str([rewards[i] for i in order])


def test_a_sample_without_a_length_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="needs 'length'"):
        relative_length([Sample(RIGHT)])
