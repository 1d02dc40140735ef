"""The sandbox at the broker of this host: the same face, over a Unix socket.

One connection carries everything that this process asks. A broker that is not there is started (unless told otherwise), and
one that goes away in the middle is asked again: a job is run anew, which nobody can tell from running it once, and a session
that went with it is lost, which its holder is told::

    with RemoteSandbox("/run/user/1000/envhub/sandbox.sock") as sandbox:
        (result,) = sandbox.run(Job(Program("print(1)")))
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import itertools
import os
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any, Final

from envhub.core import errors
from envhub.core.errors import ResourceError
from envhub.sandbox.backend import Setting
from envhub.sandbox.broker import plain
from envhub.sandbox.inside.frames import Broken, Reader, pack
from envhub.sandbox.inside.values import NotAValue, dumps, loads
from envhub.sandbox.jobs import Job, Result
from envhub.sandbox.sandbox import Sandbox
from envhub.sandbox.sessions import SessionCrashed, SessionLost
from envhub.sandbox.tenant import TENANT

_TRIES: Final = 5
_PAUSE_S: Final = 0.1  # before asking again, doubled each time: while a broker that was killed is started anew
_START_S: Final = 60.0
_THREADS: Final = 64
_askers: weakref.WeakSet[RemoteSandbox] = weakref.WeakSet()


class _Gone(Exception):
    """The connection ended before the answer came."""


class RemoteSandbox(Sandbox):
    """The broker's sandbox.

    Args:
        path: Of its socket.
        start: Whether to start a broker where there is none.
        options: Of the broker that is started: its command line.
    """

    def __init__(self, path: str | Path, *, start: bool = True, options: Sequence[str] = ()) -> None:
        self._path = Path(path)
        self._start = start
        self._options = tuple(options)
        self._renew()
        _askers.add(self)

    def _renew(self) -> None:
        self._connection: _Connection | None = None
        self._lock = threading.Lock()
        self._executor: ThreadPoolExecutor | None = None

    def run(self, job: Job) -> tuple[Result, ...]:
        """See :meth:`Sandbox.run`."""
        try:
            results = self._ask("run", plain.from_job(job))
        except ResourceError as error:
            return (Result.failed(str(error)),) * job.results
        return tuple(plain.to_result(result) for result in results)

    async def arun(self, job: Job) -> tuple[Result, ...]:
        """See :meth:`Sandbox.arun`; no thread waits."""
        try:
            results = await self._aask("run", plain.from_job(job))
        except ResourceError as error:
            return (Result.failed(str(error)),) * job.results
        return tuple(plain.to_result(result) for result in results)

    def open_session(self, setting: Setting) -> str:
        """See :meth:`Sandbox.open_session`."""
        key: str = self._ask("open", plain.from_setting(setting))
        return key

    def ask_session(self, what: str, key: str, commands: int, *args: Any) -> Any:
        """See :meth:`Sandbox.ask_session`."""
        if what == "close":  # without waiting: a broker that is gone has no session any more
            connection = self._connection
            if connection is not None:
                with contextlib.suppress(_Gone):
                    connection.ask("ask", [what, key, commands])
            return None
        return plain.to_answer(self._ask("ask", [what, key, commands, *args]))

    def describe(self) -> dict[str, Any]:
        """See :meth:`Sandbox.describe`."""
        described: dict[str, Any] = self._ask("describe", None)
        return described

    async def adescribe(self) -> dict[str, Any]:
        """:meth:`describe` on an event loop; no thread waits."""
        described: dict[str, Any] = await self._aask("describe", None)
        return described

    def close(self) -> None:
        """Leave the broker; what this process has asked for ends unanswered."""
        with self._lock:
            connection, self._connection = self._connection, None
            executor, self._executor = self._executor, None
        if connection is not None:
            connection.close()
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)

    def _threads(self, kind: str) -> Executor:
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(_THREADS, thread_name_prefix="envhub-broker")
            return self._executor

    def _ask(self, operation: str, body: Any) -> Any:
        for pause in _pauses():
            try:
                return self._connected().ask(operation, body).result()
            except _Gone:
                sleep(pause)
        raise ResourceError(f"The sandbox's broker at {self._path} was not there {_TRIES} times in a row.")

    async def _aask(self, operation: str, body: Any) -> Any:
        for pause in _pauses():
            try:
                connection = self._connection
                if connection is None or connection.ended:
                    connection = await asyncio.to_thread(self._connected)
                return await asyncio.wrap_future(connection.ask(operation, body))
            except _Gone:
                await asyncio.sleep(pause)
        raise ResourceError(f"The sandbox's broker at {self._path} was not there {_TRIES} times in a row.")

    def _connected(self) -> _Connection:
        """The connection, made when it is first needed and when it has ended.

        Raises:
            ResourceError: There is no broker, and none can be started.
        """
        with self._lock:
            if self._connection is None or self._connection.ended:
                self._connection = _Connection(self._reach())
            return self._connection

    def _reach(self) -> socket.socket:
        reached = _reached(self._path)
        if reached is not None:
            return reached
        if not self._start:
            if self._path.exists():  # its keeper is about to start it anew
                raise _Gone
            raise ResourceError(
                f"No broker is listening at {self._path}; start one with: envhub sandbox broker --socket {self._path}"
            )
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # one of many processes starts it, the others find it started
            reached = _reached(self._path)
            if reached is None:
                _launch(self._path, self._options)
                reached = _reached(self._path)
        if reached is None:
            raise ResourceError(f"The broker was started and is not listening at {self._path}.")
        return reached


class _Connection:
    """One connection with a thread that takes its answers."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._sending = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[Any]] = {}
        self._taking = threading.Lock()
        self.ended = False
        threading.Thread(target=self._listen, name="envhub-broker-answers", daemon=True).start()

    def ask(self, operation: str, body: Any) -> Future[Any]:
        """Send a request; its answer, or an error, comes in the future."""
        future: Future[Any] = Future()
        number = next(self._numbers)
        try:
            request = {"id": number, "op": operation, "body": body, "tenant": TENANT.get()}
            message = pack(dumps(request, plain.DEPTH))
        except NotAValue as error:
            raise errors.InvalidParameters(f"This cannot be sent to the sandbox: {error}.") from None
        with self._taking:
            if self.ended:
                raise _Gone
            self._waiting[number] = future
        try:
            with self._sending:
                self._socket.sendall(message)
        except OSError:
            self._end()
        return future

    def close(self) -> None:
        """End it; what was asked is not answered."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _listen(self) -> None:
        messages = Reader(plain.MAX_MESSAGE)
        try:
            while data := self._socket.recv(1 << 18):
                messages.feed(data)
                while (body := messages.next()) is not None:
                    self._take(loads(body, plain.MAX_MESSAGE, plain.DEPTH))
        except (OSError, Broken, NotAValue):
            pass  # a broker that does not speak the protocol is as good as none
        finally:
            self._end()
            self._socket.close()

    def _take(self, answer: Any) -> None:
        with self._taking:
            future = self._waiting.pop(answer["id"], None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if "error" in answer:
            future.set_exception(_raised(*answer["error"]))
        else:
            future.set_result(answer["ok"])

    def _end(self) -> None:
        with self._taking:
            self.ended = True
            waiting, self._waiting = list(self._waiting.values()), {}
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(_Gone())


def _raised(kind: str, message: str, retry_after: int) -> Exception:
    if kind == "TooBusy":
        return errors.TooBusy(message, retry_after)
    found: type[Exception] = _LOST[kind] if kind in _LOST else getattr(errors, kind, ResourceError)
    return found(message)


_LOST: Final[dict[str, type[Exception]]] = {kind.__name__: kind for kind in (SessionLost, SessionCrashed)}


def _pauses() -> list[float]:
    return [_PAUSE_S * 2**number for number in range(_TRIES)]


def _reached(path: Path) -> socket.socket | None:
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connected.connect(str(path))
    except OSError:
        connected.close()
        return None
    return connected


def _launch(path: Path, options: Sequence[str]) -> None:
    """Start a broker and wait until it listens.

    Raises:
        ResourceError: It ended instead, with its own words.
    """
    command = [sys.executable, "-m", "envhub.sandbox.broker.server", "--socket", str(path), *options]
    with path.with_suffix(".log").open("ab") as log:
        broker = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, start_new_session=True
        )
    watchdog = threading.Timer(_START_S, broker.kill)
    watchdog.start()
    try:
        assert broker.stdout is not None
        with broker.stdout:
            ready = broker.stdout.readline()
    finally:
        watchdog.cancel()
    if ready != b"ready\n":
        broker.wait()
        raise ResourceError(f"The sandbox's broker did not start; see {path.with_suffix('.log')}.")
    threading.Thread(target=broker.wait, name="envhub-broker-end", daemon=True).start()  # so that no zombie stays


def _after_fork() -> None:
    for sandbox in list(_askers):
        sandbox._renew()


os.register_at_fork(after_in_child=_after_fork)
