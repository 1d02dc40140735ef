"""Settings that change during a run: sampling and hints.

:func:`stage` returns the settings of a step, :func:`hint_share` the share of a demonstration that is given as a hint, and
:func:`stages` the player with both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from envhub_trainer.config import Config, RolloutConfig
from envhub_trainer.demonstrations import demonstrator
from envhub_trainer.guidance import Guide
from envhub_trainer.policy import Policy, Sampling
from envhub_trainer.rollout import Player
from envhub_trainer.techniques import DemonstrationsConfig


def stage(config: Config, step: int) -> RolloutConfig:
    """The sampling settings of a step.

    Those of stages that have begun replace the run's, the latest first.

    Sources: contexts: Luo et al. 2025, DeepScaleR, which raises the context in three stages; temperatures: An et al. 2025,
    POLARIS, which raises the temperature as the policy becomes more certain.

    Worked example: stages of 1024 tokens from step 0, of 2048 from step 100: 1024 at step 99, 2048 at step 100.
    """
    changes: dict[str, Any] = {}
    for each in config.stage:
        if each.step <= step:
            changes |= each.changes
    return config.rollout.model_copy(update=changes)


def hint_share(settings: DemonstrationsConfig, step: int) -> float:
    """The probability of each token of a demonstration to be a hint.

    p(t) = low + (high - low) (1 + cos((t + 1) pi / T)) / 2 up to step T, then 0. Source: Liu et al. 2025, UFT (2505.16984),
    equation B.1.

    Worked example: high 0.9, low 0.1, T = 4: 0.783 at step 0, 0.5 at step 1, 0.1 at step 3, 0 at step 4.
    """
    if step >= settings.hint_steps:
        return 0.0
    high, low = settings.hint
    return low + (high - low) * (1 + math.cos((step + 1) / settings.hint_steps * math.pi)) / 2


def stages(config: Config, policy: Policy) -> Callable[[Player, int], Player]:
    """Returns the player of a step, with the step's sampling and hints."""
    shown, tasks = config.demonstrations, config.tasks
    options = {name: value for name in ("answer_format", "wording") if (value := getattr(tasks, name)) is not None}
    guide = Guide(demonstrator(shown.demonstrator), options, shown.join, seed=config.run.seed) if shown.used else None

    def staged(player: Player, step: int) -> Player:
        settings = stage(config, step)
        policy.context = settings.context
        given = replace(guide, share=hint_share(shown, step)) if guide is not None else None
        return replace(player, sampling=Sampling(settings.max_tokens, settings.temperature), guide=given)

    return staged
