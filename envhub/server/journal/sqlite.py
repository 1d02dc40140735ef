"""A journal in one SQLite file, which all workers of a machine share: the default.

Turns that come together are committed together (:mod:`.sqlite_file`) before they are answered, so they survive the death of
the process however it dies. A loss of power takes those of the last second or so: their episodes go on from an earlier turn,
which whoever plays them is told by a conflict; no reward is doubled or changed. ``fsync_always``
loses nothing even then, and is not the default because a turn that comes alone then costs several times the CPU and the time of
the disk (``python -m benchmarks.journals``). Either way the file stays whole. It must lie on a disk of this machine: a
write-ahead log does not work over a network.

When the disk is full, read-only or broken, requests end with :class:`~envhub.core.errors.JournalUnavailable`; what was recorded
stays, and it goes on when it can. The file stays flat: what is forgotten makes room in it, and much room is given back.
"""

from __future__ import annotations

import time
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

VERSION: Final = 2
"""Of the layout of the file."""

_APPLICATION: Final = 0x656E7668
_PLACES: Final = 1 << 24
"""The records of an episode lie behind each other, from place ``number * _PLACES`` on: its header, then its turns.

So a turn is one row, in one page, and its place can be taken once. When an episode was used is not written with every turn, but
where what is written is out of date by a sixteenth of the idle time.
"""
_LAYOUT: Final = """
CREATE TABLE episodes (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, birth TEXT NOT NULL, owner TEXT NOT NULL,
    used REAL NOT NULL, ended INTEGER
);
CREATE INDEX ended ON episodes (ended) WHERE ended IS NOT NULL;
CREATE INDEX unfinished ON episodes (owner) WHERE ended IS NULL AND owner <> '';
CREATE TABLE records (place INTEGER PRIMARY KEY, mark TEXT NOT NULL, value BLOB NOT NULL);
CREATE TABLE held (episodes INTEGER NOT NULL);
INSERT INTO held VALUES (0);
"""
_WHOLE: Final = f"episodes JOIN records ON place BETWEEN number * {_PLACES} AND number * {_PLACES} + {_PLACES - 1}"
_LOAD: Final = f"SELECT used, value FROM {_WHOLE} WHERE id = ? ORDER BY place"
_POSITION: Final = f"""
SELECT place % {_PLACES}, mark FROM {_WHOLE} WHERE id = ? AND birth = ? AND used >= ? ORDER BY place DESC LIMIT 1
"""
_TAKE: Final = f"""
INSERT OR IGNORE INTO records SELECT place + 1, ?, ? FROM episodes JOIN records ON place = number * {_PLACES} + ?
WHERE id = ? AND birth = ? AND used >= ? AND mark = ? RETURNING (SELECT used FROM episodes WHERE number = place / {_PLACES})
"""
_END: Final = "UPDATE episodes SET ended = (SELECT coalesce(max(ended), 0) + 1 FROM episodes) WHERE id = ?"
_TOUCH: Final = "UPDATE episodes SET used = max(used, ?) WHERE id = ? AND birth = ?"
_FINISHED: Final = "SELECT id FROM episodes WHERE ended IS NOT NULL ORDER BY ended"
_OPEN: Final = (
    "SELECT count(*) FROM episodes WHERE owner = ? AND ended IS NULL AND owner <> ''"  # as its index wants it
)
_IDLE_AT_ONCE: Final = 500
_IDLE_FOR_ONE: Final = 8
"""So many are forgotten where one is to be made: the loop waits."""
_PAGES_AT_ONCE: Final = 2_000
_SPARE_PAGES: Final = 256


class SqliteJournal:
    """A journal in a file.

    Args:
        path: Of the file; its owner alone may read it, for a seed is as good as a solution.
        ttl_s: Seconds after which an idle episode may be forgotten.
        capacity: Most episodes at once.
        clock: Seconds of the epoch.
        fsync_always: Whether a turn has reached the disk when it is answered, instead of a second later.
        sync: Waits until an open file is on the disk.

    Raises:
        JournalUnavailable: It cannot be opened, or is not a journal of ours.
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
        self._idle_from = 0.0  # until then nothing has been idle for too long
        self._sweep_from = 0.0

    async def create(self, header: Header, entries: list[Entry], max_open: int | None = None) -> StoredEpisode | None:
        """Record a new episode, or return what has its id."""
        values = [("", encode_header(header)), *((entry.digest, encode_entry(entry)) for entry in entries)]
        over = bool(entries) and entries[-1].over
        now = self._clock()
        may_be_idle, since = now > self._idle_from, now - self._ttl_s
        creation = _Creation(header, values, over, now, since, self._capacity, may_be_idle, max_open)
        taken: list[Any] | None = await self._file.write(creation)
        if creation.room is not None:
            self._take_note(creation.room)
        return None if taken is None else decode(row[1] for row in taken)

    async def append(self, header: Header, turn: int, entry: Entry) -> StoredEpisode | None:
        """Record a turn if it is the next, or return what stands there."""
        now = self._clock()
        job = _Append(header, turn, entry, encode_entry(entry), now, self._ttl_s)
        taken: list[Any] | None = await self._file.write(job)
        return None if taken is None else decode(row[1] for row in taken)

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        """An episode; its idle time begins anew."""
        now = self._clock()
        found: tuple[float, StoredEpisode] | None = await self._file.read(partial(_load, episode_id, now - self._ttl_s))
        if found is None:
            return None
        used, stored = found
        if use and now - used > self._ttl_s / 16:
            with suppress(JournalUnavailable):  # what can be read is there, though the disk is full
                touch = (now, episode_id, stored.header.incarnation)
                await self._file.write(lambda connection: connection.execute(_TOUCH, touch).rowcount)
        return stored

    async def position(self, header: Header) -> tuple[int, str] | None:
        """How many turns an episode has, and the mark of the last."""
        found: tuple[int, str] | None = await self._file.read(partial(_position, header, self._clock() - self._ttl_s))
        return found

    async def delete(self, episode_id: str) -> bool:
        """Forget an episode."""
        found: bool = await self._file.write(partial(_delete, episode_id, self._clock() - self._ttl_s))
        return found

    async def sweep(self) -> list[str]:
        """Forget what has been idle for too long, give back room on the disk; the ids of all that is gone."""
        now = self._clock()
        if now >= self._sweep_from:
            self._sweep_from = now + self._ttl_s / 128
            room: _Room = await self._file.write(partial(_sweep, now - self._ttl_s), quick=False)
            self._take_note(room)
            if room.more:
                self._sweep_from = now
        ids, self._gone = self._gone, []
        return ids

    async def count(self) -> int:
        """How many episodes there are."""
        return await self._count("SELECT count(*) FROM episodes WHERE used >= ?")

    async def count_open(self, owner: str) -> int:
        """How many episodes an owner has not finished."""
        named = "AND owner <> ''" if owner else ""  # as its index wants it
        return await self._count(
            f"SELECT count(*) FROM episodes WHERE used >= ? AND owner = ? AND ended IS NULL {named}", owner
        )

    async def finished(self) -> list[str]:
        """What has ended, first that which ended first."""
        rows = await self._file.read(lambda connection: connection.execute(_FINISHED).fetchall(), quick=False)
        return [row[0] for row in rows]

    def __len__(self) -> int:
        return self._held

    def close(self) -> None:
        """Write what waits and close the file."""
        self._file.close()

    async def _count(self, statement: str, *more: str) -> int:
        since = self._clock() - self._ttl_s
        rows = await self._file.read(
            lambda connection: connection.execute(statement, (since, *more)).fetchall(), quick=False
        )
        return int(rows[0][0])

    def _take_note(self, room: _Room) -> None:
        self._gone += room.forgotten
        self._held = room.held
        if room.oldest is not None:
            self._idle_from = room.oldest + self._ttl_s


# -- what is done in the file ------------------------------------------------------------------------------------------


class _Room:
    """How many episodes there are, and the making of room for more.

    Attributes:
        held: How many there are.
        forgotten: The ids of those that had to go.
        oldest: When that was last used which was not used for longest, once it has been looked up.
        more: Whether more of them may be idle for too long.
    """

    def __init__(self, connection: Connection) -> None:
        self._run = connection.execute
        self._before = self.held = int(self._run("SELECT episodes FROM held").fetchone()[0])
        self.forgotten: list[str] = []
        self.oldest: float | None = None
        self.more = False

    def forget_idle(self, since: float, most: int) -> None:
        """Forget what has not been used since then; not too many at once, for others wait."""
        rows = self._run(
            "SELECT number, id FROM episodes WHERE used < ? ORDER BY used LIMIT ?", (since, most)
        ).fetchall()
        self._forget(rows)
        self.more = len(rows) == most
        if not self.more:
            self.oldest = self._run("SELECT min(used) FROM episodes").fetchone()[0]

    def forget_finished(self) -> None:
        """Forget what ended longest ago."""
        finished = "SELECT number, id FROM episodes WHERE ended IS NOT NULL ORDER BY ended LIMIT 1"
        self._forget(self._run(finished).fetchall())

    def forget(self, number: int) -> None:
        """Forget one that nobody needs to be told of."""
        first = number * _PLACES
        self._run("DELETE FROM records WHERE place BETWEEN ? AND ?", (first, first + _PLACES - 1))
        self._run("DELETE FROM episodes WHERE number = ?", (number,))
        self.held -= 1

    def write(self) -> None:
        """Write down how many there are."""
        if self.held != self._before:
            self._run("UPDATE held SET episodes = ?", (self.held,))

    def _forget(self, rows: list[tuple[int, str]]) -> None:
        for number, episode_id in rows:
            self.forget(number)
            self.forgotten.append(episode_id)


@dataclass(slots=True)
class _Creation:
    """Records a new episode; leaves behind what it learnt about the room there is."""

    header: Header
    values: list[tuple[str, bytes]]
    over: bool
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
            return run(_LOAD, (header.episode_id,)).fetchall()
        if self.max_open is not None:
            owner = owner_of(header.episode_id)
            # all of them by the index alone; only where they are too many, without those that have expired
            if (
                run(_OPEN, (owner,)).fetchone()[0] >= self.max_open
                and run(f"{_OPEN} AND used >= ?", (owner, self.since)).fetchone()[0] >= self.max_open
            ):
                return too_many_open(self.max_open)
        room = self.room = _Room(connection)
        if standing is not None:  # expired: nothing of it is inherited
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
        row = (header.episode_id, header.incarnation, owner_of(header.episode_id), self.now)
        number = run("INSERT INTO episodes (id, birth, owner, used) VALUES (?, ?, ?, ?)", row).lastrowid or 0
        records = ((place, *value) for place, value in enumerate(self.values, number * _PLACES))
        connection.executemany("INSERT INTO records VALUES (?, ?, ?)", records)
        if self.over:
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
        if self.turn >= 0:  # before the first there is the record of another
            row = (entry.digest, self.value, self.turn, id, header.incarnation, since, entry.previous)
            for (used,) in run(_TAKE, row).fetchall():
                if self.now - used > self.ttl_s / 16:
                    run(_TOUCH, (self.now, id, header.incarnation))
                if entry.over:
                    run(_END, (id,))
                return None
        rows = run(_LOAD, (id,)).fetchall()
        return rows if rows and rows[0][0] >= since else unknown_episode(id)


def _load(episode_id: str, since: float, connection: Connection) -> tuple[float, StoredEpisode] | None:
    rows = connection.execute(_LOAD, (episode_id,)).fetchall()
    return (rows[0][0], decode(row[1] for row in rows)) if rows and rows[0][0] >= since else None


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
        # one by one: Python stops this statement after its first page, however many it is to free
        for _ in range(min(free, _PAGES_AT_ONCE)):
            connection.execute("PRAGMA incremental_vacuum(1)")
    return room
