"""What every journal promises of its records: it compares and sets, and what comes back is what was put in."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.errors import UnknownEpisode
from envhub.server.journal import Journal
from tests.server.journal.kinds import TTL, Clock, chain, entry, header, opener, run, stands
from tests.server.journal.writing import MOMENT, put


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
    made = header("a", {"n": [1, 2.5, None, "\N{SNOWMAN}"]}, first_turn_seed=3, turn_seed=4, inherited=1, at=5.5)
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


def test_position_is_how_many_turns_there_are_and_the_digest_of_the_last(journal: Journal) -> None:
    async def scenario() -> None:
        made, (x, y) = header("a"), chain("x", "y")
        assert await journal.position(made) is None
        await journal.create(made, [])
        assert await journal.position(made) == (0, "")
        await journal.append(made, 0, x)
        assert await journal.position(made) == (1, x.digest)
        await journal.append(made, 1, y)
        assert await journal.position(made) == (2, y.digest)
        fork = header("b")
        await journal.create(fork, [x])
        assert await journal.position(fork) == (1, x.digest)
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
        assert await journal.position(made) == (2, other[1].digest)
        assert await journal.append(made, 2, other[2]) is None
        assert stands(await journal.load("a")) == ["x", "other", "more"]
        assert lost.digest != other[1].digest
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
