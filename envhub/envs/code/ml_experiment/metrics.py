"""Metrics of predictions: accuracy, F1, AUC, RMSE, MAP.

Sums are exact (``math.fsum``, integers), so that a score is the same on every machine and Python version. Tied scores
are treated as in scikit-learn: as half right by :func:`auc`, as one threshold by :func:`average_precision`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import groupby
from math import fsum, sqrt


def accuracy(truth: Sequence[str], predicted: Sequence[str]) -> float:
    """Share of right labels."""
    return sum(a == b for a, b in zip(truth, predicted, strict=True)) / len(truth)


def f1(truth: Sequence[bool], predicted: Sequence[bool]) -> float:
    """Harmonic mean of precision and recall; 0 without a true positive."""
    hits = sum(a and b for a, b in zip(truth, predicted, strict=True))
    return 2 * hits / (sum(truth) + sum(predicted)) if hits else 0.0


def auc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """Area under the ROC curve.

    The share of pairs of a positive and a negative row in which the positive one has the higher score; 0.5 if all
    rows are of one class.
    """
    positive = sum(truth)
    negative = len(truth) - positive
    if not (positive and negative):
        return 0.5
    below = doubled = 0  # twice the number of pairs in the right order
    for _, tied in groupby(sorted(zip(scores, truth, strict=True)), key=lambda pair: pair[0]):
        values = [right for _, right in tied]
        hits = sum(values)
        doubled += hits * (2 * below + len(values) - hits)
        below += len(values) - hits
    return doubled / (2 * positive * negative)


def rmse(truth: Sequence[float], predicted: Sequence[float]) -> float:
    """Root of the mean squared error."""
    return sqrt(fsum((a - b) * (a - b) for a, b in zip(truth, predicted, strict=True)) / len(truth))


def average_precision(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """Mean precision at the positive rows of a ranking.

    Rows with equal scores have one rank, the last. 0 if no row is positive.
    """
    ranked = sorted(zip(scores, truth, strict=True), reverse=True)
    seen = hits = 0
    parts = []
    for _, tied in groupby(ranked, key=lambda pair: pair[0]):
        values = [right for _, right in tied]
        seen += len(values)
        hits += sum(values)
        parts.append(sum(values) * hits / seen)
    return fsum(parts) / hits if hits else 0.0


def mean_average_precision(groups: Sequence[Hashable], truth: Sequence[bool], scores: Sequence[float]) -> float:
    """Mean of :func:`average_precision` over the groups with a positive row.

    0 without such a group.
    """
    rows: dict[Hashable, list[tuple[bool, float]]] = {}
    for group, right, score in zip(groups, truth, scores, strict=True):
        rows.setdefault(group, []).append((right, score))
    found = [
        average_precision([right for right, _ in each], [score for _, score in each])
        for each in rows.values()
        if any(right for right, _ in each)
    ]
    return fsum(found) / len(found) if found else 0.0


def random_average_precision(positive: int, rows: int) -> float:
    """Expected average precision of a random order without ties."""
    if not positive:
        return 0.0
    if rows == 1:
        return 1.0
    share = (positive - 1) / (rows - 1)
    return fsum((1 + (rank - 1) * share) / rank for rank in range(1, rows + 1)) / rows
