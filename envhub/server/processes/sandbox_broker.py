"""The sandbox broker of a server.

Started on first use, and restarted when it ends. The programs of all workers run in the slots of one process, so no
more of them run at once than the machine has processors, and a session outlives the worker that opened it. Most servers
never run a program, so the broker is started by the first connection to its socket. The socket stays when the broker is
killed: clients that connect meanwhile wait for the restart, which follows the usual back-off
(:mod:`envhub.workers.restarts`). If the broker cannot start at all (the machine forbids namespaces), connections are
closed at once, so that nobody waits. ::

    with BrokerSupervisor("namespace", slots=0, sessions=64, waiting=4096) as supervisor:
        os.environ["ENVHUB_SANDBOX"] = supervisor.address   # before the workers are started
        ...
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import IO, Any, Final, Self

import envhub
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.types import JSON
from envhub.sandbox.backends import BACKENDS
from envhub.sandbox.broker.server import listen
from envhub.sandbox.default import SANDBOX_VARIABLE
from envhub.sandbox.linux import cgroups
from envhub.settings import ServerSettings
from envhub.workers import processes
from envhub.workers.restarts import RestartBackoff

STATES: Final = ("asleep", "starting", "running", "failing")
_MIN_REJECTION_S: Final = 0.25
_START_S: Final = 60.0
_GRACE_S: Final = 10.0
_PREFIX: Final = "envhub-sandbox-"
_LONGEST_PATH: Final = 100  # of a Unix socket, which has room for 107 bytes
_REASON: Final = 500
_LINE: Final = re.compile(r"\S+ \S+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) (.*)", re.DOTALL)
_log = logging.getLogger(__name__)
_broker_log = logging.getLogger("envhub.sandbox.broker.server")


@dataclass(frozen=True, slots=True)
class BrokerStatus:
    """The broker at one moment.

    Attributes:
        state: One of :data:`STATES`.
        ended: How often it ended unexpectedly since the start.
        reason: The last line it logged before it failed to start; empty if it started.
    """

    state: str
    ended: int = 0
    reason: str = ""

    def to_json(self) -> dict[str, JSON]:
        """The status as ``/ready`` shows it."""
        return {"broker": self.state, "ended": self.ended, "reason": self.reason or None}


class SharedBrokerStatus:
    """A :class:`BrokerStatus` in memory that the broker's supervisor and the workers share."""

    def __init__(self) -> None:
        self._words = processes.context().RawArray("q", 2)
        self._reason = processes.context().RawArray("c", _REASON)

    def write(self, status: BrokerStatus) -> None:
        """Publish a status to every worker."""
        self._reason.value = status.reason.encode()[: _REASON - 1]
        self._words[:] = [STATES.index(status.state), status.ended]

    def read(self) -> BrokerStatus:
        """The last status written."""
        state, ended = self._words[:]
        return BrokerStatus(STATES[state], ended, self._reason.value.decode(errors="ignore"))


class BrokerSupervisor:
    """Runs a broker on demand until it is closed.

    Args:
        backend: Name of the sandbox backend.
        slots: Number of jobs run at a time; 0 means one per processor.
        sessions: Maximum number of open sessions.
        waiting: Maximum number of waiting jobs.
        on_status: Called with the status whenever it has changed.
        ticks: A monotonic clock, in seconds.

    Attributes:
        address: The value of ``ENVHUB_SANDBOX`` for processes that are to use the broker.

    Raises:
        InvalidParameters: There is no such backend.
        OSError: The socket cannot be created.
    """

    def __init__(
        self,
        backend: str,
        *,
        slots: int,
        sessions: int,
        waiting: int,
        on_status: Callable[[BrokerStatus], None] = lambda status: None,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        if backend not in BACKENDS:
            raise InvalidParameters(
                f"Unknown sandbox {backend!r}; expected one of {', '.join(BACKENDS)}, or unix:/path for the socket of a "
                f"running broker.{nearest(backend, BACKENDS)}"
            )
        self._options = ["--backend", backend, "--slots", str(slots), "--sessions", str(sessions)]
        self._options += ["--waiting", str(waiting), "--idle", "0", "--stop-on-eof"]
        self._on_status, self._ticks = on_status, ticks
        self._folder, self._folder_lock = _folder()
        self.address = f"unix:{self._folder / 'socket'}"
        self._listening = listen(self._folder / "socket")
        self._listening.setblocking(False)
        self._wake_read, self._wake_write = os.pipe()
        self._lock = threading.Lock()
        self._stopping = False
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = 0
        self._last_line = ""
        self._report("asleep")
        self._thread = threading.Thread(target=self._supervise, name="envhub-sandbox-supervisor", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the broker with all its jobs, and remove its files."""
        with self._lock:
            self._stopping = True
            process = self._process
            os.write(self._wake_write, b"x")
        if process is not None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_S)
            process.kill()
        self._thread.join()
        self._listening.close()
        os.close(self._wake_read)
        os.close(self._wake_write)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder_lock.close()
        if process is not None and process.returncode:
            _clean()

    # -- in the thread -------------------------------------------------------------------------------------------------

    def _supervise(self) -> None:
        backoff = RestartBackoff()
        while self._await_connection():
            started = self._ticks()
            served = self._run()
            if self._stopping:
                return
            self._ended += 1
            backoff.record_failure(ran_s=self._ticks() - started if served else 0.0)
            self._report("asleep" if served else "failing", "" if served else self._last_line)
            if served:  # clients wait for the restart
                wait([self._wake_read], backoff.delay_s)
            else:
                self._reject_connections(max(_MIN_REJECTION_S, backoff.delay_s))

    def _await_connection(self) -> bool:
        """Wait for a client. Returns False if the supervisor is closed first."""
        if not self._stopping:
            wait([self._listening, self._wake_read])
        return not self._stopping

    def _run(self) -> bool:
        """Start the broker and wait until it ends. Returns whether it served."""
        self._report("starting")
        try:
            with self._lock:
                if self._stopping:
                    return False
                self._process = process = self._start()
        except OSError as error:
            self._last_line = f"it cannot be started: {os.strerror(error.errno or 0)}"
            _log.error("cannot start the sandbox broker: %s", os.strerror(error.errno or 0))
            return False
        assert process.stdout is not None
        with process:  # closes its pipes at the end
            forwarder = threading.Thread(target=self._forward_log, args=(process.stderr,), daemon=True)
            forwarder.start()
            watchdog = threading.Timer(_START_S, process.kill)
            watchdog.start()
            served = process.stdout.readline() == b"ready\n"
            watchdog.cancel()
            if served:
                self._report("running")
            code = process.wait()
            forwarder.join(1.0)  # a child of the broker may hold the pipe open a moment longer
        if not self._stopping:
            _log.error("the sandbox broker ended with %s", f"signal {-code}" if code < 0 else f"exit code {code}")
        return served

    def _start(self) -> subprocess.Popen[bytes]:
        number = str(self._listening.fileno())
        path = [str(Path(envhub.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "envhub.sandbox.broker.server", "--descriptor", number, *self._options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(int(number),),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
            start_new_session=True,  # Ctrl-C is for the server, which stops the broker last
        )

    def _forward_log(self, stream: IO[bytes]) -> None:
        """Log the broker's lines under its own logger, at their levels."""
        with suppress(ValueError, OSError):  # closed meanwhile
            while line := stream.readline(8192):
                text = line.decode("utf-8", "replace").rstrip()
                parsed = _LINE.fullmatch(text)
                level, message = (parsed[1], parsed[2]) if parsed else ("ERROR", text)
                _broker_log.log(logging.getLevelNamesMapping()[level], "%s", message)
                self._last_line = message

    def _reject_connections(self, seconds: float) -> None:
        """Close each incoming connection for a while.

        Because the broker cannot be started.
        """
        until = self._ticks() + seconds
        while not self._stopping and (left := until - self._ticks()) > 0:
            with suppress(OSError):
                while True:
                    self._listening.accept()[0].close()
            wait([self._listening, self._wake_read], left)

    def _report(self, state: str, reason: str = "") -> None:
        self._on_status(BrokerStatus(state, self._ended, reason))


@contextmanager
def running_broker(settings: ServerSettings) -> Iterator[Callable[[], BrokerStatus] | None]:
    """Provide a broker to this process and its children.

    Unless the settings name a running one.

    Args:
        settings: The server's settings.

    Returns:
        Reads the broker's status, also in the workers; None if this server supervises no broker.

    Raises:
        InvalidParameters: The settings name an unknown sandbox.
    """
    before = os.environ.get(SANDBOX_VARIABLE)
    shared = SharedBrokerStatus()
    with _address(settings, shared) as address:
        if address:
            os.environ[SANDBOX_VARIABLE] = address
        try:
            yield shared.read if address and address != settings.sandbox else None
        finally:
            os.environ.pop(SANDBOX_VARIABLE, None)
            if before is not None:
                os.environ[SANDBOX_VARIABLE] = before


@contextmanager
def _address(settings: ServerSettings, shared: SharedBrokerStatus) -> Iterator[str]:
    """The value of ``ENVHUB_SANDBOX`` while the server runs."""
    if settings.sandbox.startswith("unix:") or sys.platform != "linux":
        yield settings.sandbox
        return
    limits: dict[str, Any] = {
        "slots": settings.sandbox_slots,
        "sessions": settings.sandbox_sessions,
        "waiting": settings.sandbox_waiting,
    }
    try:
        supervisor = BrokerSupervisor(settings.sandbox or "namespace", **limits, on_status=shared.write)
    except OSError as error:
        _log.error("cannot create the socket of the sandbox broker, so each worker has its own sandbox: %s", error)
        yield settings.sandbox
        return
    with supervisor:
        yield supervisor.address


def _folder() -> tuple[Path, IO[bytes]]:
    """A new folder with a short path, and the lock in it.

    Removes folders left by killed servers.
    """
    above = Path(tempfile.gettempdir())
    if len(os.fsencode(above)) > _LONGEST_PATH - 40:
        above = Path("/tmp")
    for old in above.glob(f"{_PREFIX}*"):
        with suppress(OSError), (old / "lock").open("rb") as theirs:
            fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held while its server runs
            shutil.rmtree(old, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=above))
    lock = (made / "new").open("wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    (made / "new").rename(made / "lock")  # visible only once it is locked
    return made, lock


def _clean() -> None:
    """Remove the control groups that a killed broker left."""
    tree = cgroups.find()
    if isinstance(tree, cgroups.Tree):
        tree.clean()
