"""Where scheduler is done: what is quick at once, what is slow in few threads of its own, and a queue that ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from envhub.core.errors import TooBusy
from envhub.sandbox.tenant import TENANT
from envhub.server.episodes.scheduling import QUICK_S, Scheduler
from tests.server.serving import patiently


class Clock:
    """Goes on by what the job that is measured costs."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def run(scheduler: Any) -> Any:
    return asyncio.run(patiently(scheduler))


def costing(clock: Clock, seconds: float) -> Callable[[], bool]:
    """A job that tells whether it is done on the event loop."""

    def job() -> bool:
        clock.now += seconds
        return threading.current_thread() is threading.main_thread()

    return job


def test_what_was_quick_is_done_at_once_and_what_was_not_is_not() -> None:
    clock = Clock()
    scheduler = Scheduler(2, 10, clock)

    async def places(costs: list[float]) -> list[bool]:
        return [await scheduler.run("e", "kind", costing(clock, cost)) for cost in costs]

    assert run(places([QUICK_S / 2, QUICK_S / 2, QUICK_S / 2])) == [False, True, True]
    assert run(places([QUICK_S * 4, QUICK_S / 4])) == [True, False]  # the first was not known to be slow
    assert not scheduler.is_quick("kind")
    assert run(places([QUICK_S / 4, QUICK_S / 4, QUICK_S / 4])) == [False, False, True]  # it is forgiven in time
    assert not scheduler.is_quick("another kind")


def test_what_waits_for_other_things_is_never_done_at_once() -> None:
    clock = Clock()
    scheduler = Scheduler(2, 10, clock)

    async def places() -> list[bool]:
        await scheduler.run("e", "kind", costing(clock, QUICK_S / 4))  # which is known to be quick from here on
        return [await scheduler.run("e", "kind", costing(clock, QUICK_S / 4), blocks=True) for _ in range(3)]

    assert run(places()) == [False, False, False]


def test_an_error_is_raised_and_costs_what_it_costs() -> None:
    scheduler = Scheduler(2, 10)

    def fails() -> None:
        raise ZeroDivisionError

    async def twice() -> None:
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                await scheduler.run("e", "kind", fails)

    run(twice())


def test_a_slow_environment_has_few_threads_and_a_queue_that_ends() -> None:
    scheduler = Scheduler(2, 3)
    go = threading.Event()
    lock = threading.Lock()
    running = most = 0

    def slow() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        go.wait()
        with lock:
            running -= 1

    async def crowd() -> list[Any]:
        asked = [asyncio.create_task(scheduler.run("slow", "kind", slow)) for _ in range(5)]
        while running < 2:
            await asyncio.sleep(0)
        with pytest.raises(TooBusy, match="3 requests are waiting for slow") as refused:
            await scheduler.run("slow", "kind", slow)
        assert refused.value.retry_after >= 1
        assert await scheduler.run("other", "kind of another", lambda: 7) == 7  # which nobody waits for
        go.set()
        await asyncio.gather(*asked)
        return [await scheduler.run("slow", "kind", lambda: 8)]  # there is room again

    assert run(crowd()) == [8]
    assert most == 2


def test_who_leaves_the_queue_makes_room() -> None:
    scheduler = Scheduler(1, 1)
    go = threading.Event()

    async def leave() -> int:
        first = asyncio.create_task(scheduler.run("e", "kind", go.wait))
        second = asyncio.create_task(scheduler.run("e", "kind", go.wait))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        third = asyncio.create_task(scheduler.run("e", "kind", lambda: 3))
        await asyncio.sleep(0)
        go.set()
        await first
        return await third

    assert run(leave()) == 3


def test_one_payer_does_not_use_up_the_threads_or_the_queue_of_another() -> None:
    go = threading.Event()
    scheduler = Scheduler(1, 1)

    def asked(tenant: str) -> asyncio.Task[bool]:
        TENANT.set(tenant)
        return asyncio.create_task(scheduler.run("verify", "kind", lambda: go.wait(60), blocks=True))

    async def stalled() -> None:
        greedy = [asked("greedy") for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(TooBusy):
            await asked("greedy")
        TENANT.set("modest")
        assert await scheduler.run("verify", "kind", lambda: True, blocks=True)
        go.set()
        assert await asyncio.gather(*greedy) == [True, True]

    run(stalled())
    scheduler.close()
