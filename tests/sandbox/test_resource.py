"""Jobs as a resource of environments: what comes back, what is journaled, and whose fault a failure is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from envhub.core.effects import Check, EffectFailed, Exec, Performed, drive, pump
from envhub.core.errors import ResourceError
from envhub.core.resources import Resources
from envhub.sandbox import resource
from envhub.sandbox.backend import Slot, SlotFailed
from envhub.sandbox.broker import plain
from envhub.sandbox.jobs import Job, Limits, Program, Result, Returned
from envhub.sandbox.resource import Jobs, in_batches, run_job
from envhub.sandbox.sandbox import LocalSandbox
from envhub.verifiers.code import judging
from envhub.verifiers.code.judging import Case, judge_calls, judge_runs
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
        run_job("jobs", Job(Program(SOURCE), function="f", calls=((1,), (2,)))), lambda *_: (odd,), records
    )
    assert result == odd
    assert type(result.values[0].value) is tuple
    again = [Performed.from_json(json.loads(json.dumps(record.to_json()))) for record in records]
    assert again == records
    journal = iter(again)
    replayed: Any = drive(
        pump(run_job("jobs", Job(Program(SOURCE), function="f", calls=((1,), (2,)))), []), lambda effect: next(journal)
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
    with pytest.raises(ResourceError, match="Check effects, got Exec"):
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


def loud(slot: Slot, job: Job) -> tuple[Result, ...]:
    """Every run prints as much as it may, to both streams, and what it was given at the end."""
    most = job.limits.output_bytes
    return tuple(Result(exit=0, stdout=text.rjust(most, b"x"), stderr=text.rjust(most, b"y")) for text in job.stdins)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> int:
    """Messages of a hundredth of the length, so that a hundredth of the output is as much."""
    most = plain.MAX_MESSAGE // 100
    monkeypatch.setattr(plain, "MAX_MESSAGE", most)
    monkeypatch.setattr(resource, "MAX_BATCH", most // 2, raising=False)
    monkeypatch.setattr(judging, "MAX_BATCH", most // 2, raising=False)
    return most


def test_a_job_whose_output_is_longer_than_a_message_is_run_in_parts(short: int) -> None:
    stdins = tuple(b"%d" % number for number in range(20))
    records: list[Performed] = []
    job = Job(Program("cat", "bash"), stdins=stdins, limits=Limits(output_bytes=short // 20))
    results = performed(run_job("jobs", job), loud, records)
    assert [result.stdout.lstrip(b"x") for result in results] == list(stdins)
    assert [result.stderr.lstrip(b"y") for result in results] == list(stdins)
    assert all(len(result.stdout) == short // 20 for result in results)
    assert 1 < len(records) < len(stdins)
    records.clear()
    small = Job(Program("cat", "bash"), stdins=stdins, limits=Limits(output_bytes=1000))
    assert len(performed(run_job("jobs", small), loud, records)) == len(stdins)
    assert len(records) == 1  # and compiled once, where it is compiled


def test_of_standard_error_the_end_comes_back() -> None:
    said = b"a" * 100_000 + b"at last"
    (result,) = performed(run_job("jobs", Job(Program(""))), lambda *_: (Result(exit=1, stderr=said),), [])
    assert result.stderr.endswith(b"at last")
    assert 1000 <= len(result.stderr) < 10_000


def test_what_no_message_holds_is_the_program_s_doing(short: int) -> None:
    (result,) = performed(run_job("jobs", Job(Program(""))), lambda *_: (Result(exit=0, stdout=b"x" * short),), [])
    assert (result.ok, result.limit, result.cut) == (False, "output", True)


def test_a_program_that_prints_all_it_may_is_wrong_and_one_that_prints_what_is_right_is_right(short: int) -> None:
    long = short // 50  # longer than the share of any of so many cases
    cases = [Case(f"{number}", "z" * long) for number in range(40)]
    records: list[Performed] = []
    verdict = performed(judge_runs("jobs", "x", cases), loud, records)
    assert (verdict.score, verdict.status, verdict.components) == (0.0, "graded", {"passed": 0.0})
    right = Result(exit=0, stdout=b"z" * long + b"\n", stderr=b"a remark")

    def says(slot: Slot, job: Job) -> tuple[Result, ...]:
        assert job.limits.output_bytes > 2 * long
        return (right,) * len(job.stdins)

    assert performed(judge_runs("jobs", "x", cases), says, []).score == 1.0
    assert sum(len(record.outcome.data) for record in records if record.outcome) < 40 * (4 * long + (1 << 18))


def test_many_cases_share_what_may_be_printed() -> None:
    def most(cases: int, right: str = "1") -> int:
        found = judging.roomy(Limits(), [right] * cases).output_bytes
        assert found >= 2 * len(right) + 1000
        return found

    assert most(1) == most(30) == Limits().output_bytes
    assert (1 << 16) < most(100) < Limits().output_bytes
    assert (1 << 16) <= most(1000) < 1 << 17
    assert most(1000, "x" * 500_000) > 1_000_000
    assert most(1, "x" * 3_000_000) > 6_000_000


def test_parts_hold_everything_in_order() -> None:
    for sizes in ([], [1], [resource.MAX_BATCH] * 3, [1] * 5, [resource.MAX_BATCH + 1, 1, resource.MAX_BATCH, 1]):
        parts = list(in_batches(sizes, lambda size: size))
        assert [size for part in parts for size in part] == sizes
        assert all(part and (sum(part) <= resource.MAX_BATCH or len(part) == 1) for part in parts)
