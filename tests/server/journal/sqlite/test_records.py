"""Records in the file: no statement reads every episode, none outlives its episode, and damage is an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from envhub.core.errors import JournalUnavailable
from envhub.server.journal import SqliteJournal
from tests.server.journal.kinds import TTL, Clock, chain, entry, header, run, stands
from tests.server.journal.sqlite.filing import on
from tests.server.journal.writing import append, put


@pytest.fixture
def statements(journal: SqliteJournal) -> Iterator[list[str]]:
    """The statements executed on the file, with their values."""
    seen: list[str] = []
    connections: tuple[Connection, ...] = (journal._file._writer, journal._file._reader)
    for connection in connections:
        connection.set_trace_callback(seen.append)
    yield seen
    for connection in connections:
        connection.set_trace_callback(None)


def test_no_statement_of_a_request_reads_every_episode(journal: SqliteJournal, statements: list[str]) -> None:
    made = run(put(journal, "key:a", "x", "y", over=True))
    run(append(journal, made, 0, entry("z")))
    run(journal.create(header("key:a"), []))
    run(journal.create(header("key:b"), chain("x"), max_open=5))
    run(journal.position(made))
    run(journal.load("key:a"))
    run(journal.delete("key:a"))
    kinds = ("INSERT", "UPDATE", "DELETE", "SELECT", "WITH")
    asked = [statement for statement in statements if statement.strip().startswith(kinds)]
    assert len(asked) > 12
    for statement in asked:
        plan = [row[3] for row in on(journal, f"EXPLAIN QUERY PLAN {statement}")]
        whole = [step for step in plan if step.endswith((" episodes", " records"))]  # no index is named
        assert not whole, statement


def test_episodes_leave_no_records(path: Path, clock: Clock) -> None:
    """Deleted, expired, begun again after that, or dropped to make room."""
    journal = SqliteJournal(path, TTL, 3, clock)
    try:
        run(put(journal, "deleted", "x", "y"))
        run(journal.delete("deleted"))
        run(put(journal, "expired", "x", "y"))
        run(put(journal, "again", "x", "y"))
        clock.now += 2 * TTL
        run(put(journal, "again", "z"))
        run(journal.sweep())
        for number in range(5):
            run(put(journal, f"finished{number}", "x", "y", "z", over=True))
        kept = sum(
            len(stored.entries) + 1 for id in ("again", "finished3", "finished4") if (stored := run(journal.load(id)))
        )
        assert kept == 2 + 4 + 4
        assert on(journal, "SELECT count(*) FROM records") == [(kept,)]
    finally:
        journal.close()


def test_turns_of_many_episodes_are_kept_apart(journal: SqliteJournal) -> None:
    """Their records alternate in the file."""
    made = [header(id) for id in "abc"]
    for one in made:
        run(journal.create(one, []))
    turns = {one.episode_id: chain(*(f"{one.episode_id}{number}" for number in range(20))) for one in made}
    for number in range(20):
        for one in made:
            assert run(append(journal, one, number, turns[one.episode_id][number])) is None
    for id, taken in turns.items():
        assert stands(run(journal.load(id))) == [turn.record.action for turn in taken]


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM records WHERE place = (SELECT last FROM episodes WHERE id = 'a')",
        "DELETE FROM records WHERE place = (SELECT min(place) FROM records)",
        "UPDATE records SET previous = NULL WHERE place = (SELECT last FROM episodes WHERE id = 'a')",
        "UPDATE records SET previous = place",
        "UPDATE episodes SET turns = turns + 1",
    ],
)
def test_an_incomplete_record_is_an_error(journal: SqliteJournal, damage: str) -> None:
    made = run(put(journal, "a", "x", "y"))
    on(journal, damage)
    for work in (journal.load("a"), append(journal, made, 0, entry("z")), journal.create(header("a"), [])):
        with pytest.raises(JournalUnavailable, match="damaged"):
            run(work)
    run(put(journal, "b", "x"))
    assert stands(run(journal.load("b"))) == ["x"]
