"""Arithmetic over sampled tokens: means, whitening, log-ratios, and time order.

No position off the mask affects a result, and no result is NaN if a row or the whole batch has no sampled token. Shapes as in
:mod:`envhub_trainer.batch`: B rows, T predictions, E episodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import required
from envhub_trainer.batch import Batch

LIMIT = 20.0
"""Log-ratios are clamped to +-20 before exponentiation (e^20 is 5e8); beyond it they carry no gradient."""


def on_mask(values: Tensor, batch: Batch) -> Tensor:
    """``(B, T)`` with 0 off the mask, where infinities leave no gradient."""
    return torch.where(batch.mask > 0, values, torch.zeros_like(values))


def old(batch: Batch) -> Tensor:
    """``(B, T)`` log-probabilities when the step began, by default the sampler's."""
    return batch.behaviour if batch.old is None else batch.old


def log_ratio(logp: Tensor, batch: Batch) -> Tensor:
    """``(B, T)`` log(pi / pi_old), clamped to +-:data:`LIMIT`; 0 off the mask.

    Its gradient is that of ``logp``.
    """
    return on_mask(logp - old(batch), batch).clamp(-LIMIT, LIMIT)


def log_ratio_to_ref(batch: Batch) -> Tensor:
    """``(B, T)`` log(pi_old / pi_ref), 0 off the mask; ValueError without reference."""
    return on_mask(old(batch) - required(batch, "ref"), batch)


def row_mean(values: Tensor, mask: Tensor) -> Tensor:
    """``(B, 1)`` mean over each row's sampled tokens; 0 without any."""
    return (values * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True).clamp(min=1)


def mean(values: Tensor, mask: Tensor) -> Tensor:
    """Scalar mean over all sampled tokens; 0 if there are no tokens."""
    return (values * mask).sum() / mask.sum().clamp(min=1)


def learned(batch: Batch) -> Tensor:
    """``(B, T)`` the mask of the included episodes."""
    return batch.mask * batch.included[batch.episode].unsqueeze(1).to(batch.mask.dtype)


def whiten(values: Tensor, mask: Tensor) -> Tensor:
    """``(B, T)`` with mean 0 and unbiased variance 1 over the mask.

    0 off the mask; all 0 if all values are equal.

    Worked example: 1, 2, 3 on the mask have mean 2 and variance 1, and become -1, 0, 1.
    """
    picked = values[mask > 0]
    if picked.numel() == 0 or bool(picked.max() == picked.min()):
        return torch.zeros_like(values)
    centred = (values - mean(values, mask)) * mask
    variance = centred.square().sum() / (mask.sum() - 1).clamp(min=1)
    return centred * (variance + 1e-8).rsqrt()


@dataclass(frozen=True)
class Timeline:
    """The sampled tokens of each episode in order, across turns and rows.

    Discounting and bootstrapping run over the policy's own tokens: an observation between two of them takes no time. An
    episode's rows must be in order, as :func:`envhub_trainer.batch.collate` leaves them.

    Attributes:
        row: ``(N,)`` row of each sampled token.
        at: ``(N,)`` its position in the row.
        episode: ``(N,)`` its episode.
        step: ``(N,)`` its index among the episode's sampled tokens, from 0.
        length: ``(E,)`` number of sampled tokens of each episode.
    """

    row: Tensor
    at: Tensor
    episode: Tensor
    step: Tensor
    length: Tensor

    @classmethod
    def of(cls, batch: Batch) -> Self:
        """The timeline of a batch."""
        row, at = (batch.mask > 0).nonzero(as_tuple=True)
        order = torch.argsort(batch.episode[row], stable=True)
        row, at = row[order], at[order]
        episode = batch.episode[row]
        length = torch.bincount(episode, minlength=len(batch.score))
        start = length.cumsum(0) - length
        step = torch.arange(len(row), device=row.device) - start[episode]
        return cls(row, at, episode, step, length)

    def join(self, values: Tensor) -> Tensor:
        """``(B, T)`` to ``(E, L)``: each episode's sampled tokens, then 0."""
        longest = int(self.length.max()) if len(self.length) else 0
        joined = values.new_zeros(len(self.length), longest)
        joined[self.episode, self.step] = values[self.row, self.at]
        return joined

    def split(self, joined: Tensor, batch: Batch) -> Tensor:
        """``(E, L)`` back to ``(B, T)``; 0 off the mask."""
        values = joined.new_zeros(batch.mask.shape)
        values[self.row, self.at] = joined[self.episode, self.step]
        return values

    def at_end(self, joined: Tensor, amount: Tensor) -> Tensor:
        """``(E, L)`` with ``amount`` ``(E,)`` added at each episode's last sampled token."""
        has = self.length > 0
        paid = torch.zeros_like(joined)
        paid[has, self.length[has] - 1] = amount[has].to(joined.dtype)
        return joined + paid
