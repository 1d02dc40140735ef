"""Batches single async calls.

All calls of one event loop iteration become one call. Some trainers pass a batch as many coroutines with one response
each. A :class:`Batcher` restores the batch::

    score = Batcher(scorer, alone=(InvalidParameters,))
    await asyncio.gather(*(score(each) for each in batch))       # one call of scorer, in a thread

It does not wait for more calls: later calls form another batch, which runs concurrently.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Batcher(Generic[Asked, Answer]):
    """Collects single calls and passes them to a batch function.

    Args:
        together: Answers a batch, in order; called in a thread.
        alone: Errors that a single item may cause. If ``together`` raises one, each item is retried by itself, so that only its
            cause gets the error.
    """

    def __init__(
        self, together: Callable[[Sequence[Asked]], Sequence[Answer]], *, alone: tuple[type[Exception], ...] = ()
    ) -> None:
        self._together = together
        self._alone = alone
        self._waiting: list[tuple[Asked, asyncio.Future[Answer]]] = []
        self._running: set[asyncio.Task[None]] = set()  # the event loop holds tasks weakly

    async def __call__(self, asked: Asked) -> Answer:
        """Answer one item.

        Raises:
            Exception: What ``together`` raised.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((asked, answer))
        if len(self._waiting) == 1:
            loop.call_soon(self._begin)  # after all callbacks that are ready now, which may add calls
        return await answer

    def _begin(self) -> None:
        batch, self._waiting = self._waiting, []
        task = asyncio.ensure_future(self._answer(batch))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _answer(self, batch: list[tuple[Asked, asyncio.Future[Answer]]]) -> None:
        try:
            answers = await asyncio.to_thread(self._together, [asked for asked, _ in batch])
            told = list(zip(batch, answers, strict=True))
        except self._alone as error:
            if len(batch) == 1:
                _fail(batch, error)
            else:
                for each in batch:
                    await self._answer([each])
        except Exception as error:
            _fail(batch, error)
        else:
            for (_, waits), answer in told:
                if not waits.done():  # the caller may have given up
                    waits.set_result(answer)


def _fail(batch: Sequence[tuple[Asked, asyncio.Future[Answer]]], error: Exception) -> None:
    for _, waits in batch:
        if not waits.done():
            waits.set_exception(error)
