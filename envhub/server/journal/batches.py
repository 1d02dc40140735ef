"""Group commit: a thread that does whatever has come to wait while it did what came before.

One write to a disk makes many turns durable as fast as one. Coroutines hand in jobs and await their results; the thread takes
all that wait, performs them together and answers them together::

    batches = BatchThread(perform, "journal")       # perform: jobs -> one result each, an exception to be raised among them
    result = await batches.submit(job)
    batches.close()                             # after everything that waits
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
    """A thread and its queue.

    Args:
        perform: Does the jobs of a batch, in their order.
        name: Of the thread.
    """

    def __init__(self, perform: Callable[[list[Job]], Sequence[Any]], name: str) -> None:
        self._perform = perform
        self._waiting: SimpleQueue[tuple[Job, Future[Any]] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Any]:
        """The result of a job, to be awaited; one that nobody awaits any more is done all the same.

        Raises:
            TooBusy: Too much waits already.
            JournalUnavailable: It is closed.
        """
        self.admit()
        future = asyncio.get_running_loop().create_future()
        self.enqueue(job, future)
        return future

    def admit(self) -> None:
        """Make sure that another job can be done.

        Raises:
            TooBusy: Too much waits already.
            JournalUnavailable: It is closed.
        """
        if self._closed:
            raise JournalUnavailable("The journal is closed: the server is stopping.")
        if self._waiting.qsize() >= _MAX_WAITING:
            raise TooBusy(f"{_MAX_WAITING} requests wait for the journal, which is its limit; try again.")

    def enqueue(self, job: Job, future: Future[Any]) -> None:
        """Do a job that was admitted before, for whom awaits the future."""
        self._waiting.put((job, future))

    def close(self) -> None:
        """End the thread when all that waits is done."""
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
                self._settle([one for one in batch if one is not None])

    def _settle(self, batch: list[tuple[Job, Future[Any]]]) -> None:
        try:
            results = self._perform([job for job, _ in batch])
        except Exception as error:
            results = [error] * len(batch)
        answers: dict[AbstractEventLoop, list[tuple[Future[Any], Any]]] = {}
        for (_, future), result in zip(batch, results, strict=True):
            answers.setdefault(future.get_loop(), []).append((future, result))
        for loop, pairs in answers.items():
            with suppress(RuntimeError):  # the loop is closed, so nobody waits
                loop.call_soon_threadsafe(resolve, pairs)


def resolve(pairs: Iterable[tuple[Future[Any], Any]]) -> None:
    """Give those who wait their results; called on their loop."""
    for future, result in pairs:
        if future.done():  # cancelled
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
