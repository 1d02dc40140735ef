"""CPU time of a task of every environment, and of a mixture of all as a trainer asks for it."""

from __future__ import annotations

import json
from statistics import mean, median
from typing import Final

from benchmarks.generation import LEVELS
from benchmarks.harness import OURS, workload
from benchmarks.report import Section, table

_SECONDS: Final = 0.15
"""CPU seconds per environment and level."""
_TASKS, _LEVEL = 2_000, 5


def generators(repeats: int) -> Section:
    """Milliseconds per task of all environments at three levels; measured once."""
    lines = workload(OURS, "ours.generators", _SECONDS).output().splitlines()
    found: dict[str, list[float]] = dict(map(json.loads, lines))
    rows = [(env_id, *map(_ms, spent)) for env_id, spent in found.items()]
    supply = json.loads(workload(OURS, "ours.supply", _TASKS, _LEVEL).output())
    ways = {"drawn": "drawn, no cache", "cached": "from the disk cache", "bank": "from a bank"}
    supplied = [(what, *_supply(supply[name])) for name, what in ways.items()]
    return Section(
        "CPU milliseconds per task",
        "\n\n".join(
            [
                table(("level", "median environment", "above 1 ms", "above 10 ms", "above 40 ms"), _summary(found)),
                table(("mixture of all, level 5", "tasks per CPU second", "mean", "99 %", "longest"), supplied),
                table(("environment", *(f"level {level}" for level in LEVELS)), rows),
            ]
        ),
        "A task includes drawing, split, fingerprint and prompt. The mixture is a `TaskStream` over all environments with "
        f"equal weights, {_TASKS:,} tasks. A trainer that asks for 200 tasks a second leaves 5 ms for each. A bank "
        "(`envhub bank build`) holds the tasks of this very stream; the disk cache those of environments that declare `slow`.",
        paired=False,
    )


def _summary(found: dict[str, list[float]]) -> list[tuple[str, ...]]:
    rows = []
    for at, level in enumerate(LEVELS):
        spent = [row[at] for row in found.values()]
        above = (sum(value > bound for value in spent) for bound in (1, 10, 40))
        rows.append((str(level), _ms(median(spent)), *map(str, above)))
    return rows


def _supply(spent: list[float]) -> tuple[str, ...]:
    ordered = sorted(spent)
    return f"{1e3 / mean(spent):,.0f}", _ms(mean(spent)), _ms(ordered[len(ordered) * 99 // 100]), _ms(ordered[-1])


def _ms(value: float) -> str:
    return f"{value:.3g}"
