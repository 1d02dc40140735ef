"""pass@k: group rewards for solving within k attempts instead of one.

Source: PKPO, arXiv 2505.15201. :func:`max_at_k` is its estimator of the greatest reward of k samples (equation 12; for
rewards of 0 and 1 that is pass@k, the estimator of Chen et al., arXiv 2107.03374), :func:`max_at_k_rewards` the rewards
whose policy gradient is that of max@k without bias (equation 19), :func:`marginal_at_k_rewards` the same less what the
other samples reach in k - 1 tries (equation 33), which has less variance and leaves the gradient unbiased.

Inputs and outputs are lists over the samples of one task. On error: a NaN is left out and stays NaN; with fewer than k
others there is no unbiased estimate, and all are NaN. Ranges, for n samples with rewards in [a, b]: [a, b]; k/n times
[a, b]; [0, k/n * (b - a)] (for k = 1 as the second).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import comb

from envhub.core.errors import InvalidParameters
from envhub.rewards.base import count


def max_at_k(rewards: Sequence[float], k: int) -> float:
    """Unbiased estimate of the expected greatest reward of k samples.

    Raises:
        InvalidParameters: ``k`` is not from 1 to the number of rewards.
    """
    known = sorted(_known(rewards, k))
    return _greatest(known, k) if len(known) >= k else math.nan


def max_at_k_rewards(rewards: Sequence[float], k: int) -> list[float]:
    """Each sample's rewards of its groups of k, by their greatest.

    The sum of the greatest reward over its groups, over the number of groups. With rewards of 0 and 1 a solved sample
    gets k/n; another gets k/n times the chance that k - 1 others solve it.

    Raises:
        InvalidParameters: ``k`` is not from 1 to the number of rewards.
    """
    known = sorted(_known(rewards, k))
    n = len(known)
    if n < k:
        return [math.nan] * len(rewards)
    # groups where j, of higher rank, is the greatest beside the sample at rank r
    tail = [0.0] * (n + 1)
    for j in reversed(range(1, n)):
        tail[j] = tail[j + 1] + (known[j] * _ratio(j - 1, k - 2, n, k) if k > 1 else 0.0)
    shares: dict[float, float] = {}
    for rank, reward in enumerate(known):  # equal rewards share the lowest rank's value: it is the same for all
        shares.setdefault(reward, reward * _ratio(rank, k - 1, n, k) + tail[rank + 1])
    return [reward if math.isnan(reward) else shares[reward] for reward in rewards]


def marginal_at_k_rewards(rewards: Sequence[float], k: int) -> list[float]:
    """Each sample's mean gain over the greatest of k - 1 others.

    Times k/n. With rewards of 0 and 1 an unsolved sample gets 0, and a solved one more the fewer others are solved.

    Raises:
        InvalidParameters: ``k`` is not from 1 to the number of rewards.
    """
    whole = max_at_k_rewards(rewards, k)
    known = sorted(_known(rewards, k))
    n = len(known)
    if n < k or k == 1:
        return whole
    without: dict[float, float] = {}
    for rank, reward in enumerate(known):
        if reward not in without:
            without[reward] = _greatest(known[:rank] + known[rank + 1 :], k - 1)
    return [share if math.isnan(share) else share - k / n * without[rewards[i]] for i, share in enumerate(whole)]


def _known(rewards: Sequence[float], k: int) -> list[float]:
    if count(k, "The number of tries", 1) > len(rewards):
        raise InvalidParameters(f"`k` must be at most the number of samples, {len(rewards)}; got {k}.")
    return [reward for reward in rewards if not math.isnan(reward)]


def _greatest(ordered: Sequence[float], k: int) -> float:
    """The mean greatest reward over all groups of k sorted rewards."""
    n = len(ordered)
    return math.fsum(reward * _ratio(rank, k - 1, n, k) for rank, reward in enumerate(ordered))


def _ratio(m: int, i: int, n: int, k: int) -> float:
    """``comb(m, i) / comb(n, k)``, from exact integers."""
    return comb(m, i) / comb(n, k)
