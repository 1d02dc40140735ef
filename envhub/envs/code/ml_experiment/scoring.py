"""Scores of predictions, between a baseline and what an ideal predictor reaches.

The baseline is the best constant prediction in hindsight: no constant scores above 0. The ceiling is the score of the best
guess that the columns allow, on the same rows. Both are computed from the generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Final

from envhub.envs.code.ml_experiment import metrics
from envhub.envs.code.ml_experiment.data import NO, YES, MetricName, Row

SOLVED: Final = 0.7
"""Normalized score from which a task is solved."""
_ROOM: Final = {"accuracy": 0.15, "f1": 0.12, "auc": 0.15, "map": 0.15}
"""Smallest distance between baseline and ceiling."""
_ROOM_RMSE: Final = 0.25
"""Smallest share of the baseline's error that an ideal predictor avoids."""


def measure(metric: MetricName, truth: Sequence[str], predicted: Sequence[str], groups: Sequence[int]) -> float:
    """The value of a metric.

    Predictions must be labels or numbers, as the metric requires.
    """
    if metric == "accuracy":
        return metrics.accuracy(truth, predicted)
    if metric == "rmse":
        return metrics.rmse([float(each) for each in truth], [float(each) for each in predicted])
    right = [each == YES for each in truth]
    if metric == "f1":
        return metrics.f1(right, [each == YES for each in predicted])
    scores = [float(each) for each in predicted]
    return metrics.auc(right, scores) if metric == "auc" else metrics.mean_average_precision(groups, right, scores)


def baseline(metric: MetricName, truth: Sequence[str], groups: Sequence[int]) -> float:
    """The value of the best constant prediction.

    For rankings that of a random order, for series that of the best constant of each series.
    """
    if metric == "accuracy":
        return max(truth.count(label) for label in set(truth)) / len(truth)
    if metric == "auc":
        return 0.5
    if metric == "f1":
        return measure(metric, truth, [YES] * len(truth), groups)
    members = {group: [each for each, of in zip(truth, groups, strict=True) if of == group] for group in set(groups)}
    if metric == "map":
        found = [
            metrics.random_average_precision(each.count(YES), len(each)) for each in members.values() if YES in each
        ]
        return fsum(found) / len(found) if found else 0.0
    means = {group: fsum(float(value) for value in each) / len(each) for group, each in members.items()}
    return metrics.rmse([float(each) for each in truth], [means[group] for group in groups])


def normalized(value: float, floor: float, ceiling: float) -> float:
    """A value between the baseline, 0, and the ceiling, 1."""
    return min(1.0, max(0.0, (value - floor) / (ceiling - floor)))


def has_room(metric: MetricName, floor: float, ceiling: float) -> bool:
    """Whether the ceiling is far enough from the baseline."""
    if metric == "rmse":
        return floor - ceiling >= _ROOM_RMSE * floor
    return ceiling - floor >= _ROOM[metric]


def best_predictions(metric: MetricName, rows: Sequence[Row]) -> list[str]:
    """Predictions with the best expected value of the metric."""
    beliefs = [row.belief for row in rows]
    if metric == "f1":
        least = _f1_threshold([float(each) for each in beliefs])
        return [YES if float(each) >= least else NO for each in beliefs]
    if metric == "accuracy":
        return [each if isinstance(each, str) else (YES if each >= 0.5 else NO) for each in beliefs]
    return [str(int(float(each))) if metric == "rmse" else f"{float(each):.6f}" for each in beliefs]


def _f1_threshold(chances: Sequence[float]) -> float:
    """The probability from which to predict yes, for the largest expected F1.

    The expectation of a ratio is approximated by the ratio of expectations, up to one in the number of rows.
    """
    ranked = sorted(chances, reverse=True)
    whole, hits = fsum(chances), 0.0
    best, threshold = 0.0, 1.0
    for count, each in enumerate(ranked, 1):
        hits += each
        if (value := 2 * hits / (count + whole)) > best:
            best, threshold = value, each
    return threshold
