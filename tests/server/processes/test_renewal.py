"""Workers are renewed one after another, and somebody always serves."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import pytest

from envhub.server.processes.worker_status import Crew as Workers
from tests.server.processes.crews import Process, World, crash, refuse, serve


def test_workers_are_renewed_one_after_another_and_somebody_always_serves() -> None:
    world = World(3, lambda n: serve)
    living: list[int] = []

    def asked(self: Process) -> None:
        living.append(sum(process.exitcode is None for process in world.started))
        self.asked = True
        self.die(0)

    def hup() -> None:
        for process in world.started:
            process.terminate = asked.__get__(process)
        world.supervisor.renew()

    first: list[Process] = []
    world.idle = iter([lambda: first.extend(world.started), hup])
    world.run()
    assert living == [4, 4, 4]  # before each of the three leaves, its heir is there
    assert all(process.asked for process in first)
    assert len(world.started) == 6
    assert world.reports == [Workers(3, 0), Workers(3, 3)]  # never less


@pytest.mark.parametrize("how", ["dies", "says", "cannot be started"])
def test_an_heir_that_cannot_serve_changes_nothing(how: str, caplog: pytest.LogCaptureFixture) -> None:
    def say(process: Process) -> None:
        process.say("The journal cannot be opened.")
        process.die(1)

    ways: dict[str, Callable[[], Any]] = {
        "dies": lambda: crash,
        "says": lambda: say,
        "cannot be started": lambda: refuse(OSError(errno.EAGAIN, "")),
    }
    world = World(2, lambda n: serve if n < 2 else ways[how]())
    seen: list[bool] = []
    world.idle = iter([world.supervisor.renew, lambda: seen.extend(p.asked for p in world.started[:2])])
    world.run()
    assert seen == [False, False]
    assert len(world.tries) == 3  # and it is not tried again
    assert "the workers are not renewed, those that serve stay" in caplog.text


def test_who_does_not_leave_for_its_heir_is_killed_in_the_end() -> None:
    world = World(1, lambda n: serve)

    def deafen() -> None:
        world.started[0]._deaf = True
        world.supervisor.renew()

    world.idle = iter([deafen])
    world.run()
    assert world.started[0].killed
    assert world.now == 15.0
    assert len(world.started) == 2


def test_who_dies_before_its_heir_serves_is_replaced_once() -> None:
    world = World(1, lambda n: serve)

    def both() -> None:
        world.supervisor.renew()
        world.started[0].die(-9)

    world.idle = iter([both])
    world.run()
    alive = [process for process in world.started if process.exitcode is None or process.asked]
    assert world.reports[-1].serving == 1
    assert len(alive) <= 3
