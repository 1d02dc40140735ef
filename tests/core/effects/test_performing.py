"""Effects: what is performed, by whom, and what is only asked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.authoring import write_call
from envhub.core.effects import Ask, Check, Effect, Exec, Live, Outcome, Query, Resource
from envhub.core.resources import Resources
from envhub.episodes.episode import Episode
from tests.core.effects.stepping import ADD_3, ADD_4, LOOK, RESTORES, replayed
from tests.support.stepping import Step, async_step, both_steps, sync_step
from tests.support.toys import Adder, Tally, adder, episode


@both_steps
@pytest.mark.parametrize("restore", RESTORES)
def test_effects_change_one_live_resource_over_the_turns(step: Step, restore: Any) -> None:
    environment, tally = adder(restore)
    e = episode(environment)
    assert [step(e, a).observation for a in (ADD_3, ADD_4, LOOK)] == ["total 3", "total 7", "total 7"]
    assert tally.opened == [({"goal": 10}, None)]
    assert tally.performed == [3, 4, "total?"]


def test_sync_and_async_write_the_same_journal() -> None:
    actions = [ADD_3, LOOK, write_call("twice", amount=2), f"{ADD_3}{ADD_4}", write_call("ask", payload="fail")]
    episodes = []
    for step in (sync_step, async_step):
        e = episode(adder("snapshot")[0])
        for action in actions:
            step(e, action)
        episodes.append(e)
    assert episodes[0].journal == episodes[1].journal
    assert [t.observation for t in episodes[0].turns] == [t.observation for t in episodes[1].turns]
    assert episodes[0].over
    assert episodes[1].over


def test_an_episode_without_effects_opens_nothing() -> None:
    environment, tally = adder()
    e = episode(environment)
    e.step(write_call("echo", text="hello"))
    e.step("nonsense")
    e.close()
    assert (tally.opened, tally.closed) == ([], 0)


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_closing_gives_back_what_is_open_and_the_next_effect_rebuilds(restore: Any) -> None:
    environment, tally = adder(restore)
    e = episode(environment)
    e.step(ADD_3)
    e.close()
    e.close()
    assert tally.closed == 1
    assert e.step(ADD_4).observation == "total 7"
    e.step(write_call("submit", total=7))
    assert tally.closed == 2
    assert len(tally.opened) == 2


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
@given(st.lists(st.tuples(st.sampled_from([ADD_3, ADD_4, LOOK]), st.sampled_from(["go", "fork", "replay", "close"]))))
def test_however_it_is_interrupted_an_episode_goes_the_same_way(restore: Any, plan: list[tuple[str, str]]) -> None:
    environment = type("Long", (Adder,), {"resources": {"tally": Tally(restore)}, "max_turns": 100})()
    straight, interrupted = episode(environment), episode(environment)
    for action, what in plan:
        if what == "fork":
            interrupted = interrupted.fork()
        elif what == "replay":
            interrupted = replayed(interrupted)
        elif what == "close":
            interrupted.close()
        assert interrupted.step(action).observation == straight.step(action).observation
    assert interrupted.journal == straight.journal


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
@pytest.mark.parametrize("at", [1, 2], ids=["first effect", "second effect"])
def test_a_turn_that_is_cancelled_leaves_no_trace_in_the_resource(restore: Any, at: int) -> None:
    async def play() -> tuple[Episode, str]:
        environment, tally = adder(restore)
        e = episode(environment)
        await e.astep(ADD_3)
        tally.pause_at, reached = at, asyncio.Event()
        tally.paused = reached.set
        cut = asyncio.create_task(e.astep(write_call("twice", amount=2)))
        await reached.wait()
        cut.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cut
        assert len(e.journal) == 1
        return e, (await e.astep(write_call("twice", amount=2))).observation

    e, observation = asyncio.run(play())
    assert observation == "total 7"
    assert replayed(e).step(LOOK).observation == "total 7"


def test_only_exec_changes_a_resource() -> None:
    tally = Tally("replay")
    resources = Resources({"t": tally}, None)
    for effect in (Exec("t", 1), Check("t", 2), Ask("t", 3), Query("t", 4)):
        resources.perform(effect)
    tally.performed.clear()
    resources.fork().perform(Query("t", 0))
    assert tally.performed == [1, 0]


def test_a_snapshot_resource_without_a_token_is_an_error_that_names_it() -> None:
    class Bare(Live):
        def perform(self, effect: Effect) -> Outcome:
            return Outcome()

    class Bares(Resource):
        def open(self, problem: Any, token: Any = None) -> Live:
            return Bare()

    record = Resources({"b": Bares("snapshot")}, None).perform(Exec("b", 1))
    assert record.fault is not None
    assert "no token()" in record.fault.reason
    assert Resources({"b": Bares("replay")}, None).perform(Exec("b", 1)).fault is None


def test_an_unknown_resource_is_named_with_the_nearest() -> None:
    record = Resources({"tally": Tally()}, None).perform(Exec("taly", 1))
    assert record.fault is not None
    assert record.fault.code == "unknown_resource"
    assert "Did you mean 'tally'" in record.fault.reason
