"""What every journal forgets, what makes room first, and how many episodes an owner has open."""

from __future__ import annotations

import asyncio

import pytest

from envhub.core.errors import JournalUnavailable, TooBusy, UnknownEpisode
from envhub.server.journal import Journal
from tests.server.journal.kinds import TTL, Clock, Open, entry, header, run, stands
from tests.server.journal.writing import MOMENT, end, put


def test_an_owner_has_only_so_many_open(open_journal: Open, clock: Clock) -> None:
    journal = open_journal(100)

    async def refused(id: str, most: int) -> bool:
        [found] = await asyncio.gather(journal.create(header(id), [], most), return_exceptions=True)
        if found is not None:
            assert type(found) is TooBusy
            assert f"{most} open episodes" in str(found)
        return found is not None

    async def scenario() -> None:
        assert not await refused("k:a", 2)
        assert not await refused("k:b", 2)
        assert await refused("k:c", 2)
        assert await journal.load("k:c") is None
        assert await journal.create(header("k:a"), [], 2) is not None  # a repeat needs no room
        assert not await refused("kk:a", 2)
        await end(journal, "k:a")
        assert not await refused("k:c", 2)
        assert await refused("k:d", 2)
        assert await journal.delete("k:b")
        assert not await refused("k:d", 2)
        clock.now += TTL + MOMENT  # what has expired is not open, swept or not
        assert not await refused("k:e", 1)
        assert await refused("k:f", 1)
        assert await refused("k:f", 0)

    run(scenario())


def test_of_many_that_an_owner_begins_at_once_only_so_many_are_recorded(open_journal: Open, kind: str) -> None:
    workers = [open_journal(100) for _ in range(1 if kind == "memory" else 2)]

    async def scenario() -> None:
        creating = [workers[n % len(workers)].create(header(f"k:{n}"), [], 5) for n in range(30)]
        made = await asyncio.gather(*creating, return_exceptions=True)
        assert made.count(None) == 5
        assert sum(isinstance(found, TooBusy) for found in made) == 25
        assert await workers[0].count_open("k:") == 5

    run(scenario())


def test_what_is_idle_too_long_is_gone(journal: Journal, clock: Clock) -> None:
    async def scenario() -> None:
        made = await put(journal, "a")
        clock.now += TTL
        assert await journal.sweep() == []
        assert await journal.load("a") is not None  # just in time, and its idle time begins anew
        clock.now += TTL
        assert await journal.append(made, 0, entry("x")) is None
        clock.now += TTL
        assert await journal.sweep() == []
        clock.now += MOMENT
        assert await journal.load("a") is None
        assert await journal.position(made) is None
        with pytest.raises(UnknownEpisode):
            await journal.append(made, 1, entry("y"))
        assert not await journal.delete("missing")
        assert await journal.sweep() == ["a"]
        assert await journal.sweep() == []
        assert await journal.count() == len(journal) == 0

    run(scenario())


def test_a_look_that_is_no_use_does_not_keep_an_episode(journal: Journal, clock: Clock) -> None:
    async def scenario() -> None:
        await put(journal, "a")
        clock.now += TTL - MOMENT
        assert await journal.load("a", use=False) is not None
        clock.now += 2 * MOMENT
        assert await journal.load("a") is None

    run(scenario())


def test_a_sweep_takes_the_idle_and_leaves_the_others(open_journal: Open, clock: Clock) -> None:
    journal, begun = open_journal(100), clock.now

    async def scenario() -> None:
        for n in range(6):
            clock.now = begun + n * MOMENT
            await put(journal, str(n), "x", over=n == 2)
        clock.now = begun + 5.5 * MOMENT
        await journal.load("1")
        clock.now = begun + TTL + 3.5 * MOMENT
        assert await journal.sweep() == ["0", "2", "3"]
        assert await journal.count() == len(journal) == 3
        assert await journal.finished() == []

    run(scenario())


def test_a_full_journal_says_when_to_come_again(journal: Journal) -> None:
    async def scenario() -> None:
        for id in "abc":
            await put(journal, id)
        with pytest.raises(TooBusy, match="holds 3 episodes") as refused:
            await journal.create(header("d"), [])
        assert refused.value.retry_after > 0
        assert not isinstance(refused.value, JournalUnavailable)
        assert await journal.create(header("b"), []) is not None  # a repeat needs no room
        assert await journal.load("d") is None
        assert await journal.count() == len(journal) == 3

    run(scenario())


def test_what_is_idle_makes_room_first(journal: Journal, clock: Clock) -> None:
    async def scenario() -> None:
        for id in "abc":
            await put(journal, id)
        await end(journal, "b")
        clock.now += TTL
        await journal.load("b")
        await journal.load("c")
        clock.now += MOMENT
        assert await journal.create(header("d"), []) is None
        assert await journal.sweep() == ["a"]
        assert await journal.load("b") is not None

    run(scenario())


def test_of_the_finished_the_one_that_ended_first_makes_room(journal: Journal) -> None:
    async def scenario() -> None:
        for id in "abc":
            await put(journal, id)
        await end(journal, "c")
        await end(journal, "a", truncated=True)
        assert await journal.finished() == ["c", "a"]
        await journal.load("c")  # being looked at does not make it younger
        assert await journal.create(header("d"), []) is None
        assert await journal.create(header("e"), []) is None
        with pytest.raises(TooBusy):
            await journal.create(header("f"), [])
        assert await journal.sweep() == ["c", "a"]
        assert await journal.load("b") is not None

    run(scenario())


def test_an_episode_that_begins_finished_can_make_room(journal: Journal) -> None:
    """A fork of an episode that is over."""

    async def scenario() -> None:
        for id in "abc":
            await journal.create(header(id), [entry("x", terminated=True)])
        assert await journal.create(header("d"), []) is None
        assert await journal.sweep() == ["a"]

    run(scenario())


def test_an_id_taken_up_again_after_it_expired_is_a_new_episode(journal: Journal, clock: Clock) -> None:
    """It must not inherit that the old one had ended, nor its place in the queue of the idle."""

    async def scenario() -> None:
        await put(journal, "a", "x", over=True)
        await put(journal, "b")
        clock.now += TTL + MOMENT
        assert await journal.create(header("a"), []) is None
        await put(journal, "c")
        await put(journal, "d")
        with pytest.raises(TooBusy):
            await journal.create(header("e"), [])
        assert stands(await journal.load("a")) == []
        assert sorted(await journal.sweep()) == ["a", "b"]  # the old a

    run(scenario())


def test_the_unfinished_episodes_of_an_owner_are_counted(open_journal: Open, clock: Clock) -> None:
    journal = open_journal(100)

    async def scenario() -> list[int]:
        counts = []
        for id in ("k:a", "k:b", "k:c", "kk:a", "a"):
            await put(journal, id)
        counts.append(await journal.count_open("k:"))
        await end(journal, "k:a")
        await journal.delete("k:b")
        counts.append(await journal.count_open("k:"))
        await journal.create(header("k:d"), [entry("x", terminated=True)])
        counts.append(await journal.count_open("k:"))
        counts += [await journal.count_open(owner) for owner in ("kk:", "", "none:")]
        clock.now += TTL + MOMENT
        counts += [await journal.count_open(owner) for owner in ("k:", "kk:", "")]
        return counts

    assert run(scenario()) == [3, 1, 1, 1, 1, 0, 0, 0, 0]
