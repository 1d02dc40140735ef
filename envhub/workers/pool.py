"""Pool of worker processes with hard deadlines.

For verifiers that may hang or crash. A call names a function, ``"module:function"``, and plain arguments. Its deadline
starts when the call starts, not while it is queued; at the deadline the worker is killed and replaced. The pool uses no
signals and no threads that would have to be stopped, so it works from any thread, from any number of event loops, and
in a forked process, which starts its own workers::

    with Pool(workers=2, deadline_s=5.0) as pool:
        ran = pool.call("my_package.grading:check", answer, gold)      # CallResult(value), or CallResult(failure="timeout")
        verdict = pool.judge("my_package.grading:judge", answer, gold) # a Verdict, whatever happened

:meth:`Pool.judge` protects rewards: a failed call runs a second time in a fresh worker that has just passed a health probe.
If it fails again, the answer is the cause and scores 0 with ``components["abuse"] = 1``. Only without a healthy worker is the
verdict an ``error``. A call costs 0.1 ms, so cheap checks do not belong here.

Arguments and results are plain values (None, bool, int, float, str, bytes, list, tuple, dict, set) or data classes of envhub.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from queue import LifoQueue
from typing import Any, Final, Self, TypeVar

from envhub.core.errors import InvalidParameters
from envhub.core.types import Verdict
from envhub.workers.worker import CallResult, Failure, Worker, WorkerFailed, pack

__all__ = ["CallResult", "Failure", "Pool", "abuse_verdict", "default_pool"]

T = TypeVar("T")
Arguments = tuple[Any, ...]

UNCHECKED: Final = "The answer could not be checked within the limits."
_CLOSED: Final = "The pool is closed."
_CHUNK: Final = 32  # calls sent to a worker at a time by the batched methods
_log = logging.getLogger(__name__)


def abuse_verdict(feedback: str = UNCHECKED) -> Verdict:
    """The verdict on an answer that makes its check fail twice."""
    return Verdict(0.0, solved=False, components={"abuse": 1.0}, feedback=feedback)


@dataclass(slots=True)
class _Lane:
    """Holds one worker at a time; only its taker uses it."""

    worker: Worker | None = None


class Pool:
    """Worker processes, started on demand.

    Args:
        workers: Maximum number of workers.
        deadline_s: Maximum seconds per call, unless the call sets its own.
        max_tasks: Number of calls after which a worker is replaced.
        max_memory_mb: Maximum memory of a worker. A worker that keeps half of it after a call is replaced.

    Raises:
        InvalidParameters: An argument is not positive.
    """

    _idle: LifoQueue[_Lane]
    _threads: ThreadPoolExecutor | None
    _lock: threading.Lock

    def __init__(
        self, workers: int = 2, deadline_s: float = 5.0, max_tasks: int = 1000, max_memory_mb: int = 1024
    ) -> None:
        for name, value in (("workers", workers), ("max_tasks", max_tasks), ("max_memory_mb", max_memory_mb)):
            if type(value) is not int or value < 1:
                raise InvalidParameters(f"`{name}` must be a positive integer, got {value!r}.")
        self.workers = workers
        self.deadline_s = _checked(deadline_s)
        self.max_tasks = max_tasks
        self.max_memory_mb = max_memory_mb
        self._closed = False
        self._lanes = [_Lane() for _ in range(workers)]
        self._renew()
        weakref.finalize(self, _end, self._lanes)
        _pools.add(self)

    # -- calling -----------------------------------------------------------------------------------------------------

    def call(self, function: str, *args: Any, deadline_s: float | None = None) -> CallResult:
        """Run a function in a worker and wait for it.

        Args:
            function: ``"module:function"``; the module is imported before the deadline starts.
            args: Plain values.
            deadline_s: Overrides the pool's deadline.

        Raises:
            InvalidParameters: ``function`` is not ``"module:function"``, or the deadline is not positive.
            TypeError: The arguments are not plain values.
        """
        return self._call_chunk(_named(function), self._limit(deadline_s), [args])[0]

    async def acall(self, function: str, *args: Any, deadline_s: float | None = None) -> CallResult:
        """:meth:`call` on an event loop."""
        return await self._soon(partial(self.call, function, *args, deadline_s=deadline_s))

    def map(
        self, function: str, calls: Iterable[Arguments], *, deadline_s: float | None = None
    ) -> Iterator[CallResult]:
        """Run a function on many argument tuples, each with its own deadline.

        Results are in order.

        ``calls`` may be endless: it is read only a few chunks ahead of the results.

        Raises:
            InvalidParameters: As :meth:`call`.
            TypeError: As :meth:`call`.
        """
        return self._ordered(partial(self._call_chunk, _named(function), self._limit(deadline_s)), calls)

    # -- judging -----------------------------------------------------------------------------------------------------

    def judge(self, function: str, *args: Any, deadline_s: float | None = None) -> Verdict:
        """Return a function's verdict.

        0 with ``abuse`` if it fails twice, ``error`` if nothing could run.

        Args:
            function: ``"module:function"``, which returns a :class:`Verdict`.
            args: Plain values.
            deadline_s: Overrides the pool's deadline.

        Raises:
            InvalidParameters: As :meth:`call`.
            TypeError: As :meth:`call`.
        """
        return self._judge_chunk(_named(function), self._limit(deadline_s), [args])[0]

    async def ajudge(self, function: str, *args: Any, deadline_s: float | None = None) -> Verdict:
        """:meth:`judge` on an event loop."""
        return await self._soon(partial(self.judge, function, *args, deadline_s=deadline_s))

    def judge_map(
        self, function: str, calls: Iterable[Arguments], *, deadline_s: float | None = None
    ) -> Iterator[Verdict]:
        """:meth:`judge` for many argument tuples, in order; see :meth:`map`."""
        return self._ordered(partial(self._judge_chunk, _named(function), self._limit(deadline_s)), calls)

    # -- the pool itself ---------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Kill the workers. Running and later calls are ``unavailable``. Idempotent."""
        self._closed = True
        for lane in self._lanes:
            if lane.worker is not None:
                lane.worker.kill()  # its user then sees that it has ended
        with self._lock:
            if self._threads is not None:
                self._threads.shutdown(wait=False)
                self._threads = None
        held = [self._idle.get() for _ in self._lanes]
        _end(held)
        for lane in held:
            self._idle.put(lane)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _renew(self) -> None:
        """Start with empty lanes and new locks."""
        self._idle = LifoQueue()  # last in, first out: it most likely has a worker
        for lane in self._lanes:
            self._idle.put(lane)
        self._threads = None
        self._lock = threading.Lock()

    def _forked(self) -> None:
        """Reset in a forked child: workers and threads are the parent's."""
        for lane in self._lanes:
            if lane.worker is not None:
                lane.worker.disown()
                lane.worker = None
        self._renew()

    @contextmanager
    def _lane(self) -> Iterator[_Lane]:
        lane = self._idle.get()
        try:
            yield lane
        except BaseException:  # interrupted: a late answer must not be read as that of the next call
            _end([lane])
            raise
        finally:
            self._idle.put(lane)

    def _ready(self, lane: _Lane, function: str, *, fresh: bool = False) -> Worker:
        """The lane's worker with the function loaded.

        Replaced first if worn out, dead, or if ``fresh``.

        Raises:
            WorkerFailed: No worker can be started.
        """
        if self._closed:
            raise WorkerFailed(_CLOSED)
        worker = lane.worker
        if worker is not None:
            spent = worker.tasks >= self.max_tasks or worker.resident_mb > self.max_memory_mb / 2
            if fresh or spent or not worker.idle():
                lane.worker = None
                worker.end()
                worker = None
        if worker is None:
            worker = lane.worker = Worker(self.max_memory_mb)
        worker.load(function)
        return worker

    def _run(self, lane: _Lane, function: str, deadline_s: float, calls: Sequence[bytes]) -> list[CallResult]:
        """Run calls in the lane's worker and its successors.

        Calls that a dead worker had not begun are not lost.
        """
        done: list[CallResult] = []
        while len(done) < len(calls):
            try:
                worker = self._ready(lane, function)
            except WorkerFailed as error:
                return done + [CallResult(failure="unavailable", detail=str(error))] * (len(calls) - len(done))
            share = calls[len(done) : len(done) + self.max_tasks - worker.tasks]
            done.extend(self._results(worker, function, deadline_s, share))
        return done

    def _results(
        self, worker: Worker, function: str, deadline_s: float, calls: Sequence[bytes]
    ) -> Iterator[CallResult]:
        for ran in worker.run(function, calls, deadline_s):
            yield (
                CallResult(failure="unavailable", detail=_CLOSED) if ran.failure == "crashed" and self._closed else ran
            )

    def _again(self, lane: _Lane, function: str, deadline_s: float, call: bytes, first: CallResult) -> CallResult:
        """Run a call a second time, in a fresh worker.

        On a busy machine a worker waits for a CPU, which is not the answer's fault. So the second deadline is extended by
        the time the first try waited (at most doubled), and a timeout is ``unavailable`` if the call still got less than a
        quarter of its deadline.
        """
        try:
            worker = self._ready(lane, function, fresh=True)
        except WorkerFailed as error:
            return CallResult(failure="unavailable", detail=str(error))
        limit_s = deadline_s + first.delay_s
        (ran,) = self._results(worker, function, limit_s, [call])
        if ran.failure == "timeout" and limit_s - ran.delay_s < deadline_s / 4:
            return CallResult(failure="unavailable", detail="the worker waited for a CPU nearly all the time")
        return ran

    def _call_chunk(self, function: str, deadline_s: float, calls: Sequence[Arguments]) -> list[CallResult]:
        packed = [pack(call) for call in calls]
        with self._lane() as lane:
            return self._run(lane, function, deadline_s, packed)

    def _judge_chunk(self, function: str, deadline_s: float, calls: Sequence[Arguments]) -> list[Verdict]:
        packed = [pack(call) for call in calls]
        with self._lane() as lane:
            done = self._run(lane, function, deadline_s, packed)
            for number, ran in enumerate(done):
                if not ran.ok and ran.failure != "unavailable":
                    done[number] = self._again(lane, function, deadline_s, packed[number], ran)
                    _log.warning("%s %s; second run: %s", function, _what(ran), _what(done[number]))
        return [_verdict(function, ran) for ran in done]

    # -- threads that wait for workers ---------------------------------------------------------------------------------

    def _waiting(self) -> ThreadPoolExecutor:
        """One thread per worker, for calls that must not block.

        Each waits no longer than its worker may take.
        """
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="envhub-pool")
            return self._threads

    async def _soon(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._waiting(), work)

    def _chunks(
        self, job: Callable[[list[Arguments]], list[T]], calls: Iterable[Arguments]
    ) -> Iterator[Future[list[T]]]:
        source = iter(calls)
        while chunk := list(islice(source, _CHUNK)):
            yield self._waiting().submit(job, chunk)

    def _ordered(self, job: Callable[[list[Arguments]], list[T]], calls: Iterable[Arguments]) -> Iterator[T]:
        chunks = self._chunks(job, calls)
        pending = deque(islice(chunks, self._chunks_ahead))
        try:
            while pending:
                yield from pending.popleft().result()
                pending.extend(islice(chunks, 1))
        finally:
            for future in pending:
                future.cancel()

    @property
    def _chunks_ahead(self) -> int:
        return 2 * self.workers

    def _limit(self, deadline_s: float | None) -> float:
        return self.deadline_s if deadline_s is None else _checked(deadline_s)


def default_pool() -> Pool:
    """The pool of this process, created on first use."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Pool()
        return _default


_default: Pool | None = None
_default_lock = threading.Lock()
_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


def _after_fork() -> None:
    global _default_lock
    _default_lock = threading.Lock()
    for pool in list(_pools):
        pool._forked()


os.register_at_fork(after_in_child=_after_fork)


def _end(lanes: Sequence[_Lane]) -> None:
    for lane in lanes:
        worker, lane.worker = lane.worker, None
        if worker is not None:
            worker.end()


def _checked(deadline_s: float) -> float:
    if not isinstance(deadline_s, (int, float)) or not 0 < deadline_s < math.inf:
        raise InvalidParameters(f"`deadline_s` must be a positive number of seconds, got {deadline_s!r}.")
    return float(deadline_s)


def _named(function: str) -> str:
    module, _, name = function.partition(":")
    if not module or not name:
        raise InvalidParameters(f"`function` must have the form 'module:function', got {function!r}.")
    return function


def _what(ran: CallResult) -> str:
    return f"{ran.failure or 'ok'} ({ran.detail})" if ran.detail else ran.failure or "ok"


def _verdict(function: str, ran: CallResult) -> Verdict:
    if ran.failure == "unavailable":
        return Verdict.failed("pool", ran.detail)
    if not ran.ok:
        return abuse_verdict()
    if not isinstance(ran.value, Verdict):
        return Verdict.failed("pool", f"{function} returned {type(ran.value).__name__}, not a Verdict.")
    return ran.value
