"""The servers that are killed: ``envhub serve`` in processes of its own, and what kills them.

Whatever a test does, its processes end with it: each server leads a process group that is killed in the end, and stops by
itself when its standard input closes, which the end of the test's own process does. ::

    with Server(tmp_path, journal, "--workers", "2") as server:
        server.address, server.workers()
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.chaos.ledger import ENTRY, LEDGER
from tests.support.places import ROOT

_ROOT: Final = ROOT
_PATIENCE_S: Final = 60.0
_ALONE: Final = 20
_LOOK_AGAIN_S: Final = 0.02
_MAIN: Final = """
import envhub
from envhub.cli import main
envhub.register({id!r}, {entry!r})
main()
"""


class Server:
    """One ``envhub serve``.

    Args:
        folder: Where its log goes.
        journal: Where it records.
        options: More flags.
        inside: A command that runs it somewhere else.
        plays: The environment that it has besides all others: id and entry point.

    Attributes:
        runs: Whether it has answered and not been killed since.
    """

    def __init__(
        self,
        folder: Path,
        journal: str,
        *options: str,
        inside: Sequence[str] = (),
        plays: tuple[str, str] = (LEDGER, ENTRY),
    ) -> None:
        main = _MAIN.format(id=plays[0], entry=plays[1])
        self._command = [*inside, sys.executable, "-c", main, "serve", "--journal", journal, "--stop-on-eof", *options]
        self._log = folder / "server.log"
        self._port = 0
        self.runs = False
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    def start(self) -> None:
        """Start it and wait until it answers; again on the port that it had."""
        with self._log.open("ab") as log:
            self._process = process = subprocess.Popen(
                [*self._command, "--port", str(self._port)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, "PYTHONPATH": str(_ROOT)},
                start_new_session=True,
            )
        assert process.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(process.stdout, selectors.EVENT_READ)
            assert waiting.select(_PATIENCE_S), f"the server said nothing: {self.log()}"
        line = process.stdout.readline().decode()
        assert line.startswith("listening on "), f"the server did not start: {line}{self.log()}"
        self._port = int(line.rpartition(":")[2])
        self.runs = True

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        return "127.0.0.1", self._port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """Of the process that was started."""
        assert self._process is not None
        return self._process.pid

    def log(self) -> str:
        """What it said on standard error."""
        return self._log.read_text()

    def workers(self, journal: Path) -> list[int]:
        """The processes that it started which have opened the journal: those that serve."""
        assert self._process is not None
        return [pid for pid in _children(self._process.pid) if _holds(pid, journal)]

    def kill_worker(self, journal: Path) -> None:
        """Kill the worker that has lived longest: in turns, for one that dies often is started ever later."""
        os.kill(min(self.workers(journal)), signal.SIGKILL)

    def kill_workers(self, journal: Path) -> None:
        """Kill all workers at once."""
        for pid in self.workers(journal):
            os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """Kill it with all that it started, if it runs."""
        self.runs = False
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def stop(self) -> None:
        """Have it end as it should."""
        self.runs = False
        process, self._process = self._process, None
        assert process is not None
        try:
            process.send_signal(signal.SIGTERM)
            assert process.wait(_PATIENCE_S) == 0, self.log()  # its input stays open: to close it is to ask once more
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


class Killer:
    """Kills a process again and again, not by the clock but by the answers that have arrived.

    When one is dead, the others go on for some answers; then everybody waits until it is back, and only when all have been
    there for some answers the next is killed. So those that survive have seen episodes that others took further meanwhile.

    Args:
        every: How many answers are given by all together.
        complete: Whether all are there.
        strike: Kills one.

    Attributes:
        struck: How many answers there had been at each kill.
        answers: How many there are.
    """

    def __init__(self, every: int, complete: Callable[[], bool], strike: Callable[[], None]) -> None:
        self._every, self._complete, self._strike = every, complete, strike
        self._together, self._next = True, every
        self.struck: list[int] = []
        self.answers = 0

    async def __call__(self) -> None:
        """One more has arrived; returns when its player may go on."""
        self.answers += 1
        if self.answers < self._next:
            return
        if self._together:
            self._strike()
            self.struck.append(self.answers)
            self._together, self._next = False, self.answers + _ALONE
            return
        while not self._together and not self._complete():
            await asyncio.sleep(_LOOK_AGAIN_S)
        if not self._together:
            self._together, self._next = True, self.answers + self._every


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _holds(pid: int, file: Path) -> bool:
    with suppress(OSError):
        return any(os.readlink(handle) == str(file) for handle in Path(f"/proc/{pid}/fd").iterdir())
    return False
