"""Group commit: a thread that performs all waiting jobs as one batch.

One write to disk makes many turns durable as fast as one turn. Coroutines submit jobs and await their results; the thread takes
all waiting jobs, performs them together and resolves them together::

    batches = BatchThread(perform, "journal")       # perform: jobs -> results; an exception among them is raised
    result = await batches.submit(job)
    batches.close()                             # after all waiting jobs
"""

from __future__ import annotations

import asyncio
import threading
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, TypeVar

from envhub.core.errors import JournalUnavailable, TooBusy

Job = TypeVar("Job")
_MOST: Final = 512
_MAX_WAITING: Final = 16_384


class BatchThread(Generic[Job]):
    """A thread with a queue of jobs.

    Args:
        perform: Performs the jobs of a batch, in order.
        name: Name of the thread.
    """

    def __init__(self, perform: Callable[[list[Job]], Sequence[Any]], name: str) -> None:
        self._perform = perform
        self._waiting: SimpleQueue[tuple[Job, Future[Any]] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Any]:
        """Queue a job.

        Returns a future of its result; cancelling the future does not cancel the job.

        Raises:
            TooBusy: Too many jobs are waiting.
            JournalUnavailable: The journal is closed.
        """
        self.admit()
        future = asyncio.get_running_loop().create_future()
        self.enqueue(job, future)
        return future

    def admit(self) -> None:
        """Raise unless another job can be queued.

        Raises:
            TooBusy: Too many jobs are waiting.
            JournalUnavailable: The journal is closed.
        """
        if self._closed:
            raise JournalUnavailable("The journal is closed: the server is stopping.")
        if self._waiting.qsize() >= _MAX_WAITING:
            raise TooBusy(f"{_MAX_WAITING} requests wait for the journal, which is the limit; try again.")

    def enqueue(self, job: Job, future: Future[Any]) -> None:
        """Queue an already admitted job; resolve ``future`` with its result."""
        self._waiting.put((job, future))

    def close(self) -> None:
        """Perform the waiting jobs, then end the thread."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        ending = False
        while not ending:
            batch = [self._waiting.get()]
            with suppress(Empty):
                while len(batch) < _MOST and batch[-1] is not None:
                    batch.append(self._waiting.get_nowait())
            if batch[-1] is None:
                ending = True
                batch.pop()
            if batch:
                self._perform_batch([one for one in batch if one is not None])

    def _perform_batch(self, batch: list[tuple[Job, Future[Any]]]) -> None:
        try:
            results = self._perform([job for job, _ in batch])
        except Exception as error:
            results = [error] * len(batch)
        answers: dict[AbstractEventLoop, list[tuple[Future[Any], Any]]] = {}
        for (_, future), result in zip(batch, results, strict=True):
            answers.setdefault(future.get_loop(), []).append((future, result))
        for loop, pairs in answers.items():
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(resolve, pairs)


def resolve(pairs: Iterable[tuple[Future[Any], Any]]) -> None:
    """Resolve futures with results; call it on their event loop."""
    for future, result in pairs:
        if future.done():  # cancelled
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
