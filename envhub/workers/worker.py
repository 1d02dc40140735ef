"""One worker process of the pool, as the process it works for sees it: start, probe, run, kill.

A worker is started as a program of its own, so it shares no lock, no thread and no main module with this process. It leads a
process group, and killing it kills what its tasks have started as well. Tasks are sent ahead a little, so that a worker never
waits for the next small one, and never so far that both sides could wait for each other to read::

    worker = Worker(max_memory_mb=1024)     # started, and has answered the probe
    worker.load("operator:add")             # imports are not the answer's time
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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any, Final, Literal

from envhub.core.errors import ResourceError
from envhub.workers import worker_main
from envhub.workers.worker_main import MAX_REPLY, Wire

Failure = Literal["timeout", "crashed", "memory", "raised", "unavailable"]

PROBE: Final = ("math:prod", ([6, 7],), 42)
"""What a fresh worker is asked before it gets work: function, arguments, and the answer."""
START_S: Final = 60.0
"""How long a worker may take to start, to answer the probe, or to load a function."""
_AHEAD: Final = 1 << 15  # bytes sent ahead: far less than a socket takes without being read
_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True, slots=True)
class CallResult:
    """What became of one call.

    Attributes:
        value: What the function returned.
        failure: Why there is no value: ``timeout``, ``crashed`` (the worker ended), ``memory``, ``raised``; or
            ``unavailable``, when the call was never made because no worker or no such function is to be had.
        detail: More about it, for logs; never the text of an exception.
        seconds: From the start of the work to the answer, or to the end of the worker.
        delay_s: After a timeout, for how much of it the worker waited for a processor.
    """

    value: Any = None
    failure: Failure | None = None
    detail: str = ""
    seconds: float = field(default=0.0, compare=False)
    delay_s: float = field(default=0.0, compare=False)

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.failure is None


class WorkerFailed(ResourceError):
    """A worker could not be started, did not pass the probe, or cannot load a function."""


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
        max_memory_mb: What it may allocate.

    Attributes:
        tasks: How many tasks it was given.
        resident_mb: What it held in memory after the last.

    Raises:
        WorkerFailed: It cannot be started, or does not pass.
    """

    def __init__(self, max_memory_mb: int) -> None:
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
                    env={**os.environ, **_ONE_THREAD},
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
        """Its process id."""
        return self._process.pid

    def load(self, function: str) -> None:
        """Have it import a function, so that the first call's deadline is the call's own.

        Raises:
            WorkerFailed: There is no such function, or the worker ended over it.
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
        """Run calls one after the other, each with the deadline from its own start.

        Stops early where the worker has ended (:attr:`ended`); calls without a result were never begun.

        Args:
            function: One that is loaded.
            calls: What :func:`pack` made.
            deadline_s: For each call.
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
                late = time.monotonic() - begin >= deadline_s  # its own clock was quicker than ours
                detail = f"the worker ended with status {self._process.returncode}"
                ran = CallResult(failure="timeout" if late else "crashed", detail=detail)
            ahead -= len(frame)
            now = time.monotonic()
            yield replace(ran, seconds=now - begin)
            begin = now
            if ran.failure == "memory":
                self.end()  # whatever was allocated may still be held
            if self.ended:
                return

    @property
    def ended(self) -> bool:
        """Whether it was ended from here."""
        return self._wire.sock.fileno() == -1

    def idle(self) -> bool:
        """Whether it waits for work; false when it has been killed meanwhile."""
        return not self.ended and not self._poll.poll(0)

    def _delayed_s(self) -> float:
        """For how long it was ready to run and another process had the processor; 0.0 where that is not counted."""
        try:
            with open(f"/proc/{self.pid}/schedstat") as counts:
                return int(counts.read().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def kill(self) -> None:
        """Kill its process group; whoever waits for its answer sees that it has ended."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill it and give everything back. May be called again."""
        self.kill()
        self._process.wait()  # not with a timeout, which would look only now and then
        self._wire.sock.close()

    def disown(self) -> None:
        """Let go of it in a forked process: it works for the parent."""
        self._process.returncode = 0  # of a process that is not our child there is nothing to wait for
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
            raise EOFError("an answer to another request")
        self.resident_mb = resident_kib / 1024
        return CallResult(value) if failure is None else CallResult(failure=failure, detail=value)


class _PlainUnpickler(pickle.Unpickler):
    """Reads what workers answer: plain values and envhub's own data classes; nothing that could run code."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("envhub."):
            found = super().find_class(module, name)
            if isinstance(found, type) and is_dataclass(found) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not a plain value")
