"""Demonstrations in a policy's groups: whole episodes and hints.

A given token has the version :data:`~envhub_trainer.episode.GIVEN`, as no policy sampled it, and mask 1, as it is learned from.
Demonstrators play in this process, since a server does not reveal right answers. The hub plays their actions and judges them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from envhub.core.seeding import Stream
from envhub.core.types import Task
from envhub_trainer.algorithms.imitation import Likelihood, Shaped
from envhub_trainer.algorithms.row import Algorithm
from envhub_trainer.config import ConfigError
from envhub_trainer.demonstrations import Demonstrator, actions, demonstrator
from envhub_trainer.episode import GIVEN
from envhub_trainer.policy import Completion
from envhub_trainer.render import Renderer
from envhub_trainer.techniques import DemonstrationsConfig


@dataclass(frozen=True)
class Guide:
    """A demonstrator in the groups of a run.

    Attributes:
        says: The demonstrator.
        options: Options of :func:`envhub.begin`: ``answer_format``, ``wording``.
        join: Compare a demonstration with the episodes of each group.
        share: Probability of each token of a demonstration to belong to its hint.
        seed: Seed of the run.
    """

    says: Demonstrator
    options: Mapping[str, Any]
    join: bool = False
    share: float = 0.0
    seed: int = 0

    def actions(self, task: Task, number: int, renderer: Renderer) -> tuple[list[Completion], list[Completion]]:
        """The actions of a group's demonstration and of its hint.

        The hint's last action may be cut. Its length is binomial (UFT, Liu et al. 2025, arXiv 2505.16984), and at least one
        token is left to the policy.

        Raises:
            ValueError: The demonstrator has no action here.
        """
        if not self.join and not self.share:
            return [], []
        rng = Stream(b"guide", self.seed, number)
        shown = [_given(renderer.said(said), True) for said in actions(task, self.says, rng, self.options)]
        tokens, random = sum(len(action.ids) for action in shown), Random(f"{self.seed} {number}")
        return shown, _first(shown, min(sum(random.random() < self.share for _ in range(tokens)), tokens - 1))


def imitating(settings: DemonstrationsConfig, row: Algorithm) -> Algorithm:
    """The row with a loss for demonstrations, if there are any.

    LUFFY's if they are compared with episodes, otherwise UFT's, unless the row has one.

    Raises:
        ConfigError: Unknown demonstrator.
    """
    try:
        demonstrator(settings.demonstrator)
    except ValueError as error:
        raise ConfigError(f"demonstrations: {error}") from None
    if row.demonstrated or not settings.used:
        return row
    return replace(row, demonstrated=(Shaped() if settings.join else Likelihood(),))


def _first(shown: Sequence[Completion], tokens: int) -> list[Completion]:
    """The first tokens of some actions."""
    first: list[Completion] = []
    for action in shown:
        if tokens < len(action.ids):
            break
        first.append(action)
        tokens -= len(action.ids)
    return [*first, _given(shown[len(first)].ids[:tokens], False)] if tokens else first


def _given(ids: list[int], finished: bool) -> Completion:
    return Completion(ids, [0.0] * len(ids), [GIVEN] * len(ids), finished)
