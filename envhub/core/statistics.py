"""Statistics for reports: shares, pass@k, intervals, paired tests, rank correlation, percentiles.

Attempts at one task are correlated, so the bootstrap draws whole tasks. It uses envhub's streams, so the same attempts
give the same interval everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, sqrt
from statistics import fmean
from typing import Final

from envhub.core.seeding import Stream

NORMAL_95: Final = 1.959964
NORMAL_999: Final = 3.290527
DRAWS: Final = 1000
"""Number of bootstrap samples."""


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


def pass_at_k(attempts: int, solved: int, k: int) -> float:
    """Unbiased estimate of the probability that one of ``k`` attempts succeeds.

    Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1: 1 - C(n - c, k) / C(n, k).

    Args:
        attempts: Number of attempts, n.
        solved: Number of solved attempts, c.
        k: At most ``attempts``.

    Raises:
        ValueError: ``k`` is less than 1 or more than there were attempts.
    """
    if not 1 <= k <= attempts:
        raise ValueError(f"pass@{k} of {attempts} attempts")
    return 1.0 - comb(attempts - solved, k) / comb(attempts, k)


def interval(values: Sequence[float], draws: int = DRAWS) -> tuple[float, float]:
    """95 % percentile interval of the mean of one value per task.

    Efron 1979, "Bootstrap methods".

    Args:
        values: One value per task.
        draws: Number of bootstrap samples.

    Returns:
        The lower and upper bound. If all values are equal, samples have no spread, so the bounds are those of a share
        (:func:`wilson`).
    """
    if len(set(values)) <= 1:
        return wilson(sum(values), len(values))
    rng, count = Stream(b"bootstrap"), len(values)
    means = sorted(fmean(values[rng.below(count)] for _ in range(count)) for _ in range(draws))
    return means[round(0.025 * (draws - 1))], means[round(0.975 * (draws - 1))]


def sign_flip(differences: Sequence[float], draws: int = 10_000) -> float:
    """Two-sided p-value of a mean difference, by a paired permutation test.

    The signs of differences are flipped at random. The p-value counts the sample itself (Phipson and Smyth 2010,
    "Permutation p-values should never be zero"). Tasks without a difference have no effect.

    Args:
        differences: One difference per task.
        draws: Number of random sign patterns.
    """
    moved = [each for each in differences if each]
    if not moved:
        return 1.0
    rng, seen = Stream(b"sign flips"), abs(sum(moved)) - 1e-9
    hits = 0
    for _ in range(draws):
        bits = rng.below(1 << len(moved))
        hits += abs(sum(each if bits >> place & 1 else -each for place, each in enumerate(moved))) >= seen
    return (hits + 1) / (draws + 1)


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
