"""Who gets which slot, and that a slot which fails loses no job and blames nobody unheard."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from envhub.core.errors import TooBusy
from envhub.sandbox.backend import SlotFailed
from envhub.sandbox.jobs import Job, Program, Result
from envhub.sandbox.slots.pool import SlotPool
from tests.sandbox.backends import Scripted, ScriptedSlot

JOB = Job(Program("print(1)"), stdins=(b"", b""))


def failing(times: int) -> Scripted:
    """A backend whose first ``times`` slots fail with every job."""

    def answer(slot: ScriptedSlot, job: Job) -> tuple[Result, ...]:
        if len(backend.made) <= times:
            raise SlotFailed("the stream ended")
        return (Result(exit=0),) * job.results

    backend = Scripted(answer)
    return backend


def test_a_slot_stays_warm_for_the_next_job() -> None:
    backend = Scripted()
    slots = SlotPool(backend, count=2, waiting=5)
    assert slots.counts() == {"slots": 2, "started": 0, "busy": 0, "waiting": 0}
    for _ in range(3):
        assert [result.ok for result in slots.run(JOB)] == [True, True]
    assert [slot.log for slot in backend.made] == [["start", "run", "run", "run"]]
    assert slots.counts()["started"] == 1
    slots.close()
    assert backend.made[0].log[-1] == "close"


def test_a_place_has_a_slot_for_each_native_program_and_closes_them_all() -> None:
    backend = Scripted()
    slots = SlotPool(backend, count=1, waiting=5)
    for _ in range(2):
        slots.run(JOB)
        slots.run(replace(JOB, warm="lean"))
    assert [(slot.warm, slot.log) for slot in backend.made] == [
        ("", ["start", "run", "run"]),
        ("lean", ["start", "run", "run"]),
    ]
    assert slots.counts()["started"] == 1
    slots.close()
    assert [slot.log[-1] for slot in backend.made] == ["close", "close"]


def test_a_job_whose_slot_fails_is_run_again_in_a_probed_fresh_one() -> None:
    backend = failing(1)
    assert all(result.ok for result in SlotPool(backend, 1, 5).run(JOB))
    assert [slot.log for slot in backend.made] == [["start", "run", "close"], ["start", "probe", "run"]]


def test_a_job_that_takes_two_slots_down_is_to_blame_and_the_next_gets_a_fresh_slot() -> None:
    backend = failing(2)
    slots = SlotPool(backend, 1, 5)
    results = slots.run(JOB)
    assert [(result.crashed, result.fault, result.ok, result.blame) for result in results] == [
        (True, None, False, "theirs")
    ] * 2
    assert all(result.ok for result in slots.run(JOB))
    assert len(backend.made) == 3


@pytest.mark.parametrize("sick", ["start", "probe"])
def test_when_no_slot_passes_the_probe_it_is_our_fault(sick: str) -> None:
    backend = failing(1)
    slots = SlotPool(backend, 1, 5)
    backend.answer = lambda slot, job: _fall_ill(backend, sick)
    results = slots.run(JOB)
    assert [(result.blame, result.crashed) for result in results] == [("ours", False)] * 2
    assert "no slot could be started" in (results[0].fault or "")
    backend.sick = ""
    backend.answer = lambda slot, job: (Result(exit=0),) * job.results
    assert all(result.ok for result in slots.run(JOB))


def _fall_ill(backend: Scripted, sick: str) -> tuple[Result, ...]:
    backend.sick = sick
    raise SlotFailed("the stream ended")


def test_a_free_slot_goes_to_the_payer_who_has_the_fewest() -> None:
    served: list[str] = []
    running, go = threading.Semaphore(0), threading.Semaphore(0)

    def answer(slot: ScriptedSlot, job: Job) -> tuple[Result, ...]:
        served.append(job.program.source)
        running.release()
        assert go.acquire(timeout=60)
        return (Result(exit=0),)

    slots = SlotPool(Scripted(answer), count=2, waiting=20)

    def ask(tenant: str, number: int) -> threading.Thread:
        thread = threading.Thread(target=slots.run, args=(Job(Program(f"{tenant}{number}")), tenant))
        thread.start()
        return thread

    def waiting(count: int) -> None:
        while slots.counts()["waiting"] < count:
            threading.Event().wait(0.001)

    threads = [ask("greedy", number) for number in (1, 2)]
    for _ in threads:
        assert running.acquire(timeout=60)
    for number, tenant in enumerate(("greedy", "greedy", "greedy", "modest"), 3):
        threads.append(ask(tenant, number))
        waiting(number - 2)
    go.release()
    assert running.acquire(timeout=60)
    assert served[2] == "modest6"  # the last to come, and the first of those with the fewest slots
    go.release(len(threads))
    for thread in threads:
        thread.join(60)
    assert served[3:] == ["greedy3", "greedy4", "greedy5"]
    slots.close()


def test_jobs_wait_for_a_slot_and_no_more_than_allowed() -> None:
    running, go = threading.Semaphore(0), threading.Event()

    def answer(slot: ScriptedSlot, job: Job) -> tuple[Result, ...]:
        running.release()
        go.wait(30)
        return (Result(exit=0),) * job.results

    slots = SlotPool(Scripted(answer), count=1, waiting=1)
    done: list[bool] = []
    threads = [threading.Thread(target=lambda: done.append(slots.run(JOB)[0].ok)) for _ in range(2)]
    threads[0].start()
    running.acquire(timeout=30)
    threads[1].start()
    while slots.counts()["waiting"] == 0:
        pass
    with pytest.raises(TooBusy, match="1 jobs are already waiting for the 1 slots"):
        slots.run(JOB)
    go.set()
    for thread in threads:
        thread.join(30)
    assert done == [True, True]


def test_a_closed_sandbox_answers_what_waits_and_what_comes() -> None:
    running, go = threading.Semaphore(0), threading.Event()

    def answer(slot: ScriptedSlot, job: Job) -> tuple[Result, ...]:
        running.release()
        go.wait(30)
        raise SlotFailed("closed under it")

    backend = Scripted(answer)
    slots = SlotPool(backend, count=1, waiting=5)
    got: list[str | None] = []
    threads = [threading.Thread(target=lambda: got.append(slots.run(JOB)[0].fault)) for _ in range(2)]
    threads[0].start()
    running.acquire(timeout=30)
    threads[1].start()
    while slots.counts()["waiting"] == 0:
        pass
    slots.close()
    go.set()
    for thread in threads:
        thread.join(30)
    assert got == ["the sandbox is closed"] * 2
    assert slots.run(JOB)[0].fault == "the sandbox is closed"
    assert all(slot.log[-1] == "close" for slot in backend.made)


def test_a_job_that_is_interrupted_takes_its_slot_along() -> None:
    def answer(slot: ScriptedSlot, job: Job) -> tuple[Result, ...]:
        raise KeyboardInterrupt

    backend = Scripted(answer)
    slots = SlotPool(backend, 1, 5)
    with pytest.raises(KeyboardInterrupt):
        slots.run(JOB)
    assert backend.made[0].log[-1] == "close"
    backend.answer = lambda slot, job: (Result(exit=0),) * job.results
    assert slots.run(JOB)[0].ok
    assert len(backend.made) == 2
