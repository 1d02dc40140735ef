"""What a journal stores, and the interface of journals.

An episode is a :class:`Header` and one :class:`Entry` per turn. A :class:`Journal` writes by compare-and-set: an id is assigned
once, and a turn is appended only if it follows the last turn of the same episode. Entries form a hash chain: each has a digest
of its turn and of the entry before it. So the journal detects a caller whose copy is outdated, and one whose copy is ahead of a
journal that lost turns. A caller that loses gets the stored episode instead, in which a repeated request finds its answer::

    entry = Entry.chained(previous, record, answer)      # previous: digest of the last entry, "" for the first
    stored = await journal.append(header, turn, entry)    # None: recorded, and survives a crash
"""

from __future__ import annotations

import json
import secrets
from asyncio import Future
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol

from envhub.core.errors import TooBusy, UnknownEpisode
from envhub.core.types import JSON
from envhub.episodes.record import Record


def _new_incarnation() -> str:
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class Header:
    """How an episode started.

    Attributes:
        episode_id: Its id.
        request: The request that created it, to recognize a repeat.
        task: The task key as JSON, with the difficulty.
        options: Answer format, system message and reward weights.
        first_turn_seed: The turn seed it started with.
        turn_seed: The turn seed since the last fork.
        inherited: Number of turns it inherited when it was forked.
        at: When it started, in seconds since the epoch.
        incarnation: Distinguishes it from later episodes with the same id.
    """

    episode_id: str
    request: JSON
    task: Mapping[str, JSON]
    options: Mapping[str, JSON]
    first_turn_seed: int = 0
    turn_seed: int = 0
    inherited: int = 0
    at: float = 0.0
    incarnation: str = field(default_factory=_new_incarnation)


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn: its record, for the fold, and its answer.

    Without the episode's id because forks inherit turns.

    Attributes:
        record: The action and the outcomes of its effects.
        answer: The five-tuple as it was sent.
        at: When it was taken, in seconds since the epoch.
        took_s: Duration in seconds, including effects.
        previous: Digest of the turn before it; empty for the first.
        digest: Identifies the history up to and including this turn.
    """

    record: Record
    answer: JSON
    at: float = 0.0
    took_s: float = 0.0
    previous: str = ""
    digest: str = ""

    @classmethod
    def chained(cls, previous: str, record: Record, answer: JSON, at: float = 0.0, took_s: float = 0.0) -> Entry:
        """The entry of a turn after the one with digest ``previous``.

        The digest covers what a fold depends on, so repeating the same turn gives the same digest.

        Raises:
            TypeError: The outcome of an effect is not JSON.
        """
        made_of = f"{previous} {record.turn_seed} {len(record.action)} {record.action}"
        if record.effects:
            made_of += json.dumps([effect.to_json() for effect in record.effects])
        digest = blake2b(made_of.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        return cls(record, answer, at, took_s, previous, digest)

    @property
    def over(self) -> bool:
        """Whether the episode ended with this turn."""
        return bool(self.answer["terminated"] or self.answer["truncated"])


@dataclass(slots=True)
class StoredEpisode:
    """An episode as the journal stores it."""

    header: Header
    entries: list[Entry] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """Digest of the last turn; empty before the first."""
        return self.entries[-1].digest if self.entries else ""


class Journal(Protocol):
    """Interface of a journal.

    All coroutines and futures raise :class:`~envhub.core.errors.JournalUnavailable` when the journal cannot be read or
    written. Nothing is damaged then; repeat the request to find out whether it was recorded.
    """

    async def create(self, header: Header, entries: list[Entry], max_open: int | None = None) -> StoredEpisode | None:
        """Record a new episode.

        Args:
            header: How it starts.
            entries: The turns it inherits.
            max_open: Maximum number of unfinished episodes of its owner, including this one; see :func:`owner_of`.

        Returns:
            None if it was recorded, else the episode that already has this id.

        Raises:
            TooBusy: The journal is full, or the owner is at its limit.
        """
        ...

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        """Record turn number ``turn`` of the episode with ``header``.

        Counted from 0; it follows the turn ``entry.previous``.

        Returns:
            A future, done already if there was nothing to wait for: None if the turn was recorded, else the stored episode,
            whose next turn this is not.

        Raises:
            UnknownEpisode: No episode has this id any more.
        """
        ...

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        """Load an episode, or None.

        Resets its idle time (accurate to a sixteenth) unless ``use`` is false.
        """
        ...

    async def position(self, header: Header) -> tuple[int, str] | None:
        """Number of turns of the episode and the digest of the last.

        None if it is gone. Cheap.
        """
        ...

    async def delete(self, episode_id: str) -> bool:
        """Delete an episode. Returns False if there was none."""
        ...

    async def sweep(self) -> list[str]:
        """Delete episodes that have been idle for too long.

        Returns the ids of all that this object deleted for lack of use or room since the last call. Cheap when there is nothing
        to do. Leaves some for the next call when there are very many.
        """
        ...

    async def count(self) -> int:
        """Number of episodes."""
        ...

    async def count_open(self, owner: str) -> int:
        """Number of unfinished episodes of an owner; see :func:`owner_of`."""
        ...

    async def finished(self) -> list[str]:
        """Ids of the finished episodes, in the order in which they finished."""
        ...

    def __len__(self) -> int:
        """Number of episodes when this object last wrote."""
        ...

    def close(self) -> None:
        """Write pending records and close files and connections."""
        ...


def owner_of(episode_id: str) -> str:
    """The owner part of an episode id.

    Up to and including the first colon; empty without one.
    """
    owner, colon, _ = episode_id.partition(":")
    return f"{owner}:" if colon else ""


def journal_full(capacity: int) -> TooBusy:
    """The error for a full journal."""
    return TooBusy(
        f"The server holds {capacity} episodes, which is its limit. Finish or delete some, or try later.", retry_after=5
    )


def too_many_open(most: int) -> TooBusy:
    """The error for an owner at its limit of unfinished episodes."""
    return TooBusy(
        f"This key has {most} open episodes, which is its limit. Finish or delete some, or try later.", retry_after=5
    )


def unknown_episode(episode_id: str) -> UnknownEpisode:
    """The error for an episode that does not exist."""
    return UnknownEpisode(f"No episode {episode_id!r}; it may have expired or been deleted.")
