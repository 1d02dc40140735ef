"""What is said of a run when it ends."""

from __future__ import annotations

from math import nan
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from envhub_trainer.cli import app
from envhub_trainer.config import recipes
from envhub_trainer.run import gpu_memory
from envhub_trainer.watch.summary import facts


def log(*lines: dict[str, Any]) -> list[dict[str, float]]:
    return [{"step": step, "time": 86400.0, **line} for step, line in enumerate(lines)]


def test_the_facts_of_a_run() -> None:
    step = {"reward": 0.25, "seconds": 60.0, "episodes": 8, "masked": 0.25, "loss": 1.0}
    told = facts(
        log(
            {"test/sampled": 0.25, "test/greedy": nan, "test/episodes": 4},
            step,
            {**step, "reward": 0.75},
            {"skipped/uniform": 1.0, "seconds": 30.0},
            {"skipped/uniform": 1.0, "skipped/failed": 1.0, "test/sampled": 0.5, "test/episodes": 4},
        ),
        planned=9,
    )
    assert told == [
        ("steps done", "4 of 9"),
        ("last written", "1970-01-02 00:00:00 UTC"),
        ("time in these steps", "2:30 min"),
        ("episodes", "16; 4 failed and were not learned from (25.00%)"),
        ("steps without an update", "failed 1, uniform 2"),
        ("reward in training", "0.250 in the first step, 0.750 in the last step"),
        ("held-out success (test, sampled)", "25.0% [4.6%, 69.9%] (step 0) to 50.0% [15.0%, 85.0%] (step 4)"),
    ]
    assert facts([]) == []


def test_a_supervised_run_is_told_by_its_loss() -> None:
    names = [name for name, _ in facts(log({"loss": 2.0}, {"loss": 1.0}))]
    assert "loss in training" in names


def test_every_recipe_is_listed_with_a_line() -> None:
    done = CliRunner().invoke(app, ["--list"])
    lines = done.output.splitlines()
    assert [line.split()[0] for line in lines] == list(recipes())
    assert all(len(line.split()) > 4 for line in lines)


def test_memory_of_a_gpu_is_logged_where_there_is_one() -> None:
    assert gpu_memory(torch.device("cpu")) == {}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_memory_of_a_gpu_is_what_was_allocated_since_the_last_look() -> None:
    device = torch.device("cuda")
    gpu_memory(device)
    kept = torch.zeros(2**28, device=device)
    assert gpu_memory(device)["gpu_memory_gb"] >= 1.0
    assert gpu_memory(device)["gpu_memory_reserved_gb"] >= 1.0
    del kept
