"""Client of the sandbox broker: the sandbox interface over a Unix socket.

One connection carries all requests of this process. A missing broker is started, unless ``start=False``. If the broker goes
away, requests are repeated: a job runs again, which has no visible effect, and a session of the old broker raises
:class:`SessionLost`::

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
_PAUSE_S: Final = 0.1  # before the first retry, doubled each time: a killed broker is being restarted
_START_S: Final = 60.0
_THREADS: Final = 64
_sandboxes: weakref.WeakSet[RemoteSandbox] = weakref.WeakSet()


class _ConnectionLost(Exception):
    """The connection ended before the answer arrived."""


class RemoteSandbox(Sandbox):
    """A sandbox that uses a broker.

    Args:
        path: Path of the broker's socket.
        start: Whether to start a broker if none is running.
        options: Command line options of a broker that is started.
    """

    def __init__(self, path: str | Path, *, start: bool = True, options: Sequence[str] = ()) -> None:
        self._path = Path(path)
        self._start = start
        self._options = tuple(options)
        self._renew()
        _sandboxes.add(self)

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
        """See :meth:`Sandbox.arun`. Blocks no thread."""
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
        if what == "close":  # without waiting; if the broker is gone, so is the session
            connection = self._connection
            if connection is not None:
                with contextlib.suppress(_ConnectionLost):
                    connection.ask("ask", [what, key, commands])
            return None
        return plain.to_answer(self._ask("ask", [what, key, commands, *args]))

    def describe(self) -> dict[str, Any]:
        """See :meth:`Sandbox.describe`."""
        described: dict[str, Any] = self._ask("describe", None)
        return described

    async def adescribe(self) -> dict[str, Any]:
        """:meth:`describe` on an event loop. Blocks no thread."""
        described: dict[str, Any] = await self._aask("describe", None)
        return described

    def close(self) -> None:
        """Disconnect from the broker. Pending requests are not answered."""
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
            except _ConnectionLost:
                sleep(pause)
        raise ResourceError(f"The sandbox broker at {self._path} could not be reached in {_TRIES} attempts.")

    async def _aask(self, operation: str, body: Any) -> Any:
        for pause in _pauses():
            try:
                connection = self._connection
                if connection is None or connection.ended:
                    connection = await asyncio.to_thread(self._connected)
                return await asyncio.wrap_future(connection.ask(operation, body))
            except _ConnectionLost:
                await asyncio.sleep(pause)
        raise ResourceError(f"The sandbox broker at {self._path} could not be reached in {_TRIES} attempts.")

    def _connected(self) -> _Connection:
        """The connection, opened on first use and reopened when lost.

        Raises:
            ResourceError: No broker is running and none can be started.
        """
        with self._lock:
            if self._connection is None or self._connection.ended:
                self._connection = _Connection(self._open_socket())
            return self._connection

    def _open_socket(self) -> socket.socket:
        connected = _connect(self._path)
        if connected is not None:
            return connected
        if not self._start:
            if self._path.exists():  # it is about to be restarted
                raise _ConnectionLost
            raise ResourceError(
                f"No broker is listening at {self._path}. Start one with: envhub sandbox broker --socket {self._path}"
            )
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # one process starts it, the others wait
            connected = _connect(self._path)
            if connected is None:
                _launch(self._path, self._options)
                connected = _connect(self._path)
        if connected is None:
            raise ResourceError(f"The broker was started but is not listening at {self._path}.")
        return connected


class _Connection:
    """One connection, with a thread that reads answers."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._sending = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[Any]] = {}
        self._taking = threading.Lock()
        self.ended = False
        threading.Thread(target=self._listen, name="envhub-broker-answers", daemon=True).start()

    def ask(self, operation: str, body: Any) -> Future[Any]:
        """Send a request. The future gets its answer or an error."""
        future: Future[Any] = Future()
        number = next(self._numbers)
        try:
            request = {"id": number, "op": operation, "body": body, "tenant": TENANT.get()}
            message = pack(dumps(request, plain.DEPTH))
        except NotAValue as error:
            raise errors.InvalidParameters(f"The request cannot be sent to the sandbox: {error}.") from None
        with self._taking:
            if self.ended:
                raise _ConnectionLost
            self._waiting[number] = future
        try:
            with self._sending:
                self._socket.sendall(message)
        except OSError:
            self._end()
        return future

    def close(self) -> None:
        """Close the connection. Pending requests are not answered."""
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
                future.set_exception(_ConnectionLost())


def _raised(kind: str, message: str, retry_after: int) -> Exception:
    if kind == "TooBusy":
        return errors.TooBusy(message, retry_after)
    found: type[Exception] = _LOST[kind] if kind in _LOST else getattr(errors, kind, ResourceError)
    return found(message)


_LOST: Final[dict[str, type[Exception]]] = {kind.__name__: kind for kind in (SessionLost, SessionCrashed)}


def _pauses() -> list[float]:
    return [_PAUSE_S * 2**number for number in range(_TRIES)]


def _connect(path: Path) -> socket.socket | None:
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
        ResourceError: The broker did not start.
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
        raise ResourceError(f"The sandbox broker did not start. See {path.with_suffix('.log')}.")
    threading.Thread(target=broker.wait, name="envhub-broker-end", daemon=True).start()  # reaps it


def _after_fork() -> None:
    for sandbox in list(_sandboxes):
        sandbox._renew()


os.register_at_fork(after_in_child=_after_fork)
