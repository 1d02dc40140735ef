"""Nouns of ml-experiment-v0: columns, rows with their target, sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

YES, NO = "yes", "no"
MetricName = Literal["accuracy", "f1", "auc", "map", "rmse"]
BINARY: Final = frozenset({"f1", "auc", "map"})
"""Metrics whose target is always yes or no."""


class Column(NamedTuple):
    """A column of both files, or the target.

    Attributes:
        name: Its name in the header.
        note: What it contains, as a phrase without a capital and a full stop.
    """

    name: str
    note: str


class Row(NamedTuple):
    """One row.

    Attributes:
        cells: Values of the columns.
        target: What is to be predicted.
        belief: The best guess that the columns allow: the probability of yes, the most probable label, or the mean.
        group: Number of the query or the series that the row belongs to.
    """

    cells: tuple[int | str, ...]
    target: str
    belief: float | str
    group: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """Rows of a generator.

    Attributes:
        about: What a row is, as a phrase: ``a customer of a shop``.
        columns: Columns of every row.
        target: The target.
        train: Rows whose target the policy sees.
        test: Rows whose target it predicts, in random order.
        labels: Possible targets; empty if they are numbers.
    """

    about: str
    columns: tuple[Column, ...]
    target: Column
    train: Sequence[Row]
    test: Sequence[Row]
    labels: tuple[str, ...]


class Size(NamedTuple):
    """Parameters of a generator.

    Attributes:
        train: Number of rows to learn from, about.
        test: Number of rows to predict, about.
        complexity: From 1 to 5.
    """

    train: int
    test: int
    complexity: int


def chance(strength: int, scale: int) -> float:
    """A probability that grows with a strength; one half at 0.

    Only basic arithmetic, which every machine rounds alike.
    """
    ratio = strength / scale
    return 0.5 + 0.5 * ratio / (1 + abs(ratio))
