"""Drafts a task: training, feedback and hidden rows, with traps.

The rows of ``test.csv`` are shuffled and numbered from 1. Which of them are hidden, and all of their targets, are in the key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.ml_experiment import images, series, tabular, text
from envhub.envs.code.ml_experiment.data import Drawn, MetricName, Row, Size
from envhub.envs.code.ml_experiment.scoring import baseline, best_predictions, has_room, measure
from envhub.envs.code.ml_experiment.traps import LATE, repeated, with_late_column

Generator = Callable[[Stream, MetricName, Size], Drawn]
TASKS: Final[dict[str, tuple[Generator, MetricName]]] = {
    "table-accuracy": (tabular.draw, "accuracy"),
    "table-f1": (tabular.draw, "f1"),
    "table-auc": (tabular.draw, "auc"),
    "table-map": (tabular.draw, "map"),
    "table-rmse": (tabular.draw, "rmse"),
    "series-rmse": (series.draw, "rmse"),
    "text-accuracy": (text.draw, "accuracy"),
    "text-f1": (text.draw, "f1"),
    "text-auc": (text.draw, "auc"),
    "image-accuracy": (images.draw, "accuracy"),
}
"""Kinds of tasks, each a generator and a metric."""


def draft(rng: Stream, name: str, p: Any) -> Instance | None:
    """A task of a kind.

    None if its baseline is too close to its ceiling.
    """
    generator, metric = TASKS[name]
    drawn = generator(rng, metric, Size(p.train, p.test, p.complexity))
    feedback, hidden = _divided(rng, drawn.test, whole_groups=metric == "map")
    train, columns = list(drawn.train), [*drawn.columns]
    alone = not any(row.group for row in drawn.test)  # a repeated row would be at two places of a query or a series
    if p.late:
        columns.append(LATE)
        train, feedback = (with_late_column(rng, rows, drawn.labels, true=True) for rows in (train, feedback))
        hidden = with_late_column(rng, hidden, drawn.labels, true=False)
    if p.repeats and alone:
        train, feedback = repeated(rng, train, feedback)
    places = list(range(len(feedback) + len(hidden)))
    rng.shuffle(places)
    rows = [(feedback + hidden)[place] for place in places]
    key = {
        "truth": [row.target for row in rows],
        "best": best_predictions(metric, rows),
        "groups": [row.group for row in rows],
        "hidden": [int(place >= len(feedback)) for place in places],
        "complexity": p.complexity + p.repeats + p.late,
    }
    if not all(_has_room(metric, key, part) for part in (0, 1)):
        return None
    names = [column.name for column in columns]
    problem = {
        "task": name,
        "metric": metric,
        "about": drawn.about,
        "columns": [list(column) for column in columns],
        "target": list(drawn.target),
        "labels": list(drawn.labels) if metric in ("accuracy", "f1") else [],
        "train": _table([*names, drawn.target.name], [(*row.cells, row.target) for row in train]),
        "test": _table(["id", *names], [(at, *row.cells) for at, row in enumerate(rows, 1)]),
        "rows": [len(train), len(rows)],
        "calls": p.calls,
        "attempts": p.attempts,
        "repeats": p.repeats and alone,
        "late": p.late,
    }
    return Instance(problem, key)


def part_of(key: JSON, part: int, *columns: Sequence[Any]) -> list[list[Any]]:
    """Values of the feedback rows or of the hidden rows.

    Args:
        key: The key of a task.
        part: 0 for the feedback rows, 1 for the hidden rows.
        columns: Each with one value per test row.
    """
    return [[value for value, of in zip(column, key["hidden"], strict=True) if of == part] for column in columns]


def _has_room(metric: MetricName, key: JSON, part: int) -> bool:
    truth, best, groups = part_of(key, part, key["truth"], key["best"], key["groups"])
    return has_room(metric, baseline(metric, truth, groups), measure(metric, truth, best, groups))


def _divided(rng: Stream, rows: Sequence[Row], *, whole_groups: bool) -> tuple[list[Row], list[Row]]:
    """One third of the rows for feedback, the others hidden."""
    names = [row.group if whole_groups else at for at, row in enumerate(rows)]
    every = sorted(set(names))
    chosen = set(rng.sample(every, len(every) // 3))
    feedback = [row for row, name in zip(rows, names, strict=True) if name in chosen]
    return feedback, [row for row, name in zip(rows, names, strict=True) if name not in chosen]


def _table(header: Sequence[str], rows: Sequence[Sequence[int | str]]) -> str:
    return "".join(f"{','.join(map(str, row))}\n" for row in [header, *rows])
