"""A journal in the memory of one process.

For tests and for servers that need no durable record. When it is full, it deletes the episode that finished longest
ago. It returns its own objects, not copies.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import Future
from collections import OrderedDict
from collections.abc import Callable

from envhub.core.errors import UnknownEpisode
from envhub.server.journal.records import (
    Entry,
    Header,
    StoredEpisode,
    journal_full,
    owner_of,
    too_many_open,
    unknown_episode,
)


class MemoryJournal:
    """A journal in memory.

    Args:
        ttl_s: Seconds after which an idle episode may be deleted.
        capacity: Maximum number of episodes.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, ttl_s: float, capacity: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl_s = ttl_s
        self._capacity = capacity
        self._clock = clock
        self._stored: OrderedDict[str, tuple[float, StoredEpisode]] = OrderedDict()  # by last use, oldest first
        self._finished: OrderedDict[str, None] = OrderedDict()  # by end, oldest first
        self._unfinished: dict[str, int] = {}  # by owner
        self._gone: list[str] = []  # deleted since the last sweep, but not by a client

    async def create(self, header: Header, entries: list[Entry], max_open: int | None = None) -> StoredEpisode | None:
        """Record a new episode, or return the one that has its id."""
        episode_id = header.episode_id
        taken = self._held(episode_id)
        if taken is not None:
            return taken
        if episode_id in self._stored:  # expired
            self._make_room(episode_id)
        owner = owner_of(episode_id)
        if max_open is not None and self._unfinished.get(owner, 0) >= max_open:
            self._forget_idle()
            if self._unfinished.get(owner, 0) >= max_open:
                raise too_many_open(max_open)
        if len(self._stored) >= self._capacity:
            self._forget_idle()
        if len(self._stored) >= self._capacity and self._finished:
            self._make_room(next(iter(self._finished)))
        if len(self._stored) >= self._capacity:
            raise journal_full(self._capacity)
        self._stored[episode_id] = (self._clock(), StoredEpisode(header, entries))
        self._unfinished[owner] = self._unfinished.get(owner, 0) + 1
        if entries and entries[-1].over:
            self._end(episode_id)
        return None

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        """Record the next turn, else return the stored episode.

        It is returned if the turn is not the next one.
        """
        done: Future[StoredEpisode | None] = asyncio.get_running_loop().create_future()
        try:
            done.set_result(self._append(header, turn, entry))
        except UnknownEpisode as error:
            done.set_exception(error)
        return done

    def _append(self, header: Header, turn: int, entry: Entry) -> StoredEpisode | None:
        stored = self._held(header.episode_id, use=False)
        if stored is None:
            raise unknown_episode(header.episode_id)
        if (
            stored.header.incarnation != header.incarnation
            or len(stored.entries) != turn
            or stored.digest != entry.previous
        ):
            return stored
        self._held(header.episode_id)
        stored.entries.append(entry)
        if entry.over:
            self._end(header.episode_id)
        return None

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        """Load an episode and reset its idle time."""
        return self._held(episode_id, use)

    async def position(self, header: Header) -> tuple[int, str] | None:
        """Number of turns of an episode, and the digest of the last."""
        stored = self._held(header.episode_id, use=False)
        if stored is None or stored.header.incarnation != header.incarnation:
            return None
        return len(stored.entries), stored.digest

    async def delete(self, episode_id: str) -> bool:
        """Delete an episode."""
        found = self._held(episode_id, use=False) is not None
        self._forget(episode_id)
        return found

    async def sweep(self) -> list[str]:
        """Delete idle episodes.

        Returns their ids and those of episodes deleted to make room.
        """
        self._forget_idle()
        ids, self._gone = self._gone, []
        return ids

    async def count(self) -> int:
        """Number of episodes."""
        self._forget_idle()
        return len(self._stored)

    async def count_open(self, owner: str) -> int:
        """Number of unfinished episodes of an owner."""
        self._forget_idle()
        return self._unfinished.get(owner, 0)

    async def finished(self) -> list[str]:
        """Ids of finished episodes, in the order in which they finished."""
        return list(self._finished)

    def __len__(self) -> int:
        return len(self._stored)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _held(self, episode_id: str, use: bool = True) -> StoredEpisode | None:
        held = self._stored.get(episode_id)
        if held is None:
            return None
        now = self._clock()
        if now - held[0] > self._ttl_s:
            return None
        if use:
            self._stored[episode_id] = (now, held[1])
            self._stored.move_to_end(episode_id)
        return held[1]

    def _end(self, episode_id: str) -> None:
        if episode_id not in self._finished:
            self._finished[episode_id] = None
            owner = owner_of(episode_id)
            self._unfinished[owner] -= 1
            if not self._unfinished[owner]:
                del self._unfinished[owner]

    def _forget_idle(self) -> None:
        limit = self._clock() - self._ttl_s
        while self._stored:
            episode_id, (used, _) = next(iter(self._stored.items()))
            if used >= limit:
                break
            self._make_room(episode_id)

    def _make_room(self, episode_id: str) -> None:
        self._forget(episode_id)
        self._gone.append(episode_id)

    def _forget(self, episode_id: str) -> None:
        if self._stored.pop(episode_id, None) is not None:
            self._end(episode_id)
            del self._finished[episode_id]
