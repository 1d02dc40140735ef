"""Compares the trainer with TRL on a GPU: episodes and sampled tokens per second, with the same sampler.

::

    python -m benchmarks.gpu runs/smollm-start --trl .venvs/trl/bin/python
    python -m benchmarks.gpu runs/smollm-start --sampler hf --steps 20

Both sides train the same model on the same tasks of ``countdown-v0`` (one turn) in bfloat16 autocast, with the settings of the
recipe ``smollm``. They sample with vLLM (ours from its server, TRL in its own process) or with transformers. Every run is a
process of its own; the order alternates. The first steps, in which kernels are compiled and memory is allocated, do not count.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.harness import ROOT, Spread
from benchmarks.report import ratio, table
from benchmarks.trainer import EQUAL
from benchmarks.trainer_runs import SKIPPED, Experiment, Trained

RECIPE: Final = ROOT / "trainer" / "envhub_trainer" / "recipes" / "smollm.toml"
_CHANGES: Final = (
    *EQUAL,
    "model.device=cuda",
    'tasks.environments={"countdown-v0" = {weight=1, difficulty=1}}',
    "tasks.answer_format=last",
    "run.threads=8",
)

Rates = tuple[float, float]
"""Episodes and sampled tokens per second of wall-clock time."""


def ours(run: Trained) -> Rates:
    """The rates of one of our runs."""
    seconds = run.total("seconds")
    sampled = sum(step["sampled_per_s"] * step["seconds"] for step in run.log)
    return sum(step["episodes_per_s"] * step["seconds"] for step in run.log) / seconds, sampled / seconds


def theirs(run: Trained) -> Rates:
    """The rates of one of TRL's runs."""
    seconds, tokens = (run.told[name][SKIPPED:] for name in ("seconds", "tokens"))
    episodes = run.told["items"] * len(seconds) / len(run.told["seconds"])
    return episodes / sum(seconds), sum(tokens) / sum(seconds)


def compare(experiment: Experiment, sampler: str, changes: Sequence[str]) -> str:
    """A table of both sides with one sampler."""
    told = [*_CHANGES, f"policy.kind={sampler}", f"run.steps={experiment.steps}", *changes]
    pairs = experiment.pairs(
        lambda seed: experiment.train(RECIPE, seed, f"ours-{sampler}", *told, python=experiment.trl),
        lambda seed: experiment.train_trl(RECIPE, seed, *told),
    )
    sides = [[ours(run) for run in pairs[0]], [theirs(run) for run in pairs[1]]]
    rows = []
    for at, what in enumerate(("episodes per second", "sampled tokens per second")):
        mine, trl = ([rates[at] for rates in side] for side in sides)
        spread = Spread.of([a / b for a, b in zip(mine, trl, strict=True)])
        rows.append([f"{sampler}: {what}", f"{median(mine):,.0f}", f"{median(trl):,.0f}", ratio(spread)])
    return table(["sampler and measure", "ours", "TRL", "ours / TRL"], rows)


def main() -> None:
    """Run the comparisons and print their tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gpu", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path, help="folder of the initial model")
    parser.add_argument("--sampler", choices=("vllm", "hf"), action="append", help="default: both")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="default: 0 1 2")
    parser.add_argument("--steps", type=int, default=12, help="steps of a run (default: %(default)s)")
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.NAME=VALUE", help="change every run")
    parser.add_argument("--trl", default=str(ROOT / ".venvs" / "trl" / "bin" / "python"), help="interpreter with TRL")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for seed in given.seeds:
            (Path(folder) / f"{RECIPE.stem}-start-{seed}").symlink_to(given.model.resolve())
        experiment = Experiment([RECIPE], given.seeds, Path(folder), (), 0, given.steps, given.trl)
        for sampler in given.sampler or ("vllm", "hf"):
            print(compare(experiment, sampler, given.set), flush=True)


if __name__ == "__main__":
    main()
