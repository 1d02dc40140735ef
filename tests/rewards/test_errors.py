"""What could not be judged never becomes a number, and what a sample lacks is never taken for 0."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import pytest

import envhub.rewards
from envhub.core.errors import InvalidParameters
from envhub.rewards import (
    Accuracy,
    Clip,
    CosineLength,
    ExactBudget,
    Gate,
    GatedTurns,
    Language,
    MaxBudget,
    NegativeEntropy,
    Outcome,
    Overlong,
    Repetition,
    Reward,
    Sample,
    SampleReward,
    SelfCertainty,
    SequenceLogProb,
    Sum,
    ThinkAnswer,
    WeightedReward,
    Within,
    failed,
)
from tests.rewards.samples import FAILURES, RIGHT, SILENT, WRONG, sample

ON_VERDICTS: list[Any] = [
    Accuracy(),
    Outcome(right=1.0, wrong=-1.0),
    WeightedReward({"accuracy": 1.0, "format": -0.5}),
    Sum([(1.0, Accuracy()), (0.5, lambda judged: 1.0)]),
    Sum([]),
    Gate(lambda judged: 1.0, by=lambda judged: 0.0, otherwise=0.5),
    Clip(lambda judged: 7.0, 0.0, 1.0),
]
ON_SAMPLES: list[Any] = [
    ThinkAnswer(),
    Language("latin"),
    Within(1, 9),
    Overlong(10, 2),
    ExactBudget(),
    MaxBudget(),
    CosineLength(10),
    Repetition(2),
    Repetition(2, over="words"),
    GatedTurns(),
    SelfCertainty(4),
    NegativeEntropy(4),
    SequenceLogProb(),
]
NEEDS = {
    "text": [ThinkAnswer(), Language("latin"), Repetition(over="words")],
    "length": [Within(), Overlong(10, 2), ExactBudget(), MaxBudget(), CosineLength(10)],
    "token_ids": [Repetition()],
    "budget": [ExactBudget(), MaxBudget()],
    "log_probs": [SequenceLogProb()],
    "distributions": [SelfCertainty(4), NegativeEntropy(4)],
    "turn_rewards": [GatedTurns()],
}


def test_every_piece_is_in_these_tests() -> None:
    exported = [getattr(envhub.rewards, name) for name in envhub.rewards.__all__]
    pieces = {value for value in exported if isinstance(value, type) and issubclass(value, Reward)}
    assert pieces - {Reward, SampleReward} == {type(piece) for piece in [*ON_VERDICTS, *ON_SAMPLES]}
    assert all(issubclass(type(piece), SampleReward) == (piece in ON_SAMPLES) for piece in [*ON_VERDICTS, *ON_SAMPLES])


@pytest.mark.parametrize("piece", [*ON_VERDICTS, *ON_SAMPLES])
@pytest.mark.parametrize("failure", FAILURES)
def test_an_error_has_no_reward(piece: Any, failure: Any) -> None:
    assert failed(failure)
    assert math.isnan(piece(sample(failure)))
    for whole in (Sum([(0.0, piece)]), Gate(piece, by=piece, least=-99.0), Clip(piece, 0.0, 1.0)):
        assert math.isnan(whole(sample(failure)))
    if piece in ON_VERDICTS:
        assert math.isnan(piece(failure))


@pytest.mark.parametrize("piece", [*ON_VERDICTS, *ON_SAMPLES])
@pytest.mark.parametrize("verdict", [RIGHT, WRONG, SILENT])
def test_everything_else_has_one(piece: Any, verdict: Any) -> None:
    assert not failed(verdict)
    assert math.isfinite(piece(sample(verdict)))
    if piece in ON_VERDICTS:
        assert piece(verdict) == piece(sample(verdict))


@pytest.mark.parametrize(("name", "piece"), [(name, piece) for name, pieces in NEEDS.items() for piece in pieces])
def test_what_a_sample_lacks_is_refused(name: str, piece: Any) -> None:
    with pytest.raises(InvalidParameters, match=f"needs '{name}'"):
        piece(sample(**{name: None}))
    piece(Sample(RIGHT, **{name: getattr(sample(), name) for name, users in NEEDS.items() if piece in users}))


def test_every_field_of_a_sample_is_asked_for_by_somebody() -> None:
    assert {field.name for field in fields(Sample)} == {"verdict", *NEEDS}
