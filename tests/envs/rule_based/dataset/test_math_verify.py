"""math-verify judges what our own grader cannot read, where it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import envhub
from envhub.core.errors import MissingExtra
from tests.envs.rule_based.dataset.questions import split_of, write

pytestmark = pytest.mark.slow


def second(kind: str | None = None) -> envhub.Env:
    row = {"prompt": "How long is it, in centimetres?", "answer": "12", **({"kind": kind} if kind else {})}
    write(Path("long.jsonl"), [row])
    env = envhub.make("dataset-v0", path="long.jsonl", second="math-verify", split=split_of("long.jsonl"))
    env.reset(seed=1)
    return env


@pytest.mark.parametrize(
    ("answer", "reward"), [("12 \\text{ cm, all told}", 1.0), ("13 \\text{ cm, all told}", 0.0), ("12", 1.0)]
)
def test_math_verify_judges_what_the_ladder_cannot_read_where_it_is_asked_for(answer: str, reward: float) -> None:
    env = second()
    _, got, _, _, info = env.step(f"<answer>{answer}</answer>")
    assert got == reward
    assert info["verdict"]["components"].get("second", 0.0) == float(answer != "12")


def test_math_verify_judges_no_answer_of_a_declared_kind_and_none_that_was_wrong() -> None:
    declared, wrong = second("integer"), second()
    for env, answer in ((declared, "12 \\text{ cm}"), (wrong, "13")):
        _, reward, _, _, info = env.step(f"<answer>{answer}</answer>")
        assert reward == 0.0
        assert "second" not in info["verdict"]["components"]


def test_without_math_verify_asking_for_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.verifiers.math.math_verify.installed", lambda: False)
    with pytest.raises(MissingExtra, match="math-verify"):
        second()
