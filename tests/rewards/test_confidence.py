"""Confidence: the definitions by hand, exact with the whole vocabulary, never too high with a part of it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.rewards import (
    NegativeEntropy,
    SelfCertainty,
    SequenceLogProb,
    negative_entropy,
    self_certainty,
    sequence_log_prob,
)
from tests.rewards.samples import sample

LN2 = math.log(2)
DYADIC = [-LN2, -2 * LN2, -3 * LN2, -3 * LN2]  # 1/2, 1/4, 1/8, 1/8
EVEN = [-2 * LN2] * 4
WEIGHTS = st.lists(st.floats(1e-3, 1), min_size=2, max_size=8)


def logs(weights: list[float]) -> list[float]:
    return [math.log(weight / math.fsum(weights)) for weight in weights]


def test_by_hand() -> None:
    # -log 4 - mean(log p) = -2 log 2 + (1 + 2 + 3 + 3) / 4 log 2, and sum(p log p) = -(1/2 + 2/4 + 3/8 + 3/8) log 2
    assert self_certainty([DYADIC], 4) == pytest.approx(0.25 * LN2)
    assert negative_entropy([DYADIC], 4) == pytest.approx(-1.75 * LN2)
    assert self_certainty([DYADIC, EVEN], 4) == pytest.approx(0.125 * LN2)
    assert negative_entropy([DYADIC, EVEN], 4) == pytest.approx(-1.875 * LN2)
    assert sequence_log_prob([-LN2, -2 * LN2]) == pytest.approx(-3 * LN2)
    assert SelfCertainty(4)(sample(distributions=[DYADIC])) == pytest.approx(0.25 * LN2)
    assert NegativeEntropy(4)(sample(distributions=[DYADIC])) == pytest.approx(-1.75 * LN2)
    assert SequenceLogProb()(sample(log_probs=[-1.0, -0.5])) == -1.5


def test_an_even_distribution_is_the_least_confident() -> None:
    assert self_certainty([EVEN], 4) == pytest.approx(0.0, abs=1e-12)
    assert negative_entropy([EVEN], 4) == pytest.approx(-math.log(4))


def test_the_tail_is_spread_evenly() -> None:
    assert self_certainty([DYADIC[:2]], 4) == pytest.approx(0.25 * LN2)  # its tail is even
    assert negative_entropy([DYADIC[:2]], 4) == pytest.approx(-1.75 * LN2)
    tail = math.log(1 / 6)  # one half over three tokens
    assert self_certainty([DYADIC[:1]], 4) == pytest.approx(-math.log(4) - (-LN2 + 3 * tail) / 4)
    assert negative_entropy([DYADIC[:1]], 4) == pytest.approx(-0.5 * LN2 + 0.5 * tail)


@given(WEIGHTS, st.data())
def test_a_part_of_the_vocabulary_never_overstates_confidence(weights: list[float], data: Any) -> None:
    whole = sorted(logs(weights), reverse=True)
    size = len(whole)
    k = data.draw(st.integers(1, size))
    exact = (self_certainty([whole], size), negative_entropy([whole], size))
    part = (self_certainty([whole[:k]], size), negative_entropy([whole[:k]], size))
    assert all(some <= full + 1e-9 for some, full in zip(part, exact, strict=True))
    if k >= size - 1:
        assert part == pytest.approx(exact)


@given(WEIGHTS, st.randoms(use_true_random=False))
def test_ranges_hold_and_the_order_of_tokens_does_not_matter(weights: list[float], random: Any) -> None:
    whole = logs(weights)
    size = len(whole)
    shuffled = random.sample(whole, size)
    assert self_certainty([whole], size) == self_certainty([shuffled], size) >= 0.0
    assert -math.log(size) <= negative_entropy([whole], size) == negative_entropy([shuffled], size) <= 0.0


@given(st.floats(0.3, 0.9), st.floats(0.01, 0.09))
def test_a_sharper_distribution_is_more_confident(p: float, more: float) -> None:
    blunt, sharp = (
        [math.log(q), math.log((1 - q) / 2), math.log((1 - q) / 2)] for q in (max(p, 0.34), max(p, 0.34) + more)
    )
    assert self_certainty([sharp], 3) > self_certainty([blunt], 3)
    assert negative_entropy([sharp], 3) > negative_entropy([blunt], 3)


def test_a_tail_of_no_mass_is_no_infinity() -> None:
    sure = [[0.0]]
    assert 0.0 < self_certainty(sure, 50_000) < 30.0
    assert negative_entropy(sure, 50_000) == 0.0
    assert math.isfinite(self_certainty([[1e-6, -20.0]], 50_000))  # single precision


def test_writing_nothing_is_not_confident() -> None:
    assert self_certainty([], 4) == 0.0
    assert negative_entropy([], 4) == -math.log(4)


@pytest.mark.parametrize(
    "bad",
    [
        [],
        [-0.1, -0.1],
        [0.5],
        [math.nan, -1.0],
        [-LN2, -2 * LN2, -3 * LN2],
        [*DYADIC, -9.0],
        [-9.0] * 3,
        [math.inf],
    ],
)
def test_what_is_no_distribution_is_refused(bad: list[float]) -> None:
    for measure in (self_certainty, negative_entropy):
        with pytest.raises(InvalidParameters, match="distribution over 3 tokens"):
            measure([bad], 3)


def test_a_filtered_distribution_has_an_entropy_and_no_self_certainty() -> None:
    filtered = [-LN2, -LN2, -math.inf]
    assert negative_entropy([filtered], 3) == pytest.approx(-LN2)
    with pytest.raises(InvalidParameters, match="unfiltered"):
        self_certainty([filtered], 3)


@pytest.mark.parametrize("vocabulary", [0, -1, 2.0])
def test_a_vocabulary_has_a_size(vocabulary: Any) -> None:
    for build in (SelfCertainty, NegativeEntropy):
        with pytest.raises(InvalidParameters):
            build(vocabulary)
