"""Majority vote: answers vote by their meaning, the order of samples does not matter, ties give no label."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.rewards import Sample, majority_vote
from envhub.verifiers.answers.types import Integer, Rational
from tests.rewards.samples import FAILURES, RIGHT, WRONG

ANSWERS = st.lists(st.sampled_from(["1/2", "0.5", "2/4", "3", "3.0", "-1", "none of it", ""]), max_size=9)


def vote(*texts: str | None, answer: Any = None) -> list[float]:
    """Votes of single answers; None for a sample that could not be judged."""
    samples = [Sample(FAILURES[0], "<answer>3</answer>") if t is None else said(t) for t in texts]
    return majority_vote(samples, answer or Rational())


def said(text: str) -> Sample:
    return Sample(WRONG, f"<answer>{text}</answer>")


def value(text: str) -> Fraction | None:
    return Fraction(text) if text and text[-1].isdigit() else None


def same(one: list[float], other: list[float]) -> bool:
    return str(one) == str(other)


def test_the_most_frequent_answer_is_the_label_whatever_the_verdict_says() -> None:
    samples = [Sample(WRONG, "<answer>2</answer>"), Sample(RIGHT, "<answer>3</answer>"), Sample(WRONG, "so it is\n2")]
    assert majority_vote(samples, Integer()) == [1.0, 0.0, 1.0]


def test_answers_vote_by_their_meaning() -> None:
    assert vote("1/2", "3", "0.5", "3", r"\frac{2}{4}") == [1.0, 0.0, 1.0, 0.0, 1.0]
    assert vote("3", "3", "1/2", "1/2", "3") == [1.0, 1.0, 0.0, 0.0, 1.0]


def test_what_cannot_be_read_has_no_vote_and_earns_nothing() -> None:
    assert vote("what?", "what?", "what?", "3") == [0.0, 0.0, 0.0, 1.0]
    assert vote("3 or 4", "", "4") == [0.0, 0.0, 1.0]


def test_what_could_not_be_judged_has_no_vote_and_no_reward() -> None:
    assert same(vote(None, None, "4"), [math.nan, math.nan, 1.0])
    assert same(vote("3", None, "4", "4"), [0.0, math.nan, 1.0, 1.0])
    assert same(vote("3", None, "4"), [math.nan] * 3)  # with its vote, 3 would win


def test_a_tie_or_a_silent_group_gives_no_label() -> None:
    assert same(vote("3", "4"), [math.nan] * 2)
    assert same(vote("3", "4", "3", "4", "5"), [math.nan] * 5)
    assert same(vote("what?", ""), [math.nan] * 2)
    assert vote() == []


@given(ANSWERS)
def test_the_label_is_the_only_most_frequent_value(texts: list[str]) -> None:
    ranked = Counter(value(text) for text in texts if value(text) is not None).most_common()
    rewards = vote(*texts)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        assert all(map(math.isnan, rewards))
    else:
        assert rewards == [float(value(text) == ranked[0][0]) for text in texts]


@given(ANSWERS, st.randoms(use_true_random=False))
def test_the_order_of_the_samples_does_not_matter(texts: list[str | None], random: Any) -> None:
    texts = [*texts, None]
    order = list(range(len(texts)))
    random.shuffle(order)
    rewards = vote(*texts)
    assert same(vote(*(texts[i] for i in order)), [rewards[i] for i in order])


class Near(Integer):
    """Integers that are the same when they differ by one at most: a tolerance, which is not transitive."""

    def same(self, one: Any, other: Any) -> bool:
        return bool(abs(one - other) <= 1)


def test_a_tolerance_votes_with_all_it_is_near_to() -> None:
    assert vote("1", "2", "3", "9", answer=Near()) == [1.0, 1.0, 1.0, 0.0]
    assert same(vote("1", "2", "2", "3", "9", answer=Near()), [1.0, 1.0, 1.0, 1.0, 0.0])
    assert all(map(math.isnan, vote("1", "2", "5", "6", answer=Near())))


def test_a_sample_without_text_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="needs 'text'"):
        majority_vote([Sample(RIGHT)], Integer())
