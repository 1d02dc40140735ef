"""Speed of task generation compared with reasoning-gym, and of whole datasets.

The peer's settings are as close to ours as possible; :attr:`Compared.apart` lists the differences.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.harness import OURS, Pair, Side, Spread, pair, workload
from benchmarks.report import Section, number, ratio, table
from benchmarks.venvs import PEERS, peer

LEVELS: Final = (1, 5, 10)


@dataclass(frozen=True)
class Theirs:
    """A reasoning-gym dataset: name, number of items per run, settings."""

    dataset: str
    items: int
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Compared:
    """An environment and its counterpart.

    Attributes:
        env_id: The environment.
        tasks: Number of tasks per run at each level; some tenths of a second of work.
        theirs: The counterpart at each level; None without one.
        apart: What is equal and what differs.
    """

    env_id: str
    tasks: tuple[int, int, int]
    theirs: tuple[Theirs | None, Theirs | None, Theirs | None] = (None, None, None)
    apart: str = ""


def _both(**bounds: object) -> dict[str, object]:
    """``terms=5`` as ``min_terms`` and ``max_terms``."""
    return {f"{side}_{name}": value for name, value in bounds.items() for side in ("min", "max")}


def _maze(size: int, low: int, high: int) -> dict[str, object]:
    return {**_both(grid_size=2 * size + 1), "min_dist": low, "max_dist": high}


_LINEAR: Final = {"operators": [*"+-*"], "operators_weights": [0.5, 0.5, 0.0]}  # * gives x a coefficient
_COMPARED: Final = (
    Compared(
        "arithmetic-v0",
        (10_000, 5_000, 1_500),
        (
            Theirs("chain_sum", 40_000, _both(terms=2, digits=2)),
            Theirs(
                "basic_arithmetic", 20_000, {**_both(terms=5, digits=2), "operators": [*"+-*"], "allow_negation": False}
            ),
            Theirs("basic_arithmetic", 250, {**_both(terms=12, digits=4), "allow_negation": False}),
        ),
        "the same count of numbers with the same number of digits, and the same operators. At 5 and 10 their "
        "numbers may be negative and have fewer digits, and their parentheses nest without a bound (ours: 1 and 3 "
        "levels). At 10, most of the time goes into a few of their items that search for a divisor of a large "
        "number by trial division.",
    ),
    Compared(
        "countdown-v0",
        (14_000, 5_000, 200),
        (
            Theirs(
                "countdown",
                800,
                {**_both(numbers=3), "max_value": 50, "min_target": 1, "max_target": 100, "operators": [*"+-"]},
            ),
            Theirs("countdown", 150, {**_both(numbers=4), "max_value": 50}),
            Theirs("countdown", 80, {**_both(numbers=6), "max_value": 100, "min_target": 1000, "max_target": 9999}),
        ),
        "the same count of numbers from the same ranges, with the same operators. At 5 and 10, ours come with the "
        "proof that the target needs all numbers; theirs require all to be used, without a proof.",
    ),
    Compared(
        "sudoku-v0",
        (5_000, 800, 60),
        (
            Theirs("mini_sudoku", 1_500, _both(empty=8)),
            Theirs("sudoku", 50, _both(empty=36)),
            Theirs("sudoku", 12, _both(empty=56)),
        ),
        "the same size and number of clues (8, 45, 25; ours may have one more, theirs as many as uniqueness takes), "
        "both with one solution. Ours are also selected by the hardest technique needed: a hidden single, a hidden "
        "single, trial.",
    ),
    Compared("guess-number-v0", (40_000, 40_000, 40_000)),
    Compared(
        "knights-knaves-v0",
        (2_500, 600, 150),
        (
            Theirs("knights_knaves", 1_000, {"n_people": 3, "depth_constraint": 2}),
            Theirs("knights_knaves", 250, {"n_people": 5, "depth_constraint": 3}),
            Theirs("knights_knaves", 6, {"n_people": 10, "depth_constraint": 4}),
        ),
        "the same number of people and the same maximum depth of statements (they count from one, we from zero), "
        'both with one solution. Theirs have no "same kind" and no "exactly k"; ours have no "if" at 1.',
    ),
    Compared(
        "shortest-path-v0",
        (3_000, 800, 200),
        (
            Theirs("shortest_path", 30_000, _both(rows=3, cols=3)),
            Theirs("shortest_path", 25_000, _both(rows=4, cols=5)),
            Theirs("shortest_path", 20_000, _both(rows=6, cols=7)),
        ),
        "a different task under the same name. Theirs is a grid without weights, drawn once: the goal may be next "
        "to the start or unreachable. It has about as many open cells as our graph has nodes (5, 12, 26). Ours has "
        "weights, a cheapest path with the requested number of edges, from 5 on a path with fewer edges that costs "
        "more, at 10 one-way edges, and a fingerprint that does not depend on names.",
    ),
    Compared("mastermind-v0", (40_000, 40_000, 35_000)),
    Compared(
        "maze-v0",
        (2_000, 900, 300),
        (
            Theirs("maze", 3_000, _maze(5, 8, 10)),
            Theirs("maze", 700, _maze(9, 22, 27)),
            Theirs("maze", 50, _maze(17, 56, 70)),
        ),
        "a shortest path with the same number of steps (8 to 10, 22 to 27, 56 to 70), on a grid as large as ours "
        "would be with its walls drawn as cells. Ours is carved, so every cell is reachable; theirs has randomly "
        "blocked cells, is shown whole, and asks for a number.",
    ),
    Compared(
        "equation-v0",
        (7_000, 5_000, 500),
        (
            Theirs("simple_equations", 3_000, {**_both(terms=2), "max_value": 30, **_LINEAR}),
            Theirs("polynomial_equations", 40, {**_both(terms=3, degree=2), "max_value": 12}),
            None,
        ),
        "at 1 a linear equation of two terms with numbers up to 30 and an integer solution; at 5 a quadratic "
        "equation with numbers up to 12. There our roots are rational and drawn first, and the unknown is on both "
        "sides; theirs are computed and rounded, and all terms are on one side. At 10 ours is a system of three "
        "equations, which they do not have.",
    ),
    Compared(
        "zebra-v0",
        (1_000, 80, 50),
        (
            Theirs("zebra_puzzles", 30, {"num_people": 3, "num_characteristics": 3}),
            Theirs("zebra_puzzles", 5, {"num_people": 5, "num_characteristics": 5}),
            Theirs("zebra_puzzles", 2, {"num_people": 6, "num_characteristics": 6}),
        ),
        "the same numbers of houses and attributes, both with one solution and no redundant clue. Ours are also "
        "selected by technique (deduction, deduction, trial), and at 10 no clue names a house; the kinds of clues "
        "differ. Theirs ask for one value, ours for the whole table.",
    ),
)


def generation(repeats: int) -> Section:
    """Measure task generation at three levels, with reasoning-gym if comparable."""
    rows = [
        (f"{compared.env_id}, {level}", *_row(compared, level, tasks, theirs, repeats))
        for compared in _COMPARED
        for level, tasks, theirs in zip(LEVELS, compared.tasks, compared.theirs, strict=True)
    ]
    known = "\n".join(f"- {compared.env_id}: {compared.apart}" for compared in _COMPARED if compared.apart)
    return Section(
        f"Tasks of every environment, compared with `{PEERS['reasoning-gym']}`",
        table(
            (
                "environment, difficulty",
                "ours, per CPU second",
                "their task",
                "theirs, per CPU second",
                "ours / theirs",
            ),
            rows,
        ),
        "Ours: `reset`, including the split, the fingerprint and the prompt. Theirs: one item of the dataset, which "
        "has neither split nor fingerprint. `-`: they have no such task. Every run generates the tasks of the same "
        "first seeds, enough for some tenths of a second of work (theirs of zebra-v0, 10: two tasks, which take "
        "seconds). What is equal and what differs:\n\n" + known,
    )


def _row(compared: Compared, level: int, tasks: int, theirs: Theirs | None, repeats: int) -> tuple[str, ...]:
    ours = workload(OURS, "ours.tasks", tasks, compared.env_id, level)
    if theirs is None:
        return number(Spread.of([ours.rate() for _ in range(repeats)])), "-", "-", "-"
    settings = json.dumps(theirs.settings)
    items = workload(peer("reasoning-gym"), "peers.reasoning_gym_items", theirs.items, theirs.dataset, settings)
    found = pair(ours.rate, items.rate, repeats)
    return number(found.ours), theirs.dataset, number(found.theirs), ratio(found.ratio)


def dataset(repeats: int) -> Section:
    """Rows per second of ``envhub generate``, start to end, with one and two processes."""
    rows, load = [], os.getloadavg()[0]
    for level in (3, 5):
        found = _generated("sudoku-v0", level, 10_000, repeats)
        rows.append(
            (f"`sudoku-v0 -n 10000 --difficulty {level}`", number(found.theirs), number(found.ours), ratio(found.ratio))
        )
    return Section(
        "Rows of `envhub generate`",
        table(("what", "1 process, rows per second", "2 processes, rows per second", "2 / 1"), rows),
        "Wall-clock time from the start of the command to its end, including the card, because several processes do "
        "the work. Other load on the machine affects it, most of all with two processes on two cores: the load "
        f"average was {load:.1f} before.",
    )


def _generated(env_id: str, level: int, rows: int, repeats: int) -> Pair:
    def rate(processes: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            wanted = ("-n", rows, "--difficulty", level, "--processes", processes, "-o", f"{folder}/rows.jsonl")
            return rows / Side(OURS, ("-m", "envhub", "generate", env_id, *map(str, wanted))).wall()

    return pair(lambda: rate(2), lambda: rate(1), repeats)
