"""Runs with credit from forks, demonstrations and replay raise held-out success; one seed each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envhub_trainer.watch.track import read
from tests.trainer.test_learning import EPISODES, command, rise

pytestmark = pytest.mark.nightly

RUNS: dict[str, dict[str, Any]] = {
    "vineppo": {"rollout.size": 8, "algorithm.name": "vineppo", "algorithm.states": 3},
    "spo_segment": {"rollout.size": 8, "algorithm.name": "spo_segment", "algorithm.cuts": 1, "algorithm.states": 3},
    "treerl": {
        "rollout.size": 6,
        "algorithm.name": "treerl",
        "algorithm.states": 2,
        "algorithm.continuations": 2,
        "optimizer.learning_rate": 5e-4,
    },
    "replay": {"selection.repeat": 0.5, "replay.episodes": 2},
}
"""Techniques on the guessing game, 40 steps of 16 groups."""


def words(folder: Path, recipe: str, name: str, settings: dict[str, Any]) -> list[str]:
    """A run of a recipe in a folder of its own, from a start that its runs share."""
    steps = settings["run.steps"]
    common = {
        "run.folder": folder / name,
        "run.save_every": 1000,
        "model.path": folder / f"{recipe}-start",
        "evaluate.every": steps,
        "evaluate.episodes": EPISODES,
    }
    changes = {**common, **settings}
    return [recipe, *(word for key, value in changes.items() for word in ("--set", f"{key}={value}"))]


def success(folder: Path, recipe: str, name: str, settings: dict[str, Any]) -> tuple[float, float]:
    """Sampled held-out success before and after."""
    command("run", *words(folder, recipe, name, settings))
    log = read(folder / name)
    before, after = log[0]["test/sampled"], log[-1]["test/sampled"]
    print(f"{recipe}, {name}: {before:.3f} -> {after:.3f}")
    return before, after


@pytest.fixture(scope="module")
def guess(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guess")
    command("warmstart", *words(folder, "guess", "start", {"run.steps": 40}))
    return folder


@pytest.mark.parametrize("name", RUNS)
def test_it_teaches_a_game_of_several_turns(name: str, guess: Path) -> None:
    _, bound = rise([success(guess, "guess", name, {"run.steps": 40, "rollout.groups": 16, **RUNS[name]})])
    assert bound > 0


def test_demonstrations_in_groups_teach_a_policy_that_seldom_succeeds(tmp_path: Path) -> None:
    settings = {"run.steps": 60, "rollout.size": 7, "warmstart.stop": 0.05}
    command("warmstart", *words(tmp_path, "addition", "start", settings))
    _, alone = success(tmp_path, "addition", "dapo", settings)
    before, shown = success(tmp_path, "addition", "luffy", {**settings, "demonstrations.join": "true"})
    assert shown > before
    assert shown > alone + 0.03
