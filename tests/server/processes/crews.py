"""Stand-ins for processes: with a supervisor of them in a thread, or in a world whose time is told."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from itertools import count
from multiprocessing.connection import wait
from queue import Queue
from typing import Any

from envhub.core.errors import EnvhubError
from envhub.server.processes.supervisor import READY, Supervisor, Worker
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
