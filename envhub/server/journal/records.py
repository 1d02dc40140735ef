"""What a journal holds, and what the service asks of one.

An episode is a :class:`Header` and one :class:`Entry` for each turn. A :class:`Journal` compares and sets: an id is given once,
and a turn is appended only to the end it was meant for, of the very episode it was meant for. Entries are a chain: each has a
mark made of its turn and of the mark before it, and says which that was. So a view is noticed that is outdated, and also one
that is ahead of a journal which has lost turns and gone on otherwise. Whoever loses is told what stands there instead, and a
repeated request finds the recorded answer::

    entry = Entry.following(before, record, answer)       # before: the mark of the last entry, "" where there is none
    stands = await journal.append(header, turn, entry)    # None: recorded, and will be found after a crash
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol

from envhub.core.errors import TooBusy, UnknownEpisode
from envhub.core.types import JSON
from envhub.episodes.episode import Record


def _new_birth() -> str:
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class Header:
    """How an episode began.

    Attributes:
        episode_id: Its id.
        request: The request that made it, to tell a repeat from another one.
        task: The task key as JSON, with the difficulty.
        options: Answer format, system message and reward weights.
        first_turn_seed: The turn seed it began with.
        turn_seed: The turn seed of later turns.
        inherited: How many of its turns were taken before it was forked.
        at: When it began, in seconds of the epoch.
        birth: Tells it from an episode that has the same id after it.
    """

    episode_id: str
    request: JSON
    task: Mapping[str, JSON]
    options: Mapping[str, JSON]
    first_turn_seed: int = 0
    turn_seed: int = 0
    inherited: int = 0
    at: float = 0.0
    birth: str = field(default_factory=_new_birth)


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn: what the fold needs, and what was answered (but for the episode's id, for a fork inherits its turns).

    Attributes:
        record: The action and what the world answered.
        answer: The five-tuple as it was sent.
        at: When it was taken, in seconds of the epoch.
        took_s: Seconds it took, effects included.
        after: The mark of the turn before it; empty for the first.
        mark: Tells this past, up to and with this turn, from every other.
    """

    record: Record
    answer: JSON
    at: float = 0.0
    took_s: float = 0.0
    after: str = ""
    mark: str = ""

    @classmethod
    def following(cls, before: str, record: Record, answer: JSON, at: float = 0.0, took_s: float = 0.0) -> Entry:
        """The entry of a turn that was taken after the one with the mark ``before``.

        The mark is made of what a fold depends on, so the same turn taken once more has the same.

        Raises:
            TypeError: An effect brought something that JSON has no form for.
        """
        made_of = f"{before} {record.turn_seed} {len(record.action)} {record.action}"
        if record.effects:
            made_of += json.dumps([effect.to_json() for effect in record.effects])
        mark = blake2b(made_of.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        return cls(record, answer, at, took_s, before, mark)

    @property
    def over(self) -> bool:
        """Whether the episode ended with this turn."""
        return bool(self.answer["terminated"] or self.answer["truncated"])


@dataclass(slots=True)
class Stored:
    """An episode as the journal holds it."""

    header: Header
    entries: list[Entry] = field(default_factory=list)

    @property
    def mark(self) -> str:
        """The mark of the last turn; empty where there is none."""
        return self.entries[-1].mark if self.entries else ""


class Journal(Protocol):
    """What the service needs of a journal.

    All coroutines raise :class:`~envhub.core.errors.JournalUnavailable` when it cannot be read or written. Then
    nothing is damaged, and whether the request was recorded is found out by repeating it.
    """

    async def create(self, header: Header, entries: list[Entry], most_open: int | None = None) -> Stored | None:
        """Record a new episode.

        Args:
            header: How it begins.
            entries: The turns it inherits.
            most_open: How many unfinished episodes its owner may have, with this one; see :func:`owner_of`.

        Returns:
            None when it was recorded, or what stands under this id already.

        Raises:
            TooBusy: There is no room, or its owner has as many as it may.
        """
        ...

    async def append(self, header: Header, turn: int, entry: Entry) -> Stored | None:
        """Record turn number ``turn`` (from 0) of the episode that began with ``header``, after the one with ``entry.after``.

        Returns:
            None when it was recorded, or what stands under this id when that was not its next turn, or not after that one.

        Raises:
            UnknownEpisode: The episode is gone, and no other has its id.
        """
        ...

    async def load(self, episode_id: str, *, use: bool = True) -> Stored | None:
        """An episode, or None. Counts as use of it, unless told otherwise; idle time is kept to within a sixteenth."""
        ...

    async def position(self, header: Header) -> tuple[int, str] | None:
        """How many turns the episode that began with ``header`` has, and the mark of the last; None when it is gone. Cheap."""
        ...

    async def delete(self, episode_id: str) -> bool:
        """Forget an episode; False when there was none."""
        ...

    async def sweep(self) -> list[str]:
        """Forget what has been idle for too long; the ids of all that this object has forgotten since the last call.

        Cheap when there is nothing to do; leaves some for the next call when there is very much.
        """
        ...

    async def count(self) -> int:
        """How many episodes there are."""
        ...

    async def count_open(self, owner: str) -> int:
        """How many episodes of an owner are unfinished; see :func:`owner_of`."""
        ...

    async def finished(self) -> list[str]:
        """The ids of the episodes that have ended, in the order of their ends."""
        ...

    def __len__(self) -> int:
        """How many episodes there were when this object last wrote."""
        ...

    def close(self) -> None:
        """Write what waits, and let go of files and connections."""
        ...


def owner_of(episode_id: str) -> str:
    """Whose an episode is: its id up to the first colon and with it; empty where there is none."""
    owner, colon, _ = episode_id.partition(":")
    return f"{owner}:" if colon else ""


def full(capacity: int) -> TooBusy:
    """What is raised when there is no room for another episode."""
    return TooBusy(
        f"The server holds {capacity} episodes, which is its limit. Finish or delete some, or try later.", retry_after=5
    )


def too_many_open(most: int) -> TooBusy:
    """What is raised when an owner has as many unfinished episodes as it may."""
    return TooBusy(
        f"This key has {most} open episodes, which is its limit. Finish or delete some, or try later.", retry_after=5
    )


def gone(episode_id: str) -> UnknownEpisode:
    """What is raised when an episode is not there."""
    return UnknownEpisode(f"No episode {episode_id!r}; it may have expired or been deleted.")
