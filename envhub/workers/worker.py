"""Parent side of one worker process: start, probe, run, kill.

A worker is a separate program, so it shares no locks, threads or main module with this process. It leads a process group, so
killing it also kills what its tasks started. A few tasks are sent ahead, so that the worker does not wait between small
ones, but too few for both sides to block on each other::

    worker = Worker(max_memory_mb=1024)     # started and probed
    worker.load("operator:add")             # imports do not count against the deadline
    for ran in worker.run("operator:add", [pack((1, 2))], deadline_s=5.0): ...
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any, Final, Literal

from envhub.core.errors import ResourceError
from envhub.workers import worker_main
from envhub.workers.worker_main import MAX_REPLY, Wire

Failure = Literal["timeout", "crashed", "memory", "raised", "unavailable"]

PROBE: Final = ("math:prod", ([6, 7],), 42)
"""Health probe of a fresh worker: function, arguments and expected answer."""
START_S: Final = 60.0
"""Maximum seconds to start, to answer the probe, or to load a function."""
_AHEAD: Final = 1 << 15  # bytes sent ahead; far below the buffer of a socket
_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True, slots=True)
class CallResult:
    """Outcome of one call.

    Attributes:
        value: What the function returned.
        failure: Why there is no value: ``timeout``, ``crashed`` (the worker ended), ``memory``, ``raised``; or
            ``unavailable``, if the call never ran because there was no worker or no such function.
        detail: Details for logs; never the text of an exception.
        seconds: Seconds from the start of the call to the answer or the end of the worker.
        delay_s: After a timeout, the seconds that the worker waited for a CPU.
    """

    value: Any = None
    failure: Failure | None = None
    detail: str = ""
    seconds: float = field(default=0.0, compare=False)
    delay_s: float = field(default=0.0, compare=False)

    @property
    def ok(self) -> bool:
        """Whether the call returned a value."""
        return self.failure is None


class WorkerFailed(ResourceError):
    """A worker cannot be used.

    It could not be started, did not pass the probe, or cannot load a function.
    """


def pack(arguments: tuple[Any, ...]) -> bytes:
    """Arguments as they are sent.

    Raises:
        TypeError: They cannot be pickled.
    """
    try:
        return pickle.dumps(arguments, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise TypeError(f"The arguments of a call in the pool must be plain values: {error}.") from None


class Worker:
    """A worker that has just passed the probe.

    Args:
        max_memory_mb: Maximum memory of the worker.
        environment: Environment variables that it has besides those of this process.

    Attributes:
        tasks: Number of tasks sent to it.
        resident_mb: Its memory after the last task.

    Raises:
        WorkerFailed: The worker cannot be started, or fails the probe.
    """

    def __init__(self, max_memory_mb: int, environment: Mapping[str, str] | None = None) -> None:
        self.tasks = 0
        self.resident_mb = 0.0
        self._loaded: set[str] = set()
        self._asked = self._answered = 0
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:
            raise WorkerFailed(f"No worker can be started: {type(error).__name__}.") from error
        with theirs:
            self._wire = Wire(ours)
            self._poll = select.poll()
            self._poll.register(ours, select.POLLIN)
            program = [sys.executable, "-P", worker_main.__file__, str(theirs.fileno())]
            try:
                self._process = subprocess.Popen(
                    program,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    env={**os.environ, **_ONE_THREAD, **(environment or {})},
                    process_group=0,
                )
            except (OSError, ValueError) as error:
                ours.close()
                raise WorkerFailed(f"No worker can be started: {type(error).__name__}.") from error
        try:
            self._prepare(pickle.dumps((list(sys.path), max_memory_mb << 20)))
        except BaseException:
            self.end()
            raise

    def _prepare(self, hello: bytes) -> None:
        function, arguments, answer = PROBE
        try:
            self._wire.send(hello, timeout_s=START_S)
            found = self._ask(function, pack(arguments))
        except (EOFError, OSError) as error:
            reason = f"A fresh worker did not answer: {type(error).__name__}."
            raise WorkerFailed(f"{reason} Run {sys.executable} -P {worker_main.__file__} to see why.") from None
        if found.value != answer:
            raise WorkerFailed("A fresh worker did not pass the probe.")

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def load(self, function: str) -> None:
        """Import a function in the worker.

        The import then does not count against the first deadline.

        Raises:
            WorkerFailed: The function does not exist, or the worker died while importing it.
        """
        if function in self._loaded:
            return
        try:
            ran = self._ask(function, None)
        except (EOFError, OSError) as error:
            self.end()
            raise WorkerFailed(f"{function} cannot be loaded: {type(error).__name__}.") from None
        if not ran.ok:
            raise WorkerFailed(f"{ran.detail}.")
        self._loaded.add(function)

    def run(self, function: str, calls: Sequence[bytes], deadline_s: float) -> Iterator[CallResult]:
        """Run calls one after another.

        Each has a deadline from its own start. Stops early if the worker ends (:attr:`ended`). Calls without a result
        were never begun.

        Args:
            function: A loaded function.
            calls: Arguments encoded by :func:`pack`.
            deadline_s: Deadline of each call in seconds.
        """
        frames = [self._request(function, deadline_s, call) for call in calls]
        delayed_s = self._delayed_s()
        sent = ahead = 0
        begin = time.monotonic()
        for number, frame in enumerate(frames):
            try:
                first, idle = sent, sent == number
                while sent < len(frames) and (sent == number or ahead + len(frames[sent]) <= _AHEAD):
                    ahead += len(frames[sent])
                    sent += 1
                if sent > first:
                    self._wire.send(*frames[first:sent], timeout_s=START_S)
                if idle:
                    begin = time.monotonic()
                self.tasks += 1
                ran = self._reply(begin + deadline_s)
            except TimeoutError:
                self.kill()
                delay_s = min(self._delayed_s() - delayed_s, deadline_s)
                self.end()
                ran = CallResult(failure="timeout", detail=f"longer than {deadline_s:g} s", delay_s=delay_s)
            except (EOFError, OSError):
                self.end()
                late = time.monotonic() - begin >= deadline_s  # the worker's own clock was faster than ours
                detail = f"the worker ended with status {self._process.returncode}"
                ran = CallResult(failure="timeout" if late else "crashed", detail=detail)
            ahead -= len(frame)
            now = time.monotonic()
            yield replace(ran, seconds=now - begin)
            begin = now
            if ran.failure == "memory":
                self.end()  # the memory may still be allocated
            if self.ended:
                return

    @property
    def ended(self) -> bool:
        """Whether the worker was ended by this process."""
        return self._wire.sock.fileno() == -1

    def idle(self) -> bool:
        """Whether the worker is waiting for work; False if it was killed."""
        return not self.ended and not self._poll.poll(0)

    def _delayed_s(self) -> float:
        """Seconds that the worker was runnable but waited for a CPU.

        0.0 if not measured here.
        """
        try:
            with open(f"/proc/{self.pid}/schedstat") as counts:
                return int(counts.read().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def kill(self) -> None:
        """Kill the process group.

        Threads waiting for an answer see that it has ended.
        """
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill the worker and release everything. Idempotent."""
        self.kill()
        self._process.wait()  # without a timeout, which would poll
        self._wire.sock.close()

    def disown(self) -> None:
        """Release the worker in a forked child: it belongs to the parent."""
        self._process.returncode = 0  # not our child, so do not wait for it
        self._wire.sock.close()

    def _ask(self, function: str, arguments: bytes | None) -> CallResult:
        self._wire.send(self._request(function, START_S, arguments), timeout_s=START_S)
        return self._reply(time.monotonic() + START_S)

    def _request(self, function: str, deadline_s: float, arguments: bytes | None) -> bytes:
        self._asked += 1
        return pickle.dumps((self._asked, function, deadline_s, arguments), pickle.HIGHEST_PROTOCOL)

    def _reply(self, until: float) -> CallResult:
        frame = self._wire.receive(until, MAX_REPLY)
        self._answered += 1
        try:
            failure, value, serial, resident_kib = _PlainUnpickler(io.BytesIO(frame)).load()
        except Exception as error:
            return CallResult(failure="raised", detail=f"the value cannot be read: {type(error).__name__}")
        if serial != self._answered:
            raise EOFError("answer to another request")
        self.resident_mb = resident_kib / 1024
        return CallResult(value) if failure is None else CallResult(failure=failure, detail=value)


class _PlainUnpickler(pickle.Unpickler):
    """Unpickles plain values and envhub's data classes only.

    Nothing that could run code.
    """

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("envhub."):
            found = super().find_class(module, name)
            if isinstance(found, type) and is_dataclass(found) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not a plain value")
