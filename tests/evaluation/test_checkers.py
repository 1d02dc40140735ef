"""Answers that made a user's checker fail are counted in an evaluation, and a checker that often fails is said to be broken."""

from __future__ import annotations

import pytest

from envhub.core.types import CHECKER_FAILED
from envhub.evaluation.config import EvaluationConfig, Job
from envhub.evaluation.html import page
from envhub.evaluation.records import Read, Record
from envhub.evaluation.summary import summarise


@pytest.mark.parametrize(("failed", "broken"), [(0, False), (1, False), (2, True)])
def test_a_checker_that_fails_on_more_than_one_per_cent_is_broken(failed: int, broken: bool) -> None:
    config = EvaluationConfig((("arithmetic-v0", 1, 1),), tasks=100)
    records = [
        Record(Job("arithmetic-v0", 1, number, 0), "no_answer", score=0.0, why=CHECKER_FAILED)
        if number < failed
        else Record(Job("arithmetic-v0", 1, number, 0), "graded", True, 1.0)
        for number in range(100)
    ]
    found = Read(config, "somebody", records)
    summary = summarise(found)
    assert summary.overall.checker_failed == summary.to_json()["overall"]["checker_failed"] == failed
    assert summary.environments["arithmetic-v0"].broken == broken
    text = page(summary, found)
    assert (f"{failed} answers made the checker fail" in text) == bool(failed)
    assert ("the checker is broken" in text) == broken
