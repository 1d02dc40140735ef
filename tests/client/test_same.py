"""The client: far away it is the same environment."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings, strategies as st

import envhub
from envhub.client.hub import Hub
from envhub.core.errors import InvalidParameters, UnknownEnvironment
from envhub.core.seeding import Stream
from tests.client.playing import GUESS, Register, part_of, past_of, play_both, same
from tests.support.toys import Dice


@pytest.mark.parametrize("difficulty", [1, 6, 10])
def test_the_oracle_sees_the_same_five_tuples(hub: Hub, env_id: str, difficulty: int) -> None:
    settings: dict[str, Any] = {
        "difficulty": difficulty,
        "split": "test",
        "reward": {"accuracy": 1.0, part_of(env_id): 0.5},
    }
    local, remote = envhub.make(env_id, **settings), hub.make(env_id, **settings)
    assert same(local.reset(seed=7), remote.reset(seed=7))
    assert local.task == remote.task
    assert local.action_space == remote.action_space
    assert local.observation_space == remote.observation_space
    play_both(local, remote, lambda env, turn: env.solve())
    assert local.messages == remote.messages
    assert local.render() == remote.render()
    assert past_of(local.snapshot()) == past_of(remote.snapshot())
    remote.close()


def test_a_random_policy_sees_the_same_five_tuples(hub: Hub, env_id: str) -> None:
    local, remote = envhub.make(env_id), hub.make(env_id)
    rng = Stream(b"random policy")
    for seed in range(5):
        assert same(local.reset(seed=seed), remote.reset(seed=seed))
        play_both(local, remote, lambda env, turn: env.random_action(rng))
        remote.close()


TEXTS = (
    st.text(max_size=30) | st.from_regex(r"<answer>[ 0-9+*().-]{0,12}</answer>") | st.text(st.characters(), max_size=5)
)


@settings(max_examples=12)
@given(seed=st.integers(0, 2**63 - 1), actions=st.lists(TEXTS, min_size=1, max_size=4), turn_seed=st.integers(0, 3))
def test_any_text_gets_the_same_five_tuple(
    url: str, env_id: str, seed: int, actions: list[str], turn_seed: int
) -> None:
    with envhub.connect(url) as hub:
        local, remote = envhub.make(env_id), hub.make(env_id)
        options = {"turn_seed": turn_seed}
        assert same(local.reset(seed=seed, options=options), remote.reset(seed=seed, options=options))
        play_both(local, remote, lambda env, turn: actions[turn % len(actions)])
        assert past_of(local.snapshot()) == past_of(remote.snapshot())
        remote.close()


@pytest.mark.parametrize(
    "action", ["\ud800", "<answer>5\udfff</answer>", "\x00", "x" * 70_000, "\N{SNOWMAN}"], ids=ascii
)
def test_text_that_is_hard_to_send(hub: Hub, action: str) -> None:
    local, remote = envhub.make(GUESS), hub.make(GUESS)
    local.reset(seed=1)
    remote.reset(seed=1)
    assert same(local.step(action), remote.step(action))
    assert local.messages == remote.messages
    assert past_of(local.snapshot()) == past_of(remote.snapshot())


def test_text_without_utf_8_is_verified_or_refused_in_words(hub: Hub) -> None:
    (task,) = hub.tasks(GUESS, [1])
    (verdicts,) = hub.verify([(task, ["\ud800", ["\udfff 5"]])])
    assert [v["status"] for v in verdicts] == [envhub.verify(task, text).status for text in ("\ud800", ["\udfff 5"])]
    with pytest.raises(InvalidParameters, match="system"):
        hub.make(GUESS, system="\ud800").reset(seed=1)


@pytest.mark.parametrize("id", ["countdown-v0", "maze-v0"])
def test_an_environment_begins_at_a_task(hub: Hub, url: str, id: str) -> None:
    task = next(envhub.TaskStream(id, seed=7, difficulty=(2, 5), answer_format="boxed"))
    here, there = envhub.begin(task, answer_format="boxed"), hub.begin(task, answer_format="boxed")
    assert there.task.key == here.task.key == task.key
    assert there.task.prompt == task.prompt
    assert there.step(here.solve())[1:] == here.fork().step(here.solve())[1:]

    async def far_away() -> Any:
        async with envhub.aconnect(url) as asynchronous:
            env = await asynchronous.begin(task.key, answer_format="boxed")
            return env.task.prompt, await env.step(here.solve())

    prompt, step = asyncio.run(far_away())
    assert (prompt, step[1:]) == (task.prompt, here.step(here.solve())[1:])
    with pytest.raises(UnknownEnvironment, match="countdown-v9"):
        hub.begin(dataclasses.replace(task.key, env_id="countdown-v9"))
    for altered in (
        dataclasses.replace(task.key, draw=(task.key.draw or 0) + 1),
        dataclasses.replace(task, fingerprint="0" * 32),
    ):
        with pytest.raises(InvalidParameters, match="another problem"):
            hub.begin(altered)


def test_resets_follow_the_same_sequence(hub: Hub) -> None:
    local, remote = envhub.make("arithmetic-v0"), hub.make("arithmetic-v0")
    for seed in (3, None, None, 2**63 - 1, None, 3, None):
        assert same(local.reset(seed=seed), remote.reset(seed=seed))
        assert local.task == remote.task
    one, two = hub.make(GUESS), hub.make(GUESS)
    one.reset()
    two.reset()
    assert one.task.seed != two.task.seed


def test_a_range_of_difficulties_and_wording(hub: Hub) -> None:
    settings: dict[str, Any] = {"difficulty": (2, 9), "answer_format": "boxed", "system": "Be brief."}
    local, remote = envhub.make("arithmetic-v0", **settings), hub.make("arithmetic-v0", **settings)
    for seed in range(5):
        assert same(local.reset(seed=seed), remote.reset(seed=seed))
        assert local.messages == remote.messages
    local, remote = (make("arithmetic-v0", terms=7, nesting=1) for make in (envhub.make, hub.make))
    assert same(local.reset(seed=1), remote.reset(seed=1))
    assert remote.task.difficulty is None


def test_gymnasium_takes_it_for_an_environment(hub: Hub, env_id: str) -> None:
    env = hub.make(env_id)
    assert isinstance(env, gymnasium.Env)
    check_env(env, skip_render_check=True)
    env.close()
    env.close()


def test_luck(hub: Hub, register: Register) -> None:
    register("dice-v0", Dice)
    local, remote = envhub.make("dice-v0"), hub.make("dice-v0")
    seen = []
    for turn_seed in (0, 1, 0):
        assert same(
            local.reset(seed=1, options={"turn_seed": turn_seed}),
            remote.reset(seed=1, options={"turn_seed": turn_seed}),
        )
        here, there = local.step("5"), remote.step("5")
        assert same(here, there)
        seen.append(there[0])
    assert seen[0] == seen[2] != seen[1]


def test_limits_are_those_of_the_environment(hub: Hub, register: Register) -> None:
    register("dice-v0", Dice)
    local, remote = envhub.make("dice-v0"), hub.make("dice-v0")
    local.reset(seed=1)
    remote.reset(seed=1)
    for away in (remote, remote.fork()):
        assert away.action_space == local.action_space
        assert away.observation_space == local.observation_space
    for action in ("9" * 101, "5000"):
        assert same(local.step(action), remote.step(action))
