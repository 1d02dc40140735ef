"""Runs of the trainer and of TRL for :mod:`benchmarks.trainer`.

::

    runs = Experiment([recipe], [0, 1, 2], folder=folder, changes=[], episodes=2000, steps=30, trl=".venvs/trl/bin/python")
    ours, trl = runs.pairs(lambda seed: runs.train(recipe, seed, "ours"), lambda seed: runs.train_trl(recipe, seed))
    runs.measure(recipe, 0, ours[0].model)["sampled"]
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.harness import OURS, Side

SKIPPED: Final = 2
"""First steps of a run excluded from its rates: memory is allocated, and an asynchronous run has no lead yet."""


@dataclass(frozen=True)
class Trained:
    """A finished run.

    Attributes:
        model: Its last checkpoint.
        told: ``items``, ``cpu_s`` and ``wall_s`` of the training; ours also has ``updates``, CPU seconds of each update.
        log: Log lines of our run, without the first steps.
    """

    model: Path
    told: dict[str, Any]
    log: Sequence[dict[str, float]]

    @property
    def rate(self) -> float:
        """Samples per CPU second."""
        return float(self.told["items"] / self.told["cpu_s"])

    @property
    def cpu_ms(self) -> float:
        """CPU milliseconds per sample."""
        return 1e3 / self.rate

    @property
    def computing(self) -> float:
        """Share of wall-clock time in which the trainer computed.

        Excludes waiting for samples, a core or a lock.
        """
        return float(sum(self.told["updates"][SKIPPED:])) / self.total("seconds")

    def total(self, name: str) -> float:
        """The sum of one logged number."""
        return sum(step[name] for step in self.log)


@dataclass(frozen=True)
class Experiment:
    """Settings and paths of all runs.

    Attributes:
        recipes: Run files.
        seeds: Seeds, one pair of runs each.
        folder: Folder for models and logs.
        changes: Changes to every run.
        episodes: Number of held-out tasks per evaluation.
        steps: Steps of runs that only measure speed.
        trl: The interpreter with TRL.
    """

    recipes: Sequence[Path]
    seeds: Sequence[int]
    folder: Path
    changes: Sequence[str]
    episodes: int
    steps: int
    trl: str

    def pairs(
        self, first: Callable[[int], Trained], second: Callable[[int], Trained]
    ) -> tuple[list[Trained], list[Trained]]:
        """Run both for every seed, in direct succession; the order alternates."""
        left, right = self.rounds(first, second)
        return left, right

    def rounds(self, *sides: Callable[[int], Trained]) -> list[list[Trained]]:
        """Run all for every seed in succession; the order reverses each time."""
        found: list[list[Trained]] = [[] for _ in sides]
        for turn, seed in enumerate(self.seeds):
            for mine, run in list(zip(found, sides, strict=True))[:: -1 if turn % 2 else 1]:
                mine.append(run(seed))
        return found

    def start(self, recipe: Path, seed: int) -> Path:
        """The initial model of a recipe and seed, built if missing."""
        folder = self.folder / f"{recipe.stem}-start-{seed}"
        if not (folder / "config.json").exists():
            settings = [*self._settings(seed), f"model.path={folder}"]
            _run(OURS, "ours.initial_model", recipe, *settings)
        return folder

    def train(self, recipe: Path, seed: int, name: str, *changes: str, python: str = OURS) -> Trained:
        """Run our trainer."""
        folder = self.folder / f"{recipe.stem}-{name}-{seed}"
        shutil.rmtree(folder, ignore_errors=True)
        settings = [*self._from_start(recipe, seed), f"run.folder={folder}", *changes]
        told = _run(python, "ours.training", "train", recipe, *settings)
        (model,) = (folder / "checkpoints").iterdir()
        log = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        return Trained(model, told, [step for step in log if step["step"] > SKIPPED])

    def train_trl(self, recipe: Path, seed: int, *changes: str) -> Trained:
        """Run TRL with the same settings."""
        model = self.folder / f"{recipe.stem}-trl-{seed}"
        shutil.rmtree(model, ignore_errors=True)
        told = _run(self.trl, "peers.trl_training", model, recipe, *self._from_start(recipe, seed), *changes)
        return Trained(model, told, [])

    def measure(self, recipe: Path, seed: int, model: Path) -> dict[str, float]:
        """Success of a model on held-out tasks, ``sampled`` and ``greedy``, by our evaluation."""
        settings = [*self._settings(seed), f"model.path={model}", f"evaluate.episodes={self.episodes}"]
        return _run(self.trl, "ours.training", "measure", recipe, *settings)

    def _settings(self, seed: int) -> list[str]:
        return ["run.threads=1", "model.device=cpu", f"run.seed={seed}", *self.changes]

    def _from_start(self, recipe: Path, seed: int) -> list[str]:
        once = ["evaluate.every=0", "run.save_every=1000000", "run.keep=1"]  # the last step is always saved
        return [*self._settings(seed), f"model.path={self.start(recipe, seed)}", *once]


def _run(python: str, module: str, *arguments: object) -> dict[str, Any]:
    """Run a workload and parse its last line of output."""
    said = Side(python, ("-m", f"benchmarks.{module}", *map(str, arguments))).output()
    told: dict[str, Any] = json.loads(said.splitlines()[-1])
    return told
