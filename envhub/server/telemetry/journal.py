"""A journal wrapper that records facts for observers.

Durations, environments and verdicts, for metrics and the request log. Every route records turns through it, so a
verdict is counted once, when its turn is recorded, and not when the recorded answer is repeated. ::

    journal = InstrumentedJournal(journal, metrics)
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from envhub.server.journal import Entry, Header, Journal, StoredEpisode
from envhub.server.telemetry.metrics import Metrics
from envhub.server.telemetry.request_log import note_env, note_verdict


class InstrumentedJournal:
    """Wraps a journal and measures its operations.

    Args:
        journal: The journal; other methods are forwarded to it.
        metrics: Where to record.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, journal: Journal, metrics: Metrics, clock: Callable[[], float] = perf_counter) -> None:
        self._journal, self._metrics, self._clock = journal, metrics, clock

    async def create(self, header: Header, entries: list[Entry], max_open: int | None = None) -> StoredEpisode | None:
        """Record a new episode."""
        begun, failed = self._clock(), True
        try:
            stored_instead = await self._journal.create(header, entries, max_open)
            failed = False
        finally:
            self._metrics.record_journal("create", self._clock() - begun, failed)
        note_env(header.task["env_id"])
        return stored_instead

    async def append(self, header: Header, turn: int, entry: Entry) -> StoredEpisode | None:
        """Record a turn."""
        begun, failed = self._clock(), True
        try:
            stored_instead = await self._journal.append(header, turn, entry)
            failed = False
        finally:
            self._metrics.record_journal("append", self._clock() - begun, failed)
        env_id = header.task["env_id"]
        note_env(env_id)
        verdict = entry.answer["info"].get("verdict")
        if stored_instead is None and verdict is not None:
            note_verdict(env_id, verdict["status"])
        return stored_instead

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        """Load an episode."""
        begun, failed = self._clock(), True
        try:
            stored = await self._journal.load(episode_id, use=use)
            failed = False
        finally:
            self._metrics.record_journal("load", self._clock() - begun, failed)
        if stored is not None:
            note_env(stored.header.task["env_id"])
        return stored

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def __len__(self) -> int:
        return len(self._journal)
