"""The ground truth of a row: a key, and the judge that is drawn again from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.core.errors import InvalidParameters, UnknownEnvironment
from envhub.core.seeding import SPLITS, TaskKey
from envhub.dataset import truth
from tests.dataset.workshop import Sampled, known


@pytest.fixture
def counted() -> Iterator[str]:
    truth.judge.cache_clear()
    Sampled.drawn.clear()
    with known("sampled-v0", Sampled) as id:
        yield id
    truth.judge.cache_clear()


@given(
    st.builds(
        TaskKey,
        st.text(st.characters(exclude_categories=["Cs"])),
        st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers() | st.text("äß\u2028x")),
        st.sampled_from(SPLITS),
        st.integers(0, 2**63 - 1),
        st.none() | st.integers(0, 999),
    )
)
def test_a_key_is_read_back_from_its_text(key: TaskKey) -> None:
    text = truth.write(key)
    assert truth.read(text) == key
    assert truth.write(truth.read(text)) == text
    assert "\n" not in text


def test_it_is_compact_and_the_same_for_the_same_key() -> None:
    env = envhub.make("arithmetic-v0")
    env.reset(seed=3)
    text = truth.write(env.task.key)
    assert text == json.dumps(env.task.key.to_json(), sort_keys=True, separators=(",", ":"))
    shuffled = TaskKey.from_json(dict(reversed(list(env.task.key.to_json().items()))))
    assert truth.write(shuffled) == text


@pytest.mark.parametrize("id", ["arithmetic-v0", "guess-number-v0"])
def test_the_judge_of_a_text_is_that_of_the_task(id: str) -> None:
    env = envhub.make(id, answer_format="boxed")
    env.reset(seed=3)
    judge = truth.judge(truth.write(env.task.key), "boxed")
    actions = []
    while not env.episode.over:
        actions.append(env.solve())
        env.step(actions[-1])
    assert judge(actions) == env.episode.turns[-1].verdict
    assert not judge("<answer>1000001</answer>").solved


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "got NoneType"),
        (b"{}", "got bytes"),
        ({"env_id": "arithmetic-v0"}, "got dict"),
        ("", "got ''"),
        ("5", "A task key is an object, got int"),
        ("[]", "A task key is an object"),
        ("NaN", "A task key is an object"),
        ("{", "as JSON text"),
        ("42", "task key"),
        ("1" * 5000, "as JSON text"),
        ("[" * 100_000, "as JSON text"),
        ('{"env_id": "arithmetic-v0"}', "missing: params, split, seed"),
        ('{"env_id":"a-v0","params":{},"split":"train","seed":"1"}', "seed"),
        ('{"env_id":"a-v0","params":{},"split":"train","seed":1,"draw":20000}', "draw"),
        ('{"env_id":"a-v0","params":[],"split":"train","seed":1}', "params"),
        ('{"env_id":["a"],"params":{},"split":"train","seed":1}', "env_id"),
        ('{"env_id":"a-v0","params":{},"split":["train"],"seed":1}', "No split"),
    ],
)
def test_what_is_no_key_is_refused(text: Any, says: str) -> None:
    with pytest.raises(InvalidParameters, match=says):
        truth.read(text)


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_text_gives_another_error(text: str) -> None:
    with pytest.raises(InvalidParameters):
        truth.read(text)


def test_a_key_that_does_not_fit_is_refused() -> None:
    key = {"env_id": "nothing-v0", "params": {}, "split": "train", "seed": 1, "draw": 0}
    with pytest.raises(UnknownEnvironment):
        truth.judge(json.dumps(key))
    with pytest.raises(InvalidParameters, match="lacks the parameters"):
        truth.judge(json.dumps({**key, "env_id": "arithmetic-v0"}))


def test_a_judge_is_made_once_and_the_least_used_is_forgotten(counted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = envhub.make(counted)
    env.reset(seed=1)
    text = truth.write(env.task.key)
    Sampled.drawn.clear()
    for _ in range(5):
        assert truth.judge(text)(env.solve()).solved
    assert len(Sampled.drawn) == 1
    truth.judge(text, "boxed")
    assert len(Sampled.drawn) == 2
    assert truth.judge.cache_info().maxsize == truth.REMEMBERED


def test_a_key_that_draws_another_problem_than_was_asked_judges_nothing() -> None:
    for id in ("arithmetic-v0", "guess-number-v0"):
        env = envhub.make(id)
        env.reset(seed=3)
        text = truth.write(env.task.key)
        assert truth.judge(text, None, env.task.fingerprint) is not None
        with pytest.raises(InvalidParameters, match="draws another problem than was asked"):
            truth.judge(text, None, "0" * 32)
