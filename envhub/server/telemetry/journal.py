"""A journal wrapper that records facts for observers.

Durations, environments and verdicts, for metrics and the request log. Every route records turns through it, so a
verdict is counted once, when its turn is recorded, and not when the recorded answer is repeated. ::

    journal = InstrumentedJournal(journal, metrics)
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable
from functools import partial
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

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        """Record a turn."""
        begun = self._clock()
        try:
            done = self._journal.append(header, turn, entry)
        except BaseException:
            self._metrics.record_journal("append", self._clock() - begun, failed=True)
            raise
        if done.done():
            self._note_turn(header, entry, begun, done)
        else:  # a callback runs in the context that adds it, which is the request's
            done.add_done_callback(partial(self._note_turn, header, entry, begun))
        return done

    def _note_turn(self, header: Header, entry: Entry, begun: float, done: Future[StoredEpisode | None]) -> None:
        failed = done.cancelled() or done.exception() is not None
        self._metrics.record_journal("append", self._clock() - begun, failed)
        if failed:
            return
        env_id = header.task["env_id"]
        note_env(env_id)
        verdict = entry.answer["info"].get("verdict")
        if verdict is not None and done.result() is None:
            note_verdict(env_id, verdict["status"])

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
