"""The default journal: one SQLite file.

All workers of a machine share it. Turns that arrive together are committed together (:mod:`.sqlite_file`) before they
are answered, so they survive a crash of the process. A power failure loses about the last second: affected episodes
resume at an earlier turn, and their clients get a conflict; no reward is counted twice or changed. ``fsync_always``
loses nothing even then. It is not the default because a single turn then costs several times the CPU time and the
latency of the disk (``python -m benchmarks.journals``). The file never becomes corrupt. It must be on a local disk: a
write-ahead log does not work over a network.

While the disk is full, read-only or broken, requests fail with :class:`~envhub.core.errors.JournalUnavailable`; recorded turns
are kept. The file does not grow without bound: deleted episodes free pages for reuse, and many free pages are returned to the
disk.
"""

from __future__ import annotations

import time
from asyncio import Future
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from envhub.core.errors import JournalUnavailable
from envhub.server.journal import sqlite_jobs as jobs
from envhub.server.journal.codec import encode_entry, encode_header
from envhub.server.journal.records import Entry, Header, StoredEpisode
from envhub.server.journal.sqlite_file import SqliteFile


class SqliteJournal:
    """A journal in a file.

    Args:
        path: Path of the file. Only its owner may read it, because a seed reveals the solution.
        ttl_s: Seconds after which an idle episode may be deleted.
        capacity: Maximum number of episodes.
        clock: Current time in seconds since the epoch.
        fsync_always: Whether to sync each turn to disk before it is answered, instead of within a second.
        sync: Syncs an open file to disk.

    Raises:
        JournalUnavailable: The file cannot be opened, or is not a journal.
    """

    def __init__(
        self,
        path: Path,
        ttl_s: float,
        capacity: int,
        clock: Callable[[], float] = time.time,
        *,
        fsync_always: bool = False,
        sync: Callable[[int], None] | None = None,
    ) -> None:
        self._file = SqliteFile(
            path,
            application=jobs.APPLICATION,
            version=jobs.VERSION,
            layout=jobs.LAYOUT,
            fsync_always=fsync_always,
            sync=sync,
        )
        self._ttl_s = ttl_s
        self._capacity = capacity
        self._clock = clock
        self._held = 0
        self._gone: list[str] = []
        self._idle_from = 0.0  # before this, no episode has been idle for too long
        self._sweep_from = 0.0

    async def create(self, header: Header, entries: list[Entry], max_open: int | None = None) -> StoredEpisode | None:
        """Record a new episode, or return the one that has its id."""
        values = [encode_header(header), *map(encode_entry, entries)]
        now = self._clock()
        may_be_idle, since = now > self._idle_from, now - self._ttl_s
        last = entries[-1] if entries else None
        creation = jobs.Creation(header, values, last, now, since, self._capacity, may_be_idle, max_open)
        stored_instead: StoredEpisode | None = await self._file.write(creation)
        if creation.room is not None:
            self._note_room(creation.room)
        return stored_instead

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        """Record the next turn, else return the stored episode.

        It is returned if the turn is not the next one.
        """
        return self._file.write(jobs.Append(header, turn, entry, encode_entry(entry), self._clock(), self._ttl_s))

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        """Load an episode and reset its idle time."""
        now = self._clock()
        found: tuple[float, StoredEpisode] | None = await self._file.read(
            partial(jobs.load, episode_id, now - self._ttl_s)
        )
        if found is None:
            return None
        used, stored = found
        if use and now - used > self._ttl_s / 16:
            with suppress(JournalUnavailable):  # reading works although the disk is full
                touch = (now, episode_id, stored.header.incarnation)
                await self._file.write(lambda connection: connection.execute(jobs.TOUCH, touch).rowcount)
        return stored

    async def position(self, header: Header) -> tuple[int, str] | None:
        """Number of turns of an episode, and the digest of the last."""
        found: tuple[int, str] | None = await self._file.read(
            partial(jobs.position, header, self._clock() - self._ttl_s)
        )
        return found

    async def delete(self, episode_id: str) -> bool:
        """Delete an episode."""
        found: bool = await self._file.write(partial(jobs.delete, episode_id, self._clock() - self._ttl_s))
        return found

    async def sweep(self) -> list[str]:
        """Delete idle episodes and return free pages to the disk.

        Returns the ids of all deleted episodes.
        """
        now = self._clock()
        if now >= self._sweep_from:
            self._sweep_from = now + self._ttl_s / 128
            room: jobs.Room = await self._file.write(partial(jobs.sweep, now - self._ttl_s), quick=False)
            self._note_room(room)
            if room.more:
                self._sweep_from = now
        ids, self._gone = self._gone, []
        return ids

    async def count(self) -> int:
        """Number of episodes."""
        return await self._count("SELECT count(*) FROM episodes WHERE used >= ?")

    async def count_open(self, owner: str) -> int:
        """Number of unfinished episodes of an owner."""
        named = "AND owner <> ''" if owner else ""  # written so that SQLite uses the partial index
        return await self._count(
            f"SELECT count(*) FROM episodes WHERE used >= ? AND owner = ? AND ended IS NULL {named}", owner
        )

    async def finished(self) -> list[str]:
        """Ids of finished episodes, in the order in which they finished."""
        rows = await self._file.read(lambda connection: connection.execute(jobs.FINISHED).fetchall(), quick=False)
        return [row[0] for row in rows]

    def __len__(self) -> int:
        return self._held

    def close(self) -> None:
        """Write pending jobs and close the file."""
        self._file.close()

    async def _count(self, statement: str, *more: str) -> int:
        since = self._clock() - self._ttl_s
        rows = await self._file.read(
            lambda connection: connection.execute(statement, (since, *more)).fetchall(), quick=False
        )
        return int(rows[0][0])

    def _note_room(self, room: jobs.Room) -> None:
        self._gone += room.forgotten
        self._held = room.held
        if room.oldest is not None:
            self._idle_from = room.oldest + self._ttl_s
