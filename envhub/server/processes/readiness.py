"""Whether the server can be used: does the journal answer, do all workers serve, which environments are usable and why not.

It is asked by anybody and often, so it looks once a second at most, and whoever asks meanwhile waits for that look. ::

    readiness = Readiness(journal)
    found = await readiness.look()
    found.ready, found.to_json()
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
from envhub.server.processes.sandbox_status import Programs
from envhub.server.processes.worker_status import Crew

_LOOK_S: Final = 1.0
_PATIENCE_S: Final = 5.0
_PROBE: Final = "~ready"
"""No episode has this id: clients cannot choose it."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What a look found.

    Attributes:
        journal: What is wrong with the journal; None when it answers.
        usable: The environments that can be played.
        unusable: Why the others cannot.
        crew: The workers; None where there is one process, which is the one that looks.
        sandbox: How the sandbox's broker is; None where there is none.
    """

    journal: str | None
    usable: tuple[str, ...]
    unusable: dict[str, str]
    crew: Crew | None = None
    sandbox: dict[str, JSON] | None = None

    @property
    def ready(self) -> bool:
        """Whether anything can be played: an environment that lacks an extra stops no other, nor a worker that is missing."""
        return self.journal is None and bool(self.usable)

    def brief(self) -> dict[str, JSON]:
        """The answer for anybody."""
        return {"status": "ready" if self.ready else "not ready"}

    def to_json(self) -> dict[str, JSON]:
        """The answer in full."""
        return {
            **self.brief(),
            "journal": {"ok": self.journal is None, "reason": self.journal},
            **({} if self.crew is None else {"workers": self.crew.to_json()}),
            **({} if self.sandbox is None else {"sandbox": self.sandbox}),
            "environments": {"usable": list(self.usable), "unusable": self.unusable},
        }


class Readiness:
    """Looks, and remembers for a second.

    Args:
        journal: The journal.
        files: Whether clients may name files of this machine.
        ticks: Seconds that only grow.
        crew: Tells of the workers, where there are several.
        programs: Looks at the sandbox.
    """

    def __init__(
        self,
        journal: Journal,
        files: bool = False,
        ticks: Callable[[], float] = time.monotonic,
        crew: Callable[[], Crew] | None = None,
        programs: Programs | None = None,
    ) -> None:
        self._programs = Programs() if programs is None else programs
        self._journal, self._files, self._ticks, self._crew = journal, files, ticks, crew
        self._lock = asyncio.Lock()
        self._found: tuple[float, Found] | None = None

    async def look(self) -> Found:
        """What is so now, or was within the last second."""
        async with self._lock:
            if self._found is None or self._ticks() - self._found[0] >= _LOOK_S:
                journal = await self._ask_the_journal()
                usable, unusable = await asyncio.to_thread(environments, self._files)
                crew = self._crew() if self._crew is not None else None
                sandbox = await self._programs.look()
                self._found = (self._ticks(), Found(journal, usable, unusable, crew, sandbox))
            return self._found[1]

    async def episodes(self) -> int | None:
        """How many episodes the journal holds; None when it does not say."""
        try:
            return await self._journal.count()
        except EnvhubError:
            return None

    async def _ask_the_journal(self) -> str | None:
        """What is wrong with it."""
        try:
            await asyncio.wait_for(self._journal.load(_PROBE, use=False), _PATIENCE_S)
            return None
        except TimeoutError:
            return f"It has not answered for {_PATIENCE_S:g} s."
        except EnvhubError as error:
            return str(error)
        except Exception as error:  # of a library; its message may hold an address with a password
            _log.error("the journal does not answer: %s", type(error).__name__)
            return f"It fails with {type(error).__name__}."


def environments(files: bool) -> tuple[tuple[str, ...], dict[str, str]]:
    """The environments that can be played here, and why the others cannot: an extra is missing, or a file not to be named.

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
