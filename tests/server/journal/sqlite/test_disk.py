"""The journal in a file and its disk: what is brought to it before an answer, and what is said when it is full."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import JournalUnavailable
from envhub.server.journal import SqliteJournal
from tests.server.journal.kinds import TTL, Clock, entry, header, run, stands
from tests.server.journal.sqlite.filing import LONG, _write, on, pages, whole
from tests.server.journal.writing import append


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
            run(append(one, made, 0, entry("x")))
    with pytest.raises(JournalUnavailable, match="cannot be read"):
        run(one.load("a"))
    disks[1].failing = True
    with pytest.raises(JournalUnavailable, match="cannot be read"):
        run(two.load("a"))
    with pytest.raises(JournalUnavailable):
        run(two.position(made))
    with pytest.raises(JournalUnavailable):
        run(append(two, made, 0, entry("x")))
    disks[0].failing = disks[1].failing = False
    assert stands(run(two.load("a"))) == ["x"]
    assert in_the_file(path) == 2
    assert stands(run(append(one, made, 0, entry("x")))) == ["x"]
    assert run(append(one, made, 1, entry("y"))) is None
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
        run(append(journal, made, 0, entry("x")))
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
    journal._file._checkpoint_log()
    assert log.stat().st_size > 0
    run(journal.create(header("b"), [entry(LONG * 10)]))
    journal._file._checkpoint_log()
    assert log.stat().st_size == 0
    assert in_the_file(path) == 3
    assert stands(run(journal.load("b"))) == [LONG * 10]
    journal.close()


def test_a_full_disk_is_said_and_nothing_is_lost_when_there_is_room_again(journal: SqliteJournal, path: Path) -> None:
    made = header("a")
    run(journal.create(made, [entry(LONG)]))
    on(journal, f"PRAGMA max_page_count = {pages(journal) + 1}")
    with pytest.raises(JournalUnavailable, match="full") as said:
        run(append(journal, made, 1, entry(LONG)))
    assert said.value.retry_after > 0
    with pytest.raises(JournalUnavailable, match="full"):
        run(journal.create(header("b"), [entry(LONG)]))
    assert stands(run(journal.load("a"))) == [LONG]
    assert run(journal.count()) == 1
    on(journal, "PRAGMA max_page_count = 100000")
    assert run(append(journal, made, 1, entry("y"))) is None
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
