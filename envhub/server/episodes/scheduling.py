"""Runs CPU-bound work on the event loop or in threads.

On the loop if its kind has been quick, else in a bounded number of threads. A hop to a thread and back costs more than
most tasks take to draw, but slow work must not block everybody else. Each kind starts in a thread, and moves to the
event loop once it has been quick. Each environment has a few threads and a bounded queue, so a slow one does not starve
the others; and the requests of each API key have threads and a queue of their own, so one key does not starve the
others::

    scheduler = Scheduler(threads=2, queue=512)
    task = await scheduler.run("sudoku-v0", kind, draw)
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
from envhub.sandbox.tenant import TENANT

T = TypeVar("T")
QUICK_S: Final = 0.001
"""Longest work that may block the event loop; a hop to a thread costs about a tenth of it."""
_MEMORY: Final = 0.5  # share of the last cost kept: a first run pays for imports, and a slow kind may be slow again
_KINDS: Final = 4096
_THREADS: Final = 64  # for all environments and tenants together


class Scheduler:
    """Runs work on the loop or in threads.

    Args:
        threads: Maximum number of threads per environment and tenant (:data:`envhub.sandbox.tenant.TENANT`).
        queue: Maximum number of requests of a tenant that wait for these threads.
        clock: CPU time of the current thread, in seconds.
    """

    def __init__(self, threads: int, queue: int, clock: Callable[[], float] = time.thread_time) -> None:
        self._threads_per_gate, self._queue, self._clock = threads, queue, clock
        self._costs: OrderedDict[Hashable, float] = OrderedDict()
        self._gates: dict[tuple[str, str], _Gate] = {}
        self._threads: ThreadPoolExecutor | None = None

    def is_quick(self, kind: Hashable) -> bool:
        """Whether work of a kind is known to be quick."""
        return self._costs.get(kind, QUICK_S) < QUICK_S

    @property
    def waiting(self) -> int:
        """Number of requests that wait for a thread."""
        return sum(max(0, gate.users - self._threads_per_gate) for gate in self._gates.values())

    def close(self) -> None:
        """End the threads once their current work is done."""
        threads, self._threads = self._threads, None  # an application that starts again creates others
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, env_id: str, kind: Hashable, job: Callable[[], T], *, blocks: bool = False) -> T:
        """Run a job and return its result.

        Args:
            env_id: The environment whose queue it uses.
            kind: Key of jobs that cost about the same.
            job: The work; its exceptions are raised.
            blocks: Whether it may wait for something besides the processor; if so, it always runs in a thread.

        Raises:
            TooBusy: Too many requests are waiting.
        """
        if not blocks and self.is_quick(kind):
            begun = self._clock()
            try:
                return job()
            finally:
                self._learn(kind, self._clock() - begun)
        place = (env_id, TENANT.get())
        gate = self._gates.get(place)
        if gate is None:
            gate = self._gates[place] = _Gate(self._threads_per_gate)
        if gate.users >= self._threads_per_gate + self._queue:
            raise TooBusy(
                f"{self._queue} requests are waiting for {env_id}, whose tasks take long; try again.", retry_after=1
            )
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
    """The threads of one environment and tenant.

    With the number of requests that use or await them.
    """

    __slots__ = ("places", "users")

    def __init__(self, threads: int) -> None:
        self.places, self.users = asyncio.Semaphore(threads), 0
