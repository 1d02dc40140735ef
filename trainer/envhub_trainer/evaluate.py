"""How good a policy is on held-out tasks: each played once, sampled and greedily."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from envhub.core.types import Task
from envhub_trainer.config import ConfigError
from envhub_trainer.conversations import self_play
from envhub_trainer.rollout import Player, gather_or_cancel

_NUMBER = 1 << 40
"""Where the group numbers of evaluations begin, so that they share no random number with training."""


@dataclass(frozen=True, slots=True)
class Score:
    """What came of some tasks.

    Attributes:
        episodes: How many could be judged.
        solved: Of these.
        failed: How many could not be judged.
    """

    episodes: int
    solved: int
    failed: int

    @property
    def share(self) -> float:
        """Solved of judged; NaN where none was."""
        return self.solved / self.episodes if self.episodes else float("nan")


async def evaluate(player: Player, tasks: Sequence[Task], greedy: bool = True) -> Mapping[str, Score]:
    """Play every task once.

    Args:
        player: Who plays; its sampling is the one that is measured.
        tasks: Held-out tasks.
        greedy: Measure greedy play as well.

    Returns:
        ``sampled`` and, if asked for, ``greedy``.

    Raises:
        PolicyError: The policy cannot sample.
        ConfigError: A task is one of self-play, in which for every seat that wins another loses.
    """
    alone = next((task.env_id for task in tasks if self_play(task)), None)
    if alone is not None:
        raise ConfigError(
            f"evaluate.environments: nobody is measured by playing against itself; name whom {alone} is played against, as in "
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
