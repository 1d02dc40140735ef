"""Evaluation on held-out tasks, each played once, sampled and greedily."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from envhub.core.types import Task
from envhub_trainer.config import ConfigError
from envhub_trainer.conversations import self_play
from envhub_trainer.rollout import Player, gather_or_cancel

_NUMBER = 1 << 40
"""First group number of evaluations, so that they share no random numbers with training."""


@dataclass(frozen=True, slots=True)
class Score:
    """Result of an evaluation.

    Attributes:
        episodes: Number of episodes that could be judged.
        solved: How many of these were solved.
        failed: Number of episodes that could not be judged.
    """

    episodes: int
    solved: int
    failed: int

    @property
    def share(self) -> float:
        """Solved episodes as a share of judged ones.

        NaN if none was judged.
        """
        return self.solved / self.episodes if self.episodes else float("nan")


async def evaluate(player: Player, tasks: Sequence[Task], greedy: bool = True) -> Mapping[str, Score]:
    """Play every task once.

    Args:
        player: The player to evaluate, with its sampling settings.
        tasks: Held-out tasks.
        greedy: Evaluate greedy actions as well.

    Returns:
        ``sampled`` and, if requested, ``greedy``.

    Raises:
        PolicyError: The policy cannot sample.
        ConfigError: A task is self-play, where each win of a seat is a loss of another.
    """
    alone = next((task.env_id for task in tasks if self_play(task)), None)
    if alone is not None:
        raise ConfigError(
            f"evaluate.environments: a policy cannot be evaluated against itself. Name an opponent for {alone}, as in "
            f'{{ "{alone}" = {{ weight = 1, opponent = "random" }} }}.'
        )
    told = {"sampled": await _measure(player, tasks)}
    if greedy:
        told["greedy"] = await _measure(player.greedily(), tasks)
    return told


async def _measure(player: Player, tasks: Sequence[Task]) -> Score:
    played = await gather_or_cancel([player.groups(_NUMBER + number, task, 1) for number, task in enumerate(tasks)])
    episodes = [episode for groups in played for group in groups for episode in group.episodes]
    sound = [episode for episode in episodes if episode.error is None]
    return Score(len(sound), sum(bool(episode.solved) for episode in sound), len(episodes) - len(sound))
