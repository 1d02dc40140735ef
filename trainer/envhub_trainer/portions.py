"""Division of a batch into optimiser steps and forward passes."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from envhub_trainer.batch import Batch
from envhub_trainer.config import OptimizerConfig
from envhub_trainer.rollout import seed_of


def minibatches(batch: Batch, settings: OptimizerConfig, seed: int, step: int) -> Iterator[Batch]:
    """The rows of each optimiser step, ordered by seed and step."""
    for epoch in range(settings.epochs):
        shuffled = torch.Generator().manual_seed(seed_of(seed, step, epoch))
        order = torch.randperm(len(batch.length), generator=shuffled).to(batch.length.device)
        for rows in order.chunk(settings.minibatches):
            yield batch.rows(rows)


def micro_batches(length: Tensor, tokens: int) -> Iterator[Tensor]:
    """Row indices of micro-batches, grouping rows of similar length.

    Args:
        length: ``(B,)`` tokens of each row.
        tokens: Maximum number of padded tokens per micro-batch; a longer row is a micro-batch of its own.
    """
    order = length.argsort(descending=True, stable=True)
    sizes = length[order].tolist()
    start = 0
    while start < len(sizes):
        end = start + max(1, tokens // sizes[start])
        yield order[start:end]
        start = end
