"""verl's reward function: a row is all it needs, and what it cannot judge it does not make up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from envhub.adapters.verl.reward import compute_score
from envhub.core.errors import InvalidParameters, JudgementError, UnknownEnvironment
from envhub.dataset import DatasetConfig, generate, truth
from tests.dataset.workshop import Few, Sampled, Unjudged, config, known, read

IDS = ("arithmetic-v0", "countdown-v0", "sudoku-v0")
WRONG = "<answer>4000000</answer>"


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, Any], str]]:
    """Rows, each with its oracle's answer."""
    folder = tmp_path_factory.mktemp("verl")
    of = config(*IDS, rows=6, levels=(2, 3))
    generate(of, folder / "t.jsonl", processes=1)
    generate(DatasetConfig.from_json({**of.to_json(), "with_solutions": True}), folder / "s.jsonl", processes=1)
    solutions = [row["extra_info"]["solution"][0] for row in read(folder / "s.jsonl")]
    return list(zip(read(folder / "t.jsonl"), solutions, strict=True))


def score(row: dict[str, Any], response: str, **settings: Any) -> dict[str, float]:
    """As verl's reward manager calls it."""
    return compute_score(
        data_source=row["data_source"],
        solution_str=response,
        ground_truth=row["reward_model"]["ground_truth"],
        extra_info=row["extra_info"],
        **settings,
    )


def test_the_row_is_enough(rows: list[tuple[dict[str, Any], str]]) -> None:
    assert {row["data_source"] for row, _ in rows} == {f"envhub/{id}" for id in IDS}
    for row, right in rows:
        assert score(row, right) == {"score": 1.0, "acc": 1.0, "format": 1.0, "no_answer": 0.0}
        assert score(row, f"<think>hm</think>\n{right}<|im_end|>")["score"] == 1.0
        assert score(row, WRONG)["score"] == 0.0
        assert score(row, "no idea at all") == {"score": 0.0, "acc": 0.0, "format": 0.0, "no_answer": 1.0}
        assert score(row, "")["score"] == 0.0
    for (row, _), (_, other) in zip(rows, rows[1:] + rows[:1], strict=True):
        assert score(row, other)["score"] == 0.0


def test_by_position_and_without_what_is_extra(rows: list[tuple[dict[str, Any], str]]) -> None:
    row, right = rows[0]
    assert compute_score(row["data_source"], right, row["reward_model"]["ground_truth"])["score"] == 1.0
    assert compute_score(row["data_source"], right, row["reward_model"]["ground_truth"], {})["score"] == 1.0
    more = {**row["extra_info"], "num_turns": 1, "rollout_reward_scores": {}}
    settings = {"sandbox_fusion_url": None, "concurrent_semaphore": None}
    assert compute_score(row["data_source"], right, row["reward_model"]["ground_truth"], more, **settings)["acc"] == 1.0


def test_every_row_has_the_same_names_and_plain_floats(rows: list[tuple[dict[str, Any], str]]) -> None:
    for row, right in rows:
        for response in (right, WRONG, "", "\ud800", "x" * 100_000):
            found = score(row, response)
            assert list(found) == ["score", "acc", "format", "no_answer"]
            assert {type(value) for value in found.values()} == {float}


def as_numpy(value: Any) -> Any:
    """A row as pandas gives it: lists are arrays, texts and numbers may be of NumPy."""
    if isinstance(value, dict):
        return {name: as_numpy(item) for name, item in value.items()}
    if isinstance(value, list):
        return np.array([as_numpy(item) for item in value], dtype=object)
    if isinstance(value, str):
        return np.str_(value)
    return np.int64(value) if type(value) is int else value


def test_a_row_that_went_through_parquet_and_numpy(tmp_path: Path) -> None:
    of = config(*IDS, rows=3, answer_format="boxed", with_solutions=True)
    generate(of, tmp_path / "t.parquet", processes=1)
    for row in read(tmp_path / "t.parquet"):
        right = row["extra_info"]["solution"][0]
        assert score(as_numpy(row), right) == {"score": 1.0, "acc": 1.0, "format": 1.0, "no_answer": 0.0}
        inner = right.removeprefix("\\boxed{").removesuffix("}")
        assert score(as_numpy(row), f"<answer>{inner}</answer>")["format"] == 0.0


def test_weights_by_name(rows: list[tuple[dict[str, Any], str]]) -> None:
    row, right = rows[0]
    weights = {"accuracy": 2.0, "format": 0.5}
    assert score(row, right, reward=weights)["score"] == 2.5
    assert score(row, WRONG, reward=weights) == {"score": 0.5, "acc": 0.0, "format": 1.0, "no_answer": 0.0}
    bare = right.removeprefix("<answer>").removesuffix("</answer>")
    assert score(row, bare, reward=weights) == {"score": 2.0, "acc": 1.0, "format": 0.0, "no_answer": 0.0}
    for bad in ({"acuracy": 1.0}, {"accuracy": float("nan")}, {"accuracy": "1"}):
        with pytest.raises(InvalidParameters):
            score(row, right, reward=bad)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"data_source": "openai/gsm8k"},
            "The row is of 'openai/gsm8k' and its ground truth of 'envhub/arithmetic-v0'",
        ),
        ({"data_source": "envhub/countdown-v0"}, "The row is of 'envhub/countdown-v0'"),
        ({"data_source": "arithmetic-v0"}, "The row is of 'arithmetic-v0'"),
        ({"reward_model": {"ground_truth": "72"}}, "task key"),
        ({"reward_model": {"ground_truth": "#### 72"}}, "A ground truth of envhub is a task key as JSON text"),
        ({"reward_model": {"ground_truth": 72}}, "got int"),
        ({"reward_model": {"ground_truth": None}}, "got NoneType"),
    ],
)
def test_a_row_of_others_is_refused(change: dict[str, Any], says: str, rows: list[tuple[dict[str, Any], str]]) -> None:
    row, right = rows[0]
    with pytest.raises(InvalidParameters, match=says):
        score({**row, **change}, right)


def test_a_row_that_was_altered_is_refused(rows: list[tuple[dict[str, Any], str]]) -> None:
    (row, right), (other, _) = rows[0], rows[3]
    assert row["data_source"] == other["data_source"]
    with pytest.raises(InvalidParameters, match="draws another problem than was asked"):
        score({**row, "reward_model": other["reward_model"]}, right)
    key = {**json.loads(row["reward_model"]["ground_truth"]), "env_id": "nothing-v0"}
    with pytest.raises(UnknownEnvironment):
        score(
            {"data_source": "envhub/nothing-v0", "reward_model": {"ground_truth": json.dumps(key)}, "extra_info": {}},
            "",
        )


def test_several_turns_are_refused(tmp_path: Path) -> None:
    generate(config("guess-number-v0", rows=1), tmp_path / "t.jsonl", processes=1)
    with pytest.raises(
        InvalidParameters, match=r"guess-number-v0 is an episode of up to .* a single response cannot be judged"
    ):
        score(read(tmp_path / "t.jsonl")[0], "<answer>5</answer>")


def toy(cls: type[Few], tmp_path: Path) -> dict[str, Any]:
    generate(config("toy-v0", rows=1), tmp_path / "t.jsonl", processes=1)
    return dict(read(tmp_path / "t.jsonl")[0])


@pytest.fixture
def forgetful() -> Iterator[None]:
    truth.judge.cache_clear()
    yield
    truth.judge.cache_clear()


@pytest.mark.usefixtures("forgetful")
def test_what_could_not_be_judged_is_no_score(tmp_path: Path) -> None:
    with known("toy-v0", Unjudged):
        row = toy(Unjudged, tmp_path)
        with pytest.raises(JudgementError, match="judge_lost: The judge is away"):
            score(row, "<answer>1</answer>", reward={"format": 1.0})
        assert score(row, "nothing to judge")["no_answer"] == 1.0


@pytest.mark.usefixtures("forgetful")
def test_a_group_draws_its_problem_once(tmp_path: Path) -> None:
    with known("toy-v0", Sampled):
        row = toy(Sampled, tmp_path)
        Sampled.drawn.clear()
        scores = {score(row, f"<answer>{number}</answer>")["score"] for number in range(1000, 1030)}
    assert scores == {0.0, 1.0}
    assert len(Sampled.drawn) == 1
