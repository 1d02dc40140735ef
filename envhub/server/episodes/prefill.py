"""Draws tasks of slow environments ahead of requests.

A client that requests a slow task usually requests more of its kind. So after each such request one process of low priority
draws the next: tasks with random seeds for requests without a seed, and the following seeds for clients that count up. Drawn
tasks go into the cache (:mod:`envhub.tasks.cache`), from which a request reads them; with the cache off nothing is drawn
ahead::

    prefill = Prefill(ahead=8)
    seed = prefill.take(kind)            # seed of a ready task, or None
    prefill.note_request(kind, seed=None)
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Final

from envhub.core.errors import EnvhubError
from envhub.core.seeding import MAX_SEED
from envhub.core.types import JSON, EnvSpec
from envhub.registry.registry import begin_worker, registered
from envhub.tasks import cache
from envhub.tasks.sources import prepare
from envhub.workers import processes

_KINDS: Final = 32
_NICENESS: Final = 10

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A kind of task: everything that a request names but the seed."""

    env_id: str
    difficulty: Any
    split: str
    params: Mapping[str, JSON]

    @property
    def key(self) -> bytes:
        """A key that is equal for equal kinds."""
        return repr((self.env_id, self.difficulty, self.split, sorted(self.params.items()))).encode(errors="replace")


@dataclass(slots=True)
class _Stock:
    """Ready seeds of a task kind, and the number being drawn."""

    kind: TaskKind
    ready: deque[int] = field(default_factory=deque)
    due: int = 0
    drawn_to: int = -1  # the largest caller-chosen seed drawn or queued


@dataclass(frozen=True, slots=True)
class _Job:
    kind: TaskKind
    seed: int
    ours: bool


class Prefill:
    """Draws tasks ahead in a process of its own.

    The process starts with the first slow task.

    Args:
        ahead: Number of ready tasks per kind; 0 disables drawing ahead.
    """

    def __init__(self, ahead: int) -> None:
        self._ahead = ahead
        self._stocks: OrderedDict[bytes, _Stock] = OrderedDict()
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._busy = self._closed = False

    def take(self, kind: TaskKind) -> int | None:
        """The seed of a ready task, or None.

        Each seed is returned once.
        """
        with self._changed:
            stock = self._stocks.get(kind.key)
            return stock.ready.popleft() if stock is not None and stock.ready else None

    def note_request(self, kind: TaskKind, seed: int | None) -> None:
        """Note a request for a task, and queue the next ones.

        Args:
            kind: Kind of the task, of a slow environment.
            seed: The requested seed; None if the request named none.
        """
        if self._ahead == 0 or cache.default() is None:
            return
        with self._changed:
            if self._closed:
                return
            stock = self._stocks.setdefault(kind.key, _Stock(kind))
            self._stocks.move_to_end(kind.key)
            while len(self._stocks) > _KINDS:
                self._stocks.popitem(last=False)
            if seed is None:
                for _ in range(self._ahead - len(stock.ready) - stock.due):
                    stock.due += 1
                    self._jobs.append(_Job(kind, secrets.randbelow(MAX_SEED + 1), ours=True))
            else:
                last = min(seed + self._ahead, MAX_SEED)
                known = stock.drawn_to if seed <= stock.drawn_to <= last else seed
                self._jobs.extend(_Job(kind, following, ours=False) for following in range(known + 1, last + 1))
                stock.drawn_to = last
            while len(self._jobs) > _KINDS * self._ahead:
                self._forget(self._jobs.popleft())
            if self._thread is None and self._jobs:
                self._thread = threading.Thread(target=self._work, name="prefill", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def settle(self) -> None:
        """Wait until all queued tasks have been drawn."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not (self._jobs or self._busy))

    def close(self) -> None:
        """Stop drawing."""
        with self._changed:
            self._closed = True
            self._jobs.clear()
            self._changed.notify_all()

    def _forget(self, job: _Job) -> None:
        stock = self._stocks.get(job.kind.key)
        if stock is not None and job.ours:
            stock.due -= 1

    def _work(self) -> None:
        """Send the jobs to the process, one at a time.

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
                _log.warning("the process that drew tasks ahead has ended; no more are drawn ahead")
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

    def _next(self) -> _Job | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or bool(self._jobs))
            if self._closed:
                return None
            self._busy = True
            return self._jobs.popleft()

    def _done(self, job: _Job, drawn: bool) -> None:
        with self._changed:
            self._busy = False
            self._forget(job)
            stock = self._stocks.get(job.kind.key)
            if drawn and job.ours and stock is not None:
                stock.ready.append(job.seed)
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
