"""Step rewards: how much each turn raised the chance of success.

The chance is predicted by a model that learns from rollouts. Here are its settings, its labels, and the rewards that its
predictions give; :mod:`envhub_trainer.companions.steps` holds the model.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import Tensor

from envhub_trainer.algorithms.checks import within
from envhub_trainer.algorithms.masked import Timeline
from envhub_trainer.algorithms.positives import succeeded
from envhub_trainer.batch import Batch


def turn_ends(batch: Batch) -> Tensor:
    """``(B, T)`` True at the last sampled token of each turn."""
    following = torch.nn.functional.pad(batch.mask[:, 1:], (0, 1))
    return (batch.mask > 0) & (following == 0)


@dataclass(frozen=True)
class Steps:
    """Settings of a process reward model with a head of its own.

    The reward of a turn is P(success) at its end less P(success) at the end of the turn before, and for the first turn
    less that at its beginning. So the rewards of an episode add up to how much it gained, and a longer one earns no more. The
    label of a turn is the share of successes among the group's episodes that begin with the same tokens up to its end.

    Source: labels by the success of rollouts: Wang et al. 2024, "Math-Shepherd" (2312.08935), soft estimation, where a step's
    rollouts are extra samples; progress as the reward: Setlur et al. 2024 (2410.08146). The head sees the context before a
    turn's last token, which is the end token unless the turn was cut off.

    Worked example: predictions 0.5 at the beginning, 0.4 and 0.9 at the ends of two turns: rewards -0.1 and 0.5.

    Attributes:
        learning_rate: Of the model's own optimiser; None for that of the policy.
        success: Least return of an episode that succeeded.
    """

    learning_rate: float | None = None
    success: float = 1.0

    def __post_init__(self) -> None:
        if self.learning_rate is not None:
            within("Steps", "learning_rate", self.learning_rate, 0)

    def labels(self, batch: Batch) -> Tensor:
        """``(B, T)`` the label of each turn at its end; 0 elsewhere."""
        won = succeeded(batch, self.success).tolist()
        group = batch.group.tolist()
        turns = [
            (row, at, (group[episode], *batch.ids[row, : at + 2].tolist()))
            for row, episode in enumerate(batch.episode.tolist())
            for at in turn_ends(batch)[row].nonzero()[:, 0].tolist()
        ]
        outcomes: dict[tuple[int, ...], list[bool]] = defaultdict(list)
        for row, _, prefix in turns:
            outcomes[prefix].append(won[int(batch.episode[row])])
        labels = torch.zeros_like(batch.mask)
        for row, at, prefix in turns:
            labels[row, at] = sum(outcomes[prefix]) / len(outcomes[prefix])
        return labels

    def reward(self, chance: Tensor, batch: Batch) -> Tensor:
        """``(B, T)`` rewards at the ends of turns from the predictions ``(B, T)``."""
        timeline = Timeline.of(batch)
        predicted = timeline.join(chance)
        ends = timeline.join(turn_ends(batch).to(chance.dtype)) > 0
        rewards, before = torch.zeros_like(predicted), predicted[:, :1].clone()
        for at in range(predicted.shape[1]):
            now, end = predicted[:, at : at + 1], ends[:, at : at + 1]
            rewards[:, at : at + 1] = torch.where(end, now - before, 0.0)
            before = torch.where(end, now, before)
        return timeline.split(rewards, batch)
