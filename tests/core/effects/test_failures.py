"""Effects that fail: an error and never a score, in the environment and in every replay."""

from __future__ import annotations

import json
import math

import pytest

from envhub.authoring import write_call
from envhub.core.errors import JudgementError
from envhub.core.types import Fault
from tests.core.effects.stepping import ADD_3, ADD_4, replayed
from tests.support.stepping import Step, both_steps
from tests.support.toys import SECRET, adder, env, episode


@both_steps
@pytest.mark.parametrize("payload", ["fail", "crash"])
def test_a_failure_of_the_world_is_an_error_and_never_a_score(step: Step, payload: str) -> None:
    environment, tally = adder()
    e = episode(environment)
    step(e, ADD_3)
    turn = step(e, write_call("ask", payload=payload))
    assert turn.verdict is not None
    assert (turn.verdict.status, turn.verdict.score, turn.verdict.solved) == ("error", None, None)
    assert turn.verdict.error is not None
    assert turn.verdict.error.code == "resource_failed"
    assert (turn.terminated, turn.truncated) == (False, True)
    assert str(SECRET) not in json.dumps(turn.verdict.to_json()) + turn.observation
    assert tally.closed == 1


@both_steps
def test_a_resource_that_does_not_open_is_an_error(step: Step) -> None:
    environment, tally = adder()
    tally.fails_to_open = True
    turn = step(episode(environment), ADD_3)
    assert turn.verdict is not None
    assert turn.verdict.error == Fault("resource_failed", "tally: no room")


@both_steps
def test_a_rebuild_that_fails_is_an_error(step: Step) -> None:
    environment, tally = adder("replay")
    e = episode(environment)
    step(e, ADD_3)
    e = replayed(e)
    tally.fails_to_open = True
    verdict = step(e, ADD_4).verdict
    assert verdict is not None
    assert verdict.status == "error"


def test_a_failed_effect_is_recorded_and_replayed_as_the_same_error() -> None:
    environment, tally = adder()
    old = episode(environment)
    old.step(ADD_3)
    old.step(write_call("ask", payload="fail"))
    tally.performed.clear()
    new = replayed(old)
    assert new.over
    assert tally.performed == []
    assert new.turns[-1].verdict == old.turns[-1].verdict


@both_steps
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
