"""Runs all missing attempts of a configuration, several concurrently.

A failed request is not a wrong answer: the attempt is recorded as failed and retried by the next run. The run ends
after many failures in a row, since the endpoint is gone.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, Final, Protocol

from envhub.client.hub import aconnect
from envhub.core.errors import EnvhubError, ResourceError
from envhub.core.types import Task
from envhub.evaluation.config import EvaluationConfig, Job
from envhub.evaluation.players import Conversation, Player
from envhub.evaluation.records import Outcome, Record, Records
from envhub.making import make

FAILURES_IN_A_ROW: Final = 16

Step = tuple[str, float, bool, bool, dict[str, Any]]


class Playing(Protocol):
    """An environment on an event loop, local or remote."""

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        ...

    async def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode."""
        ...

    async def step(self, action: str) -> Step:
        """Take one turn."""
        ...

    async def close(self) -> None:
        """Close the environment."""
        ...


class Near:
    """A local environment; turns run in threads, since some take long."""

    def __init__(self, config: EvaluationConfig, job: Job) -> None:
        self._env = make(job.env_id, difficulty=job.level, split=config.split, **config.asking)

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self._env.task

    async def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode."""
        return await asyncio.to_thread(lambda: self._env.reset(seed=seed, options=options))

    async def step(self, action: str) -> Step:
        """Take one turn."""
        return await asyncio.to_thread(self._env.step, action)

    async def close(self) -> None:
        """Close the environment."""
        await asyncio.to_thread(self._env.close)


def run(config: EvaluationConfig, player: Player, folder: Path, **how: Any) -> int:
    """:func:`arun` without an event loop."""
    return asyncio.run(arun(config, player, folder, **how))


async def arun(
    config: EvaluationConfig,
    player: Player,
    folder: Path,
    *,
    at_once: int = 8,
    url: str | None = None,
    on_attempt: Callable[[Record, int], None] | None = None,
) -> int:
    """Make all missing attempts.

    Args:
        config: Configuration of the evaluation.
        player: Player to evaluate.
        folder: Output folder. If it already contains attempts, the run is resumed.
        at_once: Number of concurrent attempts.
        url: Address of an envhub server; without it episodes run in this process.
        on_attempt: Called with every finished attempt and the number done.

    Returns:
        Number of attempts left because a request failed or they could not be judged.

    Raises:
        InvalidParameters: The folder contains attempts at other tasks, or of another player.
        EnvhubError: The server cannot be reached.
    """
    records = Records(folder, config, player.name)
    missing = iter([job for job in config.jobs() if job not in records.done])
    streak = 0

    async def worker(begin: Callable[[Job], Any]) -> None:
        nonlocal streak
        for job in missing:
            record = await _attempt(config, job, player, await begin(job))
            records.add(record)
            streak = streak + 1 if record.outcome == "endpoint" else 0
            if on_attempt is not None:
                on_attempt(record, len(records.done))
            if streak >= FAILURES_IN_A_ROW:
                return

    async with AsyncExitStack() as stack:
        stack.callback(records.close)
        await stack.enter_async_context(player)
        begin = await _beginning(config, url, stack)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(worker(begin))
        except ExceptionGroup as several:
            first = several.exceptions[0]
            raise (first if isinstance(first, EnvhubError) else several) from None
    return len(config) - len(records.done)


async def _beginning(config: EvaluationConfig, url: str | None, stack: AsyncExitStack) -> Callable[[Job], Any]:
    if url is None:

        async def near(job: Job) -> Playing:
            return Near(config, job)

        return near
    hub = await stack.enter_async_context(aconnect(url))

    async def far(job: Job) -> Playing:
        return await hub.make(job.env_id, difficulty=job.level, split=config.split, **config.asking)

    return far


async def _attempt(config: EvaluationConfig, job: Job, player: Player, env: Playing) -> Record:
    """Make one attempt.

    Each attempt at a task has its own turn seed.
    """
    seed = config.seed + job.number
    opening = [] if config.system is None else [{"role": "system", "content": config.system}]
    talk = Conversation(opening)
    turns = cut = tokens = 0
    facts: dict[str, Any] = {"messages": talk.messages, "seed": seed, "turns": 0, "cut": 0, "tokens": 0}
    try:
        observation, info = await env.reset(seed=seed, options={"turn_seed": job.attempt})
        facts["fingerprint"] = env.task.fingerprint
        talk.heard(observation, info.get("images", ()))
        while True:
            try:
                said = await player.reply(talk.sent, env.task.tools, job.attempt)
            except ResourceError as error:
                return Record(job, "endpoint", why=str(error), **facts)
            turns, cut, tokens = turns + 1, cut + (said.finish == "length"), tokens + (said.tokens or 0)
            observation, reward, terminated, truncated, info = await env.step(talk.said(said))
            talk.heard(observation, info.get("images", ()))
            facts |= {"turns": turns, "cut": cut, "tokens": tokens}
            if math.isnan(reward):
                return Record(job, "error", why=f"{info['error']['code']}: {info['error']['reason']}", **facts)
            if terminated or truncated:
                verdict = info["verdict"]
                outcome: Outcome = "no_answer" if verdict["status"] == "no_answer" else "graded"
                why = verdict["reason"] or ""
                return Record(job, outcome, bool(verdict["solved"]), verdict["score"], why=why, **facts)
    except EnvhubError as error:
        return Record(job, "error", why=f"{type(error).__name__}: {error}", **facts)
    finally:
        with suppress(EnvhubError):  # an unreachable server expires the episode itself
            await env.close()
