"""Relative length.

Among the correct answers of a group, shorter ones get more.

Source: the length reward of Kimi k1.5, arXiv 2501.12599, section 2.3.3: with ``share = 0.5 - (length - shortest) / (longest -
shortest)`` a right answer gets ``share`` and a wrong one ``min(0, share)``; all get 0 if all lengths are equal. Range:
[-0.5, 0.5]. On error: the sample is ignored for the shortest and longest, and gets NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from envhub.rewards.accuracy import solved
from envhub.rewards.base import Sample, failed, needed


def relative_length(samples: Sequence[Sample]) -> list[float]:
    """The rewards of the samples of one task, in their order.

    Each needs ``length``.

    Raises:
        InvalidParameters: A sample has no length.
    """
    lengths = [None if failed(sample) else needed(sample.length, "length") for sample in samples]
    known = [length for length in lengths if length is not None]
    shortest, spread = min(known, default=0), max(known, default=0) - min(known, default=0)
    rewards = []
    for sample, length in zip(samples, lengths, strict=True):
        if length is None:
            rewards.append(math.nan)
            continue
        share = 0.5 - (length - shortest) / spread if spread else 0.0
        rewards.append(share if solved(sample) else min(0.0, share))
    return rewards
