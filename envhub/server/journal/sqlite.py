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
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final

from envhub.core.errors import JournalUnavailable
from envhub.server.journal.codec import decode, encode_entry, encode_header
from envhub.server.journal.records import (
    Entry,
    Header,
    StoredEpisode,
    journal_full,
    owner_of,
    too_many_open,
    unknown_episode,
)
from envhub.server.journal.sqlite_file import SqliteFile

VERSION: Final = 4
"""Version of the file's schema."""

_APPLICATION: Final = 0x656E7668
_LAYOUT: Final = """
CREATE TABLE episodes (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, incarnation TEXT NOT NULL, owner TEXT NOT NULL,
    used REAL NOT NULL, ended INTEGER, turns INTEGER NOT NULL, digest TEXT NOT NULL, last INTEGER NOT NULL
);
CREATE INDEX ended ON episodes (ended) WHERE ended IS NOT NULL;
CREATE INDEX unfinished ON episodes (owner) WHERE ended IS NULL AND owner <> '';
CREATE TABLE records (place INTEGER PRIMARY KEY, previous INTEGER, value BLOB NOT NULL);
CREATE TABLE held (episodes INTEGER NOT NULL);
INSERT INTO held VALUES (0);
"""
"""Headers and turns are appended in the order of writing, so the turns of a batch share their pages; each names the place of
the record before it in its episode. An episode names its last record, and the number and digest of its turns: a turn that does
not follow them is refused. The time of last use is not written with every turn, but only when the stored one is outdated by a
sixteenth of the idle time.
"""
_CHAIN: Final = """
WITH RECURSIVE chain (place) AS (
    VALUES (?) UNION ALL SELECT previous FROM chain JOIN records USING (place) WHERE previous < place
)
"""
_STANDING: Final = "SELECT used, turns, last FROM episodes WHERE id = ?"
_VALUES: Final = f"{_CHAIN} SELECT value FROM chain JOIN records USING (place) ORDER BY place"
_FORGET: Final = f"{_CHAIN} DELETE FROM records WHERE place IN chain"
_POSITION: Final = "SELECT turns, digest FROM episodes WHERE id = ? AND incarnation = ? AND used >= ?"
_TAKE: Final = """
INSERT INTO records (previous, value)
SELECT last, ? FROM episodes WHERE id = ? AND incarnation = ? AND used >= ? AND turns = ? AND digest = ?
"""
_TOOK: Final = "UPDATE episodes SET turns = turns + 1, digest = ?, last = ? WHERE id = ? RETURNING used"
_BEGIN: Final = """
INSERT INTO episodes (id, incarnation, owner, used, turns, digest, last) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
# "WHERE ended IS NOT NULL" lets SQLite use the partial index instead of reading every episode
_END: Final = """
UPDATE episodes SET ended = (SELECT coalesce(max(ended), 0) + 1 FROM episodes WHERE ended IS NOT NULL) WHERE id = ?
"""
_TOUCH: Final = "UPDATE episodes SET used = max(used, ?) WHERE id = ? AND incarnation = ?"
_FINISHED: Final = "SELECT id FROM episodes WHERE ended IS NOT NULL ORDER BY ended"
# "owner <> ''" lets SQLite use the partial index
_OPEN: Final = "SELECT count(*) FROM episodes WHERE owner = ? AND ended IS NULL AND owner <> ''"
_IDLE_AT_ONCE: Final = 500
_IDLE_FOR_ONE: Final = 8
"""Maximum number of idle episodes deleted to make room for one; the event loop waits for it."""
_PAGES_AT_ONCE: Final = 2_000
_SPARE_PAGES: Final = 256


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
            path, application=_APPLICATION, version=VERSION, layout=_LAYOUT, fsync_always=fsync_always, sync=sync
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
        creation = _Creation(header, values, last, now, since, self._capacity, may_be_idle, max_open)
        stored_instead: StoredEpisode | None = await self._file.write(creation)
        if creation.room is not None:
            self._note_room(creation.room)
        return stored_instead

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        """Record the next turn, else return the stored episode.

        It is returned if the turn is not the next one.
        """
        return self._file.write(_Append(header, turn, entry, encode_entry(entry), self._clock(), self._ttl_s))

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        """Load an episode and reset its idle time."""
        now = self._clock()
        found: tuple[float, StoredEpisode] | None = await self._file.read(partial(_load, episode_id, now - self._ttl_s))
        if found is None:
            return None
        used, stored = found
        if use and now - used > self._ttl_s / 16:
            with suppress(JournalUnavailable):  # reading works although the disk is full
                touch = (now, episode_id, stored.header.incarnation)
                await self._file.write(lambda connection: connection.execute(_TOUCH, touch).rowcount)
        return stored

    async def position(self, header: Header) -> tuple[int, str] | None:
        """Number of turns of an episode, and the digest of the last."""
        found: tuple[int, str] | None = await self._file.read(partial(_position, header, self._clock() - self._ttl_s))
        return found

    async def delete(self, episode_id: str) -> bool:
        """Delete an episode."""
        found: bool = await self._file.write(partial(_delete, episode_id, self._clock() - self._ttl_s))
        return found

    async def sweep(self) -> list[str]:
        """Delete idle episodes and return free pages to the disk.

        Returns the ids of all deleted episodes.
        """
        now = self._clock()
        if now >= self._sweep_from:
            self._sweep_from = now + self._ttl_s / 128
            room: _Room = await self._file.write(partial(_sweep, now - self._ttl_s), quick=False)
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
        rows = await self._file.read(lambda connection: connection.execute(_FINISHED).fetchall(), quick=False)
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

    def _note_room(self, room: _Room) -> None:
        self._gone += room.forgotten
        self._held = room.held
        if room.oldest is not None:
            self._idle_from = room.oldest + self._ttl_s


# -- jobs on the file --------------------------------------------------------------------------------------------------


class _Room:
    """Counts the episodes and deletes some to make room.

    Attributes:
        held: Number of episodes.
        forgotten: Ids of the deleted episodes.
        oldest: Time of last use of the least recently used episode, once it has been looked up.
        more: Whether there may be more idle episodes.
    """

    def __init__(self, connection: Connection) -> None:
        self._run = connection.execute
        self._before = self.held = int(self._run("SELECT episodes FROM held").fetchone()[0])
        self.forgotten: list[str] = []
        self.oldest: float | None = None
        self.more = False

    def forget_idle(self, since: float, most: int) -> None:
        """Delete at most ``most`` episodes that were last used before ``since``."""
        rows = self._run(
            "SELECT number, id FROM episodes WHERE used < ? ORDER BY used LIMIT ?", (since, most)
        ).fetchall()
        self._forget(rows)
        self.more = len(rows) == most
        if not self.more:
            self.oldest = self._run("SELECT min(used) FROM episodes").fetchone()[0]

    def forget_finished(self) -> None:
        """Delete the episode that finished longest ago."""
        finished = "SELECT number, id FROM episodes WHERE ended IS NOT NULL ORDER BY ended LIMIT 1"
        self._forget(self._run(finished).fetchall())

    def forget(self, number: int) -> None:
        """Delete an episode without listing it in ``forgotten``."""
        [last] = self._run("DELETE FROM episodes WHERE number = ? RETURNING last", (number,)).fetchall()
        self._run(_FORGET, last)
        self.held -= 1

    def write(self) -> None:
        """Store the number of episodes."""
        if self.held != self._before:
            self._run("UPDATE held SET episodes = ?", (self.held,))

    def _forget(self, rows: list[tuple[int, str]]) -> None:
        for number, episode_id in rows:
            self.forget(number)
            self.forgotten.append(episode_id)


@dataclass(slots=True)
class _Creation:
    """Records a new episode.

    ``room`` is set if it had to check the number of episodes.
    """

    header: Header
    values: list[bytes]
    last: Entry | None
    now: float
    since: float
    capacity: int
    may_be_idle: bool
    max_open: int | None
    room: _Room | None = None

    def __call__(self, connection: Connection) -> Any:
        header, run = self.header, connection.execute
        standing = run("SELECT number, used FROM episodes WHERE id = ?", (header.episode_id,)).fetchone()
        if standing is not None and standing[1] >= self.since:
            run("UPDATE episodes SET used = max(used, ?) WHERE number = ?", (self.now, standing[0]))
            return _stored(header.episode_id, self.since, connection)
        if self.max_open is not None:
            owner = owner_of(header.episode_id)
            # first count by the index alone; only if that is too many, exclude expired episodes
            if (
                run(_OPEN, (owner,)).fetchone()[0] >= self.max_open
                and run(f"{_OPEN} AND used >= ?", (owner, self.since)).fetchone()[0] >= self.max_open
            ):
                return too_many_open(self.max_open)
        room = self.room = _Room(connection)
        if standing is not None:  # expired
            room.forget(standing[0])
            room.forgotten.append(header.episode_id)
        if room.held >= self.capacity and self.may_be_idle:
            room.forget_idle(self.since, _IDLE_FOR_ONE)
        if room.held >= self.capacity:
            room.forget_finished()
        if room.held >= self.capacity:
            room.write()
            return journal_full(self.capacity)
        room.held += 1
        room.write()
        last: int | None = None
        for value in self.values:
            last = run("INSERT INTO records (previous, value) VALUES (?, ?)", (last, value)).lastrowid
        digest = self.last.digest if self.last else ""
        row = (header.episode_id, header.incarnation, owner_of(header.episode_id), self.now)
        run(_BEGIN, (*row, len(self.values) - 1, digest, last))
        if self.last and self.last.over:
            run(_END, (header.episode_id,))
        return None


@dataclass(slots=True)
class _Append:
    """Records a turn."""

    header: Header
    turn: int
    entry: Entry
    value: bytes
    now: float
    ttl_s: float

    def __call__(self, connection: Connection) -> Any:
        run, header, entry, since = connection.execute, self.header, self.entry, self.now - self.ttl_s
        id = header.episode_id
        taken = run(_TAKE, (self.value, id, header.incarnation, since, self.turn, entry.previous))
        if taken.rowcount:
            [(used,)] = run(_TOOK, (entry.digest, taken.lastrowid, id)).fetchall()
            if self.now - used > self.ttl_s / 16:
                run(_TOUCH, (self.now, id, header.incarnation))
            if entry.over:
                run(_END, (id,))
            return None
        return _stored(id, since, connection) or unknown_episode(id)


def _stored(episode_id: str, since: float, connection: Connection) -> StoredEpisode | JournalUnavailable | None:
    """The episode with this id.

    An error is returned, so that only one job fails.
    """
    try:
        found = _load(episode_id, since, connection)
    except JournalUnavailable as error:
        return error
    return None if found is None else found[1]


def _load(episode_id: str, since: float, connection: Connection) -> tuple[float, StoredEpisode] | None:
    """When an episode was last used, and its record.

    Raises:
        JournalUnavailable: The record is damaged.
    """
    standing = connection.execute(_STANDING, (episode_id,)).fetchone()
    if standing is None or standing[0] < since:
        return None
    used, turns, last = standing
    values = [value for (value,) in connection.execute(_VALUES, (last,))]
    if len(values) != turns + 1:
        raise JournalUnavailable(f"The record of an episode is damaged: it has {len(values) - 1} of {turns} turns.")
    return used, decode(values)


def _position(header: Header, since: float, connection: Connection) -> tuple[int, str] | None:
    found: tuple[int, str] | None = connection.execute(
        _POSITION, (header.episode_id, header.incarnation, since)
    ).fetchone()
    return found


def _delete(episode_id: str, since: float, connection: Connection) -> bool:
    rows = connection.execute("SELECT number, used FROM episodes WHERE id = ?", (episode_id,)).fetchall()
    if not rows:
        return False
    room = _Room(connection)
    room.forget(rows[0][0])
    room.write()
    return bool(rows[0][1] >= since)


def _sweep(since: float, connection: Connection) -> _Room:
    room = _Room(connection)
    room.forget_idle(since, _IDLE_AT_ONCE)
    room.write()
    free, pages = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
    if free > max(_SPARE_PAGES, pages // 4):
        # one page per call: Python stops this statement after its first row
        for _ in range(min(free, _PAGES_AT_ONCE)):
            connection.execute("PRAGMA incremental_vacuum(1)")
    return room
