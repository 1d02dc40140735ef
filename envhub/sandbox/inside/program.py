"""Runs a Python program in a fork of the warm interpreter.

The program sees a new interpreter. :func:`run` runs a whole program: ``__main__``, command line, standard
streams, tracebacks, threads and exit handlers, exit status. :func:`answer` defines a module and answers calls of one of
its functions. Both run without privileges, in the same process as untrusted code that may tamper with them.
"""

from __future__ import annotations

import atexit
import builtins
import io
import json
import os
import signal
import sys
import threading
import traceback
import types
from collections.abc import Sequence
from typing import Any

from envhub.sandbox.inside import linux, values
from envhub.sandbox.inside.calls import READY
from envhub.sandbox.inside.frames import HEAD, pack

PATH = "/box/work/main.py"
_MESSAGE = 1000
_NAME = 100
_CHUNK = 1 << 16
_OURS: dict[str, types.ModuleType] = {}


def run(source: bytes, arguments: Sequence[str]) -> None:
    """Run a program and exit with its status."""
    module = prepare("__main__", [PATH, *arguments])
    status = 0
    try:
        exec(compile(source, PATH, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        status = uncaught(error)
    finish(module, status)


def answer(source: bytes, function: str, channel: int) -> None:
    """Define a module and answer calls until the channel closes."""
    module = prepare("solution", [PATH])
    dumps, loads = values.dumps, values.loads
    try:
        exec(compile(source, PATH, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        finish(module, uncaught(error))
    reply(channel, READY)
    while True:
        arguments = receive(channel)
        if arguments is None:
            finish(module, 0)
            return
        try:
            given: Any = loads(arguments, len(arguments))
            body = b"v" + dumps(getattr(module, function)(*given))
        except BaseException as error:
            body = b"e" + json.dumps([type(error).__name__[:_NAME], _text(error)]).encode()
        flush()
        reply(channel, body)


def finish(module: types.ModuleType, status: int) -> None:
    """Shut down as an interpreter does, then exit."""
    try:
        shutdown = getattr(threading, "_shutdown", None)
        if shutdown is not None:
            shutdown()
        atexit._run_exitfuncs()
        for name in [name for name in module.__dict__ if name != "__builtins__"]:
            del module.__dict__[name]  # so that finalizers run
    except BaseException as error:
        status = uncaught(error)
    if not flush():
        status = status or 120
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status & 0xFF)


def make_ready() -> None:
    """Prepare what does not depend on the program.

    Our modules are no longer importable afterwards.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "_jail"]:
        _OURS[name] = sys.modules.pop(name)  # kept alive: destroying them would take time
    given, pipes = [os.dup(number) for number in range(3)], [os.pipe() for _ in range(3)]
    ends = [end for read, write in pipes for end in (read, write)]
    try:
        for number, end in enumerate((ends[0], ends[3], ends[5])):
            os.dup2(end, number)  # pipes, as programs have: a stream checks its type when created
        streams()
    finally:
        for number, end in enumerate(given):
            os.dup2(end, number)
        for end in (*given, *ends):
            os.close(end)


def streams() -> None:
    """Standard streams on descriptors 0 to 2.

    With the settings that an interpreter would give them.
    """
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(  # type: ignore[misc]
        io.BufferedReader(io.FileIO(0, "r", closefd=False)), "utf-8", "surrogateescape", "\n"
    )
    sys.stdout = sys.__stdout__ = _writer(1, "surrogateescape", line=False)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _writer(2, "backslashreplace", line=True)  # type: ignore[misc]


def _writer(descriptor: int, errors: str, *, line: bool) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, "w", closefd=False)
    raw.name = f"<{'stdout' if descriptor == 1 else 'stderr'}>"
    return io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", errors, "\n", line_buffering=line)


def prepare(name: str, arguments: list[str]) -> types.ModuleType:
    """Make the process look like one started with a program.

    Also creates the program's module.
    """
    if not _OURS:
        make_ready()
    linux.handle(signal.SIGINT, signal.default_int_handler)
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(PATH))
    module = types.ModuleType(name)
    module.__dict__.update(__builtins__=builtins, __file__=PATH, __cached__=None)
    sys.modules[name] = module
    return module


def uncaught(error: BaseException) -> int:
    """Report an uncaught exception like an interpreter; return the exit status."""
    if isinstance(error, SystemExit):
        code = error.code
        if code is None or type(code) is int:
            return (code or 0) & 0xFF
        flush()
        say(str(code) + "\n")
        return 1
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith("<_jail/"):
        trace = trace.tb_next
    error.__traceback__ = trace
    flush()
    try:
        sys.excepthook(type(error), error, trace)
    except BaseException as second:
        say("".join(traceback.format_exception(type(second), second, second.__traceback__)))
    return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1


def say(text: str) -> None:
    """Write to standard error."""
    try:
        sys.stderr.write(text)
    except BaseException:  # closed, or replaced by a broken object
        os.write(2, text.encode("utf-8", "backslashreplace"))


def flush() -> bool:
    """Flush the standard streams; whether that worked."""
    worked = True
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except BaseException:
            worked = False
    return worked


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_MESSAGE]
    except BaseException:  # the program's __str__ fails
        return ""


def receive(channel: int) -> bytes | None:
    """Receive the next message; None at the end of the stream.

    The other end sends one message at a time, so a read never returns a part of the next one.
    """
    parts = bytearray()
    while len(parts) < HEAD.size or len(parts) < HEAD.size + HEAD.unpack_from(parts)[0]:
        part = os.read(channel, _CHUNK)
        if not part:
            return None
        parts += part
    return bytes(parts[HEAD.size :])


def reply(channel: int, body: bytes) -> None:
    """Send a message."""
    rest: Any = memoryview(pack(body))
    while rest:
        rest = rest[os.write(channel, rest) :]
