"""A supervisor in simulated time: how long it waits before each restart."""

from __future__ import annotations

import errno
import os

import pytest

from envhub.core.errors import EnvhubError
from envhub.server.processes.worker_status import WorkerStatus
from tests.server.processes.supervised import SimulatedSupervisor, crash, fail, serve


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EAGAIN, "Resource temporarily unavailable"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        MemoryError(),
    ],
)
def test_a_lack_of_room_for_processes_is_waited_out(error: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    """The third start and the nine after it fail; the worker that is left serves all the time."""
    simulated = SimulatedSupervisor(2, lambda n: fail(error) if 2 <= n < 12 else serve)
    simulated.when_idle = iter([lambda: simulated.started[0].exit(-9)])
    simulated.run()
    waits = [round(b - a, 6) for a, b in zip(simulated.attempts[2:], simulated.attempts[3:], strict=False)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0, 10.0]  # one failure more is its death
    assert len(simulated.started) == 3
    assert not simulated.started[1].killed
    code = getattr(error, "errno", None) or errno.ENOMEM
    seen = [(status.serving, status.ended, status.error) for status in simulated.reports]
    assert seen == [(0, 0, 0), (2, 0, 0), (1, 1, code), (1, 1, 0), (2, 1, 0)]
    assert f"cannot start a worker: {os.strerror(code)}; retrying in 0.25 s, after 2 failures" in caplog.text


def test_a_first_start_that_fails_ends_the_server() -> None:
    simulated = SimulatedSupervisor(2, lambda n: fail(OSError(errno.EAGAIN, "")) if n else serve)
    with pytest.raises(EnvhubError, match="Cannot start a worker: Resource temporarily unavailable"):
        simulated.run()
    assert simulated.started[0].terminated


def test_the_delay_grows_with_each_crash_in_a_row(caplog: pytest.LogCaptureFixture) -> None:
    simulated = SimulatedSupervisor(2, lambda n: crash if n > 1 else serve)
    simulated.until = 60.0
    simulated.when_idle = iter([lambda: simulated.started[0].exit(-9)])
    simulated.run()
    waits = [b - a for a, b in zip(simulated.attempts[2:], simulated.attempts[3:], strict=False)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0, 10.0]
    assert simulated.reports[-1] == WorkerStatus(2, 1, ended=12)
    assert "ended with exit code 1; restarting in 10 s, after 12 failures in a row" in caplog.text
    assert not simulated.started[1].killed


def test_a_worker_that_was_stable_is_restarted_immediately() -> None:
    simulated = SimulatedSupervisor(1, lambda n: serve)

    def die() -> None:
        simulated.now += 31.0
        simulated.started[-1].exit(-9)

    simulated.when_idle = iter([die] * 5)
    simulated.run()
    assert simulated.attempts == [0.0, 31.0, 62.0, 93.0, 124.0, 155.0]
