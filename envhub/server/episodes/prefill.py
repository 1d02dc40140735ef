"""Draws tasks of slow environments ahead of requests.

A client that requests a slow task usually requests more of its kind. So after each such request processes of low priority
draw the next ones (:mod:`envhub.server.episodes.prefill_queue`). Drawn tasks go into the cache (:mod:`envhub.tasks.cache`),
from which a request reads them; with the cache off nothing is drawn ahead::

    prefill = Prefill(ahead=8, processes=2)
    seed = prefill.take(kind)            # seed of a ready task, or None
    prefill.note_request(kind, seed=None)
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final

from envhub.core.errors import EnvhubError
from envhub.core.types import JSON, EnvSpec
from envhub.registry.registry import begin_worker, registered
from envhub.server.episodes.prefill_queue import Job, PrefillQueue, TaskKind
from envhub.tasks import cache
from envhub.tasks.sources import prepare
from envhub.workers import processes

_NICENESS: Final = 10

_log = logging.getLogger(__name__)


class Prefill:
    """Draws tasks ahead in processes of their own.

    A process starts when there is a task to draw and all others are busy.

    Args:
        ahead: Number of ready tasks per kind; 0 disables drawing ahead.
        processes: Maximum number of processes.
    """

    def __init__(self, ahead: int, processes: int = 1) -> None:
        self._enabled = ahead > 0
        self._most = processes
        self._queue = PrefillQueue(ahead)
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._busy = 0
        self._closed = False

    def take(self, kind: TaskKind) -> int | None:
        """The seed of a ready task, or None.

        Each seed is returned once.
        """
        with self._changed:
            return self._queue.take(kind)

    def note_request(self, kind: TaskKind, seed: int | None) -> None:
        """Note a request for a task, and queue the next ones.

        Args:
            kind: Kind of the task, of a slow environment.
            seed: The requested seed; None if the request named none.
        """
        if not self._enabled or cache.default() is None:
            return
        with self._changed:
            if self._closed:
                return
            self._queue.note_request(kind, seed)
            idle = len(self._threads) - self._busy
            for _ in range(min(len(self._queue) - idle, self._most - len(self._threads))):
                thread = threading.Thread(target=self._work, name="prefill", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify_all()

    def settle(self) -> None:
        """Wait until all queued tasks have been drawn."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not (self._queue or self._busy))

    def close(self) -> None:
        """Stop drawing."""
        with self._changed:
            self._closed = True
            self._queue.clear()
            self._changed.notify_all()

    def _work(self) -> None:
        """Send jobs to a process, one at a time.

        Until closed or the process has ended.
        """
        here, there = processes.context().Pipe()
        process = processes.context().Process(target=_draw_for, args=(there, registered()), daemon=True)
        process.start()
        there.close()
        try:
            while (job := self._next()) is not None:
                here.send((job.kind.env_id, job.kind.difficulty, job.kind.split, dict(job.kind.params), job.seed))
                self._done(job, drawn=self._received(here))
        except (EOFError, OSError):
            if not self._closed:
                _log.warning("a process that drew tasks ahead has ended; no more are drawn ahead")
        finally:
            self.close()
            here.close()
            process.terminate()
            process.join()

    def _received(self, here: Connection) -> bool:
        """The reply of the process.

        Raises EOFError if it ended or this was closed.
        """
        while not here.poll(0.2):
            if self._closed:
                raise EOFError
        return bool(here.recv())

    def _next(self) -> Job | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or bool(self._queue))
            if self._closed:
                return None
            self._busy += 1
            return self._queue.next()

    def _done(self, job: Job, drawn: bool) -> None:
        with self._changed:
            self._busy -= 1
            self._queue.done(job, drawn)
            self._changed.notify_all()


def _draw_for(connection: Connection, specs: list[EnvSpec]) -> None:
    """Draw the requested tasks into the cache until the connection closes."""
    begin_worker(specs)
    with suppress(OSError):
        os.nice(_NICENESS)
    with suppress(EOFError, OSError):
        while True:
            env_id, difficulty, split, params, seed = connection.recv()
            connection.send(_draw(env_id, difficulty, split, params, seed))


def _draw(env_id: str, difficulty: Any, split: str, params: Mapping[str, JSON], seed: int) -> bool:
    try:
        prepare(env_id, difficulty, split, params, {})[0].draw(seed)
    except EnvhubError:
        return False  # a request for it gets the error
    return True
