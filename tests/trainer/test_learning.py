"""Learning for real: recipes rise on held-out tasks; with permuted rewards they do not. One run of addition is slow, three
seeds of each recipe are nightly.

Whole runs in processes of their own, two at a time, as the two cores of a small machine allow.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from envhub_trainer.config import RECIPES, load
from envhub_trainer.watch.track import read
from tests.support.places import ROOT

SEEDS = (0, 1, 2)
EPISODES = 1000


@dataclass(frozen=True)
class Learned:
    """Held-out success before and after, of :data:`EPISODES` episodes each."""

    sampled: tuple[float, float]
    greedy: tuple[float, float]


def command(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "envhub_trainer", *words],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "ENVHUB_CACHE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def settings(folder: Path, name: str, seed: int, permuted: bool = False) -> list[str]:
    recipe = RECIPES / f"{name}.toml"
    changes: dict[str, Any] = {
        "run.folder": folder / f"{name}-{seed}{'-permuted' * permuted}",
        "run.seed": seed,
        "run.save_every": 1000,
        "model.path": folder / f"{name}-{seed}-start",
        "evaluate.every": load(recipe).run.steps,
        "evaluate.episodes": EPISODES,
        "rollout.permute_rewards": str(permuted).lower(),
    }
    return [str(recipe), *(word for key, value in changes.items() for word in ("--set", f"{key}={value}"))]


def learn(folder: Path, name: str, seed: int, permuted: bool = False) -> Learned:
    words = settings(folder, name, seed, permuted)
    command("run", *words)
    log = read(Path(words[2].partition("=")[2]))
    first, last = log[0], log[-1]
    assert (first["step"], last["step"]) == (0, load(RECIPES / f"{name}.toml").run.steps)
    assert all(line.get("masked", 0) == 0 for line in log)
    return Learned((first["test/sampled"], last["test/sampled"]), (first["test/greedy"], last["test/greedy"]))


def start(folder: Path, name: str, seed: int) -> None:
    command("warmstart", *settings(folder, name, seed))


def rise(shares: list[tuple[float, float]]) -> tuple[float, float]:
    """The pooled difference of two shares and its lower 95 % bound (two-sided, unpaired normal approximation)."""
    trials = EPISODES * len(shares)
    before, after = (sum(pair[end] for pair in shares) / len(shares) for end in (0, 1))
    error = sqrt((before * (1 - before) + after * (1 - after)) / trials)
    return after - before, after - before - 1.96 * error


def learned(folder: Path, names: Sequence[str], seeds: Sequence[int]) -> dict[tuple[str, int, bool], Learned]:
    """What recipes learned, by name, seed and whether the rewards were permuted; of the first seed both."""
    with ThreadPoolExecutor(2) as pool:
        starts = [pool.submit(start, folder, name, seed) for name in names for seed in seeds]
        for each in starts:
            each.result()
        runs = {
            (name, seed, permuted): pool.submit(learn, folder, name, seed, permuted)
            for name in names
            for seed, permuted in (*((seed, False) for seed in seeds), (seeds[0], True))
        }
    found = {key: each.result() for key, each in runs.items()}
    for key, run in found.items():
        print(*key, *(f"{kind} {old:.3f} -> {new:.3f}" for kind, (old, new) in vars(run).items()))
    return found


def rises(
    found: dict[tuple[str, int, bool], Learned], name: str, seeds: Sequence[int], least: float, least_bound: float
) -> None:
    """Held-out success rose by so much, and not with permuted rewards."""
    pooled, bound = rise([found[name, seed, False].sampled for seed in seeds])
    greedy, _ = rise([found[name, seed, False].greedy for seed in seeds])
    control = found[name, seeds[0], True]
    print(name, f"sampled +{pooled:.3f} (above +{bound:.3f}), greedy +{greedy:.3f}")
    assert pooled >= least, name
    assert bound > least_bound, name
    assert greedy > 0, name
    assert control.sampled[1] <= control.sampled[0] + 0.02, name
    assert control.greedy[1] <= control.greedy[0] + 0.02, name


def test_a_tiny_model_gets_better_at_addition_and_only_with_its_own_rewards(tmp_path: Path) -> None:
    rises(learned(tmp_path, ["addition"], SEEDS[:1]), "addition", SEEDS[:1], 0.10, 0.05)


@pytest.mark.nightly
def test_tiny_models_get_better_on_held_out_tasks_and_only_with_their_own_rewards(tmp_path: Path) -> None:
    found = learned(tmp_path, ["addition", "guess"], SEEDS)
    rises(found, "addition", SEEDS, 0.10, 0.05)
    rises(found, "guess", SEEDS, 0.15, 0.08)
