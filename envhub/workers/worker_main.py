"""Main program of a worker process: reads requests, runs them and answers.

Started by :mod:`envhub.workers.worker` as a script with its socket's descriptor as argument. It needs only the standard library
and imports nothing else until a request names it, so a worker starts in about 20 ms.

Besides SIGKILL, a worker ends if its socket closes, because the parent ended; if a task exceeds its deadline by ``GRACE_S``,
measured by a timer that does not depend on Python code running; or if a task ends the process.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import resource
import select
import socket
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

MAX_REPLY: Final = 1 << 26
"""Maximum bytes of an answer."""
GRACE_S: Final = 0.05
"""Seconds after the deadline at which the worker ends itself; the parent is expected to act first."""
_HEADER: Final = 4
_READ: Final = 1 << 18
_PAGE_KIB: Final = resource.getpagesize() // 1024


class Wire:
    """Length-prefixed frames over a stream socket.

    Args:
        sock: One end of a connected pair.
    """

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._buffer = bytearray()

    def send(self, *frames: bytes, timeout_s: float | None = None) -> None:
        """Send frames.

        Raises:
            OSError: The other side has ended or did not read in time.
        """
        self.sock.settimeout(timeout_s)
        self.sock.sendall(b"".join([len(frame).to_bytes(_HEADER, "little") + frame for frame in frames]))

    def holds_frame(self) -> bool:
        """Whether a complete frame is buffered."""
        buffer = self._buffer
        return len(buffer) >= _HEADER and len(buffer) >= _HEADER + int.from_bytes(buffer[:_HEADER], "little")

    def receive(self, until: float | None = None, most: int = 1 << 32) -> bytes:
        """Receive the next frame.

        Args:
            until: Deadline on the monotonic clock; None waits forever.
            most: Maximum bytes of the frame.

        Raises:
            TimeoutError: The frame did not arrive in time.
            EOFError: The other side has ended or sent an invalid frame.
            OSError: The socket failed.
        """
        buffer = self._buffer
        while len(buffer) < _HEADER:
            buffer += self._read(until)
        end = _HEADER + int.from_bytes(buffer[:_HEADER], "little")
        if end > most + _HEADER:
            raise EOFError("a frame is too long")
        while len(buffer) < end:
            buffer += self._read(until)
        with memoryview(buffer) as view:
            frame = bytes(view[_HEADER:end])
        del buffer[:end]
        return frame

    def _read(self, until: float | None) -> bytes:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        self.sock.settimeout(left)
        read = self.sock.recv(_READ)
        if not read:
            raise EOFError("the other side has ended")
        return read


def serve(wire: Wire) -> None:
    """Answer requests until the socket closes.

    A request is the pickle of (serial, name, deadline, pickled arguments), and with None for the arguments it only loads the
    function. The answer is the pickle of (failure or None, value or detail, serial, resident KiB).
    """
    watchdog = _Watchdog()
    statm = os.open("/proc/self/statm", os.O_RDONLY)
    functions: dict[str, Callable[..., Any]] = {}
    while True:
        serial, name, deadline_s, arguments = pickle.loads(wire.receive())
        if name not in functions:
            watchdog.stop()  # imports do not count against the deadline
        reply: tuple[str | None, Any] | None = _load(functions, name)
        if reply is None and arguments is not None:
            watchdog.start(deadline_s)
            reply = _run(functions[name], arguments)
            if not wire.holds_frame():
                watchdog.stop()
        resident = int(os.pread(statm, 64, 0).split()[1]) * _PAGE_KIB
        frame = _packed(reply or (None, None), (serial, resident))
        if len(frame) > _READ:  # sending may block, which does not count against the deadline
            watchdog.stop()
        wire.send(frame)


class _Watchdog:
    """Ends this process if a task runs too long.

    From a thread that needs no Python code to run. Starting the timer costs as much as a small task, so it is reused by
    tasks that follow within half of ``GRACE_S``.
    """

    def __init__(self) -> None:
        self._nowhere = os.open(os.devnull, os.O_WRONLY)
        self._deadline_s = 0.0
        self._since = -1.0  # negative: stopped

    def start(self, deadline_s: float) -> None:
        """Start or keep the timer at the beginning of a task."""
        now = time.monotonic()
        if deadline_s != self._deadline_s or not 0 <= now - self._since < GRACE_S / 2:
            faulthandler.dump_traceback_later(deadline_s + GRACE_S, exit=True, file=self._nowhere)
            self._deadline_s, self._since = deadline_s, now

    def stop(self) -> None:
        """Stop the timer."""
        faulthandler.cancel_dump_traceback_later()
        self._since = -1.0


def _load(functions: dict[str, Callable[..., Any]], name: str) -> tuple[str, str] | None:
    """Import a function once.

    Failing to find it is never the answer's fault.
    """
    if name not in functions:
        module, _, path = name.partition(":")
        try:
            found: Any = import_module(module)
            for part in path.split("."):
                found = getattr(found, part)
        except BaseException as error:
            return "unavailable", f"{name} cannot be loaded: {_describe(error)}"
        functions[name] = found
    return None


def _run(function: Callable[..., Any], arguments: bytes) -> tuple[str | None, Any]:
    try:
        return None, function(*pickle.loads(arguments))
    except MemoryError as error:
        return "memory", _describe(error)
    except BaseException as error:  # including SystemExit: no answer may end a worker
        return "raised", _describe(error)


def _packed(reply: tuple[str | None, Any], about: tuple[int, int]) -> bytes:
    try:
        frame = pickle.dumps((*reply, *about), pickle.HIGHEST_PROTOCOL)
        if len(frame) <= MAX_REPLY:
            return frame
        failure = ("raised", f"the value takes more than {MAX_REPLY} bytes")
    except MemoryError:
        failure = ("memory", "the value takes too much memory to be sent")
    except Exception as error:
        failure = ("raised", f"the value cannot be sent: {_describe(error)}")
    return pickle.dumps((*failure, *about), pickle.HIGHEST_PROTOCOL)


def _describe(error: BaseException) -> str:
    """Type and place of an exception.

    Without its message, which may contain a solution.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
    return type(error).__name__ + where


def _follow(sock: socket.socket) -> None:
    """Exit when the parent has ended, even during a task."""
    poll = select.poll()
    poll.register(sock, select.POLLRDHUP)
    poll.poll()
    os._exit(1)


def main(number: int) -> None:
    """Run a worker on the socket with this descriptor."""
    sock = socket.socket(fileno=number)
    wire = Wire(sock)
    sys.path[:], max_bytes = pickle.loads(wire.receive())
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    limit = max_bytes if hard == resource.RLIM_INFINITY else min(hard, max_bytes)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_follow, args=(sock,), daemon=True).start()
    try:
        serve(wire)
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
