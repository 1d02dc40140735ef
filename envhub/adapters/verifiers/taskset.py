"""verifiers (``v1``): a taskset and the environment that plays it; prime-rl takes them through verifiers.

verifiers finds them by the name of a module that exports them::

    vf-eval envhub-verifiers --env.taskset.environment guess-number-v0 --env.taskset.difficulty 3 -n 20

One class serves every environment of envhub: the engine plays the user, its observations are the user's turns. What is handed
on where an answer could not be judged: nothing; the episode ends with an error, which verifiers neither scores nor trains on.
Nor is an episode scored whose trace holds an error of the model's endpoint or of its harness.

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

from envhub.adapters.shared.episodes import Episodes
from envhub.dataset import truth
from envhub.making import make


class EnvhubConfig(vf.TasksetConfig):  # type: ignore[misc, unused-ignore]
    """Which tasks: ``--env.taskset.*``."""

    environment: str = "sudoku-v0"
    difficulty: int = 3
    split: str = "train"
    seed: int = 0
    """Of the first task; the others follow."""
    num_tasks: int | None = None
    """How many there are; as many as are asked for by default."""
    params: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the environment, which go before the difficulty."""
    url: str | None = None
    """Of a server of envhub that plays; without it this process does."""


class EnvhubData(vf.TaskData):  # type: ignore[misc, unused-ignore]
    """A task: its key, from which it is drawn again where it is played."""

    ground_truth: str
    url: str | None = None


class EnvhubTask(vf.Task[EnvhubData]):  # type: ignore[misc, unused-ignore]
    """A task of envhub; its reward is the environment's."""


class EnvhubTaskset(vf.Taskset[EnvhubTask, EnvhubConfig]):  # type: ignore[misc, unused-ignore]
    """Tasks of one environment, from its seeds in order."""

    INFINITE = True

    def load(self) -> Iterator[EnvhubTask]:
        """The tasks, drawn when they are asked for.

        Raises:
            UnknownEnvironment: There is no environment of this id.
            InvalidParameters: A parameter does not fit.
        """
        asked = self.config
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
    """Who plays."""

    player: vf.AgentConfig = vf.AgentConfig()


class EnvhubEnv(vf.Env[EnvhubEnvConfig]):  # type: ignore[misc, unused-ignore]
    """Plays an episode: the policy's message, the engine's observation, until it is over."""

    async def run(self, task: EnvhubTask, agents: Any) -> None:
        """One episode, with its reward on the player's trace.

        Raises:
            JudgementError: The answer could not be judged.
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
                return  # the model's endpoint, or what runs it, failed: nothing was earned, and nothing lost
            interaction.trace.record_reward("envhub", episode.require_reward())
            interaction.trace.info["solved"] = episode.solved
        finally:
            await asyncio.to_thread(episode.close)
