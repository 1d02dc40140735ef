"""Evaluation on held-out tasks: sampled attempts at each, and a greedy one.

::

    score = (await evaluate(player, tasks, k=4))["sampled"]
    score.average(), score.passes(4)                    # avg@k and pass@k with 95 % intervals
    for place, part in score.places().items(): ...      # by environment and level
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from envhub.core.statistics import interval, pass_at_k, wilson
from envhub.core.types import Task
from envhub_trainer.config import ConfigError
from envhub_trainer.conversations import self_play
from envhub_trainer.gathering import gather_or_cancel
from envhub_trainer.rollout import Player

_NUMBER = 1 << 40
"""First group number of evaluations, so that they share no random numbers with training."""


class Estimate(NamedTuple):
    """A mean over tasks with its 95 % interval; NaN without tasks."""

    mean: float
    low: float
    high: float


class Place(NamedTuple):
    """An environment, or one of its levels."""

    env_id: str
    level: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """The attempts at one task.

    Attributes:
        place: Its environment and level.
        solved: Whether each attempt that could be judged solved it.
        failed: Number of attempts that could not be judged.
    """

    place: Place
    solved: tuple[bool, ...]
    failed: int


@dataclass(frozen=True, slots=True)
class Score:
    """Result of an evaluation."""

    results: tuple[Result, ...]

    @property
    def episodes(self) -> int:
        """Number of episodes that could be judged."""
        return sum(len(result.solved) for result in self.results)

    @property
    def solved(self) -> int:
        """How many of these were solved."""
        return sum(sum(result.solved) for result in self.results)

    @property
    def failed(self) -> int:
        """Number of episodes that could not be judged."""
        return sum(result.failed for result in self.results)

    @property
    def share(self) -> float:
        """Solved episodes as a share of judged ones; NaN without any."""
        return self.solved / self.episodes if self.episodes else float("nan")

    def average(self) -> Estimate:
        """avg@k: the mean over tasks of the share of solved attempts."""
        return _estimate([fmean(result.solved) for result in self.results if result.solved])

    def passes(self, k: int) -> Estimate:
        """pass@k, the unbiased estimate, over tasks that have k judged attempts."""
        counted = [result.solved for result in self.results if len(result.solved) >= k]
        return _estimate([pass_at_k(len(solved), sum(solved), k) for solved in counted])

    def places(self) -> dict[Place, Score]:
        """The score of each environment, and of its levels if several."""
        found = sorted({result.place for result in self.results}, key=lambda place: (place.env_id, place.level or 0))
        told: dict[Place, Score] = {}
        for env_id in dict.fromkeys(place.env_id for place in found):
            levels = [place for place in found if place.env_id == env_id]
            for place in (Place(env_id, None), *(levels if len(levels) > 1 else ())):
                wanted = levels if place.level is None else [place]
                told[place] = Score(tuple(result for result in self.results if result.place in wanted))
        return told


async def evaluate(player: Player, tasks: Sequence[Task], greedy: bool = True, k: int = 1) -> Mapping[str, Score]:
    """Play every task.

    Args:
        player: The player to evaluate, with its sampling settings.
        tasks: Held-out tasks.
        greedy: Play each task once greedily as well.
        k: Number of sampled attempts at each task.

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
    told = {"sampled": await _measure(player, tasks, k)}
    if greedy:
        told["greedy"] = await _measure(player.greedily(), tasks, 1)
    return told


async def _measure(player: Player, tasks: Sequence[Task], k: int) -> Score:
    played = await gather_or_cancel([player.groups(_NUMBER + number, task, k) for number, task in enumerate(tasks)])
    results = []
    for task, groups in zip(tasks, played, strict=True):
        episodes = [episode for group in groups for episode in group.episodes]
        solved = tuple(bool(episode.solved) for episode in episodes if episode.error is None)
        results.append(Result(Place(task.env_id, task.difficulty), solved, k - len(solved)))
    return Score(tuple(results))


def _estimate(values: Sequence[float]) -> Estimate:
    """Wilson's interval for shares of single attempts, otherwise the bootstrap over tasks."""
    if not values:
        return Estimate(*[float("nan")] * 3)
    single = all(value in (0.0, 1.0) for value in values)
    return Estimate(fmean(values), *(wilson(sum(values), len(values)) if single else interval(values)))
