"""Statistics for reports: shares with confidence bounds, rank correlation, percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Final

NORMAL_95: Final = 1.959964
NORMAL_999: Final = 3.290527


def wilson(hits: float, tried: int, normal: float = NORMAL_95) -> tuple[float, float]:
    """The score interval of a share.

    Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference".

    Args:
        hits: Number of successes; a sum if successes can be partial.
        tried: Number of trials.
        normal: The quantile of the normal distribution: 1.96 for 95 %, 3.29 for 99.9 %.

    Returns:
        The lower and the upper bound, both in [0, 1]; (0, 1) when nothing was tried.
    """
    if not tried:
        return 0.0, 1.0
    share, z2 = hits / tried, normal * normal
    middle = share + z2 / (2 * tried)
    spread = normal * sqrt(share * (1 - share) / tried + z2 / (4 * tried * tried))
    return max(0.0, (middle - spread) / (1 + z2 / tried)), min(1.0, (middle + spread) / (1 + z2 / tried))


def difference(one: tuple[float, int], other: tuple[float, int], normal: float = NORMAL_95) -> tuple[float, float]:
    """Interval of the second share minus the first.

    Newcombe 1998, "Interval estimation for the difference", method 10.

    Args:
        one: Successes and trials of the first share.
        other: The same for the second share.
        normal: As for :func:`wilson`.

    Returns:
        The lower and the upper bound, both in [-1, 1].
    """
    (a, n), (b, m) = one, other
    if not n or not m:
        return -1.0, 1.0
    (low_a, high_a), (low_b, high_b) = wilson(a, n, normal), wilson(b, m, normal)
    p, q = a / n, b / m
    down = sqrt(max(0.0, (q - low_b) ** 2 + (high_a - p) ** 2))
    up = sqrt(max(0.0, (high_b - q) ** 2 + (p - low_a) ** 2))
    return q - p - down, q - p + up


def percentile(values: Sequence[float], per_cent: int) -> float:
    """The value below which this percentage of values lies; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) * per_cent // 100, len(ordered) - 1)] if ordered else 0.0


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Spearman's rank correlation, ties sharing the mean of their ranks."""
    ranks = [_ranks(xs), _ranks(ys)]
    means = [fmean(r) for r in ranks]
    apart = [[value - mean for value in r] for r, mean in zip(ranks, means, strict=True)]
    norm = (sum(a * a for a in apart[0]) * sum(b * b for b in apart[1])) ** 0.5
    return sum(a * b for a, b in zip(*apart, strict=True)) / norm if norm else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    return [(order.index(value) + len(order) - 1 - order[::-1].index(value)) / 2 for value in values]
