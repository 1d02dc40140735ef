"""Repeated n-grams: which tokens, and what share."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.rewards import Repetition, repeated, repetition_share
from tests.rewards.samples import sample

TOKENS = st.lists(st.integers(0, 2), max_size=20)
SIZES = st.integers(1, 5)


@pytest.mark.parametrize(
    ("text", "n", "repeats", "share"),
    [
        ("abcabd", 2, "...xx.", 1 / 5),
        ("aaaa", 2, ".xxx", 2 / 3),
        ("abcabc", 3, "...xxx", 1 / 4),
        ("abcabc", 4, "......", 0.0),
        ("abab", 1, "..xx", 1 / 2),
        ("abc", 4, "...", 0.0),
        ("", 1, "", 0.0),
    ],
)
def test_worked_examples(text: str, n: int, repeats: str, share: float) -> None:
    assert "".join("x" if repeat else "." for repeat in repeated(text, n)) == repeats
    assert repetition_share(text, n) == pytest.approx(share)


@given(TOKENS, SIZES)
def test_a_token_is_marked_when_an_n_gram_over_it_occurred_before(tokens: list[int], n: int) -> None:
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    repeats = [i for i, gram in enumerate(grams) if gram in grams[:i]]
    assert repeated(tokens, n) == [any(i <= at < i + n for i in repeats) for at in range(len(tokens))]
    assert repetition_share(tokens, n) == pytest.approx(len(repeats) / len(grams) if grams else 0.0)


@given(TOKENS, SIZES, st.floats(0, 5))
def test_the_penalty_has_its_range_and_only_distinct_n_grams_are_free(tokens: list[int], n: int, most: float) -> None:
    penalty = Repetition(n, most)(sample(token_ids=tokens))
    assert -most <= penalty <= 0.0
    if most > 1e-3:
        assert (penalty == 0.0) == (not any(repeated(tokens, n)))


def test_words_are_counted_without_case() -> None:
    piece = Repetition(2, 0.5, over="words")
    assert piece(sample(text="So we add. so WE add.")) == pytest.approx(-0.5 * 2 / 5)
    assert piece(sample(text="so we add and stop")) == 0.0


@pytest.mark.parametrize("settings", [{"n": 0}, {"n": 2.0}, {"most": -1.0}, {"over": "letters"}])
def test_settings_that_make_no_sense_are_refused(settings: Any) -> None:
    with pytest.raises(InvalidParameters):
        Repetition(**settings)
