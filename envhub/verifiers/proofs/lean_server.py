"""Live Lean servers, ten times faster.

They report errors, but never decide that a proof is correct. Each is a session of the sandbox. One that hangs, ends or
gives an unexpected answer is stopped, nothing is concluded from it, and the next question uses a fresh one; servers are
also replaced after a number of questions.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Final

from envhub.core.errors import EnvhubError
from envhub.sandbox import Limits, Sandbox, Session, Setting
from envhub.sandbox.lean import LEAN
from envhub.verifiers.proofs.proof import Message, Severity

RESERVE_MB: Final = 1 << 16
"""Lean's allocator reserves a gibibyte at a time, two when threads collide, and libraries are mapped whole. A worker
without addresses for a new thread hangs while exiting."""
LIMITS: Final = Limits(wall_s=20.0, cpu_s=20.0, memory_mb=2048, reserve_mb=RESERVE_MB, pids=128)
_QUESTIONS: Final = 500
_OPTIONS: Final = ["-Dserver.reportDelayMs=0", "-Dlinter.all=false", "-DElab.async=false", "-j1", "-s8192"]
_COMMAND: Final = [LEAN, "--server", *_OPTIONS]
_log = logging.getLogger(__name__)
_SEVERITIES: Final[Mapping[int, Severity]] = {1: "error", 2: "warning", 3: "information", 4: "information"}


@dataclass(slots=True)
class _Live:
    session: Session
    questions: int = 0


class LeanServers:
    """A pool of live servers.

    Args:
        sandbox: Their sandbox.
        search: Search path of modules in the sandbox.
        most: Maximum number at a time.
        limits: Limits; times are per question.
        patience_s: Maximum wait for an idle server.
    """

    def __init__(
        self, sandbox: Sandbox, search: str, most: int = 2, limits: Limits = LIMITS, patience_s: float = 1.0
    ) -> None:
        self._sandbox = sandbox
        self._search = search
        self._limits = limits
        self._patience_s = patience_s
        self._idle: list[_Live] = []
        self._free = threading.Semaphore(most)
        self._lock = threading.Lock()

    def messages(self, text: str) -> tuple[Message, ...] | None:
        """Messages on a text, lines from 1.

        None without an available server or answer.
        """
        if not self._free.acquire(timeout=self._patience_s):
            return None
        live: _Live | None = None
        said: tuple[Message, ...] | None = None
        try:
            live = self._take()
            live.questions += 1
            said = self._ask(live.session, text)
        except EnvhubError as error:  # no session, or it was lost: no answer
            _log.warning("A Lean server gave no answer: %s", error)
        finally:
            self._give_back(live, usable=said is not None)
            self._free.release()
        return said

    def close(self) -> None:
        """Stop the idle servers."""
        with self._lock:
            idle, self._idle = self._idle, []
        for live in idle:
            live.session.close()

    def _take(self) -> _Live:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        session = self._sandbox.open(Setting("python", limits=self._limits))
        driver = (resources.files("envhub.sandbox.lean") / "driver.py").read_text("utf-8")
        result = session.run(f"{driver}\nstart({_COMMAND!r}, {self._search!r})")
        if result.exit != 0 or result.limit:
            session.close()
            raise EnvhubError("the server did not start")
        return _Live(session)

    def _give_back(self, live: _Live | None, *, usable: bool) -> None:
        if live is None:
            return
        if not usable or live.questions >= _QUESTIONS:
            live.session.close()
            return
        with self._lock:
            self._idle.append(live)

    def _ask(self, session: Session, text: str) -> tuple[Message, ...] | None:
        result = session.run(f"ask({text!r})")
        try:
            if result.exit != 0 or result.limit or result.cut:
                raise ValueError(f"exit {result.exit}, limit {result.limit}")
            return tuple(_message(text, *row) for row in json.loads(result.stdout))
        except (ValueError, TypeError, LookupError) as error:
            _log.info("A Lean server gave no answer: %s", error)
            return None


def _message(text: str, severity: int, said: str, line: int, column: int) -> Message:
    """Converts UTF-16 columns to characters."""
    units = text.split("\n")[line].encode("utf-16-le")[: 2 * column]
    return Message(_SEVERITIES[severity], said, line + 1, len(units.decode("utf-16-le", "replace")))
