"""The journal in a file: what it says when it cannot be used, that it stays whole and flat, and that nobody else reads it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import JournalUnavailable, TooBusy
from envhub.server.journal import SqliteJournal
from envhub.server.journal.sqlite_file import SqliteFile
from tests.server.journal.kinds import TTL, Clock, entry, header, run, stands
from tests.server.journal.sqlite.filing import LONG, on, pages
from tests.server.journal.writing import append


def test_only_its_owner_reads_it(journal: SqliteJournal, path: Path) -> None:
    run(journal.create(header("a"), []))
    for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm"), Path(f"{path}.lock")):
        assert stat.S_IMODE(name.stat().st_mode) == 0o600, name
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


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
    with pytest.raises(JournalUnavailable, match="another application"):
        SqliteJournal(path, TTL, 10)


def test_a_journal_of_another_version_is_refused(journal: SqliteJournal, path: Path) -> None:
    journal.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(JournalUnavailable, match="version 99, but this envhub needs version 4"):
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
        run(append(journal, made, 0, entry("x")))
    assert "/" not in str(said.value)  # where it is, is for the log
    path.write_bytes(b"")
    with pytest.raises(JournalUnavailable, match="replaced"):
        run(append(journal, made, 0, entry("x")))


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
