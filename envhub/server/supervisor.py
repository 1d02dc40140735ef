"""Several worker processes as one server: starts them, starts again what dies, ends them all in the end.

The workers share a listening socket, which the kernel hands connections from; they share nothing else but the journal, so any
of them may die at any moment. One that dies is started again, at once the first time and then ever later, so that what cannot
live does not take the machine with it. Whatever ends them when nobody is served yet is a failure of the whole::

    supervisor = Supervisor(start, count=4)         # start: makes a Worker that has been started
    signal.signal(signal.SIGTERM, lambda *_: supervisor.stop())
    supervisor.run(ready=lambda: print("listening"))
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from envhub.errors import EnvhubError

READY: Final = "ready"
"""What a worker sends when it answers; anything else it sends says why it never will."""
_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 10.0
_STABLE_S: Final = 30.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that was started, and the end of the pipe on which it says that it answers."""

    process: BaseProcess
    pipe: Connection


@dataclass(slots=True)
class _Slot:
    """A worker's place: who has it, since when, and how often in a row it was not for long."""

    worker: Worker | None = None
    since: float = 0.0
    listening: bool = False  # to the pipe: it has not said anything yet
    failures: int = 0
    due: float = 0.0  # when it is filled again


def pause_s(failures: int) -> float:
    """Seconds until a worker is started again that has died so many times in a row soon after its start."""
    return 0.0 if failures <= 1 else float(min(_FIRST_PAUSE_S * 2 ** min(failures - 2, 32), _LONGEST_PAUSE_S))


class Supervisor:
    """Keeps so many workers alive until it is told to stop.

    Args:
        start: Starts a worker.
        count: How many there are.
        grace_s: Seconds that they have to end in when they are asked to; then they are killed.
        gone: Told the process id of each that has ended.
        ticks: Seconds that only grow.
    """

    def __init__(
        self,
        start: Callable[[], Worker],
        count: int,
        *,
        grace_s: float = 15.0,
        gone: Callable[[int], None] = lambda pid: None,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._start, self._grace_s, self._gone, self._ticks = start, grace_s, gone, ticks
        self._slots = [_Slot() for _ in range(count)]
        self._unanswered = count  # before everybody has answered once, nobody is served
        self._asked = 0
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)

    def stop(self) -> None:
        """End :meth:`run`; may be called from a signal handler and from any thread. The second call does not wait."""
        self._asked += 1
        with suppress(OSError):  # it has been told often enough, or has ended
            os.write(self._wake_write, b"x")

    def run(self, ready: Callable[[], None] = lambda: None, closing: Callable[[], None] = lambda: None) -> None:
        """Keep the workers alive until :meth:`stop`.

        Args:
            ready: Called when all of them answer.
            closing: Called before they are asked to end; it takes back what would bring them more work.

        Raises:
            EnvhubError: A worker ended before all of them answered.
        """
        try:
            while not self._asked:
                now = self._ticks()
                for slot in self._slots:
                    if slot.worker is None and slot.due <= now:
                        slot.worker, slot.since, slot.listening = self._start(), now, True
                before = self._unanswered
                self._look(now)
                if before and not self._unanswered:
                    ready()
        finally:
            closing()
            self._end()
            wake_write, self._wake_write = self._wake_write, -1  # whoever is late must not write into another's file
            os.close(wake_write)
            os.close(self._wake_read)

    def _look(self, now: float) -> None:
        """Wait until something has happened, and note what."""
        empty = [slot.due - now for slot in self._slots if slot.worker is None]
        events: set[Any] = set(wait(self._events(), max(0.0, min(empty)) if empty else None))
        for slot in self._slots:
            worker = slot.worker
            if worker is None:
                continue
            said = self._said(worker) if slot.listening and worker.pipe in events else None
            if said is not None:
                slot.listening = False
                if said == READY:
                    self._unanswered = max(0, self._unanswered - 1)
                elif self._unanswered:
                    raise EnvhubError(said)
                else:
                    _log.error("a worker could not start: %s", said)
            if worker.process.sentinel in events:
                self._bury(slot, worker)

    def _events(self) -> list[Any]:
        workers = [(slot, slot.worker) for slot in self._slots if slot.worker is not None]
        pipes = [worker.pipe for slot, worker in workers if slot.listening]
        return [self._wake_read, *pipes, *(worker.process.sentinel for _, worker in workers)]

    def _said(self, worker: Worker) -> str | None:
        try:
            return str(worker.pipe.recv())
        except (EOFError, OSError):  # it died without a word; its sentinel tells
            worker.process.join(self._grace_s)
            return f"A worker ended with {_exit(worker)} before it answered; its log says why."

    def _bury(self, slot: _Slot, worker: Worker) -> None:
        """Note the death of a worker, and when there is to be another."""
        worker.process.join()
        worker.pipe.close()
        if slot.listening and self._unanswered:
            raise EnvhubError(f"A worker ended with {_exit(worker)} before it answered; its log says why.")
        now = self._ticks()
        slot.failures = 1 if now - slot.since >= _STABLE_S else slot.failures + 1
        slot.worker, slot.listening, slot.due = None, False, now + pause_s(slot.failures)
        self._gone(worker.process.pid or 0)
        _log.error("worker %s ended with %s; another takes its place", worker.process.pid, _exit(worker))

    def _end(self) -> None:
        """Ask the workers to end, wait for that, and kill those that do not."""
        workers = [slot.worker for slot in self._slots if slot.worker is not None]
        for worker in workers:
            worker.process.terminate()
        until = self._ticks() + self._grace_s
        living: dict[Any, Worker] = {worker.process.sentinel: worker for worker in workers}
        while living and self._asked < 2 and (left := until - self._ticks()) > 0:
            for event in wait([self._wake_read, *living], left):
                if event == self._wake_read:
                    os.read(self._wake_read, 1)
                else:
                    living.pop(event, None)
        for worker in living.values():
            _log.warning("worker %s has not ended and is killed", worker.process.pid)
            worker.process.kill()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()
            self._gone(worker.process.pid or 0)


def _exit(worker: Worker) -> str:
    code = worker.process.exitcode
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
