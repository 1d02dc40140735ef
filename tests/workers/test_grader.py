"""A grader as a resource of an environment: journaled like any effect, and never blamed on the wrong side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from envhub.authoring import SingleTurn
from envhub.core.effects import Check, Exec, Resource
from envhub.core.resources import Resources
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn, Verdict
from envhub.episodes.episode import Episode
from envhub.episodes.record import Record
from envhub.verifiers.answers.types import Integer
from envhub.workers import worker
from envhub.workers.grader import Grader, judged_by
from envhub.workers.pool import Pool, default_pool
from tests.support.stepping import Step, both_steps
from tests.support.toys import episode

pytestmark = pytest.mark.slow

JUDGE = "tests.workers.pooled:by_payload"


class Outside(SingleTurn):
    """Say the goal. The answer is judged in the pool; 666 makes the check run for ever."""

    answer = Integer()
    split_by = "seed"
    resources: ClassVar[dict[str, Resource]] = {"grader": Grader(JUDGE, deadline_s=0.3)}

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"goal": 10})

    def prompt(self, problem: Any) -> str:
        return "Say ten."

    def grade(self, inst: Instance, value: Any) -> Any:
        return judged_by("grader", {"goal": inst.problem["goal"], "value": value})

    def solve(self, inst: Instance) -> str:
        return "10"


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool(workers=1) as made:
        yield made


def verdict_of(turn: Turn) -> Verdict:
    assert turn.verdict is not None
    return turn.verdict


@both_steps
@pytest.mark.parametrize("value", [10, 11])
def test_the_verdict_is_the_graders(step: Step, value: int) -> None:
    verdict = verdict_of(step(episode(Outside()), f"<answer>{value}</answer>"))
    assert (verdict.solved, verdict.score, verdict.status) == (value == 10, float(value == 10), "graded")
    assert verdict.feedback == "Judged outside."


@both_steps
def test_an_answer_that_breaks_its_check_scores_nothing(step: Step) -> None:
    turn = step(episode(Outside()), "<answer>666</answer>")
    verdict = verdict_of(turn)
    assert (verdict.score, verdict.status) == (0.0, "graded")
    assert verdict.components["abuse"] == 1
    assert turn.terminated


@both_steps
def test_an_error_of_the_grader_is_an_error(step: Step) -> None:
    verdict = verdict_of(step(episode(Outside()), "<answer>500</answer>"))
    assert verdict.score is None
    assert verdict.error
    assert verdict.error.code == "oracle_down"


@both_steps
def test_a_pool_without_workers_is_an_error(step: Step, monkeypatch: pytest.MonkeyPatch, pool: Pool) -> None:
    monkeypatch.setattr(Outside, "resources", {"grader": Grader(JUDGE, pool=pool)})
    monkeypatch.setattr(worker, "PROBE", ("math:prod", ([6, 7],), 41))
    turn = step(episode(Outside()), "<answer>10</answer>")
    verdict = verdict_of(turn)
    assert (verdict.score, verdict.status) == (None, "error")
    assert verdict.error
    assert verdict.error.code == "resource_failed"
    assert turn.truncated


@pytest.mark.parametrize("value", [10, 11, 666, 500])
def test_a_replay_repeats_the_verdict_and_runs_nothing(value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    old = episode(Outside())
    old.step(f"<answer>{value}</answer>")
    journal = [Record.from_json(json.loads(json.dumps(record.to_json()))) for record in old.journal]
    monkeypatch.setattr(Pool, "judge", None)
    again = Episode.replay(old.environment, old.task, old.instance, journal)
    assert again.turns == old.turns


def test_forks_are_judged_each_for_itself() -> None:
    e = episode(Outside())
    twin = e.fork()
    assert verdict_of(e.step("<answer>10</answer>")).solved
    assert not verdict_of(twin.step("<answer>9</answer>")).solved


def test_the_default_pool_serves_unless_another_is_named(pool: Pool) -> None:
    assert Grader(JUDGE).pool is default_pool()
    assert Grader(JUDGE, pool=pool).pool is pool


def test_a_grader_only_checks() -> None:
    held = Resources({"grader": Grader(JUDGE)}, None)
    assert held.perform(Check("grader", {"goal": 1, "value": 1})).outcome is not None
    fault = held.perform(Exec("grader", {"goal": 1, "value": 1})).fault
    assert fault
    assert "Check" in fault.reason
