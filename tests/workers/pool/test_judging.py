"""Judging in the pool: no answer is blamed for what is ours, and none breaks the judge unpunished."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from envhub.core.types import Verdict
from envhub.workers import worker, worker_main
from envhub.workers.pool import Pool, abuse_verdict
from tests.workers.pool.calling import SHORT_S, named

# -- judging -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("right", [True, False])
def test_a_verdict_is_the_functions(shared: Pool, right: bool) -> None:
    assert shared.judge(named("solved"), 1, 1 if right else 2) == Verdict.exact(right)
    assert asyncio.run(shared.ajudge(named("solved"), 1, 1 if right else 2)) == Verdict.exact(right)
    assert list(shared.judge_map(named("solved"), [(1, 1 if right else 2)])) == [Verdict.exact(right)]


@pytest.mark.parametrize("how", ["hang", "exit", "memory", "raise"])
def test_what_fails_twice_is_the_answers_doing(shared: Pool, tmp_path: Path, how: str) -> None:
    shared.call(named("pid"))
    notes = tmp_path / "notes"
    verdict = shared.judge(named("noted"), str(notes), how, deadline_s=SHORT_S)
    assert verdict == abuse_verdict()
    assert (verdict.score, verdict.status, verdict.solved) == (0.0, "graded", False)
    assert verdict.components == {"abuse": 1.0}
    assert verdict.feedback
    assert len(set(notes.read_text().split())) == 2  # the second time in another process


def test_what_fails_once_is_judged_in_a_fresh_worker(one: Pool, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    before = one.call(named("pid")).value
    assert one.judge(named("noted"), str(notes), "once") == Verdict.exact(True)
    first, second = map(int, notes.read_text().split())
    assert first == before != second


def test_in_a_batch_only_the_bombs_are_abuse(shared: Pool, tmp_path: Path) -> None:
    calls = [(str(tmp_path / str(i)), "raise" if i % 3 else "once") for i in range(12)]
    verdicts = list(shared.judge_map(named("noted"), calls))
    assert verdicts == [abuse_verdict() if i % 3 else Verdict.exact(True) for i in range(12)]


def test_what_failed_is_logged_without_the_message(one: Pool, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        one.judge(named("fail"))
    assert "ValueError at pooled.py" in caplog.text
    assert "7919" not in caplog.text


def test_a_verdict_of_error_is_handed_on(shared: Pool) -> None:
    verdict = shared.judge(named("our_own_failure"))
    assert verdict.error
    assert verdict.error.code == "oracle_down"


@pytest.mark.parametrize("function", [named("not_a_verdict"), named("nowhere"), "no.such.module:at_all"])
def test_a_grader_that_is_none_is_an_error(shared: Pool, function: str) -> None:
    verdict = shared.judge(function)
    assert verdict.score is None
    assert verdict.error
    assert verdict.error.code == "pool"


# -- when no healthy worker is to be had -------------------------------------------------------------------------------


def break_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PROBE", ("math:prod", ([6, 7],), 41))


def break_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")


def break_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_main, "__file__", "/no/such/program.py")


broken = pytest.mark.parametrize("break_it", [break_probe, break_start, break_program])


@broken
def test_without_a_healthy_worker_nothing_is_judged(monkeypatch: pytest.MonkeyPatch, break_it: Any) -> None:
    with Pool(workers=1) as pool:
        with monkeypatch.context() as patch:
            break_it(patch)
            assert pool.call(named("echo"), 1).failure == "unavailable"
            assert [v.status for v in pool.judge_map(named("solved"), [(1, 1)] * 3)] == ["error"] * 3
        assert pool.judge(named("solved"), 1, 1).solved  # and it recovers


@broken
def test_a_second_try_without_a_healthy_worker_is_no_abuse(
    one: Pool, monkeypatch: pytest.MonkeyPatch, break_it: Any
) -> None:
    assert one.call(named("echo"), 1).ok
    break_it(monkeypatch)
    verdict = one.judge(named("fail"))
    assert (verdict.status, verdict.score) == ("error", None)
    assert "abuse" not in verdict.components


@pytest.mark.parametrize(
    ("lost", "status"),
    [
        ((0.0, 0.0), "graded"),
        ((0.1, 0.2), "graded"),
        ((0.1, 0.27), "error"),
        ((9.0, 0.3), "graded"),
        ((9.0, 0.38), "error"),
    ],
)
def test_a_timeout_on_a_machine_that_was_busy_elsewhere_is_no_abuse(
    one: Pool, monkeypatch: pytest.MonkeyPatch, lost: tuple[float, float], status: str
) -> None:
    """Of a deadline of 0.2 s: what each try lost, as the machine counts it before and after."""
    one.call(named("pid"))
    counts = iter([7.0, 7.0 + lost[0], 3.0, 3.0 + lost[1]])
    monkeypatch.setattr(worker.Worker, "_delayed_s", lambda self: next(counts))
    verdict = one.judge(named("hang"), deadline_s=0.2)
    assert verdict.status == status
    assert verdict == abuse_verdict() or "waited for a CPU" in str(verdict.error)


def test_time_that_a_worker_waits_for_a_processor_is_counted() -> None:
    """Four busy workers and one processor: on average each waits for three quarters of its time."""
    if not Path("/proc/self/schedstat").exists():
        pytest.skip("this kernel does not count it")

    def start_all() -> list[worker.Worker]:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # of this thread, and of what it starts
        return [worker.Worker(1024) for _ in range(4)]

    def spin(one_of_four: worker.Worker) -> float:
        one_of_four.load(named("spin"))
        (ran,) = one_of_four.run(named("spin"), [worker.pack(())], deadline_s=0.4)
        return ran.delay_s

    with ThreadPoolExecutor(1) as pinned, ThreadPoolExecutor(4) as threads:
        delays = list(threads.map(spin, pinned.submit(start_all).result()))
    assert max(delays) > 0.1
