"""Runs of the trainer and of TRL for :mod:`benchmarks.trainer`: each a process of its own with one thread, from the same model.

::

    plan = Plan([recipe], seeds=[0, 1, 2], folder=folder, changes=[], episodes=2000, steps=30, trl=".venvs/trl/bin/python")
    ours, trl = plan.pairs(lambda seed: plan.train(recipe, seed, "ours"), lambda seed: plan.train_trl(recipe, seed))
    plan.measure(recipe, 0, ours[0].model)["sampled"]
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
"""Steps at the beginning of a run that are left out of its rates: memory is taken then, and an asynchronous run has no lead."""


@dataclass(frozen=True)
class Trained:
    """A run that is done.

    Attributes:
        model: Its last checkpoint.
        told: ``items``, ``cpu_s`` and ``wall_s`` of the training; ours also ``updates``, CPU seconds of each step's learning.
        log: Lines of ours, without the first steps.
    """

    model: Path
    told: dict[str, Any]
    log: Sequence[dict[str, float]]

    @property
    def rate(self) -> float:
        """Samples a CPU second."""
        return float(self.told["items"] / self.told["cpu_s"])

    @property
    def cpu_ms(self) -> float:
        """CPU milliseconds a sample."""
        return 1e3 / self.rate

    @property
    def computing(self) -> float:
        """The share of the clock's time in which the trainer computed, without what it waits for: samples, a core, a lock."""
        return float(sum(self.told["updates"][SKIPPED:])) / self.total("seconds")

    def total(self, name: str) -> float:
        """The sum of a number of the log."""
        return sum(step[name] for step in self.log)


@dataclass(frozen=True)
class Plan:
    """What is run.

    Attributes:
        recipes: Files of runs.
        seeds: A pair of runs each.
        folder: Where models and logs go.
        changes: To every run.
        episodes: Held-out tasks that a model is measured on.
        steps: Of the runs whose speed alone is measured.
        trl: The interpreter that has TRL.
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
        """Both for every seed, one right after the other; who goes first alternates."""
        left, right = self.rounds(first, second)
        return left, right

    def rounds(self, *sides: Callable[[int], Trained]) -> list[list[Trained]]:
        """All for every seed, one right after the other, and the next time in the opposite order."""
        found: list[list[Trained]] = [[] for _ in sides]
        for turn, seed in enumerate(self.seeds):
            for mine, run in list(zip(found, sides, strict=True))[:: -1 if turn % 2 else 1]:
                mine.append(run(seed))
        return found

    def start(self, recipe: Path, seed: int) -> Path:
        """The model that runs of a recipe and seed begin with; made if it is not there."""
        folder = self.folder / f"{recipe.stem}-start-{seed}"
        if not (folder / "config.json").exists():
            settings = [*self._settings(seed), f"model.path={folder}"]
            told = [each for setting in settings for each in ("--set", setting)]
            Side(OURS, ("-m", "envhub_trainer", "warmstart", str(recipe), *told)).output()
        return folder

    def train(self, recipe: Path, seed: int, name: str, *changes: str, python: str = OURS) -> Trained:
        """A run of ours."""
        folder = self.folder / f"{recipe.stem}-{name}-{seed}"
        shutil.rmtree(folder, ignore_errors=True)
        settings = [*self._from_start(recipe, seed), f"run.folder={folder}", *changes]
        told = _run(python, "ours.training", "train", recipe, *settings)
        (model,) = (folder / "checkpoints").iterdir()
        log = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        return Trained(model, told, [step for step in log if step["step"] > SKIPPED])

    def train_trl(self, recipe: Path, seed: int, *changes: str) -> Trained:
        """The same run by TRL."""
        model = self.folder / f"{recipe.stem}-trl-{seed}"
        shutil.rmtree(model, ignore_errors=True)
        told = _run(self.trl, "peers.trl_training", model, recipe, *self._from_start(recipe, seed), *changes)
        return Trained(model, told, [])

    def measure(self, recipe: Path, seed: int, model: Path) -> dict[str, float]:
        """Success of a model on the held-out tasks, ``sampled`` and ``greedy``: always by our own evaluation."""
        settings = [*self._settings(seed), f"model.path={model}", f"evaluate.episodes={self.episodes}"]
        return _run(self.trl, "ours.training", "measure", recipe, *settings)

    def _settings(self, seed: int) -> list[str]:
        return ["run.threads=1", "model.device=cpu", f"run.seed={seed}", *self.changes]

    def _from_start(self, recipe: Path, seed: int) -> list[str]:
        once = ["evaluate.every=0", "run.save_every=1000000", "run.keep=1"]  # the last step is saved in any case
        return [*self._settings(seed), f"model.path={self.start(recipe, seed)}", *once]


def _run(python: str, module: str, *arguments: object) -> dict[str, Any]:
    """The last line of what a workload prints."""
    said = Side(python, ("-m", f"benchmarks.{module}", *map(str, arguments))).output()
    told: dict[str, Any] = json.loads(said.splitlines()[-1])
    return told
