"""The journal in a file: what it says when it cannot be used, that it stays whole and flat, and that nobody else reads it."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envhub.errors import JournalUnavailable, TooBusy
from envhub.server.journal import SqliteJournal
from envhub.server.journal.sqlite_file import SqliteFile
from tests.server.journal.kinds import TTL, Clock, entry, header, run, stands

LONG = "x" * 20_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "er" / "journal.sqlite"


@pytest.fixture
def journal(path: Path, clock: Clock) -> Iterator[SqliteJournal]:
    journal = SqliteJournal(path, TTL, 10_000, clock)
    yield journal
    journal.close()


def on(journal: SqliteJournal, statement: str) -> Any:
    """What a statement gives on the connection that writes."""
    return run(_write(journal, statement))


async def _write(journal: SqliteJournal, statement: str) -> Any:
    return await journal._file.write(lambda connection: connection.execute(statement).fetchall())


def pages(journal: SqliteJournal) -> int:
    return int(on(journal, "PRAGMA page_count")[0][0])


def whole(path: Path) -> bool:
    connection = sqlite3.connect(path)
    try:
        return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])
    finally:
        connection.close()


def test_only_its_owner_reads_it(journal: SqliteJournal, path: Path) -> None:
    run(journal.create(header("a"), []))
    for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm"), Path(f"{path}.lock")):
        assert stat.S_IMODE(name.stat().st_mode) == 0o600, name
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


class Disk:
    """What waits until a file is on the disk, and fails or waits when it is told to."""

    def __init__(self) -> None:
        self.synced = 0
        self.failing = False
        self.going = threading.Event()
        self.going.set()
        self.reached = threading.Event()

    def __call__(self, file: int) -> None:
        self.reached.set()
        assert self.going.wait(60)
        if self.failing:
            raise OSError(errno.EIO, "Input/output error", "/secret/path")
        self.synced += 1
        os.fdatasync(file)


@pytest.mark.parametrize("always", [True, False])
def test_a_turn_is_on_the_disk_before_it_is_answered_where_that_is_wanted(
    path: Path, clock: Clock, always: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not always:
        monkeypatch.setattr("envhub.server.journal.sqlite_file._SYNC_EVERY_S", 3600.0)
    disk, made = Disk(), header("a")
    journal = SqliteJournal(path, TTL, 10, clock, fsync_always=always, sync=disk)

    async def scenario() -> None:
        await journal.create(made, [])
        begun = disk.synced
        for turn in range(3):
            await journal.append(made, turn, entry("x"))
            assert (disk.synced == begun + turn + 1) is always
        await journal.load("a")
        await journal.append(made, 0, entry("lost"))  # nothing to write
        assert disk.synced == (begun + 3 if always else begun)

    run(scenario())
    journal.close()
    assert disk.synced  # what has not reached the disk before does in the end


def in_the_file(path: Path) -> int:
    """How many records the file has without its log."""
    connection = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    try:
        return int(connection.execute("SELECT count(*) FROM records").fetchone()[0])
    except sqlite3.OperationalError:  # not even its tables
        return 0
    finally:
        connection.close()


def test_what_may_not_be_on_the_disk_is_not_answered_where_that_is_promised(path: Path, clock: Clock) -> None:
    """After a sync that failed the next one succeeds and proves nothing, so everything is written once more."""
    disks = [Disk(), Disk()]
    one, two = (SqliteJournal(path, TTL, 10, clock, fsync_always=True, sync=disk) for disk in disks)
    made = header("a")
    run(one.create(made, []))
    disks[0].failing = True
    for _ in range(2):
        with pytest.raises(JournalUnavailable, match="cannot be written: Input/output error"):
            run(one.append(made, 0, entry("x")))
    with pytest.raises(JournalUnavailable, match="cannot be read"):
        run(one.load("a"))
    disks[1].failing = True
    with pytest.raises(JournalUnavailable, match="cannot be read"):
        run(two.load("a"))
    with pytest.raises(JournalUnavailable):
        run(two.position(made))
    with pytest.raises(JournalUnavailable):
        run(two.append(made, 0, entry("x")))
    disks[0].failing = disks[1].failing = False
    assert stands(run(two.load("a"))) == ["x"]
    assert in_the_file(path) == 2
    assert stands(run(one.append(made, 0, entry("x")))) == ["x"]
    assert run(one.append(made, 1, entry("y"))) is None
    assert stands(run(two.load("a"))) == ["x", "y"]
    one.close()
    two.close()
    assert whole(path)


def test_that_a_sync_failed_is_remembered_by_whoever_opens_the_file_next(path: Path, clock: Clock) -> None:
    disk, made = Disk(), header("a")
    journal = SqliteJournal(path, TTL, 10, clock, fsync_always=True, sync=disk)
    run(journal.create(made, []))
    disk.failing = True
    with pytest.raises(JournalUnavailable):
        run(journal.append(made, 0, entry("x")))
    again = SqliteJournal(path, TTL, 10, clock, fsync_always=True)
    assert in_the_file(path) == 2
    assert stands(run(again.load("a"))) == ["x"]
    again.close()
    journal.close()


@pytest.mark.parametrize("failing", [False, True])
def test_what_another_process_is_bringing_to_the_disk_is_waited_for(path: Path, clock: Clock, failing: bool) -> None:
    disks = [Disk(), Disk()]
    one, two = (SqliteJournal(path, TTL, 10, clock, fsync_always=True, sync=disk) for disk in disks)
    made = header("a")
    run(one.create(made, []))
    disks[0].going.clear()
    disks[0].reached.clear()

    async def scenario() -> None:
        appended = asyncio.ensure_future(one.append(made, 0, entry("x")))
        await asyncio.to_thread(disks[0].reached.wait, 60)
        begun, disks[1].failing = disks[1].synced, failing
        if failing:
            with pytest.raises(JournalUnavailable):
                await two.load("a")
        else:
            assert stands(await two.load("a")) == ["x"]
            assert disks[1].synced == begun + 1
        disks[0].going.set()
        if failing:
            with pytest.raises(JournalUnavailable):
                await appended
        else:
            assert await appended is None

    run(scenario())
    disks[1].failing = False
    one.close()
    two.close()


def test_a_sync_that_fails_in_the_background_is_made_up_for(
    path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("envhub.server.journal.sqlite_file._SYNC_EVERY_S", 3600.0)
    disk = Disk()
    journal = SqliteJournal(path, TTL, 10, clock, sync=disk)
    run(journal.create(header("a"), [entry("x")]))
    assert in_the_file(path) == 0
    disk.failing = True
    with pytest.raises(OSError, match="Input/output"):
        journal._file._sync_now()
    disk.failing = False
    journal._file._sync_now()
    assert in_the_file(path) == 2
    journal.close()


def test_a_long_log_is_moved_into_the_file(path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.server.journal.sqlite_file._SYNC_EVERY_S", 3600.0)
    monkeypatch.setattr("envhub.server.journal.sqlite_file._LOG_BYTES", 100_000)
    journal = SqliteJournal(path, TTL, 10, clock)
    log = Path(f"{path}-wal")
    run(journal.create(header("a"), []))
    journal._file._move_log()
    assert log.stat().st_size > 0
    run(journal.create(header("b"), [entry(LONG * 10)]))
    journal._file._move_log()
    assert log.stat().st_size == 0
    assert in_the_file(path) == 3
    assert stands(run(journal.load("b"))) == [LONG * 10]
    journal.close()


def test_while_another_process_writes_the_loop_goes_on(journal: SqliteJournal, path: Path) -> None:
    made = header("a")
    run(journal.create(made, []))
    for statement in (None, "BEGIN IMMEDIATE"):  # one of ours, and a program that knows nothing of our lock
        other = sqlite3.connect(path, isolation_level=None)
        lock = os.open(f"{path}.lock", os.O_RDWR)

        async def scenario(
            statement: str | None = statement, other: sqlite3.Connection = other, lock: int = lock
        ) -> None:
            if statement:
                other.execute(statement)
            else:
                fcntl.flock(lock, fcntl.LOCK_EX)
            turn = 1 if statement else 0
            waiting = asyncio.ensure_future(journal.append(made, turn, entry("x")))
            for _ in range(100):
                await asyncio.sleep(0)
            assert not waiting.done()
            assert stands(await journal.load("a")) == ["x"] * turn
            fcntl.flock(lock, fcntl.LOCK_UN)
            if statement:
                other.execute("COMMIT")
            assert await waiting is None

        run(scenario())
        other.close()
        os.close(lock)


def test_what_comes_together_is_written_together(journal: SqliteJournal) -> None:
    async def scenario() -> int:
        for n in range(50):
            await journal.create(header(str(n)), [])
        commits = 0

        def count(statement: str) -> None:
            nonlocal commits
            commits += statement == "COMMIT"

        journal._file._writer.set_trace_callback(count)
        await asyncio.gather(
            *(journal.append(header(str(n)), 0, entry("x")) for n in range(50)), return_exceptions=True
        )
        return commits

    assert run(scenario()) == 1


def test_a_full_disk_is_said_and_nothing_is_lost_when_there_is_room_again(journal: SqliteJournal, path: Path) -> None:
    made = header("a")
    run(journal.create(made, [entry(LONG)]))
    on(journal, f"PRAGMA max_page_count = {pages(journal) + 1}")
    with pytest.raises(JournalUnavailable, match="full") as said:
        run(journal.append(made, 1, entry(LONG)))
    assert said.value.retry_after > 0
    with pytest.raises(JournalUnavailable, match="full"):
        run(journal.create(header("b"), [entry(LONG)]))
    assert stands(run(journal.load("a"))) == [LONG]
    assert run(journal.count()) == 1
    on(journal, "PRAGMA max_page_count = 100000")
    assert run(journal.append(made, 1, entry("y"))) is None
    assert run(journal.create(header("b"), [])) is None
    assert stands(run(journal.load("a"))) == [LONG, "y"]
    assert len(journal) == run(journal.count()) == 2
    journal.close()
    assert whole(path)


def test_one_that_does_not_fit_fails_alone(journal: SqliteJournal) -> None:
    async def scenario() -> list[Any]:
        for id in "abc":
            await journal.create(header(id), [])
        made = [stored.header for id in "abc" if (stored := await journal.load(id))]
        limit = (await _write(journal, "PRAGMA page_count"))[0][0] + 2
        await _write(journal, f"PRAGMA max_page_count = {limit}")
        return await asyncio.gather(
            *(journal.append(h, 0, entry(text)) for h, text in zip(made, ["x", LONG, "z"], strict=True)),
            return_exceptions=True,
        )

    first, second, third = run(scenario())
    assert (first, third) == (None, None)
    assert isinstance(second, JournalUnavailable)


def test_an_episode_can_be_read_while_the_disk_is_full(journal: SqliteJournal, clock: Clock) -> None:
    run(journal.create(header("a"), [entry("x")]))
    on(journal, f"PRAGMA max_page_count = {pages(journal)}")
    journal._file._writer.execute("PRAGMA query_only = 1")
    clock.now += TTL / 2
    assert stands(run(journal.load("a"))) == ["x"]
    with pytest.raises(JournalUnavailable, match="readonly"):
        run(journal.delete("a"))
    journal._file._writer.execute("PRAGMA query_only = 0")
    assert run(journal.delete("a"))


@pytest.mark.parametrize("content", [b"not a database, " * 500, b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_journal_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(JournalUnavailable, match=r"x cannot be opened: \w+"):
        SqliteJournal(path, TTL, 10)
    assert path.read_bytes() == content


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(JournalUnavailable, match="something else"):
        SqliteJournal(path, TTL, 10)


def test_a_journal_of_another_version_is_refused(journal: SqliteJournal, path: Path) -> None:
    journal.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(JournalUnavailable, match="version 99, and this envhub knows version 2"):
        SqliteJournal(path, TTL, 10)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalUnavailable, match="cannot be opened"):
        SqliteJournal(tmp_path / "file" / "journal", TTL, 10)


def test_a_file_that_was_replaced_is_not_written(journal: SqliteJournal, path: Path) -> None:
    """Another worker would open the new one, and an episode would be in two places."""
    made = header("a")
    run(journal.create(made, []))
    path.rename(path.with_name("elsewhere"))
    with pytest.raises(JournalUnavailable, match="journal") as said:
        run(journal.append(made, 0, entry("x")))
    assert "/" not in str(said.value)  # where it is, is for the log
    path.write_bytes(b"")
    with pytest.raises(JournalUnavailable, match="replaced"):
        run(journal.append(made, 0, entry("x")))


def test_a_damaged_record_is_said(journal: SqliteJournal) -> None:
    run(journal.create(header("a"), [entry("x")]))
    run(journal.create(header("b"), [entry("x")]))
    on(journal, "UPDATE records SET value = x'3130' WHERE place = (SELECT min(place) + 1 FROM records)")
    with pytest.raises(JournalUnavailable, match="damaged"):
        run(journal.load("a"))
    assert stands(run(journal.load("b"))) == ["x"]


def test_the_file_gives_back_room(journal: SqliteJournal, clock: Clock) -> None:
    async def fill(name: str) -> None:
        await asyncio.gather(*(journal.create(header(f"{name}{n}"), [entry(LONG)]) for n in range(400)))

    run(fill("a"))
    high = pages(journal)
    for round in range(3):  # what is forgotten makes room for what comes
        clock.now += 2 * TTL
        run(journal.sweep())
        run(fill(str(round)))
    assert pages(journal) <= high * 1.3
    clock.now += 2 * TTL
    for _ in range(5):
        run(journal.sweep())
        clock.now += TTL / 64
    assert run(journal.count()) == 0
    assert pages(journal) < high / 2


def test_very_many_idle_episodes_go_in_portions(journal: SqliteJournal, clock: Clock) -> None:
    async def scenario() -> list[int]:
        await asyncio.gather(*(journal.create(header(str(n)), []) for n in range(1200)))
        clock.now += 2 * TTL
        return [len(await journal.sweep()) for _ in range(5)]

    portions = run(scenario())
    assert sum(portions) == 1200
    assert max(portions) < 1200
    assert portions[-1] == 0


def test_somebody_who_holds_the_file_for_long_is_said(
    journal: SqliteJournal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("envhub.server.journal.sqlite_file._BUSY_S", 0.0)
    run(journal.create(header("a"), []))
    other = os.open(f"{path}.lock", os.O_RDWR)
    fcntl.flock(other, fcntl.LOCK_EX)
    with pytest.raises(JournalUnavailable, match="another process"):
        run(journal.create(header("b"), []))
    os.close(other)
    assert run(journal.create(header("b"), [])) is None


def test_readers_do_not_wait_for_a_writer(journal: SqliteJournal, path: Path) -> None:
    run(journal.create(header("a"), [entry("x")]))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("UPDATE held SET episodes = 7")
    try:
        assert stands(run(journal.load("a"))) == ["x"]
        assert run(journal.count()) == 1
    finally:
        other.close()


def test_too_much_that_waits_is_turned_away(journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.server.journal.batches._MAX_WAITING", 0)
    with pytest.raises(TooBusy, match="wait for the journal"):
        run(journal.load("a"))


def test_a_failing_job_undoes_its_batch_and_harms_no_other(path: Path) -> None:
    file = SqliteFile(path, application=1, version=1, layout="CREATE TABLE t (x UNIQUE);")

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO t VALUES ('half')")
        raise KeyError("a bug")

    async def scenario() -> list[Any]:
        jobs = [lambda c: c.execute("INSERT INTO t VALUES (1)").rowcount, fail]
        jobs.append(lambda c: c.execute("INSERT INTO t VALUES (2)").rowcount)
        done = await asyncio.gather(*map(file.write, jobs), return_exceptions=True)
        return [done, await file.read(lambda c: c.execute("SELECT x FROM t ORDER BY x").fetchall())]

    done, rows = run(scenario())
    file.close()
    assert (done[0], type(done[1]), done[2]) == (1, KeyError, 1)
    assert rows == [(1,), (2,)]
