"""Group commit without a thread: what one turn of the event loop brings is done together, at its end, on the loop itself.

A job that takes some twenty microseconds costs several times as much when it is handed to a thread and its result handed back.
So it stays on the loop, as long as that keeps nobody waiting. What cannot be done at once, because somebody else is writing,
goes to the thread; so does everything for a second after two turns in succession that took long, as all of them do while a disk
stalls (one alone may have lost its processor). So the loop never waits for a lock, and for a disk twice a second at most::

    turns = LoopBatches(attempt, batches)        # attempt: jobs -> results, or None where it would have to wait
    result = await turns.submit(job)
    turns.close()                          # before the batches
"""

from __future__ import annotations

import asyncio
import time
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic

from envhub.server.journal.batches import BatchThread, Job, resolve

_MOST: Final = 128
LONG_S: Final = 0.02
"""LoopBatches that take so long may be waiting for the disk."""
_AWAY_S: Final = 1.0


class LoopBatches(Generic[Job]):
    """What waits for the end of a turn.

    Args:
        attempt: Does the jobs of a turn, in their order, without waiting for anybody; None where it cannot.
        batches: Does what cannot be done so.
        timer: Seconds that only grow.
    """

    def __init__(
        self,
        attempt: Callable[[list[Job]], Sequence[Any] | None],
        batches: BatchThread[Job],
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._attempt = attempt
        self._batches = batches
        self._timer = timer
        self._waiting: dict[AbstractEventLoop, list[tuple[Job, Future[Any]]]] = {}
        self._away_until = -1.0
        self._was_long = False

    def submit(self, job: Job) -> Future[Any]:
        """The result of a job, to be awaited; one that nobody awaits any more is done all the same.

        Raises:
            TooBusy: Too much waits already.
            JournalUnavailable: It is closed.
        """
        self._batches.admit()
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        waiting = self._waiting.get(loop)
        if waiting is not None:
            waiting.append((job, future))
        else:
            self._waiting[loop] = [(job, future)]
            loop.call_soon(self._end, loop)
        return future

    def close(self) -> None:
        """Leave to the batches what still waits."""
        while self._waiting:
            _, waiting = self._waiting.popitem()
            self._hand(waiting)

    def _end(self, loop: AbstractEventLoop) -> None:
        waiting = self._waiting.pop(loop, [])
        if not waiting:  # closed meanwhile
            return
        if len(waiting) > _MOST:
            self._waiting[loop] = waiting[_MOST:]
            del waiting[_MOST:]
            loop.call_soon(self._end, loop)
        begun = self._timer()
        results = None
        if begun >= self._away_until:
            try:
                results = self._attempt([job for job, _ in waiting])
            except Exception as error:
                results = [error] * len(waiting)
            now = self._timer()
            is_long = now - begun > LONG_S
            if is_long and self._was_long:
                self._away_until = now + _AWAY_S
            self._was_long = is_long
        if results is None:
            self._hand(waiting)
        else:
            resolve(zip((future for _, future in waiting), results, strict=True))

    def _hand(self, waiting: list[tuple[Job, Future[Any]]]) -> None:
        for job, future in waiting:
            self._batches.enqueue(job, future)
