"""Statistics of an evaluation: pass@k, and bootstrap intervals over tasks.

Attempts at one task are correlated, so the bootstrap draws whole tasks. It uses envhub's streams, so the same attempts
give the same interval everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from statistics import fmean
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.statistics import wilson

DRAWS: Final = 1000


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
        (:func:`envhub.core.statistics.wilson`).
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
