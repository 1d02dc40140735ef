"""Failures of an author: an error without a score, which tells nothing."""

from __future__ import annotations

import json
import logging
import math
from typing import Any

import pytest

from envhub.authoring import tool, write_call
from envhub.core.effects import Exec
from envhub.core.types import Instance, Turn, Verdict
from tests.authoring.environment.variants import variant
from tests.support.toys import SECRET, Adder, Dice, Sum, Tally, adder, env

# -- failures of the author --------------------------------------------------------------------------------------------


def boom(*args: Any, **kwargs: Any) -> Any:
    raise ValueError(f"the secret is {SECRET}")


def boom_later(self: Any, inst: Instance, *args: Any) -> Any:
    yield Exec("tally", 1)
    raise ValueError(f"the secret is {SECRET}")


# Classes that no worker could find: whose doing it was is not asked (test_retaking.py does).
FAILING: dict[str, tuple[Any, list[str]]] = {
    "grade": (lambda: variant(Sum, grade=boom, accepts=lambda self, inst: True), ["1"]),
    "grade later": (
        lambda: variant(Sum, grade=boom_later, accepts=lambda self, inst: True, resources={"tally": Tally()}),
        ["1"],
    ),
    "grade returns nothing": (lambda: variant(Sum, grade=lambda *a: None, accepts=lambda self, inst: True), ["1"]),
    "reject": (lambda: variant(Sum, reject=boom), ["no"]),
    "reject too long": (lambda: variant(Sum, reject=boom), ["x" * 70_000]),
    "act": (lambda: variant(Dice), ["1", "13"]),
    "act later": (lambda: variant(Dice, act=boom_later, resources={"tally": Tally()}), ["1"]),
    "act returns nothing": (lambda: variant(Dice, act=lambda *a: None), ["1"]),
    "act returns no text": (lambda: variant(Dice, act=lambda self, i, s, v, rng: Turn(s, None)), ["1"]),  # type: ignore[arg-type]
    "exhausted": (lambda: variant(Dice, exhausted=boom), ["1"] * 5),
    "tool": (lambda: adder()[0], [write_call("explode")]),
    "tool returns no text": (lambda: variant(Adder, echo=tool(lambda self, inst, s: (s, 5))), [write_call("echo")]),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_failure_of_the_author_is_an_error_without_a_score_and_tells_nothing(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    make, actions = FAILING[name]
    environment = make()
    e = env(environment)
    e.reset(seed=1)
    with caplog.at_level(logging.DEBUG):
        for action in actions:
            observation, reward, terminated, truncated, info = e.step(action)
    assert math.isnan(reward)
    assert (terminated, truncated) == (False, True)
    assert info["verdict"]["status"] == "error"
    assert info["error"]["code"] == "environment_failed"
    told = observation + json.dumps(info) + caplog.text + json.dumps(e.snapshot())
    assert str(SECRET) not in told.replace(json.dumps(e.snapshot()["task"]), "")
    assert "toy-v0 failed" in caplog.text
    again = env(environment).restore(json.loads(json.dumps(e.snapshot())))
    assert again.episode.turns[-1].verdict == e.episode.turns[-1].verdict


# -- tools -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(math.nan, solved=False),
        Verdict(None, solved=False),
        Verdict(2.0, solved=True),
        Verdict(0.0, solved=True),
        Verdict(1.0),
        Verdict(1.0, solved=True, components={"style": math.inf}),
        Verdict(None, status="error"),
    ],
)
def test_a_verdict_that_no_reward_can_be_made_of_is_an_error(verdict: Verdict) -> None:
    class Odd(Sum):
        def accepts(self, inst: Instance) -> bool:
            return True

        def grade(self, inst: Instance, value: int) -> Verdict:
            return verdict

    e = env(Odd())
    e.reset(seed=1)
    observation, reward, terminated, truncated, info = e.step("<answer>1</answer>")
    assert math.isnan(reward)
    assert (terminated, truncated) == (False, True)
    assert info["error"]["code"] == "environment_failed"
    assert "internal error" in observation


def test_what_an_author_could_not_judge_is_no_wrong_answer() -> None:
    class Unsure(Sum):
        def accepts(self, inst: Instance) -> bool:
            return True

        def grade(self, inst: Instance, value: int) -> Verdict:
            return Verdict.failed("no_judge", "the judge is away")

    e = env(Unsure())
    e.reset(seed=1)
    observation, reward, terminated, truncated, info = e.step("<answer>1</answer>")
    assert math.isnan(reward)
    assert (terminated, truncated) == (False, True)
    assert info["error"] == {"code": "no_judge", "reason": "the judge is away"}
    assert "internal error" in observation
