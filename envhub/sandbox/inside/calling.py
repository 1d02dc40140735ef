"""Code of a session that calls functions which the host answers.

The host sends ``start(source, globals())`` as a command. The code runs in a thread and ``apis.NAME(...)`` in it waits. The
command ends as soon as the code ends or wants an answer, with a message to the host as the last line of its output; the
host continues it with ``answer(reply)``. So a call needs nothing but the session's commands, and a session that was lost is
rebuilt by the same commands.

Nothing here protects anything: the code may change all of it. The host treats whatever arrives as a call that the code could
have made.
"""

from __future__ import annotations

import ctypes
import io
import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

MARK = "\0call\0"
"""Precedes a message in the output."""
MOST_SHOWN = 20_000
"""Characters that a command may print; the rest is dropped."""
_PATIENCE_S = 0.5
_NAME = "<program>"


class Refused(Exception):
    """A function did not do what was asked; the message says why."""


class _Dropped(BaseException):
    """Ends code that waits for an answer that will not come."""


class _Run:
    """Code that runs in a thread."""

    def __init__(self, source: str, space: dict[str, Any]) -> None:
        self.wants: queue.Queue[str] = queue.Queue()
        self.replies: queue.Queue[str | None] = queue.Queue()
        self.one = threading.Lock()
        self.dropped = False
        self.thread = threading.Thread(target=self._run, args=(source, space), daemon=True)

    def _run(self, source: str, space: dict[str, Any]) -> None:
        try:
            exec(compile(source, _NAME, "exec"), space)
        except (SystemExit, _Dropped):
            pass
        except BaseException as error:
            print("".join(_without_own_frames(error)), end="")
        self.wants.put("{}")

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        """Ask the host, and wait for its answer."""
        wanted = json.dumps({"call": [name, arguments]})
        with self.one:
            if self.dropped:
                raise _Dropped
            self.wants.put(wanted)
            reply = self.replies.get()
        if reply is None:
            raise _Dropped
        told = json.loads(reply)
        if "refused" in told:
            raise Refused(told["refused"])
        return told["value"]

    def proceed(self) -> None:
        """Let the code run until it ends or asks.

        If the command is interrupted, its output holds no message.
        """
        printed = io.StringIO()
        kept, sys.stdout = sys.stdout, printed
        try:
            message = f"\n{MARK}{self.wants.get()}\n"
        except KeyboardInterrupt:
            message = ""
        finally:
            sys.stdout = kept
        wrote = printed.getvalue()
        note = "[More was printed than is kept.]\n" if len(wrote) > MOST_SHOWN else ""
        kept.write(wrote[:MOST_SHOWN].encode("utf-8", "backslashreplace").decode() + note + message)
        kept.flush()

    def drop(self) -> None:
        """End the code, or the interpreter if it does not end."""
        self.dropped = True
        self.replies.put(None)
        if self.thread.is_alive() and self.thread.ident is not None:
            ended = ctypes.py_object(_Dropped)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread.ident), ended)
            self.thread.join(_PATIENCE_S)
            if self.thread.is_alive():
                os._exit(1)


def _without_own_frames(error: BaseException) -> Iterator[str]:
    """The traceback as if the functions were written in another language."""
    told = traceback.TracebackException.from_exception(error)
    each: traceback.TracebackException | None = told
    while each is not None:
        each.stack[:] = [frame for frame in each.stack if frame.filename != __file__]
        each = each.__cause__ or each.__context__
    return told.format()


_running: list[_Run] = []


def start(source: str, space: dict[str, Any]) -> None:
    """Run code, after ending what is left of the code before."""
    while _running:
        _running.pop().drop()
    run = _Run(source, space)
    _running.append(run)
    run.thread.start()
    run.proceed()


def answer(reply: str) -> None:
    """Give the waiting code an answer, and let it run on."""
    run = _running[-1]
    run.replies.put(reply)
    run.proceed()


def functions(described: dict[str, Any]) -> SimpleNamespace:
    """The functions that the host answers.

    Args:
        described: For each function its parameters, in order, and its documentation.
    """
    return SimpleNamespace(**{name: _function(name, *about) for name, about in described.items()})


def _function(name: str, parameters: list[str], about: str) -> Any:
    def function(*given: Any, **named: Any) -> Any:
        if len(given) > len(parameters):
            raise TypeError(f"{name} takes at most {len(parameters)} arguments, got {len(given)}")
        arguments = dict(zip(parameters, given, strict=False))
        if twice := sorted(arguments.keys() & named):
            raise TypeError(f"{name} got the argument {twice[0]} twice")
        return _running[-1].call(name, {**arguments, **named})

    function.__name__ = function.__qualname__ = name
    function.__doc__ = about
    return function
