"""Group commit on the event loop, without a thread.

All jobs of one loop iteration run together at its end. A job of some twenty microseconds costs several times as much
when it goes through a thread. So it runs on the loop while that is fast. If another writer holds the lock, the jobs go
to the thread. After two slow batches in a row, as happens while a disk stalls, all jobs go to the thread for a second
(a single slow batch may just have lost the processor). So the loop never waits for a lock, and at most twice a second
for a disk::

    loop_batches = LoopBatches(attempt, batches)        # attempt: jobs -> results, or None if it would have to wait
    result = await loop_batches.submit(job)
    loop_batches.close()                                # before the batch thread
"""

from __future__ import annotations

import asyncio
import time
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic

from envhub.server.journal.batches import BatchThread, Job, resolve

_MOST: Final = 128
SLOW_S: Final = 0.02
"""A batch that takes longer may be waiting for the disk."""
_THREAD_S: Final = 1.0


class LoopBatches(Generic[Job]):
    """Collects the jobs of a loop iteration, to run at its end.

    Args:
        attempt: Performs jobs in order without waiting. Returns None if it would have to wait.
        batches: Performs the jobs that cannot run on the loop.
        timer: A monotonic clock, in seconds.
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
        self._thread_until = -1.0
        self._was_slow = False

    def submit(self, job: Job) -> Future[Any]:
        """Queue a job.

        Returns a future of its result; cancelling the future does not cancel the job.

        Raises:
            TooBusy: Too many jobs are waiting.
            JournalUnavailable: The journal is closed.
        """
        self._batches.admit()
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        waiting = self._waiting.get(loop)
        if waiting is not None:
            waiting.append((job, future))
        else:
            self._waiting[loop] = [(job, future)]
            loop.call_soon(self._run_batch, loop)
        return future

    def close(self) -> None:
        """Pass waiting jobs to the batch thread."""
        while self._waiting:
            _, waiting = self._waiting.popitem()
            self._pass_on(waiting)

    def _run_batch(self, loop: AbstractEventLoop) -> None:
        waiting = self._waiting.pop(loop, [])
        if not waiting:  # closed meanwhile
            return
        if len(waiting) > _MOST:
            self._waiting[loop] = waiting[_MOST:]
            del waiting[_MOST:]
            loop.call_soon(self._run_batch, loop)
        begun = self._timer()
        results = None
        if begun >= self._thread_until:
            try:
                results = self._attempt([job for job, _ in waiting])
            except Exception as error:
                results = [error] * len(waiting)
            now = self._timer()
            is_slow = now - begun > SLOW_S
            if is_slow and self._was_slow:
                self._thread_until = now + _THREAD_S
            self._was_slow = is_slow
        if results is None:
            self._pass_on(waiting)
        else:
            resolve(zip((future for _, future in waiting), results, strict=True))

    def _pass_on(self, waiting: list[tuple[Job, Future[Any]]]) -> None:
        for job, future in waiting:
            self._batches.enqueue(job, future)
