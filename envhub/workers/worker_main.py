"""What runs in a worker process of the pool: it reads a request, runs it, answers, and reads the next.

Started by :mod:`envhub.workers.worker` as a script with one argument, the number of its socket. It needs the standard
library only and loads nothing else until a request names it, so a worker starts in some 20 ms.

Three things end a worker besides SIGKILL from outside: the socket closes, because whoever it works for has ended; a task runs
past its deadline by ``GRACE_S``, as a clock of its own measures that needs no Python to be running; or it ends itself.
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
"""The longest answer a worker may send, in bytes."""
GRACE_S: Final = 0.05
"""How long after a deadline the worker ends by itself; whoever set the deadline is expected to be quicker."""
_HEADER: Final = 4
_READ: Final = 1 << 18
_PAGE_KIB: Final = resource.getpagesize() // 1024


class Wire:
    """Frames over a stream socket: four bytes of length, then so many bytes.

    Args:
        sock: One end of a connected pair.
    """

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._buffer = bytearray()

    def send(self, *frames: bytes, timeout_s: float | None = None) -> None:
        """Send frames.

        Raises:
            OSError: The other side has ended, or did not take them in time.
        """
        self.sock.settimeout(timeout_s)
        self.sock.sendall(b"".join([len(frame).to_bytes(_HEADER, "little") + frame for frame in frames]))

    def holds_frame(self) -> bool:
        """Whether the next frame has been read already."""
        buffer = self._buffer
        return len(buffer) >= _HEADER and len(buffer) >= _HEADER + int.from_bytes(buffer[:_HEADER], "little")

    def receive(self, until: float | None = None, most: int = 1 << 32) -> bytes:
        """The next frame.

        Args:
            until: On the monotonic clock; None waits for ever.
            most: The longest frame that is taken.

        Raises:
            TimeoutError: It has not come in time.
            EOFError: The other side has ended, or sends what is no frame.
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
            watchdog.stop()  # what is imported is not the task's time
        reply: tuple[str | None, Any] | None = _load(functions, name)
        if reply is None and arguments is not None:
            watchdog.start(deadline_s)
            reply = _run(functions[name], arguments)
            if not wire.holds_frame():
                watchdog.stop()
        resident = int(os.pread(statm, 64, 0).split()[1]) * _PAGE_KIB
        frame = _packed(reply or (None, None), (serial, resident))
        if len(frame) > _READ:  # may have to wait until it is read, which is not the task's time
            watchdog.stop()
        wire.send(frame)


class _Watchdog:
    """Ends this process when a task runs too long, from a thread that needs no Python to be running.

    Beginning to watch costs as much as a small task, so it goes on over tasks that follow each other, for half of ``GRACE_S``.
    """

    def __init__(self) -> None:
        self._nowhere = os.open(os.devnull, os.O_WRONLY)
        self._deadline_s = 0.0
        self._since = -1.0  # negative: it rests

    def start(self, deadline_s: float) -> None:
        """A task begins."""
        now = time.monotonic()
        if deadline_s != self._deadline_s or not 0 <= now - self._since < GRACE_S / 2:
            faulthandler.dump_traceback_later(deadline_s + GRACE_S, exit=True, file=self._nowhere)
            self._deadline_s, self._since = deadline_s, now

    def stop(self) -> None:
        """No task runs."""
        faulthandler.cancel_dump_traceback_later()
        self._since = -1.0


def _load(functions: dict[str, Callable[..., Any]], name: str) -> tuple[str, str] | None:
    """Find a function, once; what is not found is nobody's answer's fault."""
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
    except BaseException as error:  # SystemExit too: no answer ends a worker in good order
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
    """Which exception and where; not its message, which may hold a solution."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
    return type(error).__name__ + where


def _follow(sock: socket.socket) -> None:
    """End when the other side has ended, even in the middle of a task."""
    poll = select.poll()
    poll.register(sock, select.POLLRDHUP)
    poll.poll()
    os._exit(1)


def main(number: int) -> None:
    """Be a worker on the socket with this number."""
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
