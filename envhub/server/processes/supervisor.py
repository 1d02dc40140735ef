"""Several worker processes as one server: starts them, starts again what dies, ends them all in the end.

The workers share a listening socket, which the kernel hands connections from; they share nothing else but the journal, so any
of them may die at any moment. One that dies is started again, at once the first time and then ever later, so that what cannot
live does not take the machine with it; the same where the machine has no room for another process. Meanwhile the others serve.
Whatever ends them when nobody is served yet is a failure of the whole::

    supervisor = Supervisor(start, count=4)         # start: makes a Worker that has been started
    signal.signal(signal.SIGTERM, lambda *_: supervisor.stop())
    signal.signal(signal.SIGHUP, lambda *_: supervisor.renew())
    supervisor.run(ready=lambda: print("listening"))
"""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from envhub.core.errors import EnvhubError
from envhub.server.processes.worker_status import Crew

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


@dataclass(slots=True, eq=False)
class _Slot:
    """A worker's place: who has it, since when, and how often in a row it was not for long."""

    worker: Worker | None = None
    since: float = 0.0
    listening: bool = False  # to the pipe: it has not said anything yet
    serving: bool = False
    failures: int = 0
    due: float = 0.0  # when it is filled again; of one that was asked to leave, when it is killed
    old: bool = False  # it is to be renewed
    heir_to: _Slot | None = None  # which leaves when this one serves
    leaving: bool = False


def pause_s(failures: int) -> float:
    """Seconds until a worker is started again that has died so many times in a row soon after its start."""
    return 0.0 if failures <= 1 else float(min(_FIRST_PAUSE_S * 2 ** min(failures - 2, 32), _LONGEST_PAUSE_S))


class Supervisor:
    """Keeps so many workers alive until it is told to stop.

    Args:
        start: Starts a worker; OSError or MemoryError where there is no room for one.
        count: How many there are.
        grace_s: Seconds that they have to end in when they are asked to; then they are killed.
        gone: Told the process id of each that has ended.
        report: Told how many serve, whenever that has changed.
        ticks: Seconds that only grow.
        wait: Waits until something has happened, or for so many seconds.
    """

    def __init__(
        self,
        start: Callable[[], Worker],
        count: int,
        *,
        grace_s: float = 15.0,
        gone: Callable[[int], None] = lambda pid: None,
        report: Callable[[Crew], None] = lambda crew: None,
        ticks: Callable[[], float] = time.monotonic,
        wait: Callable[[list[Any], float | None], list[Any]] = wait,
    ) -> None:
        self._start, self._grace_s, self._gone, self._ticks, self._wait = start, grace_s, gone, ticks, wait
        self._count, self._report = count, report
        self._slots = [_Slot() for _ in range(count)]
        self._unanswered = count  # before everybody has answered once, nobody is served
        self._ended = self._error = 0
        self._told: Crew | None = None
        self._asked = 0
        self._renew = False
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)

    def stop(self) -> None:
        """End :meth:`run`; may be called from a signal handler and from any thread. The second call does not wait."""
        self._asked += 1
        self._wake()

    def leave(self) -> None:
        """End :meth:`run`, waiting for the workers however often this is called; from any thread."""
        self._asked = max(self._asked, 1)
        self._wake()

    def renew(self) -> None:
        """Replace the workers one after another, each when its heir serves; from a signal handler or any thread.

        An heir that cannot start changes nothing: the others stay.
        """
        self._renew = True
        self._wake()

    def run(self, ready: Callable[[], None] = lambda: None, closing: Callable[[], None] = lambda: None) -> None:
        """Keep the workers alive until :meth:`stop`.

        Args:
            ready: Called when all of them answer.
            closing: Called before they are asked to end; it takes back what would bring them more work.

        Raises:
            EnvhubError: A worker ended, or could not be started, before all of them answered.
        """
        try:
            while not self._asked:
                now = self._ticks()
                self._fill(now)
                self._renewal(now)
                self._tell()
                before = self._unanswered
                self._look(now)
                if before and not self._unanswered:
                    self._tell()
                    ready()
        finally:
            closing()
            self._end()
            wake_write, self._wake_write = self._wake_write, -1  # whoever is late must not write into another's file
            os.close(wake_write)
            os.close(self._wake_read)

    # -- one turn of the loop ----------------------------------------------------------------------------------------

    def _fill(self, now: float) -> None:
        """Start a worker wherever one is due; kill what should have left by now."""
        for slot in self._slots:
            if slot.worker is None and slot.due <= now:
                error = self._begin(slot, now)
                if error and self._unanswered:
                    raise EnvhubError(f"A worker cannot be started: {error}.")
                if error:
                    slot.failures += 1
                    slot.due = now + pause_s(slot.failures)
                    _log.error("a worker cannot be started: %s; tried again %s", error, _when(slot.failures))
            elif slot.worker is not None and slot.leaving and slot.due <= now:
                _log.warning("worker %s has not ended and is killed", slot.worker.process.pid)
                slot.worker.process.kill()
                slot.due = now + self._grace_s

    def _begin(self, slot: _Slot, now: float) -> str:
        """Start a worker; why that failed, or nothing."""
        try:
            slot.worker = self._start()
        except (OSError, MemoryError) as error:
            self._error = getattr(error, "errno", None) or errno.ENOMEM
            return os.strerror(self._error)
        slot.since, slot.listening, slot.serving, slot.old = now, True, False, False
        self._error = 0
        return ""

    def _renewal(self, now: float) -> None:
        """Start the next heir, when nobody is coming or going."""
        if self._renew and not self._unanswered:
            self._renew = False
            for slot in self._slots:
                slot.old = slot.worker is not None and not slot.leaving and slot.heir_to is None
        if any(slot.leaving or slot.heir_to is not None for slot in self._slots):
            return
        old = next((slot for slot in self._slots if slot.old and slot.serving), None)
        if old is None:
            return
        heir = _Slot(heir_to=old)
        error = self._begin(heir, now)
        if error:
            self._keep_old(error)
        else:
            self._slots.append(heir)

    def _keep_old(self, why: str) -> None:
        _log.error("the workers are not renewed, those that serve stay: %s", why)
        for slot in self._slots:
            slot.old = False

    def _tell(self) -> None:
        """Report how many serve, if that has changed."""
        serving = sum(slot.serving and not slot.leaving for slot in self._slots)
        crew = Crew(self._count, serving, self._ended, self._error)
        if crew != self._told:
            self._told = crew
            self._report(crew)

    def _look(self, now: float) -> None:
        """Wait until something has happened, and note what."""
        moments = [slot.due - now for slot in self._slots if slot.worker is None or slot.leaving]
        events: set[Any] = set(self._wait(self._events(), max(0.0, min(moments)) if moments else None))
        if self._wake_read in events:
            with suppress(BlockingIOError):
                os.read(self._wake_read, 4096)
        for slot in list(self._slots):
            worker = slot.worker
            if worker is None:
                continue
            if slot.listening and worker.pipe in events:
                self._hear(slot, self._said(worker))
            if worker.process.sentinel in events:
                self._bury(slot, worker)

    def _events(self) -> list[Any]:
        workers = [(slot, slot.worker) for slot in self._slots if slot.worker is not None]
        pipes = [worker.pipe for slot, worker in workers if slot.listening]
        return [self._wake_read, *pipes, *(worker.process.sentinel for _, worker in workers)]

    def _said(self, worker: Worker) -> str:
        try:
            return str(worker.pipe.recv())
        except (EOFError, OSError):  # it died without a word; its sentinel tells
            worker.process.join(self._grace_s)
            return f"A worker ended with {_exit(worker)} before it answered; its log says why."

    def _hear(self, slot: _Slot, said: str) -> None:
        """Note that a worker serves, or why it never will."""
        slot.listening = False
        if said != READY:
            if self._unanswered:
                raise EnvhubError(said)
            _log.error("a worker could not start: %s", said)
            return
        slot.serving = True
        self._unanswered = max(0, self._unanswered - 1)
        before, slot.heir_to = slot.heir_to, None
        if before is not None and before.worker is not None:
            before.leaving, before.due = True, self._ticks() + self._grace_s
            before.worker.process.terminate()
        elif before is not None:  # it died meanwhile: its place is taken
            self._slots.remove(before)

    def _bury(self, slot: _Slot, worker: Worker) -> None:
        """Note the death of a worker, and when there is to be another."""
        worker.process.join()
        worker.pipe.close()
        if slot.listening and self._unanswered:
            raise EnvhubError(f"A worker ended with {_exit(worker)} before it answered; its log says why.")
        self._gone(worker.process.pid or 0)
        if slot.leaving or slot.heir_to is not None:
            self._slots.remove(slot)
            if slot.leaving:
                _log.info("worker %s has been replaced", worker.process.pid)
            else:
                self._keep_old(f"the heir, worker {worker.process.pid}, ended with {_exit(worker)}")
            return
        now = self._ticks()
        self._ended += 1
        slot.failures = 1 if now - slot.since >= _STABLE_S else slot.failures + 1
        slot.worker, slot.listening, slot.serving, slot.due = None, False, False, now + pause_s(slot.failures)
        when = _when(slot.failures)
        _log.error("worker %s ended with %s; another takes its place %s", worker.process.pid, _exit(worker), when)

    # -- the end -----------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        """Ask the workers to end, wait for that, and kill those that do not."""
        workers = [slot.worker for slot in self._slots if slot.worker is not None]
        for worker in workers:
            worker.process.terminate()
        until = self._ticks() + self._grace_s
        living: dict[Any, Worker] = {worker.process.sentinel: worker for worker in workers}
        while living and self._asked < 2 and (left := until - self._ticks()) > 0:
            for event in self._wait([self._wake_read, *living], left):
                if event == self._wake_read:
                    with suppress(BlockingIOError):
                        os.read(self._wake_read, 4096)
                else:
                    living.pop(event, None)
        for worker in living.values():
            _log.warning("worker %s has not ended and is killed", worker.process.pid)
            worker.process.kill()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()
            self._gone(worker.process.pid or 0)

    def _wake(self) -> None:
        with suppress(OSError):  # it has been told often enough, or has ended
            os.write(self._wake_write, b"x")


def _exit(worker: Worker) -> str:
    code = worker.process.exitcode
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _when(failures: int) -> str:
    return f"in {pause_s(failures):g} s, after {failures} failures in a row" if pause_s(failures) else "at once"
