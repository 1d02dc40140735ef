"""Jobs as a resource of environments: what comes back, what is journaled, and whose fault a failure is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from envhub.effects import Check, EffectFailed, Exec, Performed, drive, pump
from envhub.errors import ResourceError
from envhub.resources import Resources
from envhub.sandbox.backend import Slot, SlotFailed
from envhub.sandbox.jobs import Job, Program, Result, Returned
from envhub.sandbox.resource import Jobs, ran
from envhub.sandbox.sandbox import LocalSandbox
from envhub.verifiers.code import Case, judge_calls
from tests.sandbox.backends import Scripted

SOURCE = "def f(n): return n + 1"
CASES = [Case((n,), n + 1) for n in range(3)]
ANSWERS = Result(exit=0, values=tuple(Returned(n + 1) for n in range(3)))


def performed(process: Any, answer: Callable[[Slot, Job], tuple[Result, ...]], records: list[Performed]) -> Any:
    sandbox = LocalSandbox(Scripted(answer), slots=1)
    try:
        return drive(pump(process, records), Resources({"jobs": Jobs(sandbox)}, None).perform)
    finally:
        sandbox.close()


def right(slot: Slot, job: Job) -> tuple[Result, ...]:
    return (ANSWERS,)


def test_results_come_back_typed_and_are_journaled_as_json() -> None:
    odd = Result(
        exit=0, values=(Returned((1, {2.5, b"x"}, {3: None})), Returned(None, "KeyError", "k")), stdout=b"\xff\0"
    )
    records: list[Performed] = []
    (result,) = performed(
        ran("jobs", Job(Program(SOURCE), function="f", calls=((1,), (2,)))), lambda *_: (odd,), records
    )
    assert result == odd
    assert type(result.values[0].value) is tuple
    again = [Performed.from_json(json.loads(json.dumps(record.to_json()))) for record in records]
    assert again == records
    journal = iter(again)
    replayed: Any = drive(
        pump(ran("jobs", Job(Program(SOURCE), function="f", calls=((1,), (2,)))), []), lambda effect: next(journal)
    )
    assert replayed == (odd,)


def test_what_is_right_does_not_enter_the_effect() -> None:
    process = judge_calls("jobs", SOURCE, "f", [Case((41,), "a secret of ours")])
    effect = next(process)
    assert isinstance(effect, Check)
    assert "secret" not in repr(effect.payload)
    assert "41" in effect.payload


def test_a_slot_that_ends_in_mid_job_is_no_score_of_0() -> None:
    lost: list[Job] = []

    def once(slot: Slot, job: Job) -> tuple[Result, ...]:
        if not lost:
            lost.append(job)
            raise SlotFailed("killed")
        return (ANSWERS,)

    verdict = performed(judge_calls("jobs", SOURCE, "f", CASES), once, [])
    assert (verdict.score, verdict.components) == (1.0, {"passed": 1.0})
    assert len(lost) == 1


def test_a_program_that_takes_its_slot_down_twice_is_abuse() -> None:
    def always(slot: Slot, job: Job) -> tuple[Result, ...]:
        raise SlotFailed("killed")

    verdict = performed(judge_calls("jobs", SOURCE, "f", CASES), always, [])
    assert (verdict.score, verdict.status, verdict.components) == (0.0, "graded", {"passed": 0.0, "abuse": 1.0})


def test_a_fault_of_ours_is_an_error_and_no_score() -> None:
    with pytest.raises(EffectFailed) as failed:
        performed(judge_calls("jobs", SOURCE, "f", CASES), lambda *_: (Result.failed("no room"),), [])
    assert "no room" in failed.value.fault.reason


def test_a_sick_machine_is_an_error_and_no_score() -> None:
    backend = Scripted(right)
    backend.sick = "start"
    sandbox = LocalSandbox(backend, slots=1)
    try:
        with pytest.raises(EffectFailed):
            drive(pump(judge_calls("jobs", SOURCE, "f", CASES), []), Resources({"jobs": Jobs(sandbox)}, None).perform)
    finally:
        sandbox.close()


def test_jobs_take_nothing_but_checks() -> None:
    live = Jobs(LocalSandbox(Scripted(right), slots=1)).open(None)
    with pytest.raises(ResourceError, match="Check effects, not by Exec"):
        live.perform(Exec("jobs", ["run", "x"]))


def test_too_few_values_are_not_all_right() -> None:
    for some in ((), ANSWERS.values[:2]):
        result = Result(exit=0, values=tuple(some))
        verdict = performed(judge_calls("jobs", SOURCE, "f", CASES), lambda *_, r=result: (r,), [])
        assert verdict.score == 0.0


def test_a_call_that_raises_has_not_returned_none() -> None:
    raising = Result(exit=0, values=(Returned(None, "ValueError", "no"),))
    for result, score in ((raising, 0.0), (Result(exit=0, values=(Returned(None),)), 1.0)):
        verdict = performed(judge_calls("jobs", SOURCE, "f", [Case((1,), None)]), lambda *_, r=result: (r,), [])
        assert verdict.score == score
