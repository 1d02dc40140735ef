"""The cases as the package's own tensors and episodes, and what an algorithm of ours makes of them, as plain lists again."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

import torch
from torch import Tensor

from envhub_trainer.algorithms import Algorithm
from envhub_trainer.batch import Batch
from envhub_trainer.episode import Episode, Row
from tests.trainer.algorithms.cases import Case
from tests.trainer.algorithms.reference import Outcome

GARBAGE = -1.5
"""Where a row has ended: a figure that shows in every formula that reads it."""


def padded(lists: list[list[float]] | list[list[int]], value: float = GARBAGE) -> Tensor:
    """``(B, T)`` of ragged lists, float64."""
    width = max(len(row) for row in lists)
    return torch.tensor([[*row, *[value] * (width - len(row))] for row in lists], dtype=torch.float64)


def ragged(tensor: Tensor, case: Case) -> list[list[float]]:
    """The rows without their padding, of which the caller has made sure."""
    return [row[: len(of.mask)].tolist() for row, of in zip(tensor, case.rows, strict=True)]


def as_batch(case: Case, **tensors: Tensor | None) -> Batch:
    """The case as a batch of float64, with other or further tensors."""
    rows = case.rows
    mask = padded([row.mask for row in rows], 0.0)
    batch = Batch(
        ids=torch.zeros(len(rows), mask.shape[1] + 1, dtype=torch.long),
        length=torch.tensor([len(row.mask) + 1 for row in rows]),
        mask=mask,
        behaviour=padded([row.behaviour for row in rows], 0.0),
        version=mask.long() - 1,
        rewards=padded([row.reward for row in rows], 0.0),
        episode=torch.tensor([row.episode for row in rows]),
        score=torch.tensor(case.score, dtype=torch.float64),
        group=torch.tensor(case.group),
        included=torch.tensor(case.included),
        budget=torch.full((len(case.score),), case.max_tokens),
        greedy=torch.tensor(case.greedy, dtype=torch.float64),
        old=padded([row.old for row in rows]),
        ref=padded([row.ref for row in rows]),
        value=padded([row.value for row in rows]),
        gain=padded([row.gain for row in rows]),
        chosen=padded([row.chosen for row in rows], 0.0).bool(),
        process=padded([row.process for row in rows]),
        baseline=torch.tensor(case.baseline, dtype=torch.float64),
    )
    return batch.having(**tensors)


def as_episodes(case: Case) -> list[Episode]:
    """The case as episodes, a turn for every run of sampled tokens."""
    episodes = []
    for number, group in enumerate(case.group):
        episode = Episode("toy-v0", None, {}, group, budget=case.max_tokens)
        for of in case.rows_of(number):
            row = Row()
            row.give([0])
            at = 0
            for sampled, run in groupby(of.mask):
                n = len(list(run))
                if sampled:
                    row.take([1] * n, of.behaviour[at : at + n], [0] * n)
                    row.pay(of.reward[at + n - 1])
                else:
                    row.give([0] * n)
                at += n
            episode.rows.append(row)
        episodes.append(episode)
    return episodes


def with_included(algorithm: Algorithm, case: Case) -> Case:
    """The case with the episodes that the algorithm counts."""
    if algorithm.include is None:
        return case
    episodes = as_episodes(case)
    included = [True] * len(episodes)
    for group in set(case.group):
        members = [e for e, g in enumerate(case.group) if g == group]
        for e, counts in zip(members, algorithm.include([episodes[e] for e in members]), strict=True):
            included[e] = counts
    return replace(case, included=included)


def outcome(algorithm: Algorithm, case: Case, **tensors: Any) -> Outcome:
    """Advantage, loss and gradients as the trainer would have them, with one optimiser step for the whole batch.

    Raises:
        AssertionError: There is an advantage or a gradient beyond the end of a row.
    """
    case = with_included(algorithm, case)
    batch = algorithm.advantage(as_batch(case, **tensors))
    entropy = padded([row.entropy for row in case.rows])
    batch = algorithm.weighed(batch, entropy=entropy)  # chosen are those of the case
    logp = padded([row.logp for row in case.rows]).requires_grad_()
    loss = algorithm.loss(logp, entropy, batch)
    (slope,) = torch.autograd.grad(loss, logp)
    assert batch.advantage is not None
    made = Outcome(ragged(batch.advantage, case), loss.item(), ragged(slope, case))
    beyond = padded([[0] * len(row.mask) for row in case.rows], 1.0).bool()
    assert not batch.advantage[beyond].any()
    assert not slope[beyond].any()
    if algorithm.critic is None:
        return made
    value = padded([row.new_value for row in case.rows]).requires_grad_()
    assert batch.weight is not None
    assert batch.returns is not None
    value_loss = (algorithm.critic.loss(value, batch) * batch.weight).sum()
    (slope,) = torch.autograd.grad(value_loss, value)
    return replace(
        made,
        returns=ragged(batch.returns, case),
        value_loss=value_loss.item(),
        value_gradient=ragged(slope, case),
    )
