"""Scheduler that needs the processor: done at once where its kind has been quick, else in a thread, so many of an environment.

A hop to a thread and back costs more than most tasks take to draw, and a task that takes long must not keep everybody else
waiting. Which of the two a kind is shows when it is done: each starts in a thread, and comes back to the event loop once it has
been quick. Threads are for few of an environment at a time; the others wait in a queue that ends, so one that is slow does not
starve those that are not; and the requests of one API key, which have threads and a queue of their own, starve no other key's::

    work = Scheduler(at_once=2, queue=512)
    task = await work.run("sudoku-v0", kind, draw)
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Final, TypeVar

from envhub.core.errors import TooBusy
from envhub.sandbox.payer import PAYER

T = TypeVar("T")
QUICK_S: Final = 0.001
"""What the event loop may be kept for; a hop to a thread is some tenth of that."""
_MEMORY: Final = 0.5  # of what was dear before: a first time has imports to pay, and bad luck comes back
_KINDS: Final = 4096
_THREADS: Final = 64  # of all environments and payers together


class Scheduler:
    """Where work is done.

    Args:
        at_once: How many threads work for one environment and one payer (:data:`envhub.sandbox.payer.PAYER`).
        queue: How many of a payer's requests wait for them before others are refused.
        clock: Seconds of processor time of a thread.
    """

    def __init__(self, at_once: int, queue: int, clock: Callable[[], float] = time.thread_time) -> None:
        self._at_once, self._queue, self._clock = at_once, queue, clock
        self._costs: OrderedDict[Hashable, float] = OrderedDict()
        self._gates: dict[tuple[str, str], _Gate] = {}
        self._threads: ThreadPoolExecutor | None = None

    def is_quick(self, kind: Hashable) -> bool:
        """Whether work of a kind is known to be quick."""
        return self._costs.get(kind, QUICK_S) < QUICK_S

    def close(self) -> None:
        """End the threads when what they are doing is done."""
        threads, self._threads = self._threads, None  # an application that is started again has others
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, env_id: str, kind: Hashable, job: Callable[[], T], *, blocks: bool = False) -> T:
        """Do it.

        Args:
            env_id: Whose turn it is in the queue.
            kind: What costs about the same.
            job: What is to be done; its result is returned, its exceptions are raised.
            blocks: Whether it may wait for something that is not the processor; then it is for a thread.

        Raises:
            TooBusy: Too many wait already.
        """
        if not blocks and self.is_quick(kind):
            begun = self._clock()
            try:
                return job()
            finally:
                self._learn(kind, self._clock() - begun)
        place = (env_id, PAYER.get())
        gate = self._gates.get(place)
        if gate is None:
            gate = self._gates[place] = _Gate(self._at_once)
        if gate.users >= self._at_once + self._queue:
            raise TooBusy(f"{self._queue} requests wait for {env_id}, whose tasks take long; try again.", retry_after=1)
        gate.users += 1
        took = [0.0]
        try:
            async with gate.places:
                if self._threads is None:
                    self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="envhub-work")
                timed = partial(copy_context().run, self._timed, job, took)
                return await asyncio.get_running_loop().run_in_executor(self._threads, timed)
        finally:
            gate.users -= 1
            if not gate.users:
                self._gates.pop(place, None)
            if took[0] and not blocks:
                self._learn(kind, took[0])

    def _timed(self, job: Callable[[], T], took: list[float]) -> T:
        begun = self._clock()
        try:
            return job()
        finally:
            took[0] = self._clock() - begun

    def _learn(self, kind: Hashable, took: float) -> None:
        self._costs[kind] = max(took, _MEMORY * self._costs.get(kind, 0.0))
        self._costs.move_to_end(kind)
        if len(self._costs) > _KINDS:
            self._costs.popitem(last=False)


class _Gate:
    """The threads of one environment, and how many use or await them."""

    __slots__ = ("places", "users")

    def __init__(self, at_once: int) -> None:
        self.places, self.users = asyncio.Semaphore(at_once), 0
