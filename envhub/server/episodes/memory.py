"""Episodes folded into memory: copies of what the journal holds, of which only so many are kept.

What was used longest ago leaves first and gives back its resources; they come back as they declare when the episode is folded
again. What has not been used for a while leaves as well, long before its record expires: another worker may have taken it over.
Only what could not come back waits until that is known. What is in use stays, whatever the bound::

    async with live.held(episode_id) as place:      # one user of an episode at a time
        place.fold = ...
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from envhub.core.types import Verdict
from envhub.episodes.episode import Episode
from envhub.server.journal import Header, Stored
from envhub.tasks.options import Options


@dataclass(slots=True)
class Fold:
    """An episode in memory: which record it is a copy of, the marks of its turns, and how its verdicts become rewards."""

    header: Header
    episode: Episode
    marks: list[str]
    reward: Callable[[Verdict], float]
    used: float

    @property
    def position(self) -> tuple[int, str]:
        """What :meth:`Journal.position` says of the record that it is up to date with."""
        return len(self.marks), self.marks[-1] if self.marks else ""

    def is_of(self, stored: Stored) -> bool:
        """Whether it is up to date with a record."""
        return self.header.birth == stored.header.birth and self.position == (len(stored.entries), stored.mark)

    def is_past_of(self, stored: Stored) -> bool:
        """Whether a record tells the same as far as both go, or is of an episode that has the same id."""
        both = min(len(self.marks), len(stored.entries))
        return (
            self.header.birth != stored.header.birth
            or not both
            or self.marks[both - 1] == stored.entries[both - 1].mark
        )


@dataclass(slots=True)
class Place:
    """What is held of an episode, the lock that orders its turns, and how many hold or await it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    fold: Fold | None = None


class Live:
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
        self._places: OrderedDict[str, Place] = OrderedDict()  # by last use, longest ago first

    def __len__(self) -> int:
        return len(self._places)

    def held(self, episode_id: str) -> _Held:
        """The place of an episode, for one user at a time; while it has users it stays in memory."""
        return _Held(self, episode_id)

    def begin_use(self, episode_id: str) -> Place:
        """A place that stays until :meth:`end_use`."""
        place = self._touch(episode_id)
        place.users += 1
        return place

    def end_use(self, episode_id: str, place: Place) -> None:
        """One user less."""
        place.users -= 1
        if place.fold is None and not place.users:
            self._places.pop(episode_id, None)
        self._shrink()

    def fold(self, episode_id: str) -> Fold | None:
        """What is in memory of an episode; counts as use of it."""
        place = self._places.get(episode_id)
        return None if place is None else self._touch(episode_id).fold

    def offer(self, header: Header, episode: Episode, marks: Sequence[str] = ()) -> None:
        """Keep an episode that has just begun, unless somebody has taken it up already."""
        place = self._places.get(header.episode_id)
        if place is None or (place.fold is None and not place.users):
            self.keep(header, episode, marks)

    def keep(self, header: Header, episode: Episode, marks: Sequence[str]) -> Fold:
        """Keep an episode whose place the caller holds; what was there of it gives back its resources."""
        place = self._touch(header.episode_id)
        if place.fold is not None:
            place.fold.episode.close()
        reward = Options.read({"reward": header.options.get("reward")}).reward
        place.fold = Fold(header, episode, list(marks), reward, self._timer())
        self._shrink()
        return place.fold

    def drop(self, episode_id: str) -> None:
        """Let go of an episode and give back its resources."""
        place = self._places.get(episode_id)
        if place is None:
            return
        fold, place.fold = place.fold, None
        if not place.users:
            del self._places[episode_id]
        if fold is not None:
            fold.episode.close()

    def fold_of(self, episode_id: str) -> Fold | None:
        """What is in memory of an episode; no use of it."""
        place = self._places.get(episode_id)
        return None if place is None else place.fold

    def drop_idle(self) -> list[Fold]:
        """Let go of what has not been used for long.

        Returns:
            Those of it that stay, for what they hold could not come back; longest unused first.
        """
        since = self._timer() - self._idle_s
        idle: list[tuple[str, Fold]] = []
        for episode_id, place in self._places.items():  # by last use
            if place.fold is not None and place.fold.used >= since:
                break
            if place.fold is not None and not place.users:
                idle.append((episode_id, place.fold))
        staying: list[Fold] = []
        for episode_id, fold in idle:
            if _cannot_come_back(fold.episode):
                staying.append(fold)
            else:
                self.drop(episode_id)
        return staying

    def close(self) -> None:
        """Let go of everything."""
        for episode_id in list(self._places):
            self.drop(episode_id)

    def _touch(self, episode_id: str) -> Place:
        place = self._places.get(episode_id)
        if place is None:
            place = self._places[episode_id] = Place()
        else:
            self._places.move_to_end(episode_id)
        if place.fold is not None:
            place.fold.used = self._timer()
        return place

    def _shrink(self) -> None:
        """Let go of what was used longest ago and has no users, until few enough are left."""
        surplus = len(self._places) - self._most
        if surplus > 0:
            idle = (episode_id for episode_id, place in self._places.items() if not place.users)
            for episode_id in list(islice(idle, surplus)):
                self.drop(episode_id)


def _cannot_come_back(episode: Episode) -> bool:
    return any(resource.restore == "none" for resource in episode.environment.resources.values())


class _Held:
    """What :meth:`Live.held` gives; a class, for a generator costs several times as much, and every turn needs one."""

    __slots__ = ("_episode_id", "_live", "_place")
    _place: Place

    def __init__(self, live: Live, episode_id: str) -> None:
        self._live, self._episode_id = live, episode_id

    async def __aenter__(self) -> Place:
        place = self._place = self._live.begin_use(self._episode_id)
        try:
            await place.lock.acquire()
        except BaseException:
            self._live.end_use(self._episode_id, place)
            raise
        return place

    async def __aexit__(self, *_: object) -> None:
        self._place.lock.release()
        self._live.end_use(self._episode_id, self._place)
