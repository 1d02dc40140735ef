"""Which tasks to draw ahead, and in which order.

A client that names no seed gets one whose task is ready; a client that counts up finds the seeds that follow. The task that is
needed first is drawn first: the next one of a kind without a ready task goes before the second one of any other kind::

    queue = PrefillQueue(ahead=8)
    queue.note_request(kind, seed=None)
    job = queue.next()                   # ... draw the task of job.seed into the cache
    queue.done(job, drawn=True)
    queue.take(kind)                     # its seed
"""

from __future__ import annotations

import secrets
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, Final

from envhub.core.seeding import MAX_SEED
from envhub.core.types import JSON

_KINDS: Final = 256
"""Maximum number of kinds with ready tasks: more than there are slow environments, for mixtures of all."""


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
class Job:
    """A task to draw; ``ours`` if no client chose its seed."""

    kind: TaskKind
    seed: int
    ours: bool


class PrefillQueue:
    """Ready tasks, and tasks to draw.

    Args:
        ahead: Number of ready tasks per kind.
    """

    def __init__(self, ahead: int) -> None:
        self._ahead = ahead
        self._stocks: OrderedDict[bytes, _Stock] = OrderedDict()
        self._jobs: list[
            tuple[int, int, Job]
        ] = []  # a heap: how many tasks of the kind are needed before, and a number
        self._number = 0

    def __len__(self) -> int:
        return len(self._jobs)

    def take(self, kind: TaskKind) -> int | None:
        """The seed of a ready task, or None.

        Each seed is returned once.
        """
        stock = self._stocks.get(kind.key)
        return stock.ready.popleft() if stock is not None and stock.ready else None

    def note_request(self, kind: TaskKind, seed: int | None) -> None:
        """Note a request for a task, and queue the next ones.

        Args:
            kind: Kind of the task.
            seed: The requested seed; None if the request named none.
        """
        stock = self._stocks.setdefault(kind.key, _Stock(kind))
        self._stocks.move_to_end(kind.key)
        while len(self._stocks) > _KINDS:
            self._stocks.popitem(last=False)
        if seed is None:
            for before in range(len(stock.ready) + stock.due, self._ahead):
                stock.due += 1
                self._add(before, Job(kind, secrets.randbelow(MAX_SEED + 1), ours=True))
        else:
            last = min(seed + self._ahead, MAX_SEED)
            known = stock.drawn_to if seed <= stock.drawn_to <= last else seed
            for following in range(known + 1, last + 1):
                self._add(following - seed - 1, Job(kind, following, ours=False))
            stock.drawn_to = last
        if len(self._jobs) > _KINDS * self._ahead:
            self._jobs.sort()
            for _, _, job in self._jobs[_KINDS * self._ahead :]:
                self._forget(job)
            del self._jobs[_KINDS * self._ahead :]  # a sorted list is a heap

    def next(self) -> Job | None:
        """The task to draw next, or None."""
        return heappop(self._jobs)[2] if self._jobs else None

    def done(self, job: Job, drawn: bool) -> None:
        """Note that a task was drawn, or could not be."""
        self._forget(job)
        stock = self._stocks.get(job.kind.key)
        if drawn and job.ours and stock is not None:
            stock.ready.append(job.seed)

    def clear(self) -> None:
        """Forget all tasks to draw."""
        self._jobs.clear()

    def _add(self, before: int, job: Job) -> None:
        self._number += 1
        heappush(self._jobs, (before, self._number, job))

    def _forget(self, job: Job) -> None:
        stock = self._stocks.get(job.kind.key)
        if stock is not None and job.ours:
            stock.due -= 1
