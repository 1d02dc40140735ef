"""Episodes folded into memory: copies of what the journal holds, of which only so many are kept.

What was used longest ago leaves first and gives back its resources; they come back as they declare when the episode is folded
again. What has not been used for a while leaves as well, long before its record expires: another worker may have taken it over.
Only what could not come back waits until that is known. What is in use stays, whatever the bound::

    async with cache.lock(episode_id) as entry:      # one user of an episode at a time
        entry.fold = ...
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from envhub.core.types import Verdict
from envhub.episodes.episode import Episode
from envhub.server.journal import Header, StoredEpisode
from envhub.tasks.options import Options


@dataclass(slots=True)
class CachedEpisode:
    """An episode in memory: which record it is a copy of, the digests of its turns, and how its verdicts become rewards."""

    header: Header
    episode: Episode
    digests: list[str]
    reward: Callable[[Verdict], float]
    used: float

    @property
    def position(self) -> tuple[int, str]:
        """What :meth:`Journal.position` says of the record that it is up to date with."""
        return len(self.digests), self.digests[-1] if self.digests else ""

    def matches(self, stored: StoredEpisode) -> bool:
        """Whether it is up to date with a record."""
        return self.header.incarnation == stored.header.incarnation and self.position == (
            len(stored.entries),
            stored.digest,
        )

    def is_consistent_with(self, stored: StoredEpisode) -> bool:
        """Whether a record tells the same as far as both go, or is of an episode that has the same id."""
        both = min(len(self.digests), len(stored.entries))
        return (
            self.header.incarnation != stored.header.incarnation
            or not both
            or self.digests[both - 1] == stored.entries[both - 1].digest
        )


@dataclass(slots=True)
class CacheEntry:
    """What is held of an episode, the lock that orders its turns, and how many hold or await it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    fold: CachedEpisode | None = None


class EpisodeCache:
    """The episodes in memory of one worker.

    Args:
        most: How many stay.
        idle_s: Seconds after which one that is not used leaves.
        timer: Seconds that only grow.
    """

    def __init__(self, most: int, idle_s: float, timer: Callable[[], float]) -> None:
        self._most = most
        self._idle_s = idle_s
        self._timer = timer
        self._entries: OrderedDict[str, CacheEntry] = OrderedDict()  # by last use, longest ago first

    def __len__(self) -> int:
        return len(self._entries)

    def lock(self, episode_id: str) -> _EntryLock:
        """The entry of an episode, for one user at a time; while it has users it stays in memory."""
        return _EntryLock(self, episode_id)

    def begin_use(self, episode_id: str) -> CacheEntry:
        """A entry that stays until :meth:`end_use`."""
        entry = self._touch(episode_id)
        entry.users += 1
        return entry

    def end_use(self, episode_id: str, entry: CacheEntry) -> None:
        """One user less."""
        entry.users -= 1
        if entry.fold is None and not entry.users:
            self._entries.pop(episode_id, None)
        self._shrink()

    def get(self, episode_id: str) -> CachedEpisode | None:
        """What is in memory of an episode; counts as use of it."""
        entry = self._entries.get(episode_id)
        return None if entry is None else self._touch(episode_id).fold

    def add(self, header: Header, episode: Episode, digests: Sequence[str] = ()) -> None:
        """Keep an episode that has just begun, unless somebody has taken it up already."""
        entry = self._entries.get(header.episode_id)
        if entry is None or (entry.fold is None and not entry.users):
            self.put(header, episode, digests)

    def put(self, header: Header, episode: Episode, digests: Sequence[str]) -> CachedEpisode:
        """Keep an episode whose entry the caller holds; what was there of it gives back its resources."""
        entry = self._touch(header.episode_id)
        if entry.fold is not None:
            entry.fold.episode.close()
        reward = Options.read({"reward": header.options.get("reward")}).reward
        entry.fold = CachedEpisode(header, episode, list(digests), reward, self._timer())
        self._shrink()
        return entry.fold

    def drop(self, episode_id: str) -> None:
        """Let go of an episode and give back its resources."""
        entry = self._entries.get(episode_id)
        if entry is None:
            return
        fold, entry.fold = entry.fold, None
        if not entry.users:
            del self._entries[episode_id]
        if fold is not None:
            fold.episode.close()

    def peek(self, episode_id: str) -> CachedEpisode | None:
        """What is in memory of an episode; no use of it."""
        entry = self._entries.get(episode_id)
        return None if entry is None else entry.fold

    def evict_idle(self) -> list[CachedEpisode]:
        """Let go of what has not been used for long.

        Returns:
            Those of it that stay, for what they hold could not come back; longest unused first.
        """
        since = self._timer() - self._idle_s
        idle: list[tuple[str, CachedEpisode]] = []
        for episode_id, entry in self._entries.items():  # by last use
            if entry.fold is not None and entry.fold.used >= since:
                break
            if entry.fold is not None and not entry.users:
                idle.append((episode_id, entry.fold))
        staying: list[CachedEpisode] = []
        for episode_id, fold in idle:
            if _cannot_come_back(fold.episode):
                staying.append(fold)
            else:
                self.drop(episode_id)
        return staying

    def close(self) -> None:
        """Let go of everything."""
        for episode_id in list(self._entries):
            self.drop(episode_id)

    def _touch(self, episode_id: str) -> CacheEntry:
        entry = self._entries.get(episode_id)
        if entry is None:
            entry = self._entries[episode_id] = CacheEntry()
        else:
            self._entries.move_to_end(episode_id)
        if entry.fold is not None:
            entry.fold.used = self._timer()
        return entry

    def _shrink(self) -> None:
        """Let go of what was used longest ago and has no users, until few enough are left."""
        surplus = len(self._entries) - self._most
        if surplus > 0:
            idle = (episode_id for episode_id, entry in self._entries.items() if not entry.users)
            for episode_id in list(islice(idle, surplus)):
                self.drop(episode_id)


def _cannot_come_back(episode: Episode) -> bool:
    return any(resource.restore == "none" for resource in episode.environment.resources.values())


class _EntryLock:
    """What :meth:`EpisodeCache.lock` gives; a class, for a generator costs several times as much, and every turn needs one."""

    __slots__ = ("_cache", "_entry", "_episode_id")
    _entry: CacheEntry

    def __init__(self, live: EpisodeCache, episode_id: str) -> None:
        self._cache, self._episode_id = live, episode_id

    async def __aenter__(self) -> CacheEntry:
        entry = self._entry = self._cache.begin_use(self._episode_id)
        try:
            await entry.lock.acquire()
        except BaseException:
            self._cache.end_use(self._episode_id, entry)
            raise
        return entry

    async def __aexit__(self, *_: object) -> None:
        self._entry.lock.release()
        self._cache.end_use(self._episode_id, self._entry)
