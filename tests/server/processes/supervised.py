"""Stand-in processes, with a supervisor of them in a thread or in simulated time."""

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
from envhub.server.processes.worker_status import WorkerStatus
from tests.server.serving import PATIENCE_S


class Process:
    """A stand-in process that runs until a test, or the supervisor, ends it."""

    def __init__(self, pid: int, ignores_terminate: bool = False) -> None:
        self.pid, self.exitcode = pid, None
        self.sentinel, self._alive = os.pipe()
        self.pipe, self._sender = multiprocessing.Pipe(duplex=False)
        self.ignores_terminate = ignores_terminate
        self.terminated = self.killed = False

    def exit(self, code: int) -> None:
        if self.exitcode is None:
            self.exitcode = code
            self._sender.close()
            os.close(self._alive)

    def send(self, message: str) -> None:
        self._sender.send(message)

    def terminate(self) -> None:
        self.terminated = True
        if not self.ignores_terminate:
            self.exit(0)

    def kill(self) -> None:
        self.killed = True
        self.exit(-9)

    def join(self, timeout: float | None = None) -> None:
        """Return at once: its sentinel says whether it has ended."""


class SupervisorThread:
    """A supervisor in a thread, and its stand-in workers."""

    def __init__(self, workers: int, *, ignores_terminate: bool = False, grace_s: float = PATIENCE_S) -> None:
        self.started: Queue[Process] = Queue()
        self.calls: Queue[str] = Queue()
        self.exited: list[int] = []
        self.error: EnvhubError | None = None
        self.all: list[Process] = []
        self._ignores_terminate = ignores_terminate
        self.supervisor = Supervisor(
            self._start, workers, grace_s=grace_s, on_exit=self.exited.append, ticks=count(0, 0.25).__next__
        )
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _start(self) -> Worker:
        process: Any = Process(1000 + len(self.all), self._ignores_terminate)
        self.all.append(process)
        self.started.put(process)
        return Worker(process, process.pipe)

    def _run(self) -> None:
        try:
            self.supervisor.run(lambda: self.calls.put("ready"), lambda: self.calls.put("closing"))
        except EnvhubError as error:
            self.error = error

    def next_started(self) -> Process:
        return self.started.get(timeout=PATIENCE_S)

    def next_call(self) -> str:
        """The next callback that the supervisor called."""
        return self.calls.get(timeout=PATIENCE_S)

    def join(self) -> None:
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        for process in self.all:
            process.exit(0)
            os.close(process.sentinel)


class SimulatedSupervisor:
    """A supervisor with a simulated clock, which advances only while nothing happens.

    Args:
        workers: Number of workers.
        script: Called with the number of each start: raises to make it fail, or returns what the process does.

    Attributes:
        when_idle: What to do when nothing would happen any more; the supervisor is stopped after the last.
    """

    def __init__(self, workers: int, script: Callable[[int], Callable[[Process], None]]) -> None:
        self.now = 0.0
        self.reports: list[WorkerStatus] = []
        self.attempts: list[float] = []
        self.started: list[Process] = []
        self.when_idle: Iterator[Callable[[], None]] = iter(())
        self.until = 1e9
        self._script = script
        self.supervisor = Supervisor(
            self._start,
            workers,
            on_status=self.reports.append,
            ticks=lambda: self.now,
            wait=self._wait,
        )

    def _start(self) -> Worker:
        self.attempts.append(self.now)
        act = self._script(len(self.attempts) - 1)  # may raise
        process: Any = Process(1000 + len(self.started))
        self.started.append(process)
        act(process)
        return Worker(process, process.pipe)

    def _wait(self, objects: list[Any], timeout: float | None) -> list[Any]:
        events = wait(objects, 0)
        if events:
            return events
        if timeout is None or self.now + timeout > self.until:
            act = next(self.when_idle, self.supervisor.stop)
            act()
        else:
            self.now += timeout
        return []

    def run(self) -> None:
        try:
            self.supervisor.run()
        finally:
            for process in self.started:
                process.exit(0)
                os.close(process.sentinel)
                process.pipe.close()


def serve(process: Process) -> None:
    process.send(READY)


def crash(process: Process) -> None:
    process.exit(1)


def fail(error: BaseException) -> Any:
    raise error
