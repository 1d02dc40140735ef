"""Public data sets whose gold answers stand at the end of a solution: refused with the remedy, and read by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.registry.registry import load, spec
from tests.envs.rule_based.dataset.questions import write
from tests.verifiers.answers.test_golds import GSM8K, MATH


def scores(row: dict[str, Any], answers: list[str], **parameters: Any) -> list[float | None]:
    """The scores of answers to the only question of a file."""
    rows = [{**row, next(iter(row)): f"{next(iter(row.values()))} ({number})"} for number in range(40)]
    env = envhub.make("dataset-v0", path=write(Path("own.jsonl"), rows), **parameters)
    found: list[float | None] = []
    for answer in answers:
        env.reset(seed=0)
        found.append(env.step(f"<answer>{answer}</answer>")[4]["verdict"]["score"])
    return found


@pytest.mark.parametrize(
    ("row", "parameters"),
    [
        ({"question": "How many clips?", "answer": GSM8K}, {"preset": "gsm8k"}),
        ({"prompt": "How many clips?", "answer": GSM8K}, {"gold_from": "####"}),
        ({"prompt": "How many clips?", "answer": GSM8K}, {"gold_from": "last_number", "kind": "integer"}),
        ({"text": "How many clips?", "answer": GSM8K}, {"preset": "gsm8k", "question": "text"}),
    ],
)
def test_the_columns_of_gsm8k(row: dict[str, Any], parameters: dict[str, Any]) -> None:
    assert scores(row, ["72", "\\boxed{72}", "72 clips or 71", "71", "24"], **parameters) == [1.0, 1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("row", "parameters"),
    [
        ({"problem": "Which root?", "solution": MATH, "level": "Level 5"}, {"preset": "math"}),
        ({"prompt": "Which root?", "answer": MATH}, {"gold_from": "boxed"}),
    ],
)
def test_the_columns_of_math(row: dict[str, Any], parameters: dict[str, Any]) -> None:
    assert scores(row, ["2", "x = 2", "-2", "4"], **parameters) == [1.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("gold", [GSM8K, MATH, "so $\\boxed{2}$."])
@pytest.mark.parametrize("kind", ["auto", "integer", "text"])
def test_a_solution_that_nobody_named_a_reader_for_is_refused_when_the_environment_is_made(
    gold: str, kind: str
) -> None:
    with pytest.raises(InvalidParameters, match=r'own.jsonl, row 1: .*worked solution.*gold_from.*preset="gsm8k"'):
        scores({"prompt": "How many?", "answer": gold}, ["72"], kind=kind)


def test_prose_of_no_declared_kind_is_refused_and_may_be_declared() -> None:
    row = {"prompt": "How many clips?", "answer": "She sold 24 clips in May. Together that makes 72 clips."}
    with pytest.raises(InvalidParameters, match=r'worked solution.*declare kind="text"'):
        scores(row, ["72"])
    assert scores(row, ["72"], gold_from="last_number") == [1.0]
    assert scores(row, [row["answer"], "72"], kind="text") == [1.0, 0.0]


def test_the_task_key_names_the_reader() -> None:
    scores({"question": "How many clips?", "answer": GSM8K}, ["72"], preset="gsm8k")
    params = load(spec("dataset-v0")).Params(path="own.jsonl", preset="gsm8k")
    assert params.model_dump()["preset"] == "gsm8k"
    with pytest.raises(InvalidParameters, match="preset"):
        envhub.make("dataset-v0", path="own.jsonl", preset="gsm9k")
    with pytest.raises(InvalidParameters, match="gold_from"):
        envhub.make("dataset-v0", path="own.jsonl", gold_from="the end")
