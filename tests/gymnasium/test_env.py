"""The Gymnasium face: seeds, options, rewards, and what every step returns."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import envhub
from envhub.authoring import write_call
from envhub.core.errors import EpisodeOver, InvalidAction, InvalidParameters, JudgementError, SnapshotMismatch
from envhub.core.seeding import Stream
from envhub.gymnasium.env import Env
from tests.support.toys import SECRET, Dice, Sum, adder, env, unfindable


def started(seed: int = 1, **options: Any) -> Env:
    e = env(Dice(), **options)
    e.reset(seed=seed)
    return e


def test_a_seed_and_what_follows_it_are_the_same_every_time() -> None:
    one, other = env(Sum(), 5), env(Sum(), 5)
    assert one.reset(seed=7) == other.reset(seed=7)
    sequence = [one.reset()[0] for _ in range(10)]
    assert sequence == [other.reset()[0] for _ in range(10)]
    assert len(set(sequence)) == 10
    one.reset(seed=7)
    assert [one.reset()[0] for _ in range(10)] == sequence
    one.reset(seed=8)
    assert one.reset()[0] not in sequence


def test_without_a_seed_every_environment_goes_its_own_way() -> None:
    assert len({env(Sum(), 9).reset()[0] for _ in range(5)}) == 5


def test_reset_tells_the_prompt_the_difficulty_and_the_split_and_not_the_seed() -> None:
    e = env(Sum(), (4, 6), "test")
    observation, info = e.reset(seed=123456789)
    assert observation == e.task.prompt
    assert info == {"difficulty": e.task.difficulty, "split": "test"}
    assert "123456789" not in observation + json.dumps(info)


def test_numpy_integers_are_seeds() -> None:
    assert env(Sum()).reset(seed=np.int64(5)) == env(Sum()).reset(seed=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", ["7", 7.0, -1, 2**63, 2**200, True, [7]])
def test_a_bad_seed_is_refused_and_changes_nothing(seed: Any) -> None:
    e, twin = started(3), started(3)
    with pytest.raises(InvalidParameters, match="A seed is an integer"):
        e.reset(seed=seed)
    assert e.task.seed == 3
    assert e.reset() == twin.reset()


@pytest.mark.parametrize(
    "options", [{"turn_seed": -1}, {"turn_seed": "1"}, {"turn_seed": True}, {"luck": 1}, {"turn_seed": 1, "luck": 2}]
)
def test_a_bad_option_of_reset_is_refused(options: Any) -> None:
    with pytest.raises(InvalidParameters, match="turn_seed"):
        started().reset(seed=1, options=options)


def test_chance_is_zero_unless_reset_says_otherwise_and_only_for_one_episode() -> None:
    e = env(Dice())
    rolls = []
    for options in (None, {}, {"turn_seed": 0}, {"turn_seed": 1}, {"turn_seed": 2}, None):
        e.reset(seed=5, options=options)
        rolls.append(e.step("1")[0])
    assert rolls[0] == rolls[1] == rolls[2] == rolls[5]
    assert len(set(rolls)) == 3


def test_before_reset_there_is_no_episode() -> None:
    e = env(Dice())
    for use in (lambda: e.step("1"), e.solve, e.snapshot, e.fork, e.render, lambda: e.task, lambda: e.messages):
        with pytest.raises(EpisodeOver, match="reset"):
            use()
    e.close()


def test_after_the_end_comes_reset() -> None:
    e = started()
    e.step("0")
    with pytest.raises(EpisodeOver, match="reset"):
        e.step("0")
    with pytest.raises(InvalidAction):
        started().step(5)  # type: ignore[arg-type]
    e.reset()
    assert e.step("1")[2:4] == (False, False)


def test_the_five_tuple_until_the_end() -> None:
    e = started()
    observation, reward, terminated, truncated, info = e.step("1")
    assert observation.startswith("rolls")
    assert (reward, terminated, truncated, info) == (0.0, False, False, {})
    observation, reward, terminated, truncated, info = e.step("<answer>0</answer>")
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert set(info) == {"verdict"}
    assert info["verdict"] == json.loads(json.dumps(info["verdict"]))
    assert info["verdict"]["components"] == {"format": 1.0}


def test_out_of_turns_is_truncated_with_a_reward_of_zero() -> None:
    e = started()
    steps = [e.step("1") for _ in range(5)]
    assert [step[2:4] for step in steps] == [(False, False)] * 4 + [(False, True)]
    assert steps[-1][1] == 0.0
    assert steps[-1][4]["verdict"]["reason"] == "turn_limit"


@pytest.mark.parametrize(
    "reward", [None, {"accuracy": 1.0, "format": 0.5}, lambda verdict: 3.0, lambda verdict: verdict.score * 2]
)
def test_the_reward_is_nan_exactly_when_we_could_not_judge(reward: Any) -> None:
    for action, judged in (("0", True), ("13", False)):
        e = env(unfindable(Dice), reward=reward)
        e.reset(seed=1)
        _, value, _, _, info = e.step(action)
        assert math.isnan(value) == (not judged)
        assert ("error" in info) == (not judged)
        assert (info["verdict"]["score"] is None) == (not judged)
    for action in ("1", "nonsense", "x" * 500):
        assert started(reward=reward).step(action)[1] == 0.0


def test_rewards_are_weighted_as_asked() -> None:
    weights = {"accuracy": 2.0, "format": 0.5, "missing": 9.0}
    assert started(reward=weights).step("<answer>0</answer>")[1] == 2.5
    assert started(reward=weights).step("0")[1] == 2.0
    assert started(reward=lambda verdict: -1.0).step("0")[1] == -1.0


def test_an_error_is_raised_if_asked_for_and_the_episode_is_over() -> None:
    e = env(unfindable(Dice), on_error="raise")
    e.reset(seed=1)
    with pytest.raises(JudgementError, match="environment_failed") as caught:
        e.step("13")
    assert str(SECRET) not in str(caught.value)
    with pytest.raises(EpisodeOver):
        e.step("1")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"on_error": "ignore"}, "'nan' or 'raise'"),
        ({"reward": "accuracy"}, "weights or a callable"),
        ({"reward": {"accuracy": "1"}}, "finite number"),
        ({"system": 5}, "system is text"),
        ({"sistem": "x"}, "Did you mean 'system'"),
    ],
)
def test_a_bad_option_is_named(options: Any, says: str) -> None:
    with pytest.raises(InvalidParameters, match=says):
        env(Dice(), **options)


def test_a_system_message_opens_the_conversation_and_changes_no_task() -> None:
    plain, spoken = started(), started(system="Be brief.")
    assert spoken.messages == [{"role": "system", "content": "Be brief."}, *plain.messages]
    assert spoken.task == plain.task
    spoken.step("1")
    assert spoken.render().startswith("[system]\nBe brief.\n\n[user]\n")
    assert spoken.render().endswith(f"[assistant]\n1\n\n[user]\n{spoken.messages[-1]['content']}")


def test_a_fork_goes_on_alone() -> None:
    e = started(system="Hi.", reward={"accuracy": 3.0})
    e.step("1")
    twin, lucky = e.fork(), e.fork(turn_seed=4)
    assert twin.messages == e.messages
    assert twin.step("2") == e.step("2")
    assert lucky.step("2") != twin.step("2")
    assert twin.step("0")[1] == 3.0
    assert not e.episode.over
    with pytest.raises(InvalidParameters, match="turn_seed"):
        e.fork(turn_seed=-1)


def test_a_restored_environment_is_where_the_other_was() -> None:
    e = env(Dice())
    e.reset(seed=3, options={"turn_seed": 9})
    e.step("1")
    forked = e.fork(turn_seed=2)
    forked.step("4")
    for old in (e, forked):
        new = env(Dice()).restore(json.loads(json.dumps(old.snapshot())))
        assert new.snapshot() == old.snapshot()
        assert new.messages == old.messages
        assert new.step("7") == old.step("7")


def test_a_new_episode_gives_back_what_the_old_one_held() -> None:
    environment, tally = adder()
    e = env(environment)
    for count, begin in enumerate((lambda: e.reset(seed=1), e.reset, lambda: e.restore(e.snapshot()), e.close)):
        begin()  # type: ignore[no-untyped-call]
        assert tally.closed == count
        e.step(write_call("add", amount=1))
        assert len(tally.opened) == count + 1


def test_a_snapshot_that_does_not_fit_leaves_the_episode_as_it_was() -> None:
    e = started()
    e.step("1")
    good = e.snapshot()
    for bad in (
        {},
        {**good, "envhub": 0},
        {**good, "answer_format": "boxed"},
        {**good, "journal": good["journal"] * 9},
    ):
        with pytest.raises(SnapshotMismatch):
            e.restore(bad)
        assert e.snapshot() == good


@pytest.mark.slow
@pytest.mark.parametrize("environment", [Dice(), adder()[0]], ids=lambda a: type(a).__name__)
def test_nothing_an_environment_gives_out_holds_the_answer_key(environment: Any) -> None:
    e = env(environment)
    shown = [repr(e.reset(seed=3))]
    for action in ("1", write_call("echo", text="x"), write_call("look"), "13", write_call("explode")):
        if not e.episode.over:
            shown.append(repr(e.step(action)))
    shown += [json.dumps(e.snapshot()), e.render(), repr(e), str(e), repr(e.task), json.dumps(e.task.to_json())]
    assert e.episode.instance.key == SECRET
    assert e.episode.over
    assert not [text for text in shown if str(SECRET) in text]


def test_wording_never_changes_what_the_task_is() -> None:
    wordings: list[dict[str, Any]] = [{}, {"answer_format": "boxed"}, {"answer_format": "last"}, {"system": "x"}]
    wordings += [{"reward": {"format": 1.0}}, {"on_error": "raise"}]
    tasks = []
    for wording in wordings:
        e = envhub.make("countdown-v0", **wording)
        e.reset(seed=4)
        tasks.append(e.task)
    assert len({t.fingerprint for t in tasks}) == 1
    assert all((t.key, t.problem, t.difficulty) == (tasks[0].key, tasks[0].problem, 3) for t in tasks)
    assert len({t.prompt for t in tasks}) == 3


def test_random_actions_come_from_the_stream_alone() -> None:
    e = started()
    assert [e.random_action(Stream(b"x", i)) for i in range(5)] == [e.random_action(Stream(b"x", i)) for i in range(5)]
    assert e.action_space.contains(e.random_action(Stream(b"y")))


def test_a_rule_of_thumb_is_the_environments_or_there_is_none() -> None:
    game = envhub.make("guess-number-v0", answer_format="last", low=1, high=16, guesses=4)
    game.reset(seed=1)
    told = game.step("8")[0]
    after = range(9, 17) if "higher" in told else range(1, 8)
    assert {int(game.greedy_action(Stream(b"x", i)) or "0") for i in range(60)} == set(after)
    assert started().greedy_action(Stream(b"x")) is None
