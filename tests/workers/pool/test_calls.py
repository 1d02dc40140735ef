"""Calls of the pool: values, batches and deadlines, from threads, event loops and forked processes."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.types import Verdict
from envhub.workers import worker_main
from envhub.workers.pool import CallResult, Pool, default_pool
from tests.workers.pool.calling import PLAIN, SHORT_S, Line, named, program

# -- calling -----------------------------------------------------------------------------------------------------------


@given(value=PLAIN)
@settings(max_examples=60)
def test_a_value_comes_back_as_it_was_sent(shared: Pool, value: Any) -> None:
    ran = shared.call(named("echo"), value)
    assert ran.ok
    assert repr(ran.value) == repr(value)


def test_our_own_data_classes_come_back(shared: Pool) -> None:
    assert shared.call(named("outcome")).value.data == {"a": [1]}
    assert shared.call(named("solved"), 1, 1).value == Verdict.exact(True)


def test_text_that_looks_like_a_frame_or_a_pickle_is_text(shared: Pool) -> None:
    text = "\x04\0\0\0cos\nsystem\n(S'true'\ntR.\ud800\0"
    assert shared.call(named("echo"), text) == CallResult(text)


def test_large_arguments_and_values_pass(shared: Pool) -> None:
    blocks = [(bytes([i]) * (1 << 20),) for i in range(20)]
    assert [ran.value for ran in shared.map(named("echo"), blocks)] == [block for (block,) in blocks]


def test_arguments_that_cannot_be_sent_are_the_callers_fault(one: Pool) -> None:
    with pytest.raises(TypeError, match="plain values"):
        one.call(named("echo"), lambda: 1)
    assert one.call(named("echo"), 1).value == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"workers": 0},
        {"workers": True},
        {"deadline_s": 0},
        {"deadline_s": float("nan")},
        {"deadline_s": float("inf")},
        {"max_tasks": -1},
        {"max_memory_mb": 0.5},
    ],
)
def test_a_pool_refuses_what_makes_no_sense(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters, match=next(iter(fields))):
        Pool(**fields)


def test_a_call_refuses_what_makes_no_sense(shared: Pool) -> None:
    for name in ("math", "math:", ":prod", ""):
        with pytest.raises(InvalidParameters, match="module:function"):
            shared.call(name)
    with pytest.raises(InvalidParameters, match="deadline_s"):
        shared.call(named("pid"), deadline_s=-1)


def test_what_a_task_prints_goes_nowhere(shared: Pool, capfd: pytest.CaptureFixture[str]) -> None:
    assert shared.call(named("shout")).ok
    assert "SHOUTED" not in "".join(capfd.readouterr())


def test_a_pool_that_is_not_used_starts_nothing() -> None:
    text = """
import os, threading
from envhub.workers.pool import Pool, default_pool
kept = Pool(), default_pool()
print(threading.active_count())
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no children")
"""
    assert program(text).communicate()[0] == "1\nno children\n"


def test_a_script_without_a_main_guard_can_use_the_pool() -> None:
    text = "from envhub.workers.pool import default_pool; print(default_pool().call('operator:add', 1, 2).value)"
    assert program(text).communicate()[0] == "3\n"


# -- deadlines ---------------------------------------------------------------------------------------------------------


def test_waiting_in_line_does_not_count(one: Pool) -> None:
    one.call(named("pid"))
    with ThreadPoolExecutor(12) as threads:
        call = partial(one.call, named("work"), 0.1, deadline_s=1.0)
        assert all(future.result().ok for future in [threads.submit(call) for _ in range(12)])


def test_a_call_of_a_batch_has_the_deadline_from_its_own_start(one: Pool) -> None:
    assert all(ran.ok for ran in one.map(named("work"), [(0.1,)] * 12, deadline_s=1.0))


def test_importing_is_not_the_answers_time(one: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(3)\ndef one(): return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert one.call("slow_to_import:one", deadline_s=2.0) == CallResult(1)


# -- batches -----------------------------------------------------------------------------------------------------------


@given(numbers=st.lists(st.integers(), max_size=150))
@settings(max_examples=20)
def test_a_batch_keeps_its_order(shared: Pool, numbers: list[int]) -> None:
    assert [ran.value for ran in shared.map(named("echo"), [(n,) for n in numbers])] == numbers


@pytest.mark.parametrize(("function", "failure"), [("bomb_or", "timeout"), ("crash_or", "crashed")])
def test_a_bomb_takes_none_of_its_neighbours_along(shared: Pool, function: str, failure: str) -> None:
    done = list(shared.map(named(function), [(i, 17) for i in range(80)], deadline_s=2.0))
    assert done[17].failure == failure
    assert [ran.value for ran in done if ran.ok] == [i for i in range(80) if i != 17]


def test_an_endless_batch_is_read_as_it_is_taken(shared: Pool) -> None:
    numbers = count()
    results = shared.map(named("echo"), ((n,) for n in numbers))
    assert [ran.value for ran in islice(results, 500)] == list(range(500))
    assert next(numbers) < 500 + 6 * 32
    results.close()  # type: ignore[attr-defined]
    assert shared.call(named("echo"), 1).ok


# -- threads, loops, forks ---------------------------------------------------------------------------------------------


def test_many_threads_get_each_its_own_answers(shared: Pool) -> None:
    def ask(start: int) -> bool:
        return all(shared.call(named("echo"), n).value == n for n in range(start, start + 25))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(0, 800, 100)))


def test_several_event_loops_get_each_its_own_answers(shared: Pool) -> None:
    async def ask(start: int) -> list[int]:
        ran = await asyncio.gather(*(shared.acall(named("echo"), n) for n in range(start, start + 40)))
        return [r.value for r in ran]

    def loop(start: int) -> list[int]:
        return asyncio.run(ask(start))

    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(loop, (0, 100, 200))) == [list(range(s, s + 40)) for s in (0, 100, 200)]


def test_an_event_loop_goes_on_meanwhile(shared: Pool, line: Line) -> None:
    async def run() -> str:
        busy = asyncio.ensure_future(shared.acall(named("hold_and_spin"), line.path, deadline_s=1.0))
        said = await asyncio.to_thread(line.read)
        assert not busy.done()
        return said + str((await busy).failure)

    assert asyncio.run(run()).endswith("\ntimeout")


def test_what_is_cancelled_hands_its_answer_to_nobody(one: Pool, line: Line) -> None:
    async def run() -> list[int]:
        lost = asyncio.ensure_future(one.acall(named("hold_and_spin"), line.path, deadline_s=SHORT_S))
        await asyncio.to_thread(line.read)
        lost.cancel()
        return [(await one.acall(named("echo"), n)).value for n in range(5)]

    assert asyncio.run(run()) == list(range(5))


def test_an_interrupted_call_hands_its_answer_to_nobody(one: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    one.call(named("pid"))
    with monkeypatch.context() as patch:

        def interrupted(*args: Any) -> bytes:
            raise KeyboardInterrupt

        patch.setattr(worker_main.Wire, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            one.call(named("echo"), "old")
    assert one.call(named("echo"), "new") == CallResult("new")


FORKED = """
import asyncio, os, sys, threading
from envhub.workers.pool import Pool, default_pool
sys.path.insert(0, ".")
pool, pid = default_pool(), "tests.workers.pooled:pid"
others = Pool(workers=1)
ours = [pool.call(pid).value, others.call(pid).value]
assert asyncio.run(pool.acall(pid)).ok
busy = threading.Thread(target=pool.call, args=("tests.workers.pooled:work", 0.3))
busy.start()
child = os.fork()
if child == 0:
    theirs = [pool.call(pid).value, asyncio.run(pool.acall(pid)).value, others.call(pid).value]
    theirs += [ran.value for ran in pool.map(pid, [()] * 40)]
    killed = pool.call("tests.workers.pooled:spin", deadline_s=0.2).failure
    sys.exit(0 if killed == "timeout" and not {None, *ours} & set(theirs) else 1)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
busy.join()
print(status, others.call(pid).value == ours[1], pool.call(pid).ok)
"""


def test_a_forked_process_has_workers_of_its_own() -> None:
    assert program(FORKED).communicate()[0] == "0 True True\n"


def test_a_task_may_use_a_pool_itself(shared: Pool) -> None:
    outer, inner, again, value = shared.call(named("nested"), 7).value
    assert value == 7
    assert outer != inner == again


def test_the_default_pool_is_one() -> None:
    assert default_pool() is default_pool()
