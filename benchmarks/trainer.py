"""Compares the trainer with TRL's GRPOTrainer, and its own modes.

::

    python -m benchmarks.trainer --markdown docs/trainer.md     # everything, three seeds
    python -m benchmarks.trainer trl --quick                    # does it run? a few steps of one seed
    python -m benchmarks trl                                    # two recipes, with the peers of docs/benchmarks.md

The modes are synchronous and asynchronous, and the hub in process and remote. Every run is its own process with one thread.
The two sides of a pair start from the same model, built once per recipe and seed by the trainer's warm start or by
:mod:`benchmarks.learning`, and run in direct succession; the order alternates with the seed. Models and logs are kept with
``--folder``, and existing initial models are reused.

The comparison with TRL runs both sides in the interpreter that has TRL, so that torch and transformers are the same; it is
made if it is missing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.harness import ROOT, Spread
from benchmarks.hub_process import serving
from benchmarks.intervals import Interval
from benchmarks.report import Section, insert, number, ratio, table
from benchmarks.trainer_runs import SKIPPED, Experiment, Trained
from benchmarks.venvs import PEERS, trl

OURS: Final = tuple(ROOT / "trainer" / "envhub_trainer" / "recipes" / f"{name}.toml" for name in ("addition", "guess"))
LEARNING: Final = tuple(ROOT / "benchmarks" / "learning" / f"{name}.toml" for name in ("tictactoe", "mixture"))
RECIPES: Final = (*OURS, *LEARNING)
"""Two single games, one that an opponent plays, and a mixture of twelve environments."""
EQUAL: Final = (
    "algorithm.name=dapo",
    "algorithm.overlong_penalty=0",
    "algorithm.refill=false",
    "algorithm.drop_uniform=false",  # TRL also counts the tokens of uniform groups
)
"""Changes that make any recipe a run that TRL supports."""


def against_trl(experiment: Experiment) -> Section:
    """Compare success before and after, and samples per CPU second, with TRL."""
    return Section(f"Against TRL (`{PEERS['trl']}`)", _trl_tables(experiment), _TRL_NOTE.format(experiment.episodes))


def two_recipes(repeats: int) -> Section:
    """Addition and guess beside TRL, one seed per repeat, for :mod:`benchmarks`."""
    with tempfile.TemporaryDirectory() as folder:
        experiment = Experiment(OURS, range(repeats), Path(folder), [], _FEWER, 0, trl())
        return Section(
            f"The trainer against GRPOTrainer of `{PEERS['trl']}`", _trl_tables(experiment), _TWO_NOTE.format(_FEWER)
        )


def _trl_tables(experiment: Experiment) -> str:
    learned, speed = [], []
    for recipe in experiment.recipes:
        some, more = _trl_rows(experiment, recipe)
        learned += some
        speed += more
    head = ["held-out success", "start", "ours", "TRL", "ours - TRL, 95 % interval", "ours is"]
    return f"{table(head, learned)}\n\n{table(['samples a CPU second', 'ours', 'TRL', 'ours / TRL'], speed)}"


def _trl_rows(experiment: Experiment, recipe: Path) -> tuple[list[list[str]], list[list[str]]]:
    ours, trl = experiment.pairs(
        lambda seed: experiment.train(recipe, seed, "ours", *EQUAL, python=experiment.trl),
        lambda seed: experiment.train_trl(recipe, seed, *EQUAL),
    )
    models = (
        [experiment.start(recipe, seed) for seed in experiment.seeds],
        [run.model for run in ours],
        [run.model for run in trl],
    )
    found = [
        [experiment.measure(recipe, seed, model) for seed, model in zip(experiment.seeds, side, strict=True)]
        for side in models
    ]
    learned = []
    for how in ("sampled", "greedy"):
        start, mine, theirs = ([score[how] for score in side] for side in found)
        difference = Interval.of([a - b for a, b in zip(mine, theirs, strict=True)])
        shares = [" ".join(f"{share:.3f}" for share in side) for side in (start, mine, theirs)]
        learned.append([f"{recipe.stem}, {how}", *shares, str(difference), difference.verdict])
    ratios = Spread.of([a.rate / b.rate for a, b in zip(ours, trl, strict=True)])
    rates = [number(Spread.of([run.rate for run in side])) for side in (ours, trl)]
    return learned, [[recipe.stem, *rates, ratio(ratios)]]


def waiting(experiment: Experiment) -> Section:
    """Measure waiting and computing shares and step time, synchronous and asynchronous."""
    rows = [row for recipe in experiment.recipes for row in _waiting_rows(experiment, recipe)]
    head = ["run", "trainer waits for samples", "computes", "time per step", "... / synchronous", "CPU per sample"]
    return Section("Waiting for samples", table(head, rows), _WAITING_NOTE.format(experiment.steps, SKIPPED))


def _waiting_rows(experiment: Experiment, recipe: Path) -> Iterable[list[str]]:
    steps = f"run.steps={experiment.steps}"
    sides = experiment.pairs(
        lambda seed: experiment.train(recipe, seed, "sync", steps, "rollout.staleness=0"),
        lambda seed: experiment.train(recipe, seed, "async", steps, "rollout.staleness=1"),
    )
    ratios = [late.total("seconds") / now.total("seconds") for now, late in zip(*sides, strict=True)]
    for name, runs, shown in zip(("synchronous", "staleness 1"), sides, ("-", ratio(Spread.of(ratios))), strict=True):
        waits = median(run.total("seconds/wait") / run.total("seconds") for run in runs)
        computes = median(run.computing for run in runs)
        clock = median(run.total("seconds") / len(run.log) for run in runs)
        cpu = median(run.cpu_ms for run in runs)
        yield [f"{recipe.stem}, {name}", f"{waits:.0%}", f"{computes:.0%}", f"{clock:.2f} s", shown, f"{cpu:.2f} ms"]


def over_http(experiment: Experiment) -> Section:
    """Measure episodes per second and CPU per episode, in process, over WebSocket and HTTP."""
    rows = [row for recipe in experiment.recipes for row in _http_rows(experiment, recipe)]
    head = ["run", "episodes per second", "... while sampling", "trainer's CPU per episode", "hub's CPU per episode"]
    return Section(
        "The hub in process, over its WebSocket and over HTTP",
        table(head, rows),
        _HTTP_NOTE.format(experiment.steps, SKIPPED),
    )


def _http_rows(experiment: Experiment, recipe: Path) -> Iterable[list[str]]:
    steps = f"run.steps={experiment.steps}"
    served: dict[str, list[float]] = {"true": [], "false": []}

    def remote(seed: int, websocket: str) -> Trained:
        with serving() as hub:
            began = hub.cpu()
            changes = (f"tasks.hub={hub.url}", f"tasks.websocket={websocket}")
            run = experiment.train(recipe, seed, f"websocket-{websocket}", steps, *changes)
            served[websocket].append((hub.cpu() - began) * 1e3 / run.told["items"])
        return run

    sides = experiment.rounds(
        lambda seed: experiment.train(recipe, seed, "local", steps),
        lambda seed: remote(seed, "true"),
        lambda seed: remote(seed, "false"),
    )
    hub = (f"{median(spent):.2f} ms" for spent in served.values())
    for name, runs, shown in zip(("in process", "WebSocket", "HTTP"), sides, ("-", *hub), strict=True):
        whole, sampling = (
            median(run.total("episodes") / run.total(clock) for run in runs) for clock in ("seconds", "seconds/wait")
        )
        cpu = median(run.cpu_ms for run in runs)
        yield [f"{recipe.stem}, {name}", f"{whole:.0f}", f"{sampling:.0f}", f"{cpu:.2f} ms", shown]


PARTS: Final[dict[str, Callable[[Experiment], Section]]] = {"trl": against_trl, "waiting": waiting, "http": over_http}

_FEWER: Final = 1000
"""Held-out tasks of the comparison that runs with those of all other peers."""
_TWO_NOTE: Final = """\
Success is the solved share of {0} held-out tasks, one number per seed. Both sides start from the same model, with the same
tasks, prompts, batches and optimiser, on one thread and in one interpreter. The aim is twice the samples with success not
worse. [The trainer's page](trainer.md#against-trl-trl1160) says what is equal and what is not, and has more recipes."""
_TRL_NOTE: Final = """\
Success is the solved share of the same {0} held-out tasks, one number per seed; our evaluation measures the models of
both sides. The interval is Student's, over the differences per seed. Samples are episodes. CPU seconds are those of the
process from the first sample to the last step: without imports and loading, with the log on both sides, and for ours
with the probe after every step and the last checkpoint.

Equal: the initial model, the tasks and their order, prompts (token by token) and verifier, groups and batches, optimiser
steps per batch, AdamW (epsilon 1e-8) and its learning rate, the clipping of ratio and gradient, DAPO's loss without a
reference model, temperature, float32, one thread, torch and transformers. Not equal:

- **Random numbers.** The tasks are the same, but samples are drawn with other random numbers, and other rows of a batch
  share an optimiser step.
- **Log-probabilities before the update.** Ours are the sampler's; TRL recomputes them with one more pass through the
  model.
- **Rows without advantage.** Both count their tokens; ours skips them in the passes through the model.
- **Sampling.** Ours processes a prompt once per group, drops a row when it ends and keeps keys and values across turns.
  TRL's default `generate` processes every row until the last one has ended. TRL's only loop for several turns is the one
  for tools, so a `rollout_func` does the same: all episodes advance together, and their contexts are processed again in
  each turn.
- **Normalisers.** TRL adds 1e-4 to a group's standard deviation, ours 1e-6; TRL divides by the batch's mean number of
  tokens per step, ours by the step's own.
- **The rest of TRL**, its data set, collator, accelerator and callbacks, is included in the measurement."""

_WAITING_NOTE: Final = """\
{0} steps each; the first {1} are excluded except for CPU; medians. *trainer waits for samples* is `idle_trainer` of the
log. *computes* is the CPU time of the learning thread as a share of wall-clock time. The remainder is the rest of the
loop, and the trainer waiting for a core or for Python's lock, which sampler and trainer share in one process. The models
are tiny, so most of a step is Python; the larger the model, the more of it runs without the lock."""

_HTTP_NOTE: Final = """\
{0} steps each; the first {1} are excluded except for CPU; medians. The hub is `envhub serve` on loopback in its own
process with the default journal, which makes every turn durable; with a hub, the sampler computes in a thread. HTTP means
`tasks.websocket=false`. Trainer and hub share the cores named below. CPU is that of the whole run: sampling, learning
and, with a hub, the client."""


def main() -> None:
    """Run the named parts, or all, and show or write the results."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.trainer", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all if none is given")
    parser.add_argument(
        "--recipe",
        type=Path,
        action="append",
        metavar="FILE",
        help="default: addition and guess, and beside TRL also tictactoe and mixture",
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="1 to 10 of them; default: 0 1 2")
    parser.add_argument("--episodes", type=int, default=2000, help="held-out tasks (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=30, help="of runs that measure speed alone (default: %(default)s)")
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.NAME=VALUE", help="change every run")
    parser.add_argument("--quick", action="store_true", help="one seed, 5 steps, 200 tasks: does it run?")
    parser.add_argument("--folder", type=Path, help="keep models and logs here")
    parser.add_argument("--trl", help="interpreter with TRL (default: .venvs/trl, made if it is missing)")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the results into their places in this file"
    )
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    if given.quick:
        given.seeds, given.episodes, given.steps = given.seeds[:1], 200, 5
        given.set.append("run.steps=5")
    with tempfile.TemporaryDirectory() as unkept:
        folder = (given.folder or Path(unkept)).resolve()
        for name in given.parts or PARTS:
            print(f"{name} ...", file=sys.stderr)
            default = RECIPES if name == "trl" else OURS
            recipes = [path.resolve() for path in given.recipe or default]
            python = (given.trl or trl()) if name == "trl" else sys.executable
            experiment = Experiment(recipes, given.seeds, folder, given.set, given.episodes, given.steps, python)
            text = PARTS[name](experiment).markdown(len(experiment.seeds))
            print(text, end="\n\n", flush=True)
            if given.markdown:
                insert(given.markdown, name, text)


if __name__ == "__main__":
    main()
