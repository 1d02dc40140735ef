"""Several attempts at each task, by environment and level, from numbers to the command line."""

from __future__ import annotations

import asyncio
import json
from math import isnan
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envhub.core.statistics import wilson
from envhub_trainer.cli import app
from envhub_trainer.evaluate import Place, Result, Score
from envhub_trainer.loop import train
from envhub_trainer.setup import measure
from envhub_trainer.watch.track import read
from tests.trainer import runs

MIXED = {
    "environments": {"guess-number-v0": {"weight": 1, "low": 1, "high": 4, "guesses": 2}, "arithmetic-v0": 1},
    "difficulty": [1, 2],
    "reward": None,
}
HARD, EASY, OTHER = Place("a-v0", 2), Place("a-v0", 1), Place("b-v0", None)
SCORE = Score(
    (
        Result(EASY, (True, True, False, False), 0),
        Result(EASY, (True, True, True, True), 0),
        Result(HARD, (False, False), 2),
        Result(OTHER, (), 4),
        Result(OTHER, (False, False, False, True), 0),
    )
)


def test_attempts_are_counted_by_task() -> None:
    assert (SCORE.episodes, SCORE.solved, SCORE.failed) == (14, 7, 6)
    assert SCORE.share == 0.5
    assert SCORE.average().mean == pytest.approx((0.5 + 1 + 0 + 0.25) / 4), (
        "a task that was not judged counts for nothing"
    )
    assert SCORE.passes(2).mean == pytest.approx((5 / 6 + 1 + 0 + 1 / 2) / 4)
    assert SCORE.passes(4).mean == pytest.approx((1 + 1 + 1) / 3), "only tasks with four judged attempts"
    low, high = SCORE.passes(2)[1:]
    assert 0 <= low < SCORE.passes(2).mean < high <= 1
    assert SCORE.passes(4)[1:] == wilson(3, 3)
    assert isnan(Score(()).average().mean)


def test_places_are_environments_and_the_levels_of_those_that_have_several() -> None:
    parts = SCORE.places()
    assert list(parts) == [Place("a-v0", None), EASY, HARD, OTHER]
    assert [part.episodes for part in parts.values()] == [10, 8, 2, 4]


def test_the_first_attempt_is_the_one_of_a_single_attempt_and_the_others_are_different(tmp_path: Path) -> None:
    one, four = (runs.config(tmp_path, evaluate={"k": k, "episodes": 16}, tasks=MIXED) for k in (1, 4))
    single, several = (asyncio.run(measure(config)) for config in (one, four))
    assert [each.solved[0] for each in several["sampled"].results] == [
        each.solved[0] for each in single["sampled"].results
    ]
    assert any(len(set(each.solved)) == 2 for each in several["sampled"].results)
    assert several["greedy"] == single["greedy"]
    assert several["sampled"].episodes == 64


def test_the_command_prints_intervals_for_every_level(tmp_path: Path) -> None:
    config = runs.config(tmp_path, tasks=MIXED)
    path = tmp_path / "run.toml"
    path.write_text(toml(config.model_dump(mode="json", exclude_defaults=True)))
    done = CliRunner().invoke(app, ["evaluate", str(path), "--k", "3", "--set", "evaluate.episodes=12"])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0].startswith("sampled: 0.")
    assert "of 36)" in lines[0]
    assert lines[1].split() == ["tasks", "avg@3", "pass@3"]
    assert [line.split("  ")[1].strip() for line in lines[2:7]] == [
        "all", "arithmetic-v0", "arithmetic-v0, level 1", "arithmetic-v0, level 2", "guess-number-v0",
    ]  # fmt: skip
    assert all(line.count("[") == 2 and "nan" not in line for line in lines[2:7])
    assert any(line.split() == ["tasks", "solved"] for line in lines), "greedy actions are attempted once"


def toml(values: dict[str, object]) -> str:
    """Sections as inline tables, which JSON is but for its colons."""
    return "\n".join(f"{name} = {inline(value)}" for name, value in values.items() if value is not None)


def inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {inline(v)}" for k, v in value.items() if v is not None) + "}"
    return json.dumps(value)


def test_a_run_logs_pass_at_k_and_success_by_level(tmp_path: Path) -> None:
    config = runs.config(tmp_path, run={"steps": 1}, evaluate={"every": 1, "k": 2, "episodes": 8}, tasks=MIXED)
    asyncio.run(train(config))
    first, last = read(config.run.folder)
    for line in (first, last):
        assert line["test/sampled"] <= line["test/pass@2"] <= 1
        assert {"test/sampled/guess-number-v0", "test/sampled/arithmetic-v0/level/1"} <= line.keys()
