"""verl-agent environment manager, for ``make_envs`` in ``agent_system/environments/env_manager.py``.

verl-agent prompts the policy with one message per step and keeps no history, so each message contains the task and all
turns so far. Tasks come from seeds, one per group, with new ones at every reset::

    train = EnvironmentManager("guess-number-v0", groups=16, group_size=8, difficulty=3)
    test = EnvironmentManager("guess-number-v0", groups=64, split="test", difficulty=3, renew=False)

An action counts as valid (``is_action_valid``) unless it could not be read or was not a legal move. An answer that
could not be judged raises :class:`JudgementError`, which ends the run.

Source: verl-agent ``agent_system/environments/base.py`` (``reset``, ``step``, ``success_evaluator``) and
``agent_system/multi_turn_rollout/rollout_loop.py`` (rewards after an episode's end are multiplied by 0, so they must be
numbers).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from envhub.adapters.gem import GemEnvironment
from envhub.core.errors import InvalidParameters

Observations = dict[str, list[str] | None]
Infos = list[dict[str, Any]]


class EnvironmentManager:
    """``groups * group_size`` episodes, played together.

    Args:
        id: Environment id, such as ``guess-number-v0``.
        groups: Number of tasks at a time: ``data.train_batch_size`` or ``data.val_batch_size``.
        group_size: Number of episodes per task: ``env.rollout.n``.
        seed: Seed of the first task.
        renew: Whether every reset draws new tasks; set to False for validation.
        settings: Settings of :class:`envhub.adapters.gem.GemEnvironment`: ``difficulty``, ``split``, ``url`` ...

    Raises:
        UnknownEnvironment: The environment does not exist.
        InvalidParameters: A setting is invalid.
    """

    def __init__(
        self, id: str, groups: int, group_size: int = 1, *, seed: int = 0, renew: bool = True, **settings: Any
    ) -> None:
        self._envs = [GemEnvironment(id, **settings) for _ in range(groups * group_size)]
        self._groups, self._group_size = groups, group_size
        self._seed, self._renew = seed, renew
        self._told: list[str] = []
        self._over = np.zeros(len(self._envs), dtype=bool)

    def reset(self, kwargs: Any = None) -> tuple[Observations, Infos]:
        """Begin episodes.

        Args:
            kwargs: The rows' ``env_kwargs`` in newer versions; must be empty, since tasks come from seeds.

        Raises:
            InvalidParameters: The rows have ``env_kwargs``.
        """
        if kwargs is not None:
            raise InvalidParameters("The tasks come from seeds: leave the column 'env_kwargs' out of the rows.")
        seeds = [self._seed + place // self._group_size for place in range(len(self._envs))]
        self._told = [env.reset(seed=seed)[0] for env, seed in zip(self._envs, seeds, strict=True)]
        self._over[:] = False
        if self._renew:
            self._seed += self._groups
        return self._observations(self._told), self._infos()

    def step(self, text_actions: list[str]) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], Infos]:
        """Take one turn in each open episode.

        Ended episodes are unchanged and earn 0.

        Raises:
            JudgementError: An action could not be judged.
        """
        rewards = np.zeros(len(self._envs), dtype=np.float32)
        latest = list(self._told)
        for place, (env, action) in enumerate(zip(self._envs, text_actions, strict=True)):
            if not self._over[place]:
                latest[place], rewards[place], self._over[place], _, _ = env.step(action)
                self._told[place] += f"\n\nYou said:\n{action}\n\nYou were answered:\n{latest[place]}"
        return self._observations(latest), rewards, self._over.copy(), self._infos()

    def success_evaluator(self, **_: Any) -> dict[str, NDArray[np.float64]]:
        """Which episodes solved their problem."""
        return {"success_rate": np.array([float(env.solved) for env in self._envs])}

    def close(self) -> None:
        """Close all episodes."""
        for env in self._envs:
            env.close()

    def _observations(self, latest: list[str]) -> Observations:
        return {"text": list(self._told), "image": None, "anchor": latest}

    def _infos(self) -> Infos:
        return [{"won": env.solved, "is_action_valid": not env.rejected} for env in self._envs]
