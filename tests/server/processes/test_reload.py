"""A reload replaces workers one by one, and somebody always serves."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import pytest

from envhub.server.processes.worker_status import WorkerStatus
from tests.server.processes.supervised import Process, SimulatedSupervisor, crash, fail, serve


def test_workers_are_replaced_one_by_one_and_all_always_serve() -> None:
    simulated = SimulatedSupervisor(3, lambda n: serve)
    living: list[int] = []

    def terminate(self: Process) -> None:
        living.append(sum(process.exitcode is None for process in simulated.started))
        self.terminated = True
        self.exit(0)

    def hup() -> None:
        for process in simulated.started:
            process.terminate = terminate.__get__(process)
        simulated.supervisor.reload()

    first: list[Process] = []
    simulated.when_idle = iter([lambda: first.extend(simulated.started), hup])
    simulated.run()
    assert living == [4, 4, 4]  # before each of the three leaves, its replacement is there
    assert all(process.terminated for process in first)
    assert len(simulated.started) == 6
    assert simulated.reports == [WorkerStatus(3, 0), WorkerStatus(3, 3)]  # never less


@pytest.mark.parametrize("how", ["dies", "says", "cannot be started"])
def test_a_replacement_that_cannot_serve_changes_nothing(how: str, caplog: pytest.LogCaptureFixture) -> None:
    def say(process: Process) -> None:
        process.send("The journal cannot be opened.")
        process.exit(1)

    ways: dict[str, Callable[[], Any]] = {
        "dies": lambda: crash,
        "says": lambda: say,
        "cannot be started": lambda: fail(OSError(errno.EAGAIN, "")),
    }
    simulated = SimulatedSupervisor(2, lambda n: serve if n < 2 else ways[how]())
    seen: list[bool] = []
    simulated.when_idle = iter(
        [simulated.supervisor.reload, lambda: seen.extend(p.terminated for p in simulated.started[:2])]
    )
    simulated.run()
    assert seen == [False, False]
    assert len(simulated.attempts) == 3  # and it is not tried again
    assert "reload cancelled, the current workers keep serving" in caplog.text


def test_a_replaced_worker_that_ignores_terminate_is_killed() -> None:
    simulated = SimulatedSupervisor(1, lambda n: serve)

    def deafen() -> None:
        simulated.started[0].ignores_terminate = True
        simulated.supervisor.reload()

    simulated.when_idle = iter([deafen])
    simulated.run()
    assert simulated.started[0].killed
    assert simulated.now == 15.0
    assert len(simulated.started) == 2


def test_a_worker_that_dies_during_its_replacement_is_replaced_once() -> None:
    simulated = SimulatedSupervisor(1, lambda n: serve)

    def both() -> None:
        simulated.supervisor.reload()
        simulated.started[0].exit(-9)

    simulated.when_idle = iter([both])
    simulated.run()
    alive = [process for process in simulated.started if process.exitcode is None or process.terminated]
    assert simulated.reports[-1].serving == 1
    assert len(alive) <= 3
