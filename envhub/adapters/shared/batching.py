"""What is asked one at a time and answered together: calls that come in the same turn of an event loop are one.

Some trainers hand over a batch as many coroutines with one response each. A :class:`Gathering` turns them back into the batch::

    score = Gathering(scorer, alone=(InvalidParameters,))
    await asyncio.gather(*(score(each) for each in batch))       # one call of scorer, in a thread

Nobody waits for calls that may still come: what comes later is another batch, answered beside the first one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Gathering(Generic[Asked, Answer]):
    """Calls a function of many with what was asked one at a time.

    Args:
        together: Answers many, in their order; called in a thread.
        alone: Errors that one item may cause: where ``together`` raises one, each item is asked for by itself, and only who
            caused it is told.
    """

    def __init__(
        self, together: Callable[[Sequence[Asked]], Sequence[Answer]], *, alone: tuple[type[Exception], ...] = ()
    ) -> None:
        self._together = together
        self._alone = alone
        self._waiting: list[tuple[Asked, asyncio.Future[Answer]]] = []
        self._running: set[asyncio.Task[None]] = set()  # the loop itself holds them weakly

    async def __call__(self, asked: Asked) -> Answer:
        """The answer to one item.

        Raises:
            Exception: What ``together`` raised.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((asked, answer))
        if len(self._waiting) == 1:
            loop.call_soon(self._begin)  # behind everything that is ready by now, and may ask as well
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
                if not waits.done():  # who asked may have given up
                    waits.set_result(answer)


def _fail(batch: Sequence[tuple[Asked, asyncio.Future[Answer]]], error: Exception) -> None:
    for _, waits in batch:
        if not waits.done():
            waits.set_exception(error)
