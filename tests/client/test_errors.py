"""The client: what is wrong is the same error as at home, in the same words."""

from __future__ import annotations

import math
from typing import Any

import pytest

import envhub
from envhub.authoring import write_call
from envhub.client.hub import Hub
from envhub.core.errors import (
    Conflict,
    EpisodeOver,
    InvalidAction,
    InvalidParameters,
    JudgementError,
    UnknownEnvironment,
    UnknownEpisode,
)
from tests.client.playing import GUESS, Register, raised, same
from tests.support.toys import SECRET, adder

MISFITS: list[tuple[str, dict[str, Any]]] = [
    ("sudko-v0", {}),
    ("", {}),
    (GUESS, {"difficulty": 0}),
    (GUESS, {"difficulty": 11}),
    (GUESS, {"difficulty": True}),
    (GUESS, {"difficulty": 2.5}),
    (GUESS, {"difficulty": "3"}),
    (GUESS, {"difficulty": [6, 2]}),
    (GUESS, {"split": "tset"}),
    (GUESS, {"hgh": 5}),
    (GUESS, {"high": "5"}),
    (GUESS, {"high": 0}),
    (GUESS, {"high": math.nan}),
    (GUESS, {"answer_format": "bxed"}),
    (GUESS, {"reward": {"accuracy": math.inf}}),
    (GUESS, {"reward": {"accuracy": "1"}}),
    (GUESS, {"system": 7}),
    (GUESS, {"on_error": "rais"}),
]


@pytest.mark.parametrize(("id", "settings"), MISFITS, ids=[f"{i}-{s}" for i, s in MISFITS])
def test_what_does_not_fit_is_the_same_error(hub: Hub, id: str, settings: dict[str, Any]) -> None:
    at_home, away = raised(lambda: envhub.make(id, **settings)), raised(lambda: hub.make(id, **settings))
    assert away == at_home
    assert away[0] in (UnknownEnvironment, InvalidParameters)


@pytest.mark.parametrize(
    "call",
    [
        {"seed": -1},
        {"seed": 2**63},
        {"seed": 1.5},
        {"seed": "1"},
        {"seed": True},
        {"seed": 1, "options": {"chnce": 1}},
        {"seed": 1, "options": {"turn_seed": -1}},
        {"seed": 1, "options": {"turn_seed": "1"}},
    ],
    ids=str,
)
def test_a_reset_that_does_not_fit_is_the_same_error(hub: Hub, call: dict[str, Any]) -> None:
    assert raised(lambda: hub.make(GUESS).reset(**call)) == raised(lambda: envhub.make(GUESS).reset(**call))


def test_before_the_first_reset(hub: Hub) -> None:
    local, remote = envhub.make(GUESS), hub.make(GUESS)
    for name in ("step", "snapshot", "fork"):
        arguments = ("x",) if name == "step" else ()
        assert raised(lambda n=name, a=arguments: getattr(remote, n)(*a)) == raised(  # type: ignore[misc]
            lambda n=name, a=arguments: getattr(local, n)(*a)  # type: ignore[misc]
        )
    assert raised(lambda: remote.task) == raised(lambda: local.task)
    remote.close()


def test_an_action_is_text(hub: Hub) -> None:
    local, remote = envhub.make(GUESS), hub.make(GUESS)
    local.reset(seed=1)
    remote.reset(seed=1)
    for action in (5, None, b"5", ["5"]):
        found = raised(lambda a=action: remote.step(a))  # type: ignore[misc]
        assert found == raised(lambda a=action: local.step(a))  # type: ignore[misc]
        assert found[0] is InvalidAction
    assert same(local.step("<answer>5</answer>"), remote.step("<answer>5</answer>"))


def test_a_callable_reward_cannot_travel(hub: Hub) -> None:
    with pytest.raises(InvalidParameters, match="mapping of weights"):
        hub.make(GUESS, reward=lambda verdict: 1.0)


def test_a_setting_that_is_no_json(hub: Hub) -> None:
    with pytest.raises(InvalidParameters, match="JSON"):
        hub.make(GUESS, high=object())
    with pytest.raises(InvalidParameters):
        hub.make(GUESS, difficulty=type("Curriculum", (), {"pick": lambda self, rng: 3})())


def test_an_episode_the_server_has_forgotten(hub: Hub) -> None:
    env = hub.make(GUESS)
    env.reset(seed=1)
    hub.call(env.session.delete())
    with pytest.raises(UnknownEpisode, match="it may have expired"):
        env.step("1")
    env.close()


def test_somebody_else_has_taken_the_turn(hub: Hub) -> None:
    env = hub.make(GUESS)
    env.reset(seed=1)
    hub.call(env.session.step("<answer>1</answer>"))
    with pytest.raises(Conflict, match="was taken with another action"):
        env.step("<answer>2</answer>")


@pytest.mark.parametrize("action", [write_call("explode"), write_call("ask", payload="fail")], ids=["explode", "fail"])
def test_what_could_not_be_judged(hub: Hub, register: Register, action: str) -> None:
    environment, _ = adder()
    register("adder-v0", type(environment))
    local, remote = envhub.make("adder-v0"), hub.make("adder-v0")
    local.reset(seed=1)
    remote.reset(seed=1)
    here, there = local.step(action), remote.step(action)
    assert same(here, there)
    assert math.isnan(there[1])
    assert there[3]
    assert str(SECRET) not in str(there)

    local, remote = (make("adder-v0", on_error="raise") for make in (envhub.make, hub.make))
    local.reset(seed=1)
    remote.reset(seed=1)
    found = raised(lambda: remote.step(action))
    assert found == raised(lambda: local.step(action))
    assert found[0] is JudgementError
    assert raised(lambda: remote.step(action)) == raised(lambda: local.step(action))
    assert raised(lambda: remote.step(action))[0] is EpisodeOver


def test_a_task_that_cannot_be_rebuilt(hub: Hub) -> None:
    (task,) = hub.tasks(GUESS, [1])
    forged = type(task.key)("gess-number-v0", task.key.params, "train", 1)
    assert raised(lambda: hub.verify([(forged, ["x"])])) == raised(lambda: envhub.verify(forged, "x"))
