"""The client: snapshots, forks, verdicts, tasks and the catalogue are those at home."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import envhub
from envhub.client.hub import Gold, Hub
from envhub.core.errors import EpisodeOver, ForkRefused, InvalidParameters
from tests.client.playing import ADD_3, GUESS, Register, asking, past_of, play_both, raised, same
from tests.support.toys import Dice, Sum, adder


def test_a_remote_snapshot_goes_on_locally(hub: Hub, env_id: str) -> None:
    remote = hub.make(env_id, difficulty=6, **asking(env_id, "boxed"))
    remote.reset(seed=3, options={"turn_seed": 2})
    local = envhub.restore(json.loads(json.dumps(remote.snapshot())))
    if local.environment.max_turns > 1:
        remote.step("no answer")
        local = envhub.restore(remote.snapshot())
    assert local.task == remote.task
    assert local.messages == remote.messages
    play_both(local, remote, lambda env, turn: env.solve())
    assert past_of(local.snapshot()) == past_of(remote.snapshot())


def test_a_fork_goes_its_own_way(hub: Hub, register: Register) -> None:
    register("dice-v0", Dice)
    local, remote = envhub.make("dice-v0"), hub.make("dice-v0")
    local.reset(seed=1)
    remote.reset(seed=1)
    assert same(local.step("5"), remote.step("5"))
    for turn_seed in (None, 0, 9):
        here, there = local.fork(turn_seed), remote.fork(turn_seed)
        assert here.messages == there.messages
        assert here.task == there.task
        play_both(here, there, lambda env, turn: "5")
        there.close()
    play_both(local, remote, lambda env, turn: "0")
    assert same(local.fork().messages, remote.fork().messages)
    assert raised(lambda: remote.fork().step("5"))[0] is EpisodeOver


def test_a_fork_that_is_refused(hub: Hub, register: Register) -> None:
    environment, _ = adder("none")
    register("adder-v0", type(environment))
    local, remote = envhub.make("adder-v0"), hub.make("adder-v0")
    local.reset(seed=1)
    remote.reset(seed=1)
    assert same(local.step(ADD_3), remote.step(ADD_3))
    assert raised(remote.fork) == raised(local.fork)
    assert raised(remote.fork)[0] is ForkRefused


def test_verdicts_against_gold_answers(hub: Hub) -> None:
    golds = [(Gold("42"), ["<answer>42.0</answer>", "no idea"]), (Gold("(3, 5]", "interval"), ["\\boxed{3 < x <= 5}"])]
    of_set = (Gold("{1, 2}", "set", {"of": "integer"}), ["<answer>{2, 1}</answer>", "<answer>{2}</answer>"])
    task = envhub.make("arithmetic-v0")
    task.reset(seed=1)
    verdicts = hub.verify([*golds, of_set, (task.task, [task.solve()])], reward={"accuracy": 1.0, "format": 0.5})
    assert [[verdict["reward"] for verdict in one] for one in verdicts] == [[1.5, 0.0], [1.0], [1.5, 0.5], [1.5]]
    with pytest.raises(InvalidParameters, match="'x y' cannot be read as interval"):
        hub.verify([(Gold("x y", "interval"), ["1"])])

    async def there() -> list[list[Any]]:
        async with envhub.aconnect(str(hub._http.base_url)) as other:
            return await other.verify(golds)

    assert [[verdict["solved"] for verdict in one] for one in asyncio.run(there())] == [[True, False], [True]]


def test_verdicts_and_tasks(hub: Hub, env_id: str) -> None:
    tasks = hub.tasks(env_id, [5, 6], difficulty=2, split="validation", **asking(env_id, "last"))
    local = envhub.make(env_id, difficulty=2, split="validation", **asking(env_id, "last"))
    for seed, task in zip((5, 6), tasks, strict=True):
        local.reset(seed=seed)
        assert local.task == task
    responses = [local.solve(), "", ["nothing", "<answer>1</answer>"]]
    found = hub.verify([(task, responses) for task in tasks] + [(tasks[0].key, responses)], reward={"accuracy": 3.0})
    assert found[0] == found[2]
    for task, verdicts in zip(tasks, found, strict=False):
        expected = [envhub.verify(task, response) for response in responses]
        assert verdicts == [{**v.to_json(), "reward": 3.0 * (v.score or 0)} for v in expected]


def test_the_catalogue(hub: Hub) -> None:
    assert hub.list_envs() == envhub.list_envs()
    assert hub.list_envs("games") == envhub.list_envs("games")
    assert hub.info(GUESS)["max_turns"] == 64
    assert raised(lambda: hub.list_envs("gamse")) == raised(lambda: envhub.list_envs("gamse"))
    assert raised(lambda: hub.info("sudko-v0")) == raised(lambda: envhub.spec("sudko-v0"))


def test_integers_of_any_size_travel_exactly(hub: Hub, register: Register) -> None:
    register("sum-v0", Sum)
    local, remote = envhub.make("sum-v0", digits=30), hub.make("sum-v0", digits=30)
    local.reset(seed=1)
    remote.reset(seed=1)
    assert local.task == remote.task
    assert hub.verify([(remote.task, [local.solve()])])[0][0]["score"] == 1.0
