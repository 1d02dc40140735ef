"""Builds the companions that an algorithm names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envhub_trainer.algorithms.process import Implicit
from envhub_trainer.algorithms.steps import Steps
from envhub_trainer.companions import Companion
from envhub_trainer.companions.implicit import ImplicitReward
from envhub_trainer.companions.roles import RoleBaselines
from envhub_trainer.companions.steps import StepReward
from envhub_trainer.companions.tracker import TaskTracker
from envhub_trainer.companions.value import ValueModel
from envhub_trainer.update import Learner


def companions(learner: Learner, initial: Callable[[], Any]) -> list[Companion]:
    """The companions of a learner's algorithm.

    Args:
        learner: The learner.
        initial: Loads another copy of the model that the run began with.
    """
    row, settings = learner.algorithm, learner.settings
    found: list[Companion] = []
    if row.critic is not None and not row.critic.shared:
        trunk = initial() if row.critic.trunk == "own" else learner.model
        found.append(ValueModel(trunk, row.critic, settings, learner.seed))
    if isinstance(row.process, Implicit):
        found.append(ImplicitReward(initial(), row.process, settings, learner.temperature))
    if isinstance(row.process, Steps):
        found.append(StepReward(initial(), row.process, settings))
    if row.roles is not None:
        found.append(RoleBaselines(row.roles))
    if row.tracker is not None:
        found.append(TaskTracker(row.tracker, learner.log_probabilities, learner.device))
    return found
