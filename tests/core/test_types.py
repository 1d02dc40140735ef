"""The nouns: what travels does so exactly, what must not travel has no way out."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.seeding import MAX_SEED, SPLITS, TaskKey
from envhub.core.types import EnvSpec, Fault, Instance, Task, Turn, Verdict

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
TASKS = st.builds(
    Task,
    st.builds(
        TaskKey,
        st.from_regex(r"[a-z]{1,8}-v[0-9]", fullmatch=True),
        st.dictionaries(st.text(), JSON, max_size=3),
        st.sampled_from(SPLITS),
        st.integers(0, MAX_SEED),
        st.none() | st.integers(0, 999),
    ),
    st.none() | st.integers(1, 10),
    st.text(),
    JSON,
    st.text("0123456789abcdef", min_size=32, max_size=32),
    st.lists(st.dictionaries(st.text(), JSON, max_size=2), max_size=2).map(tuple),
)


@given(TASKS)
def test_a_task_survives_json_exactly(task: Task) -> None:
    read = Task.from_json(json.loads(json.dumps(task.to_json())))
    assert read == task
    assert read.to_json() == task.to_json()
    assert read.key.root == task.key.root


@given(TASKS)
def test_the_fields_of_the_key_are_fields_of_the_task(task: Task) -> None:
    key = task.key
    flat = (task.env_id, task.params, task.split, task.seed, task.draw)
    assert flat == (key.env_id, key.params, key.split, key.seed, key.draw)
    assert task.env_id.endswith(f"-v{task.version}")


def test_what_is_no_task_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="missing: env_id"):
        Task.from_json({})
    with pytest.raises(KeyError, match="difficulty"):
        Task.from_json({"env_id": "a-v0", "params": {}, "split": "train", "seed": 1})


def test_the_key_of_an_instance_is_not_in_its_repr() -> None:
    instance = Instance({"n": 1}, key="the secret")
    assert "secret" not in repr(instance) + str(instance) + f"{[instance]}"
    assert "'n': 1" in repr(instance)
    assert not hasattr(instance, "to_json")
    assert instance != Instance({"n": 1}, key="another")


@pytest.mark.parametrize(
    "noun", [Instance(1), Fault("a", "b"), Verdict(1.0), EnvSpec("a-v0", "b"), TaskKey("a-v0", {}, "train", 0)]
)
def test_nouns_are_frozen(noun: Any) -> None:
    for name in noun.__dataclass_fields__:
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(noun, name, None)


def test_verdicts_say_one_of_three_things() -> None:
    right, wrong = Verdict.exact(True), Verdict.exact(False, "No.")
    assert (right.score, right.solved, right.status, right.error) == (1.0, True, "graded", None)
    assert (wrong.score, wrong.solved, wrong.status, wrong.feedback) == (0.0, False, "graded", "No.")
    none = Verdict.no_answer("empty", "Say something.")
    assert (none.score, none.solved, none.status, none.reason) == (0.0, False, "no_answer", "empty")
    failed = Verdict.failed("resource_lost", "gone")
    assert (failed.score, failed.solved, failed.status, failed.error) == (
        None,
        None,
        "error",
        Fault("resource_lost", "gone"),
    )


def test_a_note_is_added_to_a_verdict_and_nothing_is_lost() -> None:
    verdict = Verdict(0.5, components={"a": 1.0, "b": 2.0}, payoff=-3.0)
    noted = verdict.noting("42", b=3.0, c=4.0)
    assert (noted.answer, noted.components) == ("42", {"a": 1.0, "b": 3.0, "c": 4.0})
    assert (noted.score, noted.payoff) == (0.5, -3.0)
    assert verdict.components == {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize("verdict", [Verdict.exact(True), Verdict.no_answer("empty", "x"), Verdict.failed("a", "b")])
def test_a_verdict_is_json_with_every_field(verdict: Verdict) -> None:
    data = verdict.noting("5", format=1.0).to_json()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert set(data) == set(Verdict.__dataclass_fields__)


def test_a_turn_that_ends_shows_the_feedback_unless_told_otherwise() -> None:
    verdict = Verdict.exact(True, "Well done.")
    assert Turn.end("s", verdict) == Turn("s", "Well done.", verdict, terminated=True)
    assert Turn.end("s", verdict, "").observation == ""
    one, other = Turn(0, ""), Turn(0, "")
    one.info["x"] = 1
    assert other.info == {}


def test_an_id_is_a_name_and_a_version() -> None:
    spec = EnvSpec("guess-v2-number-v10", "m:C")
    assert (spec.name, spec.version) == ("guess-v2-number", 10)
