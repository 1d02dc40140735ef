"""A bounded cache of folded episodes: copies of what the journal holds.

The least recently used episode is evicted first and closes its resources; they are restored as they declare when the episode is
folded again. Episodes that are idle for a while are evicted too, long before their records expire, because another worker may
have continued them; but not those whose resources could not be restored. Episodes in use stay, whatever the bound::

    async with cache.lock(episode_id) as entry:     # one user of an episode at a time
        entry.cached = ...
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from envhub.core.errors import Conflict
from envhub.core.types import Turn, Verdict
from envhub.episodes.episode import Episode
from envhub.server.episodes.representation import turn_json
from envhub.server.episodes.turn_lock import TurnLock
from envhub.server.journal import Entry, Header, StoredEpisode
from envhub.tasks.options import Options


@dataclass(slots=True)
class CachedEpisode:
    """A folded episode with its record's header.

    Also the digests of its turns, and its reward function.
    """

    header: Header
    episode: Episode
    digests: list[str]
    reward: Callable[[Verdict], float]
    used: float

    @property
    def position(self) -> tuple[int, str]:
        """The result of :meth:`Journal.position` for a record with the same turns."""
        return len(self.digests), self.digests[-1] if self.digests else ""

    def entry(self, taken: Turn, at: float, took_s: float) -> Entry:
        """The journal entry of the turn that the episode has just taken.

        Raises:
            TypeError: The outcome of an effect is not JSON.
        """
        number, record = len(self.episode.turns), self.episode.last_record
        return Entry.chained(self.position[1], record, turn_json(number, taken, self.reward), at, took_s)

    def matches(self, stored: StoredEpisode) -> bool:
        """Whether it has exactly the turns of a record."""
        return self.header.incarnation == stored.header.incarnation and self.position == (
            len(stored.entries),
            stored.digest,
        )

    def is_consistent_with(self, stored: StoredEpisode) -> bool:
        """Whether the cached episode and a record agree.

        The record has the same turns as far as both go, or is of a later episode with the same id.
        """
        both = min(len(self.digests), len(stored.entries))
        return (
            self.header.incarnation != stored.header.incarnation
            or not both
            or self.digests[both - 1] == stored.entries[both - 1].digest
        )


@dataclass(slots=True)
class CacheEntry:
    """A cached episode, its lock, and its number of users.

    The lock orders its turns; users hold or await it.
    """

    lock: TurnLock = field(default_factory=TurnLock)
    users: int = 0
    cached: CachedEpisode | None = None


class EpisodeCache:
    """LRU cache of the episodes of one worker.

    Args:
        capacity: Maximum number of episodes kept while unused.
        idle_s: Seconds after which an idle episode is evicted.
        timer: A monotonic clock, in seconds.
    """

    def __init__(self, capacity: int, idle_s: float, timer: Callable[[], float]) -> None:
        self._capacity = capacity
        self._idle_s = idle_s
        self._timer = timer
        self._entries: OrderedDict[str, CacheEntry] = OrderedDict()  # least recently used first

    def __len__(self) -> int:
        return len(self._entries)

    def lock(self, episode_id: str) -> _EntryLock:
        """Lock the entry of an episode.

        It stays in memory while it has users.
        """
        return _EntryLock(self, episode_id)

    def lock_now(self, episode_id: str) -> CacheEntry | None:
        """Lock the entry of a cached episode that nobody uses, else None.

        End it with :meth:`unlock`.
        """
        entry = self._entries.get(episode_id)
        if entry is None or entry.cached is None or entry.users:
            return None
        entry.lock.take_now()
        return self.begin_use(episode_id)

    def begin_use(self, episode_id: str) -> CacheEntry:
        """Get an entry that stays until :meth:`end_use`."""
        entry = self._touch(episode_id)
        entry.users += 1
        return entry

    def unlock(self, episode_id: str, entry: CacheEntry) -> None:
        """Release an entry from :meth:`lock_now`."""
        entry.lock.release()
        self.end_use(episode_id, entry)

    def end_use(self, episode_id: str, entry: CacheEntry) -> None:
        """Release an entry from :meth:`begin_use`."""
        entry.users -= 1
        if entry.cached is None and not entry.users:
            self._entries.pop(episode_id, None)
        self._shrink()

    def get(self, episode_id: str) -> CachedEpisode | None:
        """The cached episode, or None; marks it as used."""
        entry = self._entries.get(episode_id)
        return None if entry is None else self._touch(episode_id).cached

    def add(self, header: Header, episode: Episode, digests: Sequence[str] = ()) -> None:
        """Cache a new episode, unless another user has loaded it already."""
        entry = self._entries.get(header.episode_id)
        if entry is None or (entry.cached is None and not entry.users):
            self.put(header, episode, digests)

    def put(self, header: Header, episode: Episode, digests: Sequence[str]) -> CachedEpisode:
        """Cache an episode, closing the previous copy.

        The caller has locked its entry.
        """
        entry = self._touch(header.episode_id)
        if entry.cached is not None:
            entry.cached.episode.close()
        reward = Options.read({"reward": header.options.get("reward")}).reward
        entry.cached = CachedEpisode(header, episode, list(digests), reward, self._timer())
        self._shrink()
        return entry.cached

    def drop(self, episode_id: str) -> None:
        """Evict an episode and close its resources."""
        entry = self._entries.get(episode_id)
        if entry is None:
            return
        fold, entry.cached = entry.cached, None
        if not entry.users:
            del self._entries[episode_id]
        if fold is not None:
            fold.episode.close()

    def check_history(self, held: CachedEpisode, stored: StoredEpisode) -> None:
        """Drop our copy if the record has other turns.

        Other than were answered here.

        Raises:
            Conflict: It has.
        """
        if held.is_consistent_with(stored):
            return
        episode_id = stored.header.episode_id
        self.drop(episode_id)
        raise Conflict(
            f"The record of {episode_id!r} lost turns that were answered, and others were taken since; it has "
            f"{len(stored.entries)} turns now. Get the episode and continue from there, or create another."
        )

    def peek(self, episode_id: str) -> CachedEpisode | None:
        """The cached episode, or None, without marking it as used."""
        entry = self._entries.get(episode_id)
        return None if entry is None else entry.cached

    def evict_idle(self) -> list[CachedEpisode]:
        """Evict idle episodes.

        Returns:
            The idle episodes that stay because their resources could not be restored; least recently used first.
        """
        since = self._timer() - self._idle_s
        idle: list[tuple[str, CachedEpisode]] = []
        for episode_id, entry in self._entries.items():  # by last use
            if entry.cached is not None and entry.cached.used >= since:
                break
            if entry.cached is not None and not entry.users:
                idle.append((episode_id, entry.cached))
        staying: list[CachedEpisode] = []
        for episode_id, fold in idle:
            if _cannot_be_restored(fold.episode):
                staying.append(fold)
            else:
                self.drop(episode_id)
        return staying

    def close(self) -> None:
        """Evict all episodes."""
        for episode_id in list(self._entries):
            self.drop(episode_id)

    def _touch(self, episode_id: str) -> CacheEntry:
        entry = self._entries.get(episode_id)
        if entry is None:
            entry = self._entries[episode_id] = CacheEntry()
        else:
            self._entries.move_to_end(episode_id)
        if entry.cached is not None:
            entry.cached.used = self._timer()
        return entry

    def _shrink(self) -> None:
        """Evict the least recently used episodes without users.

        Until the cache is within its capacity.
        """
        surplus = len(self._entries) - self._capacity
        if surplus > 0:
            idle = (episode_id for episode_id, entry in self._entries.items() if not entry.users)
            for episode_id in list(islice(idle, surplus)):
                self.drop(episode_id)


def _cannot_be_restored(episode: Episode) -> bool:
    return any(resource.restore == "none" for resource in episode.environment.resources.values())


class _EntryLock:
    """Context manager of :meth:`EpisodeCache.lock`.

    A class, because a generator is several times slower.
    """

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
        self._cache.unlock(self._episode_id, self._entry)
