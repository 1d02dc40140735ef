"""An experiment: a warm start, arms that train from it, and what is measured before and after."""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.learning.records import Measures, Record, Records
from envhub_trainer.config import Config, load, read
from envhub_trainer.loop import train
from envhub_trainer.setup import measure
from envhub_trainer.warmstart import warm_start

HERE: Final = Path(__file__).parent
SEEDS: Final = (0, 1, 2)


@dataclass(frozen=True)
class Experiment:
    """Runs of one recipe.

    Attributes:
        name: Name of the experiment and of its file of records.
        recipe: A recipe of the trainer, or a TOML file.
        title: Heading of its table.
        arms: Variants, each with its control.
        arm: What distinguishes them, as the head of a column.
    """

    name: str
    recipe: str
    title: str
    arms: Sequence[str] = ("",)
    arm: str = ""

    def changes(self, arm: str, seed: int) -> Mapping[str, Mapping[str, Any]]:
        """Settings of an arm, by section."""
        return {}

    def prepare(self, config: Config) -> None:
        """Make the initial model."""
        asyncio.run(warm_start(config))

    def measured(self, config: Config, model: Path) -> Measures:
        """What a model achieves on held-out tasks."""
        return solved(config, model)

    def config(self, arm: str, seed: int, folder: Path, permuted: bool = False) -> Config:
        """The settings of a run."""
        own = {
            "run": {"seed": seed, "folder": str(folder / f"{self.name}-{arm}-{seed}{'-permuted' * permuted}")},
            "model": {"path": str(folder / f"{self.name}-start-{seed}")},
            "rollout": {"permute_rewards": permuted},
        }
        return changed(load(self.recipe), SHARED, self.changes(arm, seed), own)

    def run(self, arm: str, seed: int, permuted: bool, folder: Path) -> Record:
        """Train one model, and measure it before and after."""
        config = self.config(arm, seed, folder, permuted)
        start = Path(config.model.path)
        if not (start / "config.json").exists():
            self.prepare(config)
        shutil.rmtree(config.run.folder, ignore_errors=True)
        before = self.measured(config, start)
        began = time.process_time()
        asyncio.run(train(config))
        spent = time.process_time() - began
        after = self.measured(config, config.run.folder / "checkpoints" / f"step-{config.run.steps:06d}")
        episodes = config.run.steps * config.rollout.groups * config.rollout.size
        return Record(arm, seed, permuted, before, after, episodes, config.evaluate.episodes, round(spent, 1))

    def complete(self, records: Records, seeds: Sequence[int], folder: Path) -> None:
        """Run what has no record yet, all arms of a seed before the next seed."""
        for seed in seeds:
            for arm in self.arms:
                for permuted in (False, True):
                    if (arm, seed, permuted) in records:
                        continue
                    record = self.run(arm, seed, permuted, folder)
                    records.add(record)
                    print(self.name, record, file=sys.stderr, flush=True)


SHARED: Final[Mapping[str, Mapping[str, Any]]] = {
    "run": {"threads": 1, "save_every": 1_000_000, "keep": 1},  # the last step is always saved
    "model": {"device": "cpu"},
    "evaluate": {"every": 0},
    "track": {"live": False, "samples": 0},
}
"""Settings of every run."""


def changed(config: Config, *changes: Mapping[str, Mapping[str, Any]]) -> Config:
    """A configuration with other settings in some sections."""
    data = config.model_dump(mode="json")
    for change in changes:
        for section, values in change.items():
            data[section] = {**(data[section] or {}), **values}
    return read(data)


def solved(config: Config, model: Path, name: str = "") -> Measures:
    """Shares of solved held-out episodes, sampled and greedy, with a prefix for their names."""
    return {f"{name}{how}": score.share for how, score in asyncio.run(measure(config, str(model))).items()}
