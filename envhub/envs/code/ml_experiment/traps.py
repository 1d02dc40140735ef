"""Traps: rows that repeat, and a column that is known too late.

Both make a careless validation look better than it is. They also hold for the feedback rows and not for the hidden ones, so
that a policy which falls for them is rewarded by the feedback and loses on the final score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.code.ml_experiment.data import Column, Row

LATE: Final = Column("review", "figure entered by a reviewer after the outcome was known")
_RIGHT: Final = 92
"""In this many of 100 rows the late column follows the target."""
_SPAN: Final = 100


def repeated(rng: Stream, train: Sequence[Row], feedback: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Training and feedback rows of which many occur several times.

    The numbers of rows stay the same. Half of the feedback rows also occur in the training rows.
    """
    kept = list(train[: 2 * len(train) // 3])
    more = [rng.choice(kept) for _ in range(len(train) - len(kept))]
    new = list(feedback[: len(feedback) // 2])
    known = [rng.choice(kept) for _ in range(len(feedback) - len(new))]
    return _shuffled(rng, kept + more), _shuffled(rng, new + known)


def with_late_column(rng: Stream, rows: Sequence[Row], labels: Sequence[str], *, true: bool) -> list[Row]:
    """Rows with one more column, which is a figure of the target.

    Args:
        rng: Source of randomness.
        rows: The rows.
        labels: Possible targets; empty if they are numbers.
        true: Whether the figure is that of the row's own target, or that of another row.
    """
    targets = [row.target for row in rows]
    if not true:
        rng.shuffle(targets)
    figures = [_figure(rng, target, labels) for target in targets]
    return [row._replace(cells=(*row.cells, figure)) for row, figure in zip(rows, figures, strict=True)]


def _figure(rng: Stream, target: str, labels: Sequence[str]) -> int:
    if not labels:
        return int(target) + rng.between(-10, 10)
    at = labels.index(target) if rng.below(100) < _RIGHT else rng.below(len(labels))
    width = _SPAN // len(labels)
    return at * width + rng.below(width)


def _shuffled(rng: Stream, rows: list[Row]) -> list[Row]:
    rng.shuffle(rows)
    return rows
