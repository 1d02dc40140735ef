"""An episode is a fold over its journal."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import EpisodeOver, InvalidAction, InvalidParameters, SnapshotMismatch
from envhub.core.types import EnvSpec
from envhub.episodes.episode import Episode
from envhub.episodes.record import Record
from tests.support.toys import SECRET, Dice, Sum, adder, episode, unfindable

SPEC = EnvSpec("toy-v0", "tests.support.toys:?")
ACTIONS = st.lists(st.sampled_from(["1", "2", "150", "", "no", "\ud800", "x" * 150, "13", "0", "\x00"]), max_size=6)


class Long(Dice):
    """Dice with turns enough."""

    max_turns = 100


def seen(e: Episode) -> list[tuple[Any, ...]]:
    return [(t.state, t.observation, t.verdict, t.terminated, t.truncated) for t in e.turns]


def through_json(e: Episode) -> Episode:
    return Episode.restore(SPEC, e.environment, json.loads(json.dumps(e.snapshot(), ensure_ascii=False).encode()))


@given(ACTIONS, st.integers(0, 3), st.integers(0, 100))
def test_a_snapshot_gives_the_same_episode_at_every_turn(actions: list[str], turn_seed: int, seed: int) -> None:
    e = episode(unfindable(Dice), seed, turn_seed)
    for action in actions:
        again = through_json(e)
        assert seen(again) == seen(e)
        assert again.snapshot() == e.snapshot()
        assert (again.task, again.instance, again.state) == (e.task, e.instance, e.state)
        if e.over:
            break
        again.step(action)
        e.step(action)
        assert seen(again) == seen(e)


@given(ACTIONS, ACTIONS, st.none() | st.integers(0, 3))
def test_a_fork_shares_the_past_and_nothing_else(past: list[str], future: list[str], turn_seed: int | None) -> None:
    trunk = episode(unfindable(Long), 1)
    for action in past:
        if not trunk.over:
            trunk.step(action)
    before, snapshot = seen(trunk), trunk.snapshot()
    branch = trunk.fork(turn_seed)
    assert seen(branch) == before
    for action in future:
        if not branch.over:
            branch.step(action)
    assert (seen(trunk), trunk.snapshot()) == (before, snapshot)
    assert seen(through_json(branch)) == seen(branch)
    if not turn_seed:  # the same luck goes the same way
        for action in future:
            if not trunk.over:
                trunk.step(action)
        assert seen(trunk) == seen(branch)


def test_chance_changes_the_turns_and_not_the_task() -> None:
    episodes = [episode(Long(), 7, turn_seed) for turn_seed in range(20)]
    assert len({e.task.fingerprint for e in episodes}) == 1
    assert len({e.task.prompt for e in episodes}) == 1
    assert all(e.task == episodes[0].task for e in episodes)
    assert len({e.step("1").observation for e in episodes}) > 15
    assert episode(Long(), 7, 3).step("1") == episode(Long(), 7, 3).step("1")


def test_a_fork_with_another_chance_has_another_luck_from_there_on_only() -> None:
    trunk = episode(Long(), 7)
    for _ in range(3):
        trunk.step("1")
    lucks = [trunk.fork(turn_seed) for turn_seed in range(10)]
    for e in lucks:
        e.step("1")
        e.step("1")
    assert all(seen(e)[:3] == seen(trunk) for e in lucks)
    assert len({e.state[3] for e in lucks}) > 7
    assert lucks[0].state[:4] == trunk.step("1").state
    assert [through_json(e).state for e in lucks] == [e.state for e in lucks]


def test_every_turn_has_luck_of_its_own_whatever_was_said() -> None:
    one, other = episode(Long(), 7), episode(Long(), 7)
    for i in range(20):
        one.step("1")
        other.step(str(i + 20))
    assert one.state == other.state
    assert len(set(one.state)) > 15


def test_luck_differs_between_seeds() -> None:
    assert len({episode(Long(), seed).step("1").state[0] for seed in range(30)}) > 25


def test_after_the_end_there_is_nothing_to_do() -> None:
    e = episode(Dice())
    assert not e.over
    e.step(e.oracle())
    assert e.over
    before = e.snapshot()
    with pytest.raises(EpisodeOver, match="has ended"):
        e.step("1")
    with pytest.raises(EpisodeOver, match="has ended"):
        asyncio.run(e.astep("1"))
    with pytest.raises(EpisodeOver, match="nothing left to solve"):
        e.oracle()
    assert e.snapshot() == before
    assert through_json(e).over


@pytest.mark.parametrize("action", [None, 5, b"5", ["5"], {"action": "5"}])
def test_what_is_no_text_is_refused_and_costs_nothing(action: Any) -> None:
    e = episode(Dice())
    with pytest.raises(InvalidAction, match=f"got {type(action).__name__}"):
        e.step(action)
    with pytest.raises(InvalidAction):
        asyncio.run(e.astep(action))
    assert (e.turns, e.journal) == ([], [])


@pytest.mark.parametrize(
    "action", ["\ud800", "a\udfff<answer>5</answer>", "\ud83d\ude00", "\x00\x1b[2J", "\u202e", "é", "😀"]
)
def test_any_text_survives_a_snapshot_as_utf8(action: str) -> None:
    e = episode(Dice())
    e.step(action)
    e.messages()[1]["content"].encode()
    again = through_json(e)
    assert (again.journal, seen(again)) == (e.journal, seen(e))


def test_a_long_action_is_kept_only_up_to_the_limit() -> None:
    e = episode(Dice())
    e.step("1" * 10_000)
    assert len(e.journal[0].action) == 101
    assert "longer than 100" in e.turns[0].observation
    assert "longer than 100" in through_json(e).turns[0].observation


def test_messages_are_the_conversation() -> None:
    e = episode(Dice())
    assert e.messages() == [{"role": "user", "content": e.task.prompt}]
    e.step("1")
    e.step("2")
    messages = e.messages("Be brief.")
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [m["content"] for m in messages[2:]] == ["1", e.turns[0].observation, "2", e.turns[1].observation]


@pytest.mark.parametrize("environment", [Sum(), Dice(), adder()[0]], ids=lambda a: type(a).__name__)
def test_neither_a_snapshot_nor_a_repr_holds_the_answer_key(environment: Any) -> None:
    e = episode(environment, 1)
    if isinstance(environment, Sum):
        e.instance = type(e.instance)(e.instance.problem, SECRET)
    e.step("<answer>1</answer>")
    e.step("x") if not e.over else None
    assert e.instance.key == SECRET
    for text in (
        json.dumps(e.snapshot()),
        repr(e.instance),
        repr(e.task),
        repr(e.turns),
        str(e),
        json.dumps(e.messages()),
    ):
        assert str(SECRET) not in text


def snapshot_of(**changes: Any) -> dict[str, Any]:
    e = episode(Dice())
    e.step("1")
    return {k: v for k, v in {**json.loads(json.dumps(e.snapshot())), **changes}.items() if v is not ...}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"envhub": 2}, "envhub=1, got envhub=2"),
        ({"envhub": ...}, "envhub=1, got envhub=None"),
        ({"answer_format": "boxed"}, "answer_format='boxed'"),
        ({"task": {"env_id": "die-v0", "params": {}, "split": "train", "seed": 0, "draw": 0}}, "is of die-v0"),
        ({"journal": [{"action": "0", "turn_seed": 0, "effects": []}] * 2}, "after the episode has ended"),
        (
            {"journal": [{"action": "1", "turn_seed": 0, "effects": [{"digest": "x", "outcome": ["", None]}]}]},
            "nobody asked for",
        ),
        ({"journal": ...}, ""),
        ({"journal": [{"action": "1"}]}, ""),
        ({"journal": 5}, ""),
        ({"task": ...}, ""),
        ({"first_turn_seed": ...}, ""),
    ],
)
def test_a_snapshot_that_does_not_fit_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises((SnapshotMismatch, InvalidParameters), match=says or None):
        Episode.restore(SPEC, Dice(), snapshot_of(**changes))
    assert Episode.restore(SPEC, Dice(), snapshot_of()).state


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 5))
def test_a_record_survives_json(action: str, turn_seed: int) -> None:
    assert Record.from_json(json.loads(json.dumps(Record(action, turn_seed).to_json()))) == Record(action, turn_seed)


@pytest.mark.parametrize(
    "call",
    [
        r'{"name": "echo", "arguments": {"text": "\ud800"}}',
        r'{"name": "echo", "arguments": {"\ud800": 1}}',
        r'{"name": "\ud800", "arguments": {}}',
        r'{"name": "note", "arguments": {"text": "\ud800"}}',
    ],
)
def test_a_lone_surrogate_hidden_in_a_call_is_no_error_of_ours(call: str) -> None:
    e = episode(adder()[0])
    turn = e.step(f"<tool_call>{call}</tool_call>")
    assert turn.verdict is None
    turn.observation.encode()
    assert seen(through_json(e)) == seen(e)
