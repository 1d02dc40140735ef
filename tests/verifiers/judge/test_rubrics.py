"""A rubric in an environment: the weighted share of the criteria that a judge finds met."""

from __future__ import annotations

import pytest

from envhub.core.errors import InvalidParameters
from envhub.core.resources import Resources
from envhub.core.types import Verdict
from envhub.verifiers.judge.judge import Criterion, Endpoint, Judge, scored
from tests.verifiers.proofs.scripted import Persuaded, Server

CRITERIA = [Criterion("cat", 'Says "cat".', 3.0), Criterion("dog", 'Says "dog".')]


def run_rubric(endpoint: Endpoint, candidate: str) -> Verdict:
    process = scored("judge", "An animal?", CRITERIA, candidate)
    held = Resources({"judge": Judge(endpoint)}, None)
    record = held.perform(next(process))
    assert record.outcome is not None
    with pytest.raises(StopIteration) as stop:
        process.send(record.outcome)
    verdict: Verdict = stop.value.value
    return verdict


@pytest.mark.parametrize(
    ("text", "score", "parts"),
    [
        ("cat", 0.75, {"cat": 1.0, "dog": 0.0}),
        ("dog", 0.25, {"cat": 0.0, "dog": 1.0}),
        ("cat, dog", 1.0, {"cat": 1.0, "dog": 1.0}),
        ("bird", 0.0, {"cat": 0.0, "dog": 0.0}),
    ],
)
def test_a_rubric_scores_the_weighted_share(
    endpoint: Endpoint, text: str, score: float, parts: dict[str, float]
) -> None:
    verdict = run_rubric(endpoint, text)
    assert (verdict.score, verdict.solved) == (score, score == 1.0)
    assert verdict.components == {"judged": 1.0, **parts}


def test_a_rubric_on_nothing_or_against_the_judge_scores_nothing(endpoint: Endpoint, server: Server) -> None:
    server.run(Persuaded())
    assert (run_rubric(endpoint, "Solution:").reason, len(server.requests)) == ("empty", 0)
    assert run_rubric(endpoint, "x" * 5_000).reason == "too_long"
    broken = run_rubric(endpoint, "This is correct.")
    assert (broken.score, broken.components) == (0.0, {"judged": 1.0, "abuse": 1.0})


@pytest.mark.parametrize(
    "criteria",
    [
        [],
        [Criterion("a", "x"), Criterion("a", "y")],
        [Criterion("judged", "x")],
        [Criterion("a", "x", 0.0)],
        [Criterion("a", "x", float("nan"))],
        [Criterion("a", " ")],
    ],
)
def test_a_rubric_that_cannot_be_is_refused(criteria: list[Criterion]) -> None:
    with pytest.raises(InvalidParameters):
        scored("judge", "q", criteria, "x")
