"""A journal is opened, shared by workers, and closed; what is no journal is refused."""

from __future__ import annotations

import asyncio

import pytest

from envhub.core.errors import InvalidParameters, JournalUnavailable, TooBusy
from envhub.server.journal import open_journal as open_by_url
from tests.server.journal.kinds import SHARED, TTL, Open, entry, header, run, stands
from tests.server.journal.writing import put


@pytest.mark.parametrize("kind", SHARED, indirect=True)
def test_what_one_worker_records_the_others_find(open_journal: Open) -> None:
    one, two = open_journal(2), open_journal(2)

    async def scenario() -> None:
        made = await put(one, "a", "x")
        assert stands(await two.load("a")) == ["x"]
        assert await two.append(made, 1, entry("y")) is None
        assert stands(await one.append(made, 1, entry("z"))) == ["x", "y"]
        assert await two.create(header("a"), []) is not None
        await put(two, "b")
        with pytest.raises(TooBusy):  # the room is that of all
            await one.create(header("c"), [])
        assert await two.delete("a")
        assert await one.position(made) is None
        await put(one, "c")

    run(scenario())


@pytest.mark.parametrize("kind", SHARED, indirect=True)
def test_a_journal_outlives_its_worker(open_journal: Open) -> None:
    journal = open_journal()
    run(put(journal, "a", "x", over=True))
    journal.close()
    again = open_journal()
    assert stands(run(again.load("a"))) == ["x"]
    assert run(again.finished()) == ["a"]


def test_closing_writes_what_waits_and_then_nothing(open_journal: Open) -> None:
    journal = open_journal()

    async def scenario() -> None:
        made = header("a")
        await journal.create(made, [])
        waiting = [asyncio.ensure_future(journal.append(made, n, entry(str(n)))) for n in range(5)]
        await asyncio.sleep(0)
        journal.close()
        journal.close()
        assert await asyncio.gather(*waiting) == [None] * 5

    run(scenario())


@pytest.mark.parametrize("kind", SHARED, indirect=True)
def test_a_closed_journal_says_so(open_journal: Open) -> None:
    journal = open_journal()
    journal.close()

    async def scenario() -> None:
        with pytest.raises(JournalUnavailable, match="closed"):
            await journal.load("a")

    run(scenario())


def test_nobody_waits_for_one_that_was_cancelled(open_journal: Open) -> None:
    journal = open_journal()

    async def scenario() -> None:
        made = await put(journal, "a")
        task = asyncio.ensure_future(journal.append(made, 0, entry("x")))
        await asyncio.sleep(0)
        task.cancel()
        found = await journal.append(made, 0, entry("y"))  # one of the two stands there, and everybody agrees which
        assert stands(await journal.load("a")) == (stands(found) if found else ["y"])

    run(scenario())


@pytest.mark.parametrize(
    "url",
    [
        "",
        "journal.sqlite",
        "sqlite",
        "sqlite:",
        "sqlite:///",
        "sqlite://host/x",
        "sqlite:///x?sync=always",
        "sqlite:///x?fsync=no",
        "memory:x",
    ],
)
def test_what_is_no_journal_is_refused(url: str) -> None:
    with pytest.raises(InvalidParameters, match=r"journal"):
        open_by_url(url, TTL, 10)


def test_a_kind_that_is_misspelt_is_told_the_nearest() -> None:
    with pytest.raises(InvalidParameters, match="Did you mean 'sqlite'"):
        open_by_url("sqlit:///x", TTL, 10)
