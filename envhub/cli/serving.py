"""Runs the server in one process or several.

It announces its URL when it is ready.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import typer
import uvicorn

from envhub.core.errors import EnvhubError
from envhub.core.types import EnvSpec
from envhub.registry.registry import adopt, registered
from envhub.server.http.app import create_app
from envhub.server.http.protocol import options
from envhub.server.processes.sandbox_broker import BrokerStatus, running_broker
from envhub.server.processes.supervisor import READY, Supervisor, Worker
from envhub.server.processes.worker_status import SharedWorkerStatus
from envhub.server.telemetry import logs
from envhub.server.telemetry.metrics import forget_worker
from envhub.settings import ServerSettings
from envhub.workers import processes

ReadBroker = Callable[[], BrokerStatus] | None

_BACKLOG: Final = 2048
_GRACE_S: Final = 10
_BETWEEN_COLLECTIONS: Final = 20_000
_COUNTERS: Final = "PROMETHEUS_MULTIPROC_DIR"


def run(settings: ServerSettings, *, ready_file: Path | None = None, stop_on_eof: bool = False) -> None:
    """Serve until SIGINT, SIGTERM or, with ``stop_on_eof``, the end of standard input.

    Then finish open requests.

    Raises:
        EnvhubError: The address cannot be bound or requires API keys, or the ready file cannot be written.
    """
    logs.configure(settings.log_format, access=settings.access_log)
    serve = _serve_together if settings.workers > 1 else _serve_here
    try:
        if ready_file is not None:
            ready_file.unlink(missing_ok=True)  # left by a killed server
            if not os.access(ready_file.parent, os.W_OK):
                raise EnvhubError(
                    f"The ready file {ready_file} cannot be written: its folder does not exist or is not writable."
                )
        with running_broker(settings) as broker:
            serve(settings, broker, lambda url: _announce(url, ready_file), stop_on_eof)
    except OSError as error:
        raise EnvhubError(f"The server failed: {error}.") from None
    finally:
        if ready_file is not None:
            ready_file.unlink(missing_ok=True)


# -- one process -------------------------------------------------------------------------------------------------------


def _serve_here(settings: ServerSettings, broker: ReadBroker, ready: Callable[[str], None], stop_on_eof: bool) -> None:
    app = create_app(settings, broker=broker)  # before binding: rejects what must not be served
    bound = _bind(settings)
    server = _Server(_config(app, settings), lambda: ready(_url(bound)))
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn raises the caught signal again after stopping; its own handler then ends the process
        signal.signal(number, server.handle_exit)
    if stop_on_eof:
        threading.Thread(target=_await_eof, args=(server.leave,), daemon=True).start()
    server.run(sockets=[bound])


class _Server(uvicorn.Server):
    """uvicorn server that calls back when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, then call ``ready``."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # imported modules stay; scanning them again would cost a tenth of every turn
        gc.set_threshold(_BETWEEN_COLLECTIONS)
        if not self.should_exit:
            self._ready()

    def leave(self) -> None:
        """Finish open requests and exit."""
        self.should_exit = True


def _config(app: Any, settings: ServerSettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        **options(settings.max_body_bytes),
        access_log=False,  # ours logs route templates, never paths and queries
        log_config=None,
        log_level="warning",
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_GRACE_S,
    )


# -- several processes -------------------------------------------------------------------------------------------------


def _serve_together(
    settings: ServerSettings, broker: ReadBroker, ready: Callable[[str], None], stop_on_eof: bool
) -> None:
    bound = _bind(settings)
    with bound, _counters():
        url, status = _url(bound), SharedWorkerStatus()
        supervisor = Supervisor(
            lambda: _started(settings, bound, status, broker),
            settings.workers,
            grace_s=_GRACE_S + 5.0,
            on_exit=forget_worker,
            on_status=status.write,
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: supervisor.stop())
        if not os.isatty(0):  # in a terminal, it would report that this was closed
            signal.signal(signal.SIGHUP, lambda *_: supervisor.reload())
        if stop_on_eof:
            threading.Thread(target=_await_eof, args=(supervisor.stop_gracefully,), daemon=True).start()
        supervisor.run(lambda: ready(url), closing=bound.close)


@contextmanager
def _counters() -> Iterator[None]:
    """Provide a folder for the workers' shared counters while they run.

    Unless an environment variable names one.
    """
    if os.environ.get(_COUNTERS):
        yield
        return
    memory = "/dev/shm"
    folder = tempfile.mkdtemp(prefix="envhub-metrics-", dir=memory if os.access(memory, os.W_OK) else None)
    os.environ[_COUNTERS] = folder
    try:
        yield
    finally:
        del os.environ[_COUNTERS]
        shutil.rmtree(folder, ignore_errors=True)


def _started(settings: ServerSettings, bound: socket.socket, status: SharedWorkerStatus, broker: ReadBroker) -> Worker:
    here, there = multiprocessing.Pipe(duplex=False)
    process = processes.context().Process(target=_work, args=(settings, bound, there, registered(), status, broker))
    try:
        with there, processes.ignore_interrupts():  # Ctrl-C is for the supervisor, which stops its workers
            process.start()
    except BaseException:
        here.close()
        raise
    return Worker(process, here)


def _work(
    settings: ServerSettings,
    bound: socket.socket,
    pipe: Connection,
    specs: list[EnvSpec],
    status: SharedWorkerStatus,
    broker: ReadBroker,
) -> None:
    """Run one worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.configure(settings.log_format, access=settings.access_log)
    adopt(specs)
    try:
        app = create_app(settings, workers=status.read, broker=broker)
    except EnvhubError as error:
        pipe.send(str(error))
        sys.exit(1)
    server = _Server(_config(app, settings), lambda: pipe.send(READY))
    signal.signal(signal.SIGTERM, server.handle_exit)
    threading.Thread(target=_await_parent, args=(server.leave,), daemon=True).start()
    server.run(sockets=[bound])


def _await_parent(leave: Callable[[], None]) -> None:
    """Exit when the supervisor is killed: nothing else would stop this worker."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        leave()


# -- the address -------------------------------------------------------------------------------------------------------


def _bind(settings: ServerSettings) -> socket.socket:
    """A listening socket.

    The protocol is given, which ``socket.create_server`` omits: only then does asyncio switch Nagle's algorithm off. With it,
    every response on a kept-alive connection waits 40 ms for the client's delayed acknowledgement.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # so that a restart need not wait for old connections
        bound.bind((settings.host, settings.port))
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        raise EnvhubError(
            f"Cannot bind port {settings.port} on {settings.host}: {error.strerror}. "
            "Choose another with --port; --port 0 selects a free port."
        ) from None
    return bound


def _url(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _announce(url: str, ready_file: Path | None) -> None:
    if ready_file is not None:
        _write(ready_file, url)
    typer.echo(f"listening on {url}")
    typer.echo(f"docs at {url}/docs (Ctrl-C stops)")


def _write(path: Path, url: str) -> None:
    """Write the file atomically, so that no reader sees half a URL."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(f"{url}\n")
    partial.replace(path)


def _await_eof(leave: Callable[[], None]) -> None:
    # not through sys.stdin: a thread waiting in it holds a lock that the interpreter needs to exit
    while os.read(0, 65_536):
        pass
    leave()
