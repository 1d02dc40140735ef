"""TextSpace: any text that is short enough."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import pytest
from hypothesis import given, strategies as st

from envhub.gymnasium.space import TextSpace


@given(st.text(st.characters(), max_size=30))
def test_text_is_contained_when_it_is_short_enough(text: str) -> None:
    assert text in TextSpace(30)
    assert (text in TextSpace(10)) == (len(text) <= 10)


@pytest.mark.parametrize("value", [None, 5, b"text", ["t"], ("a", "b"), {"a": 1}])
def test_nothing_but_text_is_contained(value: Any) -> None:
    assert value not in TextSpace(30)


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_samples_are_contained_and_follow_the_seed(length: int, seed: int) -> None:
    one, other = TextSpace(length, seed), TextSpace(length, seed)
    samples = [one.sample() for _ in range(5)]
    assert samples == [other.sample() for _ in range(5)]
    assert all(s in one and s for s in samples)
    one.seed(seed)
    assert one.sample() == samples[0]


def test_spaces_are_equal_when_their_limits_are() -> None:
    assert TextSpace(5) == TextSpace(5, seed=3)
    assert TextSpace(5) != TextSpace(6)
    assert TextSpace(5) != gymnasium.spaces.Text(5)
    assert repr(TextSpace(5)) == "TextSpace(5)"


def test_text_is_json_already() -> None:
    values = ["a", "\u00e9", "\U0001f600"]
    assert TextSpace(5).from_jsonable(json.loads(json.dumps(TextSpace(5).to_jsonable(values)))) == values


def test_text_is_neither_flattened_nor_masked() -> None:
    assert not TextSpace(5).is_np_flattenable
    with pytest.raises(ValueError, match="cannot be masked"):
        TextSpace(5).sample(mask=1)
    with pytest.raises(ValueError, match="cannot be masked"):
        TextSpace(5).sample(probability=1)
