"""What every journal promises: it compares and sets, forgets what is idle, and makes room in the right order."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.errors import InvalidParameters, JournalUnavailable, TooBusy, UnknownEpisode
from envhub.server.journal import Journal, open_journal as open_by_url
from tests.server.journal.kinds import SHARED, TTL, Clock, Open, chain, entry, header, opener, run, stands

MOMENT = TTL / 10


async def put(journal: Journal, id: str, *actions: str, over: bool = False, request: Any = None) -> Any:
    """Begin an episode and take turns."""
    made = header(id, request)
    assert await journal.create(made, []) is None
    for turn, action in enumerate(actions):
        last = turn == len(actions) - 1
        assert await journal.append(made, turn, entry(action, terminated=over and last)) is None
    return made


async def end(journal: Journal, id: str, **how: bool) -> None:
    stored = await journal.load(id, use=False)
    assert stored is not None
    assert await journal.append(stored.header, len(stored.entries), entry("x", **how or {"terminated": True})) is None


def test_an_id_is_given_once(journal: Journal) -> None:
    async def scenario() -> None:
        assert await journal.create(header("a", 1), [entry("x")]) is None
        taken = await journal.create(header("a", 2), [])
        assert taken is not None
        assert (taken.header.request, stands(taken)) == (1, ["x"])
        assert await journal.load("b") is None
        assert await journal.count() == len(journal) == 1

    run(scenario())


def test_a_turn_is_appended_only_at_the_end_it_was_meant_for(journal: Journal) -> None:
    async def scenario() -> None:
        made = header("a")
        with pytest.raises(UnknownEpisode, match="'a'"):
            await journal.append(made, 0, entry("x"))
        await journal.create(made, [])
        assert stands(await journal.append(made, 1, entry("late"))) == []
        assert await journal.append(made, 0, entry("x")) is None
        assert stands(await journal.append(made, 0, entry("again"))) == ["x"]
        assert stands(await journal.append(made, -1, entry("before"))) == ["x"]
        assert await journal.append(made, 1, entry("y")) is None
        assert stands(await journal.load("a")) == ["x", "y"]

    run(scenario())


def test_a_turn_is_appended_only_to_the_episode_it_was_meant_for(journal: Journal) -> None:
    """Another may have been begun under the id of one that was deleted, and be as far."""

    async def scenario() -> None:
        old = await put(journal, "a", "x", request=1)
        await journal.delete("a")
        new = await put(journal, "a", "y", request=2)
        found = await journal.append(old, 1, entry("z"))
        assert found is not None
        assert (found.header.request, stands(found)) == (2, ["y"])
        assert await journal.position(old) is None
        assert await journal.position(new) == (1, "")

    run(scenario())


def test_everything_comes_back_as_it_was_put_in(journal: Journal) -> None:
    made = header("a", {"n": [1, 2.5, None, "\N{SNOWMAN}"]}, begun_with=3, chance=4, inherited=1, at=5.5)
    made = replace(made, task={"env_id": "y-v0", "seed": 2**63 - 1}, options={"reward": {"accuracy": 0.5}})
    turns = [replace(e, at=7.25, took_s=0.125) for e in chain("x", "\0\n y")]

    async def scenario() -> None:
        assert await journal.create(made, turns[:1]) is None
        assert await journal.append(made, 1, turns[1]) is None
        found = await journal.load("a")
        assert found is not None
        assert (found.header, found.entries) == (made, turns)

    run(scenario())


def test_of_many_that_append_at_once_one_succeeds(journal: Journal) -> None:
    async def scenario() -> None:
        made = header("a")
        await journal.create(made, [])
        won = await asyncio.gather(*(journal.append(made, 0, entry(str(n))) for n in range(20)))
        assert won.count(None) == 1
        winner = [str(won.index(None))]
        assert {tuple(stands(lost) or ()) for lost in won if lost is not None} == {tuple(winner)}
        created = await asyncio.gather(*(journal.create(header("b", n), []) for n in range(20)))
        assert created.count(None) == 1

    run(scenario())


def test_position_is_how_many_turns_there_are_and_the_mark_of_the_last(journal: Journal) -> None:
    async def scenario() -> None:
        made, (x, y) = header("a"), chain("x", "y")
        assert await journal.position(made) is None
        await journal.create(made, [])
        assert await journal.position(made) == (0, "")
        await journal.append(made, 0, x)
        assert await journal.position(made) == (1, x.mark)
        await journal.append(made, 1, y)
        assert await journal.position(made) == (2, y.mark)
        fork = header("b")
        await journal.create(fork, [x])
        assert await journal.position(fork) == (1, x.mark)
        await journal.delete("a")
        assert await journal.position(made) is None

    run(scenario())


def test_a_turn_is_appended_only_to_the_past_it_was_taken_after(journal: Journal) -> None:
    """Whoever has seen a turn that the journal lost, and has gone on without, is told so and changes nothing."""

    async def scenario() -> None:
        made, (x, lost, next) = header("a"), chain("x", "lost", "next")
        await journal.create(made, [x])
        other = chain("x", "other", "more")
        assert await journal.append(made, 1, other[1]) is None
        assert stands(await journal.append(made, 2, next)) == ["x", "other"]
        assert stands(await journal.append(made, 0, x)) == ["x", "other"]
        assert await journal.position(made) == (2, other[1].mark)
        assert await journal.append(made, 2, other[2]) is None
        assert stands(await journal.load("a")) == ["x", "other", "more"]
        assert lost.mark != other[1].mark
        alike = chain("x", "lost", "more", "late")  # the last turn is the same, what came before it is not
        assert stands(await journal.append(made, 3, alike[3])) == ["x", "other", "more"]

    run(scenario())


def test_a_turn_that_was_lost_and_taken_again_is_the_same_past(journal: Journal) -> None:
    async def scenario() -> None:
        made, (_, _, z) = header("a"), chain("x", "y", "z")
        await journal.create(made, [])
        for turn, again in enumerate(chain("x", "y")):
            assert await journal.append(made, turn, replace(again, at=99.0, took_s=1.0)) is None
        assert await journal.append(made, 2, z) is None

    run(scenario())


def test_an_append_that_is_sent_twice_is_recorded_once(journal: Journal) -> None:
    async def scenario() -> None:
        made, (x, y) = header("a"), chain("x", "y")
        await journal.create(made, [x])
        assert await journal.append(made, 1, y) is None
        found = await journal.append(made, 1, y)
        assert found is not None
        assert found.entries == [x, y]

    run(scenario())


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


def test_deleting_is_final(journal: Journal) -> None:
    async def scenario() -> None:
        made = await put(journal, "a", "x", over=True)
        assert await journal.delete("a")
        assert not await journal.delete("a")
        assert await journal.load("a") is None
        with pytest.raises(UnknownEpisode):
            await journal.append(made, 1, entry("y"))
        assert await journal.sweep() == []  # whoever deleted it knows
        assert await journal.count() == 0
        assert await journal.finished() == []
        assert await journal.create(header("a"), []) is None
        assert stands(await journal.load("a")) == []

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


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["create", "append", "append", "end", "load", "look", "delete", "sweep", "wait"]),
        st.sampled_from(["a", "b", "k:a", "k:b"]),
        st.integers(0, 3),
        st.integers(0, 1),
    ),
    max_size=40,
)


def test_it_does_what_a_plain_dictionary_would(
    kind: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    """Without a limit, what stands under an id is what was put there, unless it was idle for too long; by any worker."""
    server = request.getfixturevalue("redis") if kind == "redis" else None

    @settings(max_examples=40)
    @given(MOVES)
    def check(moves: list[tuple[str, str, int, int]]) -> None:
        clock, made = Clock(), list[Journal]()
        folder: Path = tmp_path_factory.mktemp("journal")
        again = opener(kind, folder, server, clock, made)
        workers = [again() for _ in range(1 if kind == "memory" else 2)]
        try:
            run(_compare(moves, clock, workers))
        finally:
            for journal in made:
                journal.close()
            if server is not None:
                server.client().flushall()

    check()


async def _compare(moves: list[tuple[str, str, int, int]], clock: Clock, workers: list[Journal]) -> None:
    model: dict[str, list[Any]] = {}  # when it was used last, its header, its turns, whether it is over

    def alive(id: str) -> bool:
        return id in model and clock.now - model[id][0] <= TTL

    for number, (move, id, turn, which) in enumerate(moves):
        journal = workers[which % len(workers)]
        expected = alive(id)
        if move == "create":
            made = header(id, number)
            found = await journal.create(made, [])
            assert (found is None) is not expected
            if found is None:
                model[id] = [clock.now, made, [], False]
            assert stands(found) == (model[id][2] if expected else None)
            model[id][0] = clock.now
        elif move in ("append", "end"):
            made = model[id][1] if id in model else header(id)
            offered = entry(str(number), truncated=move == "end")
            if not expected:
                with pytest.raises(UnknownEpisode):
                    await journal.append(made, turn, offered)
                continue
            fits = len(model[id][2]) == turn
            found = await journal.append(made, turn, offered)
            assert (found is None) is fits
            if fits:
                model[id] = [clock.now, made, [*model[id][2], str(number)], model[id][3] or move == "end"]
            else:
                assert stands(found) == model[id][2]
        elif move in ("load", "look"):
            assert stands(await journal.load(id, use=move == "load")) == (model[id][2] if expected else None)
            if expected and move == "load":
                model[id][0] = clock.now
        elif move == "delete":
            assert await journal.delete(id) is expected
            model.pop(id, None)
        elif move == "sweep":
            await journal.sweep()
        else:
            clock.now += 3.5 * MOMENT * turn
        there = [id for id in model if alive(id)]
        assert await journal.count_open("k:") == sum(id.startswith("k:") and not model[id][3] for id in there)
        for id in there:
            assert await journal.position(model[id][1]) == (len(model[id][2]), "")


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
