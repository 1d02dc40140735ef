"""make, restore, verify: from an id to a verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import envhub
from envhub.core.errors import (
    InvalidAction,
    InvalidParameters,
    SnapshotMismatch,
    SplitExhausted,
    UnknownEnvironment,
)
from envhub.core.seeding import TaskKey
from envhub.core.types import Task

IDS = ["arithmetic-v0", "countdown-v0", "guess-number-v0", "sudoku-v0"]


def started(id: str = "arithmetic-v0", seed: int = 1, **settings: Any) -> envhub.Env:
    env = envhub.make(id, **settings)
    env.reset(seed=seed)
    return env


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"terns": 3}, "arithmetic-v0 has no parameter or option 'terns'; there are terms, .*Did you mean 'terms'"),
        ({"answer_fromat": "tag"}, "Did you mean 'answer_format'"),
        ({"diffculty": 3}, "Did you mean 'difficulty'"),
        ({"answer_format": "boxes"}, "Did you mean 'boxed'"),
        ({"split": "tests"}, "Did you mean 'test'"),
        ({"difficulty": 11}, "integer from 1 to 10"),
        ({"difficulty": "3"}, "integer from 1 to 10"),
        ({"difficulty": (5, 2)}, "integer from 1 to 10"),
        ({"terms": "3"}, "terms: .*got '3'"),
        ({"terms": 0}, "terms: .*got 0"),
        ({"operators": "+^"}, "operators: "),
        ({"on_error": "log"}, "'nan' or 'raise'"),
    ],
)
def test_a_bad_setting_is_refused_at_once_and_named(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidParameters, match=says):
        envhub.make("arithmetic-v0", **settings)


def test_the_default_is_level_3_of_the_train_split() -> None:
    task = started().task
    assert (task.difficulty, task.split) == (3, "train")
    assert task == started(difficulty=3, split="train").task


def test_parameters_may_be_given_by_name_with_or_without_a_level() -> None:
    assert started(difficulty=9, terms=2, nesting=0, operators="+").task.params["terms"] == 2
    assert dict(started(difficulty=None).task.params) == {"terms": 3, "digits": 2, "operators": "+-", "nesting": 0}


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("answer_format", [None, "boxed"])
def test_a_snapshot_is_enough_to_go_on_anywhere(id: str, answer_format: str | None) -> None:
    env = started(id, 3, difficulty=(2, 4), split="validation", answer_format=answer_format)
    env.step("1") if id == "guess-number-v0" else None
    again = envhub.restore(json.loads(json.dumps(env.snapshot())))
    assert (again.task, again.messages) == (env.task, env.messages)
    assert again.solve() == env.solve()
    assert again.step(again.solve()) == env.step(env.solve())


def test_a_restored_environment_takes_options_of_its_own() -> None:
    env = envhub.restore(started().snapshot(), reward={"accuracy": 5.0}, system="Hi.")
    assert env.messages[0] == {"role": "system", "content": "Hi."}
    assert env.step(env.solve())[1] == 5.0


@pytest.mark.parametrize("bad", [{}, {"task": {}}, {"envhub": 1}, {"task": None}, {"task": 5, "envhub": 1}])
def test_what_is_no_snapshot_is_refused(bad: Any) -> None:
    with pytest.raises((SnapshotMismatch, InvalidParameters)):
        envhub.restore(bad)


def test_a_snapshot_of_something_else_is_refused() -> None:
    good = started().snapshot()
    with pytest.raises(UnknownEnvironment, match="Did you mean 'arithmetic-v0'"):
        envhub.restore({**good, "task": {**good["task"], "env_id": "arithmetics-v0"}})
    params = {k: v for k, v in good["task"]["params"].items() if k != "terms"}
    with pytest.raises(InvalidParameters, match="lacks the parameters terms"):
        envhub.restore({**good, "task": {**good["task"], "params": params}})
    with pytest.raises(SnapshotMismatch, match="answer_format"):
        envhub.restore(good, answer_format="boxed")


@pytest.mark.parametrize("id", IDS)
def test_a_snapshot_whose_draw_was_changed_to_another_split_is_refused(id: str) -> None:
    if id == "guess-number-v0":
        pytest.skip("its splits are of seeds")
    env = next(e for e in (started(id, seed, difficulty=5, split="test") for seed in range(20)) if e.task.draw)
    forged = env.snapshot()
    forged["task"] = {**forged["task"], "draw": 0}
    with pytest.raises(InvalidParameters, match="altered"):
        envhub.restore(forged)
    with pytest.raises(InvalidParameters, match="altered"):
        envhub.verify(replace(env.task.key, draw=0), "5")


@pytest.mark.parametrize("id", ["arithmetic-v0", "countdown-v0", "sudoku-v0"])
def test_a_response_is_verified_by_the_key_alone(id: str) -> None:
    env = started(id, 5)
    right, key = env.solve(), TaskKey.from_json(json.loads(json.dumps(env.task.key.to_json())))
    for task in (env.task, key):
        assert envhub.verify(task, right).solved
        assert envhub.verify(task, [right]).solved
        assert envhub.verify(task, f"<think>hm</think>{right}").score == 1.0
        assert envhub.verify(task, "no idea").status == "no_answer"
        assert envhub.verify(task, "").score == 0.0
        assert not envhub.verify(task, started(id, 6).solve()).solved
    assert envhub.verify(key, right).components == {"format": 1.0}
    assert envhub.verify(key, right, answer_format="boxed").components == {"format": 0.0}


def test_a_problem_that_was_tampered_with_is_not_looked_at() -> None:
    task = started().task
    easy = replace(task, problem={"expression": "1 + 1"}, prompt="Compute 1 + 1.", fingerprint="0" * 32)
    assert isinstance(easy, Task)
    assert not envhub.verify(easy, "<answer>2</answer>").solved
    assert envhub.verify(easy, started().solve()).solved


def test_a_whole_episode_is_verified_by_its_actions() -> None:
    env = started("guess-number-v0", 4)
    actions = ["nonsense"]
    env.step("nonsense")
    while not env.episode.over:
        actions.append(env.solve())
        env.step(actions[-1])
    task = env.task
    verdict = envhub.verify(task, actions)
    assert verdict.solved
    assert verdict == env.episode.turns[-1].verdict
    assert envhub.verify(task, [*actions, "more"]) == verdict
    for unfinished in (actions[:-1], [], "1"):
        found = envhub.verify(task, unfinished)
        assert (found.status, found.reason, found.score) == ("no_answer", "unfinished", 0.0)


def test_what_is_no_text_is_not_verified() -> None:
    with pytest.raises(InvalidAction):
        envhub.verify(started().task, [5])  # type: ignore[list-item]
    with pytest.raises(UnknownEnvironment):
        envhub.verify(TaskKey("nothing-v0", {}, "train", 0), "5")


def test_a_split_without_problems_says_so() -> None:
    settings: dict[str, Any] = {
        "terms": 1,
        "digits": 1,
        "operators": "+",
    }  # ten problems, none of them of the test split
    assert started(split="validation", **settings).task.split == "validation"
    with pytest.raises(SplitExhausted, match="arithmetic-v0 has too few problems for the split 'test'"):
        started(split="test", **settings)


@pytest.mark.parametrize("weights", [{"acuracy": 1.0}, {"Accuracy": 1}, {"accuracy": 1.0, "formt": 0.1}])
def test_a_weight_of_nothing_is_refused_and_does_not_pay_nothing(weights: dict[str, float]) -> None:
    with pytest.raises(InvalidParameters, match=r"Unknown reward component .* Did you mean"):
        envhub.make("arithmetic-v0", reward=weights)


@pytest.mark.parametrize(
    ("id", "settings"),
    [
        ("arithmetic-v0", {"operators": "++"}),
        ("arithmetic-v0", {"operators": "/", "terms": 40}),
        ("countdown-v0", {"target_low": 10**6, "target_high": 10**6, "high": 2}),
    ],
)
def test_parameters_that_no_problem_fits_say_so(id: str, settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters):
        envhub.make(id, **settings).reset(seed=1)
