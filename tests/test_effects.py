"""Effects: what is performed, what is only remembered, and what happens when the world fails."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.author import write_call
from envhub.effects import Ask, Check, Effect, Exec, Live, Outcome, Performed, Query, Resource
from envhub.episode import Episode, Record
from envhub.errors import ForkRefused, JudgementError, SnapshotMismatch
from envhub.resources import Resources
from envhub.types import Fault, Turn
from tests.toys import SECRET, Adder, Tally, adder, env, episode

ADD_3, ADD_4 = write_call("add", amount=3), write_call("add", amount=4)
LOOK = write_call("look")
RESTORES = ("replay", "snapshot", "none")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def through_json(journal: list[Record]) -> list[Record]:
    return [Record.from_json(json.loads(json.dumps(record.to_json()))) for record in journal]


def replayed(old: Episode) -> Episode:
    return Episode.replay(old.author, old.task, old.instance, through_json(old.journal))


def sync_step(episode: Episode, action: str) -> Turn:
    return episode.step(action)


def async_step(episode: Episode, action: str) -> Turn:
    return asyncio.run(episode.astep(action))


both = pytest.mark.parametrize("step", [sync_step, async_step])
Step = Callable[[Episode, str], Turn]


@both
@pytest.mark.parametrize("restore", RESTORES)
def test_effects_change_one_live_resource_over_the_turns(step: Step, restore: Any) -> None:
    author, tally = adder(restore)
    e = episode(author)
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
    author, tally = adder()
    e = episode(author)
    e.step(write_call("echo", text="hello"))
    e.step("nonsense")
    e.close()
    assert (tally.opened, tally.closed) == ([], 0)


@both
@pytest.mark.parametrize("restore", RESTORES)
def test_replay_performs_nothing_and_sees_the_same(step: Step, restore: Any) -> None:
    author, tally = adder(restore)
    old = episode(author)
    for action in (ADD_3, ADD_4, LOOK, write_call("twice", amount=1)):
        step(old, action)
    before = (list(tally.opened), list(tally.performed))
    new = replayed(old)
    assert (tally.opened, tally.performed) == before
    assert [t.observation for t in new.turns] == [t.observation for t in old.turns]
    assert new.state == old.state
    assert new.journal == old.journal


@both
def test_a_replayed_resource_is_rebuilt_at_its_next_effect_by_its_exec_effects_only(step: Step) -> None:
    author, tally = adder("replay")
    old = episode(author)
    for action in (ADD_3, LOOK, ADD_4):
        step(old, action)
    new = replayed(old)
    step(new, write_call("echo", text="nothing yet"))
    assert len(tally.opened) == 1
    tally.performed.clear()
    assert step(new, ADD_3).observation == "total 10"
    assert len(tally.opened) == 2
    assert tally.performed == [3, 4, 3]


@both
def test_a_snapshot_resource_is_reopened_from_its_token_and_repeats_nothing(step: Step) -> None:
    author, tally = adder("snapshot")
    old = episode(author)
    for action in (ADD_3, ADD_4, LOOK):
        step(old, action)
    new = replayed(old)
    tally.performed.clear()
    assert step(new, LOOK).observation == "total 7"
    assert tally.opened == [({"goal": 10}, None), ({"goal": 10}, 7)]
    assert tally.performed == ["total?"]


@both
def test_a_resource_that_cannot_be_rebuilt_is_lost_after_a_restore(step: Step) -> None:
    author, tally = adder("none")
    old = episode(author)
    step(old, ADD_3)
    new = replayed(old)
    tally.performed.clear()
    turn = step(new, LOOK)
    assert turn.verdict is not None
    assert (turn.verdict.status, turn.verdict.score) == ("error", None)
    assert turn.verdict.error is not None
    assert turn.verdict.error.code == "resource_lost"
    assert turn.truncated
    assert not turn.terminated
    assert tally.performed == []


@both
def test_a_resource_that_was_only_read_is_never_lost(step: Step) -> None:
    author, tally = adder("none")
    old = episode(author)
    step(old, LOOK)
    assert step(old.fork(), LOOK).observation == "total 0"
    assert step(replayed(old), LOOK).observation == "total 0"
    assert len(tally.opened) == 3


DIE, DIE_ONCE = write_call("ask", payload="die"), write_call("ask", payload="die once")


@both
@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_a_resource_that_is_lost_while_it_performs_is_rebuilt_and_asked_once_more(step: Step, restore: Any) -> None:
    author, tally = adder(restore)
    e = episode(author)
    step(e, ADD_3)
    assert step(e, DIE_ONCE).observation == "total 3"
    assert len(tally.opened) == 2
    assert tally.closed == 1
    assert step(e, ADD_4).observation == "total 7"


@both
def test_a_resource_lost_twice_over_one_effect_is_our_failure_unless_the_resource_says_otherwise(step: Step) -> None:
    author, tally = adder("replay")
    e = episode(author)
    step(e, ADD_3)
    turn = step(e, DIE)
    assert turn.verdict is not None
    assert (turn.verdict.status, turn.verdict.score) == ("error", None)

    author, tally = adder("replay")
    tally.verdict_on_ruin = Outcome("that was you")
    e = episode(author)
    step(e, ADD_3)
    assert step(e, DIE).observation == "that was you"
    assert tally.performed == [3, "die", 3, "die"]
    for later in (e, replayed(e)):  # what ruined it is left out of every rebuild
        tally.performed.clear()
        assert step(later, ADD_4).observation == "total 7"
        assert tally.performed == [3, 4]


@both
def test_what_can_be_neither_replayed_nor_copied_is_lost_when_it_dies(step: Step) -> None:
    author, tally = adder("none")
    e = episode(author)
    step(e, ADD_3)
    turn = step(e, DIE_ONCE)
    assert turn.verdict is not None
    assert turn.verdict.status == "error"
    assert len(tally.opened) == 1


@both
def test_what_is_kept_elsewhere_is_found_by_its_ticket_and_nothing_is_rebuilt(step: Step) -> None:
    author, tally = adder("replay")
    tally.tickets = True
    old = episode(author)
    step(old, ADD_3)
    new = replayed(old)
    tally.performed.clear()
    assert step(new, ADD_4).observation == "total 7"
    assert tally.performed == [4]
    assert len(tally.opened) == 1


@both
def test_what_others_have_gone_on_with_is_not_taken_over_but_rebuilt(step: Step) -> None:
    author, tally = adder("replay")
    tally.tickets = True
    old = episode(author)
    step(old, ADD_3)
    late = replayed(old)
    assert step(old, ADD_4).observation == "total 7"
    assert step(late, ADD_3).observation == "total 6"
    assert len(tally.opened) == 2


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_a_fork_performs_nothing_until_its_next_effect_and_then_shares_nothing(restore: Any) -> None:
    author, tally = adder(restore)
    trunk = episode(author)
    trunk.step(ADD_3)
    branch = trunk.fork()
    assert len(tally.opened) == 1
    assert branch.step(ADD_4).observation == "total 7"
    assert len(tally.opened) == 2
    assert trunk.step(ADD_3).observation == "total 6"
    for e in (branch, trunk):
        e.close()  # what each rebuilds is its own past
    assert branch.step(LOOK).observation == "total 7"
    assert trunk.step(LOOK).observation == "total 6"


def test_a_fork_refuses_after_an_effect_that_cannot_be_repeated() -> None:
    author, _ = adder("none")
    e = episode(author)
    e.fork()
    e.step(LOOK)
    e.fork()
    e.step(ADD_3)
    with pytest.raises(ForkRefused, match="'tally'"):
        e.fork()
    assert e.step(ADD_4).observation == "total 7"


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_closing_gives_back_what_is_open_and_the_next_effect_rebuilds(restore: Any) -> None:
    author, tally = adder(restore)
    e = episode(author)
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
    author = type("Long", (Adder,), {"resources": {"tally": Tally(restore)}, "max_turns": 100})()
    straight, interrupted = episode(author), episode(author)
    for action, what in plan:
        if what == "fork":
            interrupted = interrupted.fork()
        elif what == "replay":
            interrupted = replayed(interrupted)
        elif what == "close":
            interrupted.close()
        assert interrupted.step(action).observation == straight.step(action).observation
    assert interrupted.journal == straight.journal


@both
@pytest.mark.parametrize("payload", ["fail", "crash"])
def test_a_failure_of_the_world_is_an_error_and_never_a_score(step: Step, payload: str) -> None:
    author, tally = adder()
    e = episode(author)
    step(e, ADD_3)
    turn = step(e, write_call("ask", payload=payload))
    assert turn.verdict is not None
    assert (turn.verdict.status, turn.verdict.score, turn.verdict.solved) == ("error", None, None)
    assert turn.verdict.error is not None
    assert turn.verdict.error.code == "resource_failed"
    assert (turn.terminated, turn.truncated) == (False, True)
    assert str(SECRET) not in json.dumps(turn.verdict.to_json()) + turn.observation
    assert tally.closed == 1


@both
def test_a_resource_that_does_not_open_is_an_error(step: Step) -> None:
    author, tally = adder()
    tally.fails_to_open = True
    turn = step(episode(author), ADD_3)
    assert turn.verdict is not None
    assert turn.verdict.error == Fault("resource_failed", "tally: no room")


@both
def test_a_rebuild_that_fails_is_an_error(step: Step) -> None:
    author, tally = adder("replay")
    e = episode(author)
    step(e, ADD_3)
    e = replayed(e)
    tally.fails_to_open = True
    verdict = step(e, ADD_4).verdict
    assert verdict is not None
    assert verdict.status == "error"


def test_a_failed_effect_is_recorded_and_replayed_as_the_same_error() -> None:
    author, tally = adder()
    old = episode(author)
    old.step(ADD_3)
    old.step(write_call("ask", payload="fail"))
    tally.performed.clear()
    new = replayed(old)
    assert new.over
    assert tally.performed == []
    assert new.turns[-1].verdict == old.turns[-1].verdict


@both
def test_an_effect_on_a_resource_nobody_declared_is_an_error_that_replays(step: Step) -> None:
    old = episode(adder()[0])
    turn = step(old, write_call("ask", payload="x", of="taly"))
    assert turn.verdict is not None
    assert turn.verdict.status == "error"
    assert replayed(old).turns[-1].verdict == turn.verdict


def test_the_environment_turns_a_failure_into_nan_and_says_so() -> None:
    e = env(adder()[0])
    e.reset(seed=1)
    _, reward, terminated, truncated, info = e.step(write_call("ask", payload="fail"))
    assert math.isnan(reward)
    assert (terminated, truncated) == (False, True)
    assert info["error"] == {"code": "resource_failed", "reason": "tally: the machine is on fire"}
    assert info["verdict"]["score"] is None


def test_the_environment_raises_on_a_failure_if_it_was_asked_to() -> None:
    e = env(adder()[0], on_error="raise")
    e.reset(seed=1)
    assert e.step(ADD_3)[1] == 0.0
    with pytest.raises(JudgementError, match=r"resource_failed.*on fire"):
        e.step(write_call("ask", payload="fail"))


def test_a_journal_written_by_other_code_is_refused() -> None:
    author, _ = adder()
    old = episode(author)
    old.step(ADD_3)
    (record,) = old.journal
    changed = Record(ADD_4, 0, record.effects)
    missing = Record(ADD_3, 0, ())
    unasked = Record(ADD_3, 0, (*record.effects, *record.effects))
    for journal in ([changed], [missing], [unasked]):
        with pytest.raises(SnapshotMismatch, match="journal does not fit"):
            Episode.replay(author, old.task, old.instance, journal)
    assert Episode.replay(author, old.task, old.instance, [record]).state == old.state


def test_a_journal_that_goes_on_after_the_end_is_refused() -> None:
    author, _ = adder()
    old = episode(author)
    old.step(write_call("submit", total=10))
    with pytest.raises(SnapshotMismatch, match="after the episode has ended"):
        Episode.replay(author, old.task, old.instance, [*old.journal, Record(LOOK)])


@pytest.mark.parametrize("restore", RESTORES)
def test_the_answer_key_never_reaches_a_resource_or_a_journal(restore: Any) -> None:
    author, tally = adder(restore)
    e = episode(author)
    for action in (ADD_3, LOOK, write_call("ask", payload="crash")):
        e.step(action)
    assert e.instance.key == SECRET
    assert str(SECRET) not in repr((tally.opened, tally.performed))
    assert str(SECRET) not in json.dumps([record.to_json() for record in e.journal])


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
@pytest.mark.parametrize("at", [1, 2], ids=["first effect", "second effect"])
def test_a_turn_that_is_cancelled_leaves_no_trace_in_the_resource(restore: Any, at: int) -> None:
    async def play() -> tuple[Episode, str]:
        author, tally = adder(restore)
        e = episode(author)
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


@given(
    st.builds(
        Performed,
        st.text(),
        st.none() | st.builds(Outcome, st.text(), JSON),
        JSON,
        st.none() | st.builds(Fault, st.text(), st.text()),
    )
)
def test_a_record_survives_json(record: Performed) -> None:
    assert Performed.from_json(json.loads(json.dumps(record.to_json()))) == record


@given(st.sampled_from([Exec, Check, Ask, Query]), st.sampled_from(["a", "b"]), JSON, JSON)
def test_a_digest_tells_requests_apart(kind: Any, name: str, payload: Any, other: Any) -> None:
    digest = kind(name, payload).digest()
    assert digest == kind(name, json.loads(json.dumps(payload))).digest()
    assert digest != kind(name + "'", payload).digest()
    assert len({k(name, payload).digest() for k in (Exec, Check, Ask, Query)}) == 4
    if json.dumps(payload, sort_keys=True) != json.dumps(other, sort_keys=True):
        assert digest != kind(name, other).digest()


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
