"""Small random batches, ragged and with holes in the mask, and what an algorithm makes of them as the trainer would."""

from __future__ import annotations

from random import Random

import torch
from torch import Tensor

from envhub_trainer.algorithms import Algorithm
from envhub_trainer.batch import Batch, collate
from envhub_trainer.episode import Episode, Row

BUDGET = 40


def an_episode(rewards: list[float], *, group: int = 0, rows: int = 1, seed: int = 0, longest: int = 5) -> Episode:
    """An episode with a turn for each reward, its turns spread over so many rows."""
    random = Random(seed)
    episode = Episode("toy-v0", None, {}, group, [Row() for _ in range(rows)], budget=BUDGET)
    for turn, reward in enumerate(rewards):
        row = episode.rows[turn * rows // len(rewards)]
        row.give([random.randrange(9) for _ in range(random.randint(1, 4))])
        tokens = random.randint(1, longest)
        row.take([random.randrange(9) for _ in range(tokens)], [-random.random() for _ in range(tokens)], [3] * tokens)
        row.pay(reward)
    return episode


def episodes(seed: int = 0, groups: int = 3) -> list[Episode]:
    """Four of each group: of one turn, of three in one row, of two in two rows, of one."""
    random = Random(seed)
    shapes = [([1.0], 1), ([0.0, 0.25, 0.5], 1), ([0.25, 0.0], 2), ([0.0], 1)]
    return [
        an_episode(rewards, group=g, rows=rows, seed=random.randrange(10**6))
        for g in range(groups)
        for rewards, rows in shapes
    ]


def batch_of(made: list[Episode], dtype: torch.dtype = torch.float64, seed: int = 0) -> tuple[Batch, Tensor]:
    """A batch that has all that any algorithm needs, and log-probabilities for it."""
    batch = collate(made, greedy=[0.5] * len(made))
    draw = torch.Generator().manual_seed(seed)

    def noise(scale: float) -> Tensor:
        return scale * torch.randn(batch.mask.shape, generator=draw, dtype=torch.float64).to(dtype)

    floats = {name: getattr(batch, name).to(dtype) for name in ("mask", "behaviour", "rewards", "score", "greedy")}
    batch = batch.having(**floats)
    old = batch.behaviour + noise(0.1)
    batch = batch.having(old=old, ref=old + noise(0.2), value=noise(0.5))
    logp = old + noise(0.3)
    baseline = torch.linspace(0.2, 0.8, len(made), dtype=torch.float64).to(dtype)
    return batch.having(process=noise(0.5), baseline=baseline, gain=noise(0.5)), logp


def with_weights(row: Algorithm, batch: Batch, logp: Tensor) -> Batch:
    """The batch as the trainer hands it to the loss, one optimiser step for all of it."""
    return row.weighed(row.advantage(batch), logp, -logp)


def loss_and_slope(row: Algorithm, batch: Batch, logp: Tensor, rows: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The loss, and its gradient in the places of all log-probabilities."""
    logp = logp.clone().requires_grad_()
    part, some = (batch, logp) if rows is None else (batch.rows(rows), logp[rows])
    loss = row.loss(some[:, : part.mask.shape[1]], -some[:, : part.mask.shape[1]], part)
    if not loss.requires_grad:
        return loss, torch.zeros_like(logp)
    return loss.detach(), torch.autograd.grad(loss, logp)[0]
