"""Readiness of the server.

Whether the journal answers, how many workers serve, and which environments are usable. Checks run at most once a
second; requests that arrive meanwhile share the result. ::

    readiness = Readiness(journal)
    report = await readiness.check()
    report.ready, report.to_json()
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from envhub.core.errors import EnvhubError
from envhub.core.types import JSON
from envhub.registry.registry import list_envs
from envhub.server.http.limits import check_files
from envhub.server.journal import Journal
from envhub.server.processes.sandbox_status import SandboxStatus
from envhub.server.processes.worker_status import WorkerStatus

_CHECK_EVERY_S: Final = 1.0
_PATIENCE_S: Final = 5.0
_PROBE: Final = "~ready"
"""An id that no client can choose, so no episode has it."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadinessReport:
    """Result of a check.

    Attributes:
        journal: What is wrong with the journal; None if it answers.
        usable: The environments that can be played.
        unusable: The other environments, each with the reason.
        workers: The workers; None on a server with one process.
        sandbox: State of the sandbox broker; None without one.
    """

    journal: str | None
    usable: tuple[str, ...]
    unusable: dict[str, str]
    workers: WorkerStatus | None = None
    sandbox: dict[str, JSON] | None = None

    @property
    def ready(self) -> bool:
        """Whether the journal answers and at least one environment can be played."""
        return self.journal is None and bool(self.usable)

    def summary(self) -> dict[str, JSON]:
        """The part that callers without a key may see."""
        return {"status": "ready" if self.ready else "not ready"}

    def to_json(self) -> dict[str, JSON]:
        """The whole report."""
        return {
            **self.summary(),
            "journal": {"ok": self.journal is None, "reason": self.journal},
            **({} if self.workers is None else {"workers": self.workers.to_json()}),
            **({} if self.sandbox is None else {"sandbox": self.sandbox}),
            "environments": {"usable": list(self.usable), "unusable": self.unusable},
        }


class Readiness:
    """Checks the server, at most once a second.

    Args:
        journal: The journal.
        files: Whether clients may name files of this machine.
        ticks: A monotonic clock, in seconds.
        workers: Reads the status of the workers, if there are several.
        sandbox: Reads the state of the sandbox.
    """

    def __init__(
        self,
        journal: Journal,
        files: bool = False,
        ticks: Callable[[], float] = time.monotonic,
        workers: Callable[[], WorkerStatus] | None = None,
        sandbox: SandboxStatus | None = None,
    ) -> None:
        self._sandbox = SandboxStatus() if sandbox is None else sandbox
        self._journal, self._files, self._ticks, self._workers = journal, files, ticks, workers
        self._lock = asyncio.Lock()
        self._last: tuple[float, ReadinessReport] | None = None

    async def check(self) -> ReadinessReport:
        """The current report, at most a second old."""
        async with self._lock:
            if self._last is None or self._ticks() - self._last[0] >= _CHECK_EVERY_S:
                journal = await self._check_journal()
                usable, unusable = await asyncio.to_thread(environments, self._files)
                workers = self._workers() if self._workers is not None else None
                sandbox = await self._sandbox.read()
                self._last = (self._ticks(), ReadinessReport(journal, usable, unusable, workers, sandbox))
            return self._last[1]

    async def episodes(self) -> int | None:
        """Number of episodes in the journal; None if it cannot be read."""
        try:
            return await self._journal.count()
        except EnvhubError:
            return None

    async def _check_journal(self) -> str | None:
        """What is wrong with the journal; None if it answers."""
        try:
            await asyncio.wait_for(self._journal.load(_PROBE, use=False), _PATIENCE_S)
            return None
        except TimeoutError:
            return f"It has not answered for {_PATIENCE_S:g} s."
        except EnvhubError as error:
            return str(error)
        except Exception as error:  # from a library; its message may hold an address with a password
            _log.error("the journal does not answer: %s", type(error).__name__)
            return f"It fails with {type(error).__name__}."


def environments(files: bool) -> tuple[tuple[str, ...], dict[str, str]]:
    """The usable environments, and why the others are not.

    The reason may be a missing extra.

    Args:
        files: Whether clients may name files of this machine.
    """
    usable: list[str] = []
    unusable: dict[str, str] = {}
    for id in list_envs():
        try:
            check_files(id, files)
            usable.append(id)
        except EnvhubError as error:
            unusable[id] = str(error)
    return tuple(usable), unusable
