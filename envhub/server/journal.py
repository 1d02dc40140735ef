"""Where episodes are recorded: what was asked, and every turn with its answer.

A journal compares and sets: a turn is appended only at the end it was meant for, an id is given only once. So whoever holds
an outdated view notices, and a repeated request finds the recorded answer.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from envhub.episode import Record
from envhub.errors import TooBusy
from envhub.types import JSON


@dataclass(frozen=True, slots=True)
class Header:
    """How an episode began.

    Attributes:
        episode_id: Its id.
        request: The request that made it, to tell a repeat from another one.
        task: The task key as JSON, with the difficulty.
        options: Answer format, system message and reward weights.
        begun_with: The chance it began with.
        chance: The chance of the turns to come.
        inherited: How many of its turns were taken before it was forked.
    """

    episode_id: str
    request: JSON
    task: Mapping[str, JSON]
    options: Mapping[str, JSON]
    begun_with: int = 0
    chance: int = 0
    inherited: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn: what the fold needs, and what was answered (but for the episode's id, for a fork inherits its turns)."""

    record: Record
    answer: JSON

    @property
    def over(self) -> bool:
        """Whether the episode ended with this turn."""
        return bool(self.answer["terminated"] or self.answer["truncated"])


@dataclass(slots=True)
class Stored:
    """An episode as the journal holds it."""

    header: Header
    entries: list[Entry] = field(default_factory=list)


class Journal(Protocol):
    """What the service needs of a journal."""

    async def create(self, header: Header, entries: list[Entry]) -> Stored | None:
        """Record a new episode.

        Returns:
            None when it was recorded, or what stands under this id already.

        Raises:
            TooBusy: There is no room.
        """
        ...

    async def append(self, episode_id: str, turn: int, entry: Entry) -> bool:
        """Record turn number ``turn`` (from 0); False when that is not the next one or the episode is gone."""
        ...

    async def load(self, episode_id: str) -> Stored | None:
        """An episode, or None; counts as use of it."""
        ...

    async def delete(self, episode_id: str) -> bool:
        """Forget an episode; False when there was none."""
        ...

    async def sweep(self) -> list[str]:
        """Forget what has been idle for too long; the ids of all that is gone since the last call."""
        ...

    def __len__(self) -> int: ...


class MemoryJournal:
    """A journal in the memory of one process. When it is full, the episode that ended longest ago makes room.

    Args:
        ttl_s: Seconds after which an idle episode may be forgotten.
        capacity: Most episodes at once.
        clock: Seconds that only grow.
    """

    def __init__(self, ttl_s: float, capacity: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl_s = ttl_s
        self._capacity = capacity
        self._clock = clock
        self._stored: OrderedDict[str, tuple[float, Stored]] = OrderedDict()  # by last use, oldest first
        self._finished: OrderedDict[str, None] = OrderedDict()  # by end, oldest first
        self._gone: list[str] = []  # made room for others since the last sweep

    async def create(self, header: Header, entries: list[Entry]) -> Stored | None:
        """Record a new episode, or return what has its id."""
        taken = await self.load(header.episode_id)
        if taken is not None:
            return taken
        if header.episode_id in self._stored:  # expired: nothing of it is inherited
            self._forget(header.episode_id)
        if len(self._stored) >= self._capacity:
            self._forget_idle()
        if len(self._stored) >= self._capacity and self._finished:
            self._forget(next(iter(self._finished)))
        if len(self._stored) >= self._capacity:
            raise TooBusy(
                f"The server holds {self._capacity} episodes, which is its limit. Finish or delete some, or try later.",
                retry_after=5,
            )
        self._stored[header.episode_id] = (self._clock(), Stored(header, entries))
        if entries and entries[-1].over:
            self._finished[header.episode_id] = None
        return None

    async def append(self, episode_id: str, turn: int, entry: Entry) -> bool:
        """Record a turn if it is the next."""
        stored = await self.load(episode_id)
        if stored is None or len(stored.entries) != turn:
            return False
        stored.entries.append(entry)
        if entry.over:
            self._finished[episode_id] = None
        return True

    async def load(self, episode_id: str) -> Stored | None:
        """An episode; its idle time begins anew."""
        held = self._stored.get(episode_id)
        if held is None:
            return None
        now = self._clock()
        if now - held[0] > self._ttl_s:
            return None
        self._stored[episode_id] = (now, held[1])
        self._stored.move_to_end(episode_id)
        return held[1]

    async def delete(self, episode_id: str) -> bool:
        """Forget an episode."""
        self._finished.pop(episode_id, None)
        return self._stored.pop(episode_id, None) is not None

    async def sweep(self) -> list[str]:
        """Forget every episode that has been idle for too long; the ids, with those that had to make room."""
        self._forget_idle()
        gone, self._gone = self._gone, []
        return gone

    def _forget_idle(self) -> None:
        limit = self._clock() - self._ttl_s
        while self._stored:
            episode_id, (used, _) = next(iter(self._stored.items()))
            if used >= limit:
                break
            self._forget(episode_id)

    def _forget(self, episode_id: str) -> None:
        del self._stored[episode_id]
        self._finished.pop(episode_id, None)
        self._gone.append(episode_id)

    def __len__(self) -> int:
        return len(self._stored)
