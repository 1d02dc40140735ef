"""Jobs on the file of an SQLite journal.

Each runs within one transaction, on the connection it is given. A job is a callable that
:class:`~envhub.server.journal.sqlite_file.SqliteFile` runs. It returns an error that concerns only itself, instead of raising
it, so that the other jobs of its transaction are kept::

    stored_instead = await file.write(Append(header, turn, entry, value, now, ttl_s))
"""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any, Final

from envhub.core.errors import JournalUnavailable
from envhub.server.journal.codec import decode
from envhub.server.journal.records import (
    Entry,
    Header,
    StoredEpisode,
    journal_full,
    owner_of,
    too_many_open,
    unknown_episode,
)

VERSION: Final = 4
"""Version of the layout."""
APPLICATION: Final = 0x656E7668
LAYOUT: Final = """
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
TOUCH: Final = "UPDATE episodes SET used = max(used, ?) WHERE id = ? AND incarnation = ?"
FINISHED: Final = "SELECT id FROM episodes WHERE ended IS NOT NULL ORDER BY ended"
# "owner <> ''" lets SQLite use the partial index
_OPEN: Final = "SELECT count(*) FROM episodes WHERE owner = ? AND ended IS NULL AND owner <> ''"
_IDLE_AT_ONCE: Final = 500
_IDLE_FOR_ONE: Final = 8
"""Maximum number of idle episodes deleted to make room for one; the event loop waits for it."""
_PAGES_AT_ONCE: Final = 2_000
_SPARE_PAGES: Final = 256


class Room:
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
class Creation:
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
    room: Room | None = None

    def __call__(self, connection: Connection) -> Any:
        """None, the episode that has the id, or an error."""
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
        room = self.room = Room(connection)
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
class Append:
    """Records a turn."""

    header: Header
    turn: int
    entry: Entry
    value: bytes
    now: float
    ttl_s: float

    def __call__(self, connection: Connection) -> Any:
        """What became of the turn.

        None, the stored episode if it is not the next turn, or an error.
        """
        run, header, entry, since = connection.execute, self.header, self.entry, self.now - self.ttl_s
        id = header.episode_id
        taken = run(_TAKE, (self.value, id, header.incarnation, since, self.turn, entry.previous))
        if taken.rowcount:
            [(used,)] = run(_TOOK, (entry.digest, taken.lastrowid, id)).fetchall()
            if self.now - used > self.ttl_s / 16:
                run(TOUCH, (self.now, id, header.incarnation))
            if entry.over:
                run(_END, (id,))
            return None
        return _stored(id, since, connection) or unknown_episode(id)


def _stored(episode_id: str, since: float, connection: Connection) -> StoredEpisode | JournalUnavailable | None:
    """The episode with this id.

    An error is returned, so that only one job fails.
    """
    try:
        found = load(episode_id, since, connection)
    except JournalUnavailable as error:
        return error
    return None if found is None else found[1]


def load(episode_id: str, since: float, connection: Connection) -> tuple[float, StoredEpisode] | None:
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


def position(header: Header, since: float, connection: Connection) -> tuple[int, str] | None:
    """Number of turns of an episode, and the digest of the last."""
    found: tuple[int, str] | None = connection.execute(
        _POSITION, (header.episode_id, header.incarnation, since)
    ).fetchone()
    return found


def delete(episode_id: str, since: float, connection: Connection) -> bool:
    """Delete an episode; whether there was one that had not expired."""
    rows = connection.execute("SELECT number, used FROM episodes WHERE id = ?", (episode_id,)).fetchall()
    if not rows:
        return False
    room = Room(connection)
    room.forget(rows[0][0])
    room.write()
    return bool(rows[0][1] >= since)


def sweep(since: float, connection: Connection) -> Room:
    """Delete some idle episodes, and return some free pages to the disk."""
    room = Room(connection)
    room.forget_idle(since, _IDLE_AT_ONCE)
    room.write()
    free, pages = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
    if free > max(_SPARE_PAGES, pages // 4):
        # one page per call: Python stops this statement after its first row
        for _ in range(min(free, _PAGES_AT_ONCE)):
            connection.execute("PRAGMA incremental_vacuum(1)")
    return room
