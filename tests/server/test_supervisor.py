"""Several workers: what dies is started again, what cannot start ends the whole, and in the end all of them end."""

from __future__ import annotations

import multiprocessing
import os
import threading
from itertools import count
from queue import Queue
from typing import Any

import pytest

from envhub.errors import EnvhubError
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
