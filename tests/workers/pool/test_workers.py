"""Workers of the pool: what runs away is killed, what is killed is replaced, and none is left behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from envhub.core.types import Verdict
from envhub.workers import worker_main
from envhub.workers.pool import CallResult, Pool
from tests.workers.pool.calling import ROOT, SHORT_S, Line, lives, named, wait_for_death

# -- running away ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", ["spin", "backtrack", "power", "deaf"])
def test_what_does_not_end_is_killed(one: Pool, function: str) -> None:
    pid = one.call(named("pid")).value
    ran = one.call(named(function), deadline_s=SHORT_S)
    assert (ran.value, ran.failure) == (None, "timeout")
    assert ran.seconds >= SHORT_S
    assert not lives(pid)
    assert one.call(named("echo"), 1) == CallResult(1)


@pytest.mark.parametrize(
    ("function", "args", "failure"),
    [
        ("quit_now", (), "crashed"),
        ("segfault", (), "crashed"),
        ("overflow", (), "crashed"),
        ("allocate", (1 << 12,), "memory"),
        ("fail", (), "raised"),
        ("leave", (), "raised"),
        ("recurse", (), "raised"),
        ("nested_list", (100_000,), "raised"),
        ("huge", (65,), "raised"),
        ("a_function", (), "raised"),
        ("foreign", (), "raised"),
        ("echo", (), "raised"),
    ],
)
def test_ways_to_fail(shared: Pool, function: str, args: tuple[Any, ...], failure: str) -> None:
    ran = shared.call(named(function), *args)
    assert (ran.value, ran.failure) == (None, failure)
    assert "7919" not in ran.detail
    assert shared.call(named("echo"), 2) == CallResult(2)


def test_what_is_within_the_limits_passes(shared: Pool) -> None:
    assert shared.call(named("allocate"), 64).value == 64 << 20
    assert len(shared.call(named("huge"), 63).value) == 63 << 20
    assert shared.call(named("work"), 0.01, deadline_s=5).ok


def test_an_answer_cannot_make_us_run_code(shared: Pool, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    assert shared.call(named("evil"), str(touched)).failure == "raised"
    assert not touched.exists()
    shared.call(named("evil_works"), str(touched))
    assert touched.exists()  # the trap would have worked


def test_what_a_task_has_started_is_killed_with_it(shared: Pool, line: Line) -> None:
    assert shared.call(named("hold_in_child_and_spin"), line.path, deadline_s=1.0).failure == "timeout"
    assert line.read()
    assert line.read() == ""


def test_a_worker_has_a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where we are too busy to keep the deadline, the worker keeps it."""
    with Pool(workers=1) as pool:
        pool.call(named("pid"))
        receive = worker_main.Wire.receive
        monkeypatch.setattr(worker_main.Wire, "receive", lambda wire, until, most: receive(wire, until + 60, most))
        for function in ("spin", "backtrack"):
            assert pool.call(named(function), deadline_s=SHORT_S).failure == "timeout"
        calls = [(0.0,)] * 3 + [(60.0,)]
        assert [ran.failure for ran in pool.map(named("work"), calls, deadline_s=SHORT_S)] == [None] * 3 + ["timeout"]


def test_the_clock_of_a_worker_stops_between_tasks(one: Pool, shared: Pool) -> None:
    pid = one.call(named("pid"), deadline_s=2 * SHORT_S).value
    assert pid is not None
    assert shared.call(
        named("work"), 3 * SHORT_S
    ).ok  # for longer than that deadline and the grace the other one is idle
    assert one.call(named("pid")).value == pid


# -- workers come and go -----------------------------------------------------------------------------------------------


def test_a_worker_killed_while_idle_costs_no_answer(one: Pool) -> None:
    pid = one.call(named("pid")).value
    os.kill(pid, signal.SIGKILL)
    wait_for_death(pid)
    ran = one.call(named("pid"))
    assert ran.ok
    assert ran.value != pid


def test_a_worker_killed_at_work_costs_no_answer(one: Pool, line: Line, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as thread:
        verdict = thread.submit(one.judge, named("held_once"), line.path, str(tmp_path / "marker"), deadline_s=60)
        os.kill(int(line.read()), signal.SIGKILL)
        assert verdict.result() == Verdict.exact(True)


def test_a_worker_is_replaced_after_so_many_tasks() -> None:
    with Pool(workers=1, max_tasks=3) as pool:
        pids = [pool.call(named("pid")).value for _ in range(4)]
        pids += [ran.value for ran in pool.map(named("pid"), [()] * 6)]
    assert [pids.index(pid) for pid in pids] == [0, 0, 0, 3, 3, 3, 6, 6, 6, 9]


def test_a_worker_that_keeps_memory_is_replaced() -> None:
    with Pool(workers=1, max_memory_mb=300) as pool:
        pid = pool.call(named("keep"), 1).value
        assert pool.call(named("keep"), 200).value == pid
        assert pool.call(named("pid")).value != pid


def test_a_worker_that_ran_out_of_memory_is_replaced(one: Pool) -> None:
    pid = one.call(named("pid")).value
    assert one.call(named("allocate"), 1 << 12).failure == "memory"
    assert one.call(named("pid")).value != pid
    assert not lives(pid)


def test_closing_ends_workers_and_calls(line: Line) -> None:
    pool = Pool(workers=1)
    with ThreadPoolExecutor(1) as thread:
        busy = thread.submit(pool.call, named("hold_and_spin"), line.path, deadline_s=60)
        pid = int(line.read())
        pool.close()
        assert busy.result().failure == "unavailable"
    assert not lives(pid)
    assert pool.call(named("pid")).failure == "unavailable"
    assert [ran.failure for ran in pool.map(named("pid"), [()])] == ["unavailable"]
    assert pool.judge(named("solved"), 1, 1).status == "error"
    pool.close()


def test_a_forgotten_pool_ends_its_workers(line: Line) -> None:
    pool = Pool(workers=1)
    pool.call(named("hold_and_return"), line.path)
    assert line.read()
    del pool
    gc.collect()
    assert line.read() == ""


@pytest.mark.parametrize("function", ["hold_and_return", "hold_and_spin", "hold_in_thread_and_return"])
def test_workers_end_when_their_process_is_killed(line: Line, function: str) -> None:
    text = """
import sys
from envhub.workers.pool import Pool
pool = Pool(deadline_s=1000)
pool.call(*sys.argv[1:])
sys.stdin.read()
"""
    command = [sys.executable, "-c", text, named(function), line.path]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE) as parent:
        pid = int(line.read())
        assert lives(pid)
        parent.kill()
    assert line.read() == ""


# -- when no healthy worker is to be had -------------------------------------------------------------------------------


def test_the_seconds_of_a_call_are_those_of_its_work(one: Pool) -> None:
    begin = time.monotonic()
    ran = one.call(named("work"), 0.05)
    assert 0.05 <= ran.seconds <= time.monotonic() - begin


def test_a_thread_that_stays_does_not_stop_a_pool_from_closing(line: Line) -> None:
    with Pool(workers=1) as pool:
        pool.call(named("hold_in_thread_and_return"), line.path)
        assert line.read()
    assert line.read() == ""
