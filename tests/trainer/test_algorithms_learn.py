"""Algorithms with models or trackers of their own raise held-out success in the guessing game, from one warm start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envhub_trainer.watch.track import read
from tests.trainer.test_learning import EPISODES, command

pytestmark = pytest.mark.nightly

PPO: dict[str, Any] = {
    "algorithm": '{name = "ppo", value_trunk = "own", value_warmup = 5, value_normalise = true, lam = 1.0}',
    "run.steps": 55,
}
OPTIONS: dict[str, Any] = {
    "algorithm": '{name = "dapo", refill = false, top_entropy = 0.2, mask = "sequence", mask_low = 0.1, entropy_target = 0.2}'
}
STEPS: dict[str, Any] = {
    "algorithm": '{name = "steps", process_learning_rate = 1e-4}',
    "optimizer.learning_rate": 5e-4,
}
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "vapo": ("vapo", {}),
    "prime": ("prime", {}),
    "spo": ("spo", {}),
    "steps": ("guess", STEPS),
    "ppo with its own critic": ("guess", PPO),
    "dapo on a fifth of the tokens": ("guess", OPTIONS),
}


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("start") / "start"
    command("warmstart", "guess", "--set", f"model.path={folder}")
    return folder


@pytest.mark.parametrize("name", RUNS)
def test_it_learns_to_guess(name: str, start: Path, tmp_path: Path) -> None:
    recipe, changes = RUNS[name]
    settings = {
        "model.path": start,
        "run.folder": tmp_path / "run",
        "run.save_every": 1000,
        "evaluate.every": 1000,
        "evaluate.episodes": EPISODES,
        "evaluate.greedy": "false",
        **changes,
    }
    command("run", recipe, *(word for key, value in settings.items() for word in ("--set", f"{key}={value}")))
    log = read(tmp_path / "run")
    before, after = log[0]["test/sampled"], log[-1]["test/sampled"]
    print(f"{name}: {before:.3f} -> {after:.3f}")
    assert after > before + 0.10
