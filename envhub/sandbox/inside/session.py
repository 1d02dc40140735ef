"""A session: a live interpreter or shell with its files.

It runs commands one after another. Programs run only during commands. Between them everything is stopped, so that no
program uses processor time that no limit counts, or changes files while they are read or written. Background processes
continue with the next command. An interpreter that does not react to the interrupt at a limit is killed with everything
it started, and the next command starts a fresh one with the files as they are.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Protocol

from envhub.sandbox.inside import interpreter, linux, parcel, wire
from envhub.sandbox.inside.box import Box, Full, InTheWay
from envhub.sandbox.inside.frames import Broken, Reader, pack
from envhub.sandbox.inside.monitor import Monitor
from envhub.sandbox.inside.spawn import Spawner, begin_with, execute, pipe
from envhub.sandbox.inside.streams import Output

MAX_READ = 64 << 20
_START_S = 10.0
_PATIENCE_S = 1.0
# An interrupt aborts the current command and returns to the loop. Programs do not inherit the channel.
SHELL_FLAGS = ("--norc", "--noprofile")
SHELL = r"""
trap 'continue 1000' INT
__status=0
while printf '%s\0' "$__status" >&3 && IFS= read -r -d '' -u 3 __command; do
__status=130
eval "$__command" </box/stdin 3<&-
__status=$?
done
"""


class Owner(Protocol):
    """What a session needs of its job's first process."""

    stream: tuple[int, int]
    spawner: Spawner
    owner: int | None

    def answer(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        """Answer the host."""

    def sweep(self, monitor: Monitor) -> None:
        """Kill every process."""


class StatusReader:
    """Reads each command's exit status from the channel of a session.

    A program may hold the channel and write to it: anything that is not a status counts as 255.

    Args:
        python: Whether the interpreter sends frames; a shell ends each status with a zero byte.
    """

    def __init__(self, *, python: bool) -> None:
        self._frames = Reader(64) if python else None

    def read(self, data: bytes) -> int | None:
        """The status in what was received; None if it is incomplete."""
        if self._frames is None:
            body = data.rstrip(b"\0") or None
        else:
            try:
                self._frames.feed(data)
                body = self._frames.next()
            except Broken:
                body = b""
        if body is None:
            return None
        return int(body) & 0xFF if body.isdigit() and len(body) < 6 else 0xFF


def encode_command(source: bytes, *, python: bool) -> bytes:
    """A command as the session's interpreter or shell reads it."""
    return pack(source) if python else source.replace(b"\0", b"") + b"\0"


class SessionServer:
    """Serves one session.

    Args:
        owner: The first process of the job.
        head: The request, with language and limits.
        box: The files.
        monitor: Enforces the limits.
    """

    def __init__(self, owner: Owner, head: dict[str, Any], box: Box, monitor: Monitor) -> None:
        self._owner = owner
        self._python = head["language"] == "python"
        self._limits = head["limits"]
        self._variables = head["variables"]
        self._box = box
        self._monitor = monitor
        self._pid = 0
        self._channel = -1
        self._reader = StatusReader(python=self._python)
        self._status: int | None = None
        self._outputs = [Output(0), Output(0)]

    def serve(self) -> None:
        """Answer commands until the session is closed."""
        self._box.stdin(b"")
        self._start()
        self._stop()
        self._owner.answer({}, [])
        do = {"run": self._run, "write": self._write, "read": self._read, "tree": self._tree}
        while True:
            head, blobs = parcel.unpack(wire.receive(self._owner.stream[0]))
            if head["do"] == "close":
                self._end()
                self._owner.answer({}, [])
                return
            do[head["do"]](head, blobs)

    # -- commands ------------------------------------------------------------------------------------------------------

    def _run(self, _: dict[str, Any], blobs: list[bytes]) -> None:
        source, stdin = blobs
        monitor = self._monitor
        monitor.limit, monitor.peak = None, 0
        self._outputs = [Output(self._limits["output_bytes"]) for _ in range(2)]
        started = time.monotonic()
        monitor.take_cpu_s()
        exit: int | None = None
        try:
            self._box.stdin(stdin)
        except Full:
            monitor.hit("file")
        else:
            with self._awake():
                if not self._alive():
                    self._start()
                exit = self._command(source)
        wall = time.monotonic() - started
        monitor.read_counters()
        processor = monitor.take_cpu_s()
        if self._box.full():
            monitor.hit("file")
        head = {
            "exit": exit,
            "limit": monitor.limit,
            "cut": any(output.cut for output in self._outputs),
            "wall": wall,
            "cpu": max(0.0, processor),
            "memory": monitor.peak,
        }
        self._owner.answer(head, [output.take() for output in self._outputs])

    def _command(self, source: bytes) -> int | None:
        """Run one command.

        Its status, or None if the interpreter had to be killed.
        """
        monitor = self._monitor
        self._status = None
        monitor.feed(self._channel, encode_command(source, python=self._python), close=False)
        if not monitor.until(self._ended, self._limits["wall_s"]):
            self._interrupt()
            if not self._wait(self._ended, _PATIENCE_S):
                self._end()
                return None
        monitor.drain()
        if self._status is not None:
            return self._status
        self._wait(lambda: monitor.status(self._pid) is not None, _PATIENCE_S)
        status = monitor.status(self._pid)
        self._end()
        return status

    def _write(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        for path, data in zip(head["names"], blobs):  # noqa: B905  Python 3.9 has no strict
            try:
                self._box.put(path, data)
            except (Full, InTheWay) as problem:
                self._owner.answer({"path": path, "full": isinstance(problem, Full)}, [])
                return
        self._owner.answer({}, [])

    def _read(self, head: dict[str, Any], _: list[bytes]) -> None:
        found: dict[str, bytes] = {}
        room = min(self._limits["file_mb"] << 20, MAX_READ)
        for path in head["names"]:
            data = self._box.read(path, room)
            if data is not None and path not in found:
                found[path] = data
                room -= len(data)
        self._owner.answer({"files": list(found)}, list(found.values()))

    def _tree(self, _: dict[str, Any], __: list[bytes]) -> None:
        entries, complete = self._box.tree(self._limits["files"])
        self._owner.answer({"entries": entries, "complete": complete}, [])

    # -- the interpreter -----------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Start a fresh interpreter.

        Raises:
            OSError: It does not start, which is an infrastructure failure.
        """
        nothing = os.open("/dev/null", os.O_RDONLY)
        pipes = [pipe(self._owner.owner) for _ in range(2)]
        ours, theirs = socket.socketpair()
        given = [nothing, *(write for _, write in pipes), theirs.fileno()]
        begin = partial(interpreter.serve, 3) if self._python else partial(execute, ["bash", *SHELL_FLAGS, "-c", SHELL])
        # the process runs many commands, each of which is monitored
        limits = {**self._limits, "cpu_s": 10**6}
        self._pid = self._owner.spawner.start(partial(begin_with, self._variables, begin), given, limits)
        self._monitor.forget_statuses()
        for descriptor in given[:3]:
            os.close(descriptor)
        theirs.close()
        for (read, _), at in zip(pipes, range(2)):  # noqa: B905
            self._monitor.listen(read, partial(self._print, at))
        self._channel = ours.detach()
        self._reader, self._status = StatusReader(python=self._python), None
        self._monitor.listen(self._channel, self._receive)
        self._wait(self._ended, _START_S)
        if self._status is None:
            raise OSError("the interpreter of a session did not start")

    def _wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Wait without recording a limit; whether it is done in time."""
        limit, self._monitor.limit = self._monitor.limit, None
        self._monitor.until(done, seconds)
        self._monitor.limit = limit
        return done()

    def _alive(self) -> bool:
        self._monitor.reap()
        self._monitor.drain()  # it may have closed the channel
        if self._pid and self._monitor.status(self._pid) is None and self._monitor.listens(self._channel):
            return True
        self._end()
        return False

    def _ended(self) -> bool:
        told = self._status is not None or not self._monitor.listens(self._channel)
        return told or self._monitor.status(self._pid) is not None

    def _interrupt(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGINT)

    def _end(self) -> None:
        """Kill the interpreter and everything it started."""
        if self._pid:
            self._owner.sweep(self._monitor)
            self._monitor.drain()
            self._monitor.close_streams()
            self._pid = 0

    def _print(self, at: int, data: bytes) -> None:
        self._outputs[at].add(data)

    def _receive(self, data: bytes) -> None:
        status = self._reader.read(data)
        self._status = self._status if status is None else status

    @contextmanager
    def _awake(self) -> Iterator[None]:
        """Let programs run within the block."""
        self._signal(signal.SIGCONT)
        try:
            yield
        finally:
            self._stop()

    def _stop(self) -> None:
        """Stop every program."""
        until = time.monotonic() + _PATIENCE_S
        self._signal(signal.SIGSTOP)
        while not self._monitor.all_stopped() and time.monotonic() < until:
            time.sleep(0.001)
            self._signal(signal.SIGSTOP)  # also those that were started meanwhile

    def _signal(self, number: int) -> None:
        linux.signal_all(number)
