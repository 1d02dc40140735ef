"""The journal in memory: it compares and sets, forgets what is idle, and makes room in the right order."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings, strategies as st

from envhub.episode import Record
from envhub.errors import TooBusy
from envhub.server.journal import Entry, Header, MemoryJournal, Stored

T = TypeVar("T")
TTL = 10.0


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def header(id: str, request: Any = None) -> Header:
    return Header(id, request, {"env_id": "x-v0"}, {})


def entry(action: str, *, terminated: bool = False, truncated: bool = False) -> Entry:
    return Entry(Record(action), {"said": action, "terminated": terminated, "truncated": truncated})


def stands(stored: Stored | None) -> list[str] | None:
    return None if stored is None else [e.record.action for e in stored.entries]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal(clock: Clock) -> MemoryJournal:
    return MemoryJournal(TTL, 3, clock)


def test_an_id_is_given_once(journal: MemoryJournal) -> None:
    async def scenario() -> None:
        assert await journal.create(header("a", 1), [entry("x")]) is None
        taken = await journal.create(header("a", 2), [])
        assert taken is not None
        assert (taken.header.request, stands(taken)) == (1, ["x"])
        assert await journal.load("b") is None
        assert len(journal) == 1

    run(scenario())


def test_a_turn_is_appended_only_at_the_end_it_was_meant_for(journal: MemoryJournal) -> None:
    async def scenario() -> None:
        assert not await journal.append("a", 0, entry("x"))
        await journal.create(header("a"), [])
        assert not await journal.append("a", 1, entry("late"))
        assert await journal.append("a", 0, entry("x"))
        assert not await journal.append("a", 0, entry("again"))
        assert not await journal.append("a", -1, entry("before"))
        assert await journal.append("a", 1, entry("y"))
        assert stands(await journal.load("a")) == ["x", "y"]

    run(scenario())


def test_of_many_that_append_at_once_one_succeeds(journal: MemoryJournal) -> None:
    async def scenario() -> None:
        await journal.create(header("a"), [])
        won = await asyncio.gather(*(journal.append("a", 0, entry(str(n))) for n in range(20)))
        assert won.count(True) == 1
        created = await asyncio.gather(*(journal.create(header("b", n), []) for n in range(20)))
        assert created.count(None) == 1

    run(scenario())


def test_deleting_is_final(journal: MemoryJournal) -> None:
    async def scenario() -> None:
        await journal.create(header("a"), [])
        await journal.append("a", 0, entry("x", terminated=True))
        assert await journal.delete("a")
        assert not await journal.delete("a")
        assert await journal.load("a") is None
        assert not await journal.append("a", 1, entry("y"))
        assert await journal.sweep() == []  # whoever deleted it knows
        assert await journal.create(header("a"), []) is None
        assert stands(await journal.load("a")) == []

    run(scenario())


def test_what_is_idle_too_long_is_gone(journal: MemoryJournal, clock: Clock) -> None:
    async def scenario() -> None:
        await journal.create(header("a"), [])
        clock.now = TTL
        assert await journal.sweep() == []
        assert await journal.load("a") is not None  # just in time, and its idle time begins anew
        clock.now = 2 * TTL
        assert await journal.append("a", 0, entry("x"))
        clock.now = 3 * TTL
        assert await journal.sweep() == []
        clock.now = 3 * TTL + 0.1
        assert await journal.load("a") is None
        assert not await journal.append("a", 1, entry("y"))
        assert await journal.sweep() == ["a"]
        assert await journal.sweep() == []
        assert len(journal) == 0

    run(scenario())


def test_a_sweep_takes_the_idle_and_leaves_the_others(clock: Clock) -> None:
    journal = MemoryJournal(TTL, 100, clock)

    async def scenario() -> None:
        for n in range(6):
            clock.now = float(n)
            await journal.create(header(str(n)), [])
        clock.now = 5.5
        await journal.load("1")
        clock.now = TTL + 3.5
        assert await journal.sweep() == ["0", "2", "3"]
        assert len(journal) == 3

    run(scenario())


def test_a_full_journal_says_when_to_come_again(journal: MemoryJournal) -> None:
    async def scenario() -> None:
        for id in "abc":
            await journal.create(header(id), [])
        with pytest.raises(TooBusy, match="holds 3 episodes") as refused:
            await journal.create(header("d"), [])
        assert refused.value.retry_after > 0
        assert await journal.create(header("b"), []) is not None  # a repeat needs no room
        assert await journal.load("d") is None
        assert len(journal) == 3

    run(scenario())


def test_what_is_idle_makes_room_first(journal: MemoryJournal, clock: Clock) -> None:
    async def scenario() -> None:
        for id in "abc":
            await journal.create(header(id), [])
        await journal.append("b", 0, entry("x", terminated=True))
        clock.now = TTL
        await journal.load("b")
        await journal.load("c")
        clock.now = TTL + 1
        assert await journal.create(header("d"), []) is None
        assert await journal.sweep() == ["a"]
        assert await journal.load("b") is not None

    run(scenario())


def test_of_the_finished_the_one_that_ended_first_makes_room(journal: MemoryJournal) -> None:
    async def scenario() -> None:
        for id in "abc":
            await journal.create(header(id), [])
        await journal.append("c", 0, entry("x", terminated=True))
        await journal.append("a", 0, entry("x", truncated=True))
        await journal.load("c")  # being looked at does not make it younger
        assert await journal.create(header("d"), []) is None
        assert await journal.create(header("e"), []) is None
        with pytest.raises(TooBusy):
            await journal.create(header("f"), [])
        assert await journal.sweep() == ["c", "a"]
        assert await journal.load("b") is not None

    run(scenario())


def test_an_episode_that_begins_finished_can_make_room(journal: MemoryJournal) -> None:
    """A fork of an episode that is over."""

    async def scenario() -> None:
        for id in "abc":
            await journal.create(header(id), [entry("x", terminated=True)])
        assert await journal.create(header("d"), []) is None
        assert await journal.sweep() == ["a"]

    run(scenario())


def test_an_id_taken_up_again_after_it_expired_is_a_new_episode(journal: MemoryJournal, clock: Clock) -> None:
    """It must not inherit that the old one had ended, nor its place in the queue of the idle."""

    async def scenario() -> None:
        await journal.create(header("a"), [])
        await journal.append("a", 0, entry("x", terminated=True))
        await journal.create(header("b"), [])
        clock.now = TTL + 1
        assert await journal.create(header("a"), []) is None
        await journal.create(header("c"), [])
        await journal.create(header("d"), [])
        with pytest.raises(TooBusy):
            await journal.create(header("e"), [])
        assert stands(await journal.load("a")) == []
        assert sorted(await journal.sweep()) == ["a", "b"]  # the old a

    run(scenario())


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["create", "append", "end", "load", "delete", "sweep", "wait"]),
            st.sampled_from("abcde"),
            st.integers(0, 3),
        ),
        max_size=40,
    )
)
def test_it_does_what_a_plain_dictionary_would(moves: list[tuple[str, str, int]]) -> None:
    """Without a limit: what stands under an id is what was put there, unless it was idle for too long."""
    clock = Clock()
    journal = MemoryJournal(TTL, 100, clock)
    model: dict[str, tuple[float, list[str]]] = {}

    def alive(id: str) -> bool:
        return id in model and clock.now - model[id][0] <= TTL

    async def scenario() -> None:
        for number, (move, id, turn) in enumerate(moves):
            expected = alive(id)
            if move == "create":
                assert (await journal.create(header(id), []) is None) is not expected
                model[id] = (clock.now, model[id][1] if expected else [])
            elif move in ("append", "end"):
                fits = expected and len(model[id][1]) == turn
                taken = await journal.append(id, turn, entry(str(number), terminated=move == "end"))
                assert taken is fits
                if expected:
                    model[id] = (clock.now, [*model[id][1], str(number)] if fits else model[id][1])
            elif move == "load":
                assert stands(await journal.load(id)) == (model[id][1] if expected else None)
                if expected:
                    model[id] = (clock.now, model[id][1])
            elif move == "delete":
                await journal.delete(id)
                model.pop(id, None)
            elif move == "sweep":
                await journal.sweep()
                assert len(journal) == sum(map(alive, model))
            else:
                clock.now += 3.0 * turn

    run(scenario())
