"""Statistics of groups of episodes, and values spread over their tokens.

What the advantages of :mod:`envhub_trainer.algorithms.advantages` and its sister modules share.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from envhub_trainer.batch import Batch

EPS = 1e-6
"""Added to a standard deviation of returns before dividing by it."""


class Groups(NamedTuple):
    """Per episode ``(E,)``: deviation from the group mean, its standard deviation, size."""

    centred: Tensor
    std: Tensor
    size: Tensor


def group_statistics(score: Tensor, batch: Batch) -> Groups:
    """Statistics of each group's included episodes; ``centred`` is 0 for all others."""
    _, of = torch.unique(batch.group, return_inverse=True)
    counts = batch.included.to(score.dtype)
    number = int(of.max()) + 1

    def total(values: Tensor) -> Tensor:
        return values.new_zeros(number).index_add(0, of, values)[of]

    def extreme(how: str, fill: float) -> Tensor:
        values = score.masked_fill(~batch.included, fill)
        return score.new_full((number,), fill).scatter_reduce(0, of, values, how)[of]

    size = total(counts)
    mean = total(score * counts) / size.clamp(min=1)
    # The mean of equal floats may differ from them: compare extremes, so that a uniform group is exactly 0.
    uniform = extreme("amax", -torch.inf) <= extreme("amin", torch.inf)
    centred = (score - mean).masked_fill(uniform | ~batch.included, 0.0)
    return Groups(centred, (total(centred.square()) / (size - 1).clamp(min=1)).sqrt(), size)


def on_tokens(of_episodes: Tensor, batch: Batch) -> Batch:
    """Set an advantage ``(E,)`` on every sampled token of its episode."""
    return batch.having(advantage=of_episodes[batch.episode].unsqueeze(1).to(batch.mask.dtype) * batch.mask)


def discounted(rewards: Tensor, gamma: Tensor | float) -> Tensor:
    """``(E, L)`` sum_{s >= t} gamma^(s - t) rewards_s (gamma or ``(E,)``)."""
    total = torch.zeros_like(rewards)
    carried = rewards.new_zeros(len(rewards))
    for t in reversed(range(rewards.shape[1])):
        carried = rewards[:, t] + gamma * carried
        total[:, t] = carried
    return total
