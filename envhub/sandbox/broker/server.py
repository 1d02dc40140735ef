"""Sandbox broker: one process per host that owns slots and sessions.

It serves them over a Unix socket. The workers of a server use it to share slots. A session survives when its episode
moves to another worker or its worker is killed. Only the broker's user and root may connect. It ends on SIGTERM, or
after ``idle_s`` without a connection; everything in its slots ends with it::

    python -m envhub.sandbox.broker.server --socket /run/user/1000/envhub/sandbox.sock

A request is ``{"id", "op", ...}``, an answer ``{"id", "ok"}`` or ``{"id", "error": [kind, message, retry_after]}``, both as
:mod:`envhub.sandbox.inside.values` in frames. A connection may have many pending requests; each is answered when it is done.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import socket
import struct
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import EnvhubError, InvalidParameters, ResourceError, TooBusy
from envhub.sandbox.broker import plain
from envhub.sandbox.inside.frames import Broken, Reader, pack
from envhub.sandbox.inside.values import NotAValue, dumps, loads
from envhub.sandbox.sandbox import LocalSandbox
from envhub.sandbox.sessions import SessionCrashed, SessionLost
from envhub.sandbox.slots.pool import PROBE, PROBED
from envhub.sandbox.tenant import TENANT

IDLE_S: Final = 60.0
_SHUTDOWN_S: Final = 1.0
_CREDENTIALS = struct.Struct("3i")  # struct ucred of unix(7): pid, uid, gid
_log = logging.getLogger(__name__)


class Broker:
    """Serves a sandbox.

    Args:
        sandbox: The sandbox to serve.
        idle_s: Seconds without a connection after which the broker ends; 0 for never.
    """

    def __init__(self, sandbox: LocalSandbox, idle_s: float = IDLE_S) -> None:
        self._sandbox = sandbox
        self._idle_s = idle_s
        self._idle_timer: asyncio.TimerHandle | None = None
        self._over = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._connections: set[asyncio.Task[Any]] = set()

    async def serve(self, listening: socket.socket) -> None:
        """Serve a listening socket until :meth:`stop`."""
        self._start_idle_timer()
        # the socket is removed by its creator; since Python 3.13 asyncio would do it
        stays: dict[str, Any] = {} if sys.version_info < (3, 13) else {"cleanup_socket": False}
        server = await asyncio.start_unix_server(self._connected, sock=listening, **stays)
        async with server:
            await self._over.wait()
        for task in list(self._tasks):
            task.cancel()
        for writer in list(self._writers):
            writer.close()
        if self._connections:
            await asyncio.wait(self._connections, timeout=_SHUTDOWN_S)

    def stop(self) -> None:
        """End :meth:`serve`."""
        self._over.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        connection = asyncio.current_task()
        assert connection is not None
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        try:
            if _is_trusted_peer(writer.get_extra_info("socket")):
                await self._read_requests(reader, writer)
        except (Broken, NotAValue, ConnectionError) as error:
            _log.warning("A connection was closed: %s", error)
        finally:
            writer.close()
            self._writers.discard(writer)
            self._start_idle_timer()

    def _start_idle_timer(self) -> None:
        if not self._writers and self._idle_s:
            self._idle_timer = asyncio.get_running_loop().call_later(self._idle_s, self.stop)

    async def _read_requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        messages = Reader(plain.MAX_MESSAGE)
        while data := await reader.read(1 << 18):
            messages.feed(data)
            while (body := messages.next()) is not None:
                request = loads(body, plain.MAX_MESSAGE, plain.DEPTH)
                if not isinstance(request, dict) or type(request.get("id")) is not int:
                    raise Broken("a message that is not a request")
                task = asyncio.create_task(self._respond(request, writer))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _respond(self, request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        answer: dict[str, Any] = {"id": request["id"]}
        try:
            answer["ok"] = await self._perform(request)
        except EnvhubError as error:
            answer["error"] = (_kind(error), str(error), getattr(error, "retry_after", 0))
        except Exception as error:  # our fault; reported without the content of the request
            _log.exception("A request failed")
            answer["error"] = ("ResourceError", f"the broker failed: {type(error).__name__}", 0)
        with contextlib.suppress(ConnectionError, RuntimeError):
            writer.write(pack(dumps(answer, plain.DEPTH)))
            await writer.drain()

    async def _perform(self, request: dict[str, Any]) -> Any:
        operation, body = request.get("op"), request.get("body")
        TENANT.set(str(request.get("tenant", "")))  # only for the task of this request
        if operation == "run":
            return [plain.from_result(result) for result in await self._sandbox.arun(plain.to_job(body or {}))]
        if operation == "open":
            open_one = partial(self._sandbox.open_session, plain.to_setting(body or {}))
            return await self._sandbox.soon("session", open_one)
        if operation == "ask" and isinstance(body, list):
            return plain.from_answer(await self._sandbox.soon("session", partial(self._sandbox.ask_session, *body)))
        if operation == "describe":
            return await asyncio.to_thread(self._sandbox.describe)  # the first call checks whether slots start
        raise InvalidParameters(f"The broker has no operation {operation!r:.40}; expected run, open, ask or describe.")


def _kind(error: EnvhubError) -> str:
    known = (SessionCrashed, SessionLost, TooBusy, InvalidParameters, ResourceError)
    return next((kind.__name__ for kind in known if isinstance(error, kind)), type(error).__name__)


def _is_trusted_peer(peer: socket.socket) -> bool:
    _, uid, _ = _CREDENTIALS.unpack(peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return uid in {0, os.getuid()}


def listen(path: Path) -> socket.socket:
    """Listen at a path that only this user can use.

    Removes the socket of a dead broker.

    Raises:
        ResourceError: A broker is already listening there, or others can write to the folder.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = path.parent.stat()
    if folder.st_uid not in {0, os.getuid()} or (folder.st_mode & 0o022 and not folder.st_mode & 0o1000):
        raise ResourceError(f"Other users can write to {path.parent}. Choose a private folder for the broker's socket.")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
            if path.exists() and other.connect_ex(str(path)) == 0:
                raise ResourceError(f"A broker is already listening at {path}.")
        path.unlink(missing_ok=True)
        before = os.umask(0o177)
        try:
            listening.bind(str(path))
        finally:
            os.umask(before)
        listening.listen(128)
    except BaseException:
        listening.close()
        raise
    return listening


def main(argv: list[str] | None = None) -> int:
    """Run a broker until it is stopped."""
    parser = argparse.ArgumentParser(
        prog="python -m envhub.sandbox.broker.server", description=(__doc__ or "").split("\n")[0]
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--socket", type=Path, help="path to listen at; removed at the end")
    where.add_argument("--descriptor", type=int, help="descriptor of a listening socket, passed by the parent process")
    parser.add_argument("--stop-on-eof", action="store_true", help="stop when standard input closes")
    parser.add_argument("--backend", default="namespace")
    parser.add_argument(
        "--slots", type=int, default=0, help="maximum number of jobs at a time; defaults to one per core"
    )
    parser.add_argument("--sessions", type=int, default=64, help="maximum number of open sessions")
    parser.add_argument("--waiting", type=int, default=10_000, help="maximum number of waiting jobs")
    parser.add_argument(
        "--idle", type=float, default=IDLE_S, help="seconds without a connection after which the broker ends"
    )
    options = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        listening = listen(options.socket) if options.socket else socket.socket(fileno=options.descriptor)
        sandbox = LocalSandbox(options.backend, options.slots, options.sessions, options.waiting)
    except EnvhubError as error:
        print(error, file=sys.stderr)
        return 1
    with sandbox:
        (probed,) = sandbox.run(PROBE)  # also starts a slot
        if probed.values != PROBED:
            print(f"Programs cannot be run here: {probed.fault or probed}", file=sys.stderr)
            return 1
        try:
            asyncio.run(_run(Broker(sandbox, options.idle), listening, options.stop_on_eof))
        finally:
            if options.socket:
                options.socket.unlink(missing_ok=True)
    return 0


async def _run(broker: Broker, listening: socket.socket, stop_on_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, broker.stop)
    if stop_on_eof:  # the parent holds the other end, and may be killed
        loop.add_reader(0, broker.stop)
    print("ready", flush=True)
    try:
        await broker.serve(listening)
    finally:
        if stop_on_eof:
            loop.remove_reader(0)


if __name__ == "__main__":
    sys.exit(main())
