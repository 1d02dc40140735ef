"""verifiers (``v1``) taskset and environment, also for prime-rl.

verifiers loads them from the module that exports them, by name::

    vf-eval envhub-verifiers --env.taskset.environment guess-number-v0 --env.taskset.difficulty 3 -n 20

One class serves every environment of envhub; observations are user turns. An episode that could not be judged ends with
an error, which verifiers neither scores nor trains on. Episodes with an error of the model's endpoint or its harness in
their trace are not scored either.

Source: verifiers 0.4.0, ``v1/taskset.py``, ``v1/task.py``, ``v1/env.py`` and ``v1/agent.py`` (``interaction``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from pydantic import Field

try:
    import verifiers.v1 as vf
except ImportError as error:
    from envhub.core.errors import MissingExtra

    raise MissingExtra("The adapter for verifiers needs version 0.4 or later: pip install 'verifiers>=0.4'.") from error

from envhub.adapters.shared.episodes import Episodes, check_text_suffices
from envhub.dataset import truth
from envhub.making import make


class EnvhubConfig(vf.TasksetConfig):  # type: ignore[misc, unused-ignore]
    """Task selection: ``--env.taskset.*``."""

    environment: str = "sudoku-v0"
    difficulty: int = 3
    split: str = "train"
    seed: int = 0
    """Seed of the first task; later tasks use the following seeds."""
    num_tasks: int | None = None
    """Number of tasks; unlimited by default."""
    params: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the environment; they override the difficulty."""
    url: str | None = None
    """Address of an envhub server; without it episodes run in this process."""


class EnvhubData(vf.TaskData):  # type: ignore[misc, unused-ignore]
    """A task as its key.

    It is drawn again where it is played.
    """

    ground_truth: str
    url: str | None = None


class EnvhubTask(vf.Task[EnvhubData]):  # type: ignore[misc, unused-ignore]
    """A task of envhub, with the environment's reward."""


class EnvhubTaskset(vf.Taskset[EnvhubTask, EnvhubConfig]):  # type: ignore[misc, unused-ignore]
    """Tasks of one environment, from consecutive seeds."""

    INFINITE = True

    def load(self) -> Iterator[EnvhubTask]:
        """The tasks, drawn lazily.

        Raises:
            UnknownEnvironment: The environment does not exist.
            InvalidParameters: A parameter is invalid.
        """
        asked = self.config
        check_text_suffices(asked.params)
        env = make(asked.environment, difficulty=asked.difficulty, split=asked.split, **asked.params)
        for seed in islice(count(asked.seed), asked.num_tasks):
            env.reset(seed=seed)
            data = EnvhubData(
                name=f"{asked.environment}#{seed}",
                prompt=env.task.prompt,
                ground_truth=truth.write(env.task.key),
                url=asked.url,
            )
            yield EnvhubTask(data, asked.task)


class EnvhubEnvConfig(vf.EnvConfig):  # type: ignore[misc, unused-ignore]
    """The player's configuration."""

    player: vf.AgentConfig = vf.AgentConfig()


class EnvhubEnv(vf.Env[EnvhubEnvConfig]):  # type: ignore[misc, unused-ignore]
    """Plays an episode: policy messages alternate with observations until the end."""

    async def run(self, task: EnvhubTask, agents: Any) -> None:
        """Play one episode; its reward is on the player's trace.

        Raises:
            JudgementError: An action could not be judged.
        """
        episode = await asyncio.to_thread(Episodes(task.data.url).begin, task.data.ground_truth)
        try:
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn()
                while not segment.terminated:
                    observation = await asyncio.to_thread(episode.step, segment.last_reply)
                    if episode.over:
                        break
                    segment = await interaction.turn(observation)
            if not interaction.trace.ok:
                return  # the model's endpoint or harness failed, so there is no reward
            interaction.trace.record_reward("envhub", episode.require_reward())
            interaction.trace.info["solved"] = episode.solved
        finally:
            await asyncio.to_thread(episode.close)
