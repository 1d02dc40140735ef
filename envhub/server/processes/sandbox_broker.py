"""The sandbox's broker of a server: listened for at the start, started by the first who needs it, started again when it dies.

Programs of all workers run in slots of one process, so that there are no more of them than the machine has processors, and a
session outlives the worker that began it. Most servers never run a program, so nothing is started before one does: the socket
is made here and is all there is until a worker connects. It also stays when the broker is killed; who connects meanwhile waits
until the next has been started, at once the first time and then ever later. One that cannot be started at all (the machine
forbids jails) keeps nobody waiting: whoever asks is told that there is none. ::

    with Keeper("namespace", slots=0, sessions=64, waiting=4096) as keeper:
        os.environ["ENVHUB_SANDBOX"] = keeper.where         # for the workers, which are started now
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
from envhub.server.processes.supervisor import pause_s
from envhub.settings import ServerSettings
from envhub.workers import processes

STATES: Final = ("asleep", "starting", "running", "failing")
_LULL_S: Final = 0.25
_STABLE_S: Final = 30.0
_START_S: Final = 60.0
_GRACE_S: Final = 10.0
_PREFIX: Final = "envhub-sandbox-"
_LONGEST_PATH: Final = 100  # of a Unix socket, which has room for 107 bytes
_REASON: Final = 500
_LINE: Final = re.compile(r"\S+ \S+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) (.*)", re.DOTALL)
_log = logging.getLogger(__name__)
_said = logging.getLogger("envhub.sandbox.broker.server")


@dataclass(frozen=True, slots=True)
class Kept:
    """The broker at one moment.

    Attributes:
        state: One of :data:`STATES`.
        ended: How often it has ended since the start though nobody had asked it to.
        reason: What it said last before it could not start; empty where it could.
    """

    state: str
    ended: int = 0
    reason: str = ""

    def to_json(self) -> dict[str, JSON]:
        """As ``/ready`` shows it."""
        return {"broker": self.state, "ended": self.ended, "reason": self.reason or None}


class KeptBoard:
    """Where the keeper writes and the workers read, in memory that they share; given to a worker when it is started."""

    def __init__(self) -> None:
        self._words = processes.context().RawArray("q", 2)
        self._reason = processes.context().RawArray("c", _REASON)

    def write(self, kept: Kept) -> None:
        """Let every worker know."""
        self._reason.value = kept.reason.encode()[: _REASON - 1]
        self._words[:] = [STATES.index(kept.state), kept.ended]

    def read(self) -> Kept:
        """What was written last."""
        state, ended = self._words[:]
        return Kept(STATES[state], ended, self._reason.value.decode(errors="ignore"))


class Keeper:
    """Keeps a broker until it is closed.

    Args:
        backend: How its programs are isolated, by name.
        slots: How many jobs it runs at a time; 0 for as many as there are processors.
        sessions: How many sessions it holds.
        waiting: How many jobs may wait.
        report: Told how it is, whenever that has changed.
        ticks: Seconds that only grow.

    Attributes:
        where: What ``ENVHUB_SANDBOX`` is to be for those who are to use it.

    Raises:
        InvalidParameters: There is no such backend.
        OSError: No socket can be made.
    """

    def __init__(
        self,
        backend: str,
        *,
        slots: int,
        sessions: int,
        waiting: int,
        report: Callable[[Kept], None] = lambda kept: None,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        if backend not in BACKENDS:
            raise InvalidParameters(
                f"No sandbox {backend!r}; expected one of {', '.join(BACKENDS)}, or unix:/path for the socket of a broker "
                f"that runs already.{nearest(backend, BACKENDS)}"
            )
        self._options = ["--backend", backend, "--slots", str(slots), "--sessions", str(sessions)]
        self._options += ["--waiting", str(waiting), "--idle", "0", "--stop-on-eof"]
        self._report, self._ticks = report, ticks
        self._folder, self._folder_lock = _folder()
        self.where = f"unix:{self._folder / 'socket'}"
        self._listening = listen(self._folder / "socket")
        self._listening.setblocking(False)
        self._wake_read, self._wake_write = os.pipe()
        self._lock = threading.Lock()
        self._stopping = False
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = 0
        self._last_words = ""
        self._tell("asleep")
        self._thread = threading.Thread(target=self._keep, name="envhub-sandbox-keeper", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the broker with all that runs in it, and remove what it has left."""
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

    def _keep(self) -> None:
        failures = 0
        while self._called():
            begun = self._ticks()
            served = self._run()
            if self._stopping:
                return
            self._ended += 1
            failures = 1 if served and self._ticks() - begun >= _STABLE_S else failures + 1
            self._tell("asleep" if served else "failing", "" if served else self._last_words)
            if served:  # they wait for the next
                wait([self._wake_read], pause_s(failures))
            else:
                self._turn_away(max(_LULL_S, pause_s(failures)))

    def _called(self) -> bool:
        """Wait until somebody connects; False where the keeper is closed before."""
        if not self._stopping:
            wait([self._listening, self._wake_read])
        return not self._stopping

    def _run(self) -> bool:
        """Start it and wait until it has ended; whether it served."""
        self._tell("starting")
        try:
            with self._lock:
                if self._stopping:
                    return False
                self._process = process = self._start()
        except OSError as error:
            self._last_words = f"it cannot be started: {os.strerror(error.errno or 0)}"
            _log.error("the sandbox's broker cannot be started: %s", self._last_words)
            return False
        assert process.stdout is not None
        with process:  # its pipes are closed in the end
            listener = threading.Thread(target=self._listen, args=(process.stderr,), daemon=True)
            listener.start()
            watchdog = threading.Timer(_START_S, process.kill)
            watchdog.start()
            served = process.stdout.readline() == b"ready\n"
            watchdog.cancel()
            if served:
                self._tell("running")
            code = process.wait()
            listener.join(1.0)  # what it started may live a moment longer and hold the other end
        if not self._stopping:
            _log.error("the sandbox's broker ended with %s", f"signal {-code}" if code < 0 else f"exit code {code}")
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
            start_new_session=True,  # Ctrl-C is for the server, which ends it last
        )

    def _listen(self, stream: IO[bytes]) -> None:
        """Log what it says as what it is."""
        with suppress(ValueError, OSError):  # closed meanwhile
            while line := stream.readline(8192):
                text = line.decode("utf-8", "replace").rstrip()
                found = _LINE.fullmatch(text)
                level, words = (found[1], found[2]) if found else ("ERROR", text)
                _said.log(logging.getLevelNamesMapping()[level], "%s", words)
                self._last_words = words

    def _turn_away(self, seconds: float) -> None:
        """For a while hang up on those who come for a broker that cannot be started."""
        until = self._ticks() + seconds
        while not self._stopping and (left := until - self._ticks()) > 0:
            with suppress(OSError):
                while True:
                    self._listening.accept()[0].close()
            wait([self._listening, self._wake_read], left)

    def _tell(self, state: str, reason: str = "") -> None:
        self._report(Kept(state, self._ended, reason))


@contextmanager
def keeping(settings: ServerSettings) -> Iterator[Callable[[], Kept] | None]:
    """A broker for this process and those that it starts in here, unless the settings name one that runs already.

    Args:
        settings: Of the server.

    Returns:
        Tells how it is, to the workers too; None where none is kept.

    Raises:
        InvalidParameters: The settings name a sandbox that there is not.
    """
    before = os.environ.get(SANDBOX_VARIABLE)
    board = KeptBoard()
    with _kept(settings, board) as where:
        if where:
            os.environ[SANDBOX_VARIABLE] = where
        try:
            yield board.read if where and where != settings.sandbox else None
        finally:
            os.environ.pop(SANDBOX_VARIABLE, None)
            if before is not None:
                os.environ[SANDBOX_VARIABLE] = before


@contextmanager
def _kept(settings: ServerSettings, board: KeptBoard) -> Iterator[str]:
    """What ``ENVHUB_SANDBOX`` is to be."""
    if settings.sandbox.startswith("unix:") or sys.platform != "linux":
        yield settings.sandbox
        return
    numbers: dict[str, Any] = {
        "slots": settings.sandbox_slots,
        "sessions": settings.sandbox_sessions,
        "waiting": settings.sandbox_waiting,
    }
    try:
        keeper = Keeper(settings.sandbox or "namespace", **numbers, report=board.write)
    except OSError as error:
        _log.error("no socket for the sandbox's broker can be made, so each worker has its own sandbox: %s", error)
        yield settings.sandbox
        return
    with keeper:
        yield keeper.where


def _folder() -> tuple[Path, IO[bytes]]:
    """A folder of our own, with a path that is short enough, and the lock in it; what killed keepers have left is removed."""
    above = Path(tempfile.gettempdir())
    if len(os.fsencode(above)) > _LONGEST_PATH - 40:
        above = Path("/tmp")
    for old in above.glob(f"{_PREFIX}*"):
        with suppress(OSError), (old / "lock").open("rb") as theirs:
            fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held for as long as its keeper lives
            shutil.rmtree(old, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=above))
    lock = (made / "new").open("wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    (made / "new").rename(made / "lock")  # nobody has seen it before it was held
    return made, lock


def _clean() -> None:
    """Remove what a broker that was killed could not: its control groups."""
    tree = cgroups.find()
    if isinstance(tree, cgroups.Tree):
        tree.clean()
