"""Supervises the worker processes of a server.

Starts them, restarts those that die, stops them all at the end. Workers share a listening socket, from which the kernel
distributes connections, and the journal; nothing else. So any of them may die at any time while the others serve. A
dead worker is restarted with back-off (:mod:`envhub.workers.restarts`), and so is one that the machine has no room to
start. A worker that fails before the server first serves ends the server::

    supervisor = Supervisor(start, count=4)         # start: returns a started Worker
    signal.signal(signal.SIGTERM, lambda *_: supervisor.stop())
    signal.signal(signal.SIGHUP, lambda *_: supervisor.reload())
    supervisor.run(ready=lambda: print("listening"))
"""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from envhub.core.errors import EnvhubError
from envhub.server.processes.worker_status import WorkerStatus
from envhub.workers.restarts import RestartBackoff

READY: Final = "ready"
"""Sent by a worker once it serves. Anything else it sends is the reason why it cannot."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Worker:
    """A started process, and its readiness pipe's end.

    The process reports on the pipe that it serves.
    """

    process: BaseProcess
    pipe: Connection


@dataclass(slots=True, eq=False)
class _Managed:
    """One of the workers to keep alive, across restarts."""

    worker: Worker | None = None
    started: float = 0.0
    awaiting_reply: bool = False  # it has sent nothing yet
    serving: bool = False
    backoff: RestartBackoff = field(default_factory=RestartBackoff)
    due: float = 0.0  # when to start it again; when stopping, when to kill it
    outdated: bool = False  # to be replaced by a reload
    replaces: _Managed | None = None  # which is stopped once this one serves
    stopping: bool = False


class Supervisor:
    """Keeps a number of workers alive until it is stopped.

    Args:
        start: Starts a worker; raises OSError or MemoryError where there is no room for one.
        count: Number of workers.
        grace_s: Seconds a worker may take to end after it was asked to; then it is killed.
        on_exit: Called with the process id of each worker that has ended.
        on_status: Called with the status whenever it has changed.
        ticks: A monotonic clock, in seconds.
        wait: Waits for one of some objects, or for a number of seconds.
    """

    def __init__(
        self,
        start: Callable[[], Worker],
        count: int,
        *,
        grace_s: float = 15.0,
        on_exit: Callable[[int], None] = lambda pid: None,
        on_status: Callable[[WorkerStatus], None] = lambda status: None,
        ticks: Callable[[], float] = time.monotonic,
        wait: Callable[[list[Any], float | None], list[Any]] = wait,
    ) -> None:
        self._start, self._grace_s, self._on_exit, self._ticks, self._wait = start, grace_s, on_exit, ticks, wait
        self._count, self._on_status = count, on_status
        self._all = [_Managed() for _ in range(count)]
        self._starting_up = count  # workers that have not served yet; until it is 0, a failure ends the server
        self._ended = self._error = 0
        self._status: WorkerStatus | None = None
        self._stop_requests = 0
        self._reload_requested = False
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)

    def stop(self) -> None:
        """End :meth:`run`; a second call kills the workers at once.

        Safe in signal handlers and from any thread.
        """
        self._stop_requests += 1
        self._wake()

    def stop_gracefully(self) -> None:
        """End :meth:`run`, giving the workers their grace period.

        However often this is called; from any thread.
        """
        self._stop_requests = max(self._stop_requests, 1)
        self._wake()

    def reload(self) -> None:
        """Replace the workers one by one, each once its replacement serves.

        Safe in signal handlers and from any thread. If a replacement cannot start, the remaining workers stay.
        """
        self._reload_requested = True
        self._wake()

    def run(self, ready: Callable[[], None] = lambda: None, closing: Callable[[], None] = lambda: None) -> None:
        """Keep the workers alive until :meth:`stop`.

        Args:
            ready: Called once all workers serve.
            closing: Called before the workers are stopped, to stop new work from reaching them.

        Raises:
            EnvhubError: A worker ended, or could not be started, before all of them served.
        """
        try:
            while not self._stop_requests:
                now = self._ticks()
                self._start_and_kill_due(now)
                self._continue_reload(now)
                self._report_status()
                before = self._starting_up
                self._handle_events(now)
                if before and not self._starting_up:
                    self._report_status()
                    ready()
        finally:
            closing()
            self._stop_workers()
            wake_write, self._wake_write = self._wake_write, -1  # a late call must not write into another file
            os.close(wake_write)
            os.close(self._wake_read)

    # -- one turn of the loop ----------------------------------------------------------------------------------------

    def _start_and_kill_due(self, now: float) -> None:
        """Start workers whose restart is due.

        Kill those whose grace period is over.
        """
        for managed in self._all:
            if managed.worker is None and managed.due <= now:
                error = self._start_worker(managed, now)
                if error and self._starting_up:
                    raise EnvhubError(f"Cannot start a worker: {error}.")
                if error:
                    managed.backoff.record_failure()
                    managed.due = now + managed.backoff.delay_s
                    _log.error("cannot start a worker: %s; retrying %s", error, managed.backoff)
            elif managed.worker is not None and managed.stopping and managed.due <= now:
                _log.warning("worker %s did not end in time and is killed", managed.worker.process.pid)
                managed.worker.process.kill()
                managed.due = now + self._grace_s

    def _start_worker(self, managed: _Managed, now: float) -> str:
        """Start a worker. Returns why that failed, or the empty string."""
        try:
            managed.worker = self._start()
        except (OSError, MemoryError) as error:
            self._error = getattr(error, "errno", None) or errno.ENOMEM
            return os.strerror(self._error)
        managed.started, managed.awaiting_reply, managed.serving, managed.outdated = now, True, False, False
        self._error = 0
        return ""

    def _continue_reload(self, now: float) -> None:
        """Start the next replacement, unless another is still under way."""
        if self._reload_requested and not self._starting_up:
            self._reload_requested = False
            for managed in self._all:
                managed.outdated = managed.worker is not None and not managed.stopping and managed.replaces is None
        if any(managed.stopping or managed.replaces is not None for managed in self._all):
            return
        outdated = next((managed for managed in self._all if managed.outdated and managed.serving), None)
        if outdated is None:
            return
        replacement = _Managed(replaces=outdated)
        error = self._start_worker(replacement, now)
        if error:
            self._cancel_reload(error)
        else:
            self._all.append(replacement)

    def _cancel_reload(self, why: str) -> None:
        _log.error("reload cancelled, the current workers keep serving: %s", why)
        for managed in self._all:
            managed.outdated = False

    def _report_status(self) -> None:
        """Report the status if it has changed."""
        serving = sum(managed.serving and not managed.stopping for managed in self._all)
        status = WorkerStatus(self._count, serving, self._ended, self._error)
        if status != self._status:
            self._status = status
            self._on_status(status)

    def _handle_events(self, now: float) -> None:
        """Wait until a worker replies, ends or is due, and handle that."""
        moments = [managed.due - now for managed in self._all if managed.worker is None or managed.stopping]
        events: set[Any] = set(self._wait(self._event_sources(), max(0.0, min(moments)) if moments else None))
        if self._wake_read in events:
            with suppress(BlockingIOError):
                os.read(self._wake_read, 4096)
        for managed in list(self._all):
            worker = managed.worker
            if worker is None:
                continue
            if managed.awaiting_reply and worker.pipe in events:
                self._handle_reply(managed, self._receive(worker))
            if worker.process.sentinel in events:
                self._handle_exit(managed, worker)

    def _event_sources(self) -> list[Any]:
        workers = [(managed, managed.worker) for managed in self._all if managed.worker is not None]
        pipes = [worker.pipe for managed, worker in workers if managed.awaiting_reply]
        return [self._wake_read, *pipes, *(worker.process.sentinel for _, worker in workers)]

    def _receive(self, worker: Worker) -> str:
        try:
            return str(worker.pipe.recv())
        except (EOFError, OSError):  # it ended without a reply
            worker.process.join(self._grace_s)
            return _ended_early(worker)

    def _handle_reply(self, managed: _Managed, reply: str) -> None:
        """Note that a worker serves, or why it cannot."""
        managed.awaiting_reply = False
        if reply != READY:
            if self._starting_up:
                raise EnvhubError(reply)
            _log.error("a worker could not start: %s", reply)
            return
        managed.serving = True
        self._starting_up = max(0, self._starting_up - 1)
        replaced, managed.replaces = managed.replaces, None
        if replaced is not None and replaced.worker is not None:
            replaced.stopping, replaced.due = True, self._ticks() + self._grace_s
            replaced.worker.process.terminate()
        elif replaced is not None:  # it died meanwhile and must not be restarted
            self._all.remove(replaced)

    def _handle_exit(self, managed: _Managed, worker: Worker) -> None:
        """Note that a worker has ended, and schedule its restart."""
        worker.process.join()
        worker.pipe.close()
        if managed.awaiting_reply and self._starting_up:
            raise EnvhubError(_ended_early(worker))
        self._on_exit(worker.process.pid or 0)
        if managed.stopping or managed.replaces is not None:
            self._all.remove(managed)
            if managed.stopping:
                _log.info("worker %s has been replaced", worker.process.pid)
            else:
                self._cancel_reload(f"the replacement, worker {worker.process.pid}, ended with {_exit_of(worker)}")
            return
        now = self._ticks()
        self._ended += 1
        managed.backoff.record_failure(ran_s=now - managed.started)
        managed.worker, managed.awaiting_reply, managed.serving = None, False, False
        managed.due = now + managed.backoff.delay_s
        exit, when = _exit_of(worker), str(managed.backoff)
        _log.error("worker %s ended with %s; restarting %s", worker.process.pid, exit, when)

    # -- the end -----------------------------------------------------------------------------------------------------

    def _stop_workers(self) -> None:
        """Ask the workers to end, wait, and kill those left."""
        workers = [managed.worker for managed in self._all if managed.worker is not None]
        for worker in workers:
            worker.process.terminate()
        until = self._ticks() + self._grace_s
        living: dict[Any, Worker] = {worker.process.sentinel: worker for worker in workers}
        while living and self._stop_requests < 2 and (left := until - self._ticks()) > 0:
            for event in self._wait([self._wake_read, *living], left):
                if event == self._wake_read:
                    with suppress(BlockingIOError):
                        os.read(self._wake_read, 4096)
                else:
                    living.pop(event, None)
        for worker in living.values():
            _log.warning("worker %s did not end in time and is killed", worker.process.pid)
            worker.process.kill()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()
            self._on_exit(worker.process.pid or 0)

    def _wake(self) -> None:
        with suppress(OSError):  # the pipe is full, or closed
            os.write(self._wake_write, b"x")


def _exit_of(worker: Worker) -> str:
    code = worker.process.exitcode
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _ended_early(worker: Worker) -> str:
    return f"A worker ended with {_exit_of(worker)} before it served; its log says why."
