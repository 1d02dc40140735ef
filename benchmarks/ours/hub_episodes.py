"""Episodes of the trainer's hub, without a model: groups of one task, played by the oracle.

Arguments: the hub's address (``-`` for this process), environment, difficulty, groups, members of a group, greatest
number of turns. Tasks and actions are prepared before the clock starts. All rewards are compared with those of a local
environment, so that failed work is not measured.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from typing import Final

import envhub
from envhub.core.types import Task
from envhub_trainer.hub import Hub, Session, open_hub

AT_ONCE: Final = 16
"""Number of groups in flight, as in a step of the trainer."""
Script = tuple[Task, list[str], float]


def script(env_id: str, difficulty: int, seed: int, turns: int) -> Script:
    """A task, the actions that are taken at it, and the sum of their rewards."""
    env = envhub.make(env_id, difficulty=difficulty)
    env.reset(seed=seed)
    actions, total, over = [], 0.0, False
    while not over and len(actions) < turns:
        actions.append(env.episode.oracle())
        _, reward, terminated, truncated, _ = env.step(actions[-1])
        total += reward
        over = terminated or truncated
    return env.task, actions, total


async def play(hub: Hub, scripts: list[Script], members: int) -> int:
    """Play each task with a group of episodes; returns the number of turns."""
    waiting, turns = iter(scripts), 0

    async def episode(session: Session, actions: list[str]) -> float:
        return sum([(await session.step(action))[1] for action in actions])

    async def work() -> None:
        nonlocal turns
        for task, actions, total in waiting:
            sessions = await hub.begin(task, [0] * members)
            rewards = await asyncio.gather(*(episode(session, actions) for session in sessions))
            if rewards != [total] * members:
                raise RuntimeError(f"{task.env_id}: rewards {rewards}, expected {total}")
            turns += members * len(actions)

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return turns


async def main() -> None:
    """Play and print one JSON line."""
    url, env_id, difficulty, groups, members, most = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:7])
    scripts = [script(env_id, difficulty, seed, most) for seed in range(groups + AT_ONCE)]
    async with open_hub(None if url == "-" else url, {}) as hub:
        await play(hub, scripts[:AT_ONCE], members)
        gc.collect()
        began, spent = time.perf_counter(), time.process_time()
        turns = await play(hub, scripts[AT_ONCE:], members)
        seconds, cpu = time.perf_counter() - began, time.process_time() - spent
    print(json.dumps({"items": groups * members, "turns": turns, "seconds": seconds, "cpu_s": cpu}))


if __name__ == "__main__":
    asyncio.run(main())
