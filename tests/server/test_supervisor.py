"""Several workers: what dies is started again, what cannot start ends the whole, and in the end all of them end."""

from __future__ import annotations

import errno
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from itertools import count
from multiprocessing.connection import wait
from queue import Queue
from typing import Any

import pytest

from envhub.errors import EnvhubError
from envhub.server.crew import Board, Crew as Workers
from envhub.server.supervisor import READY, Supervisor, Worker, pause_s
from tests.server.serving import PATIENCE_S


class Process:
    """A process that lives until it is told to die, or does not hear."""

    def __init__(self, pid: int, deaf: bool = False) -> None:
        self.pid, self.exitcode = pid, None
        self.sentinel, self._alive = os.pipe()
        self.pipe, self._mouth = multiprocessing.Pipe(duplex=False)
        self._deaf = deaf
        self.asked = self.killed = False

    def die(self, code: int) -> None:
        if self.exitcode is None:
            self.exitcode = code
            self._mouth.close()
            os.close(self._alive)

    def say(self, what: str) -> None:
        self._mouth.send(what)

    def terminate(self) -> None:
        self.asked = True
        if not self._deaf:
            self.die(0)

    def kill(self) -> None:
        self.killed = True
        self.die(-9)

    def join(self, timeout: float | None = None) -> None:
        """It is dead when its sentinel says so."""


class Crew:
    """A supervisor in a thread, and its workers."""

    def __init__(self, workers: int, *, deaf: bool = False, grace_s: float = PATIENCE_S) -> None:
        self.started: Queue[Process] = Queue()
        self.told: Queue[str] = Queue()
        self.gone: list[int] = []
        self.error: EnvhubError | None = None
        self.all: list[Process] = []
        self._deaf = deaf
        self.supervisor = Supervisor(
            self._start, workers, grace_s=grace_s, gone=self.gone.append, ticks=count(0, 0.25).__next__
        )
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _start(self) -> Worker:
        process: Any = Process(1000 + len(self.all), self._deaf)
        self.all.append(process)
        self.started.put(process)
        return Worker(process, process.pipe)

    def _run(self) -> None:
        try:
            self.supervisor.run(lambda: self.told.put("ready"), lambda: self.told.put("closing"))
        except EnvhubError as error:
            self.error = error

    def next(self) -> Process:
        return self.started.get(timeout=PATIENCE_S)

    def hear(self) -> str:
        return self.told.get(timeout=PATIENCE_S)

    def end(self) -> None:
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        for process in self.all:
            process.die(0)
            os.close(process.sentinel)


def test_it_is_ready_when_all_of_them_are_and_ends_them_in_the_end() -> None:
    crew = Crew(2)
    first, second = crew.next(), crew.next()
    first.say(READY)
    second.say(READY)
    assert crew.hear() == "ready"
    crew.supervisor.stop()
    assert crew.hear() == "closing"  # and only then are they asked to end
    crew.end()
    assert first.asked
    assert second.asked
    assert not any(process.killed for process in crew.all)
    assert crew.gone == [1000, 1001]
    assert crew.told.empty()
    assert crew.error is None
    crew.supervisor.stop()  # once more does no harm


def test_one_of_two_is_not_ready() -> None:
    crew = Crew(2)
    crew.next().say(READY)
    crew.next()
    crew.supervisor.stop()
    assert crew.hear() == "closing"
    crew.end()


def test_who_dies_is_started_again_and_the_other_lives_on() -> None:
    crew = Crew(2)
    first, second = crew.next(), crew.next()
    first.say(READY)
    second.say(READY)
    assert crew.hear() == "ready"
    first.die(-9)
    third = crew.next()
    assert crew.gone == [1000]
    third.die(1)  # before it answers: that is no reason to end either, for the second serves
    fourth = crew.next()
    fourth.say("The file of keys cannot be read.")
    fourth.die(1)
    crew.next().say(READY)
    crew.supervisor.stop()
    assert crew.hear() == "closing"
    crew.end()
    assert not second.killed
    assert crew.error is None


@pytest.mark.parametrize("said", ["The journal cannot be opened.", None])
def test_who_cannot_start_ends_the_whole(said: str | None) -> None:
    crew = Crew(2)
    first, second = crew.next(), crew.next()
    first.say(READY)
    if said:
        second.say(said)
    second.die(1)
    assert crew.hear() == "closing"
    crew.end()
    assert first.asked
    assert str(crew.error) == (said or "A worker ended with exit code 1 before it answered; its log says why.")


def test_who_does_not_end_is_killed() -> None:
    crew = Crew(1, deaf=True, grace_s=0.0)
    process = crew.next()
    crew.supervisor.stop()
    crew.end()
    assert process.asked
    assert process.killed
    assert crew.gone == [1000]


def test_who_asks_twice_does_not_wait() -> None:
    crew = Crew(1, deaf=True)
    process = crew.next()
    crew.supervisor.stop()
    assert crew.hear() == "closing"
    crew.supervisor.stop()
    crew.end()
    assert process.killed


def test_what_cannot_live_is_started_ever_later() -> None:
    pauses = [pause_s(failures) for failures in range(12)]
    assert pauses[:4] == [0.0, 0.0, 0.25, 0.5]
    assert pauses == sorted(pauses)
    assert pauses[-1] == pause_s(10**9) == 10.0


# -- time that passes while nothing happens ------------------------------------------------------------------------------


class World:
    """A supervisor and its clock, which goes on only while it waits for nothing else; ended by what it waits for in vain.

    Args:
        workers: How many there are.
        script: Told of each start: makes it fail, or gives what the process does then.
    """

    def __init__(self, workers: int, script: Callable[[int], Callable[[Process], None]]) -> None:
        self.now, self.starts, self.reports = 0.0, [], []
        self.tries: list[float] = []
        self.started: list[Process] = []
        self.idle: Iterator[Callable[[], None]] = iter(())
        self.until = 1e9
        self._script = script
        self.supervisor = Supervisor(
            self._start,
            workers,
            report=self.reports.append,
            ticks=lambda: self.now,
            wait=self._wait,
        )

    def _start(self) -> Worker:
        self.tries.append(self.now)
        act = self._script(len(self.tries) - 1)  # which may raise
        process: Any = Process(1000 + len(self.started))
        self.started.append(process)
        act(process)
        return Worker(process, process.pipe)

    def _wait(self, objects: list[Any], timeout: float | None) -> list[Any]:
        events = wait(objects, 0)
        if events:
            return events
        if timeout is None or self.now + timeout > self.until:
            do = next(self.idle, self.supervisor.stop)
            do()
        else:
            self.now += timeout
        return []

    def run(self) -> None:
        try:
            self.supervisor.run()
        finally:
            for process in self.started:
                process.die(0)
                os.close(process.sentinel)
                process.pipe.close()


def serve(process: Process) -> None:
    process.say(READY)


def crash(process: Process) -> None:
    process.die(1)


def refuse(error: BaseException) -> Any:
    raise error


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


# -- renewal -----------------------------------------------------------------------------------------------------------


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


# -- what is told ------------------------------------------------------------------------------------------------------


def test_what_the_board_says_is_read_as_it_was_written() -> None:
    board = Board()
    for crew in (Workers(2, 2), Workers(4, 1, 7, errno.ENOMEM)):
        board.write(crew)
        assert board.read() == crew


@pytest.mark.parametrize(
    ("crew", "reason"),
    [
        (Workers(2, 2, 5), None),
        (Workers(2, 1), "1 of 2 workers do not serve: they are being started. The server's log says more."),
        (Workers(3, 1, 5), "2 of 3 workers do not serve: 5 have ended since the start. The server's log says more."),
        (
            Workers(2, 1, 5, errno.EAGAIN),
            "1 of 2 workers do not serve: a process could not be started (Resource temporarily unavailable). "
            "The server's log says more.",
        ),
    ],
)
def test_why_workers_are_missing(crew: Workers, reason: str | None) -> None:
    assert crew.reason == reason
