"""A supervisor over time that passes while nothing happens: how long it waits before it starts again."""

from __future__ import annotations

import errno
import os

import pytest

from envhub.core.errors import EnvhubError
from envhub.server.processes.worker_status import Crew as Workers
from tests.server.processes.crews import World, crash, refuse, serve


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EAGAIN, "Resource temporarily unavailable"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        MemoryError(),
    ],
)
def test_no_room_for_another_process_is_waited_out(error: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    """The third start and the nine after it fail; the worker that is left serves all the time."""
    world = World(2, lambda n: refuse(error) if 2 <= n < 12 else serve)
    world.idle = iter([lambda: world.started[0].die(-9)])
    world.run()
    waits = [round(b - a, 6) for a, b in zip(world.tries[2:], world.tries[3:], strict=False)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0, 10.0]  # one failure more is its death
    assert len(world.started) == 3
    assert not world.started[1].killed
    code = getattr(error, "errno", None) or errno.ENOMEM
    missing = Workers(2, 1, ended=1, error=code)
    assert world.reports == [Workers(2, 0), Workers(2, 2), missing, Workers(2, 1, ended=1), Workers(2, 2, ended=1)]
    assert f"a worker cannot be started: {os.strerror(code)}; tried again in 0.25 s, after 2 failures" in caplog.text


def test_the_first_workers_that_cannot_be_started_end_the_whole() -> None:
    world = World(2, lambda n: refuse(OSError(errno.EAGAIN, "")) if n else serve)
    with pytest.raises(EnvhubError, match="A worker cannot be started: Resource temporarily unavailable"):
        world.run()
    assert world.started[0].asked


def test_who_dies_again_and_again_is_waited_for_ever_longer(caplog: pytest.LogCaptureFixture) -> None:
    world = World(2, lambda n: crash if n > 1 else serve)
    world.until = 60.0
    world.idle = iter([lambda: world.started[0].die(-9)])
    world.run()
    waits = [b - a for a, b in zip(world.tries[2:], world.tries[3:], strict=False)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0, 10.0]
    assert world.reports[-1] == Workers(2, 1, ended=12)
    assert "ended with exit code 1; another takes its place in 10 s, after 12 failures in a row" in caplog.text
    assert not world.started[1].killed


def test_who_has_lived_long_is_started_again_at_once() -> None:
    world = World(1, lambda n: serve)

    def die() -> None:
        world.now += 31.0
        world.started[-1].die(-9)

    world.idle = iter([die] * 5)
    world.run()
    assert world.tries == [0.0, 31.0, 62.0, 93.0, 124.0, 155.0]
