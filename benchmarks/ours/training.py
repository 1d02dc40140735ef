"""A run of the trainer, or the evaluation of a model on held-out tasks.

Arguments: ``train`` or ``measure``, the run's file, changes to it (``section.name=value``); ``measure`` evaluates model.path.
    ``train`` prints samples, CPU and wall-clock seconds of the training only: from the first episode to the checkpoint after
    the last step, including the log and the probes, excluding imports and loading. ``updates`` are the CPU seconds of the
    learning thread, one number per step: while a sampler computes concurrently, wall-clock time does not measure learning.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from envhub_trainer import loop, setup
from envhub_trainer.batch import Batch
from envhub_trainer.config import Config, load
from envhub_trainer.update import Learner

_spent: dict[str, float] = {}
_updates: list[float] = []


@asynccontextmanager
async def timed(config: Config) -> AsyncIterator[setup.Run]:
    async with setup.opened(config) as run:
        wall, cpu = time.perf_counter(), time.process_time()
        yield run
        _spent.update(wall_s=time.perf_counter() - wall, cpu_s=time.process_time() - cpu)


class TimedLearner(Learner):
    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        began = time.thread_time()
        try:
            return super().learn(batch, step)
        finally:
            _updates.append(time.thread_time() - began)


def train(config: Config) -> dict[str, Any]:
    loop.opened, setup.Learner = timed, TimedLearner  # type: ignore[attr-defined]  # the names that create a run
    asyncio.run(loop.train(config))
    return {"items": config.run.steps * config.rollout.groups * config.rollout.size, **_spent, "updates": _updates}


def measure(config: Config) -> dict[str, Any]:
    return {name: score.share for name, score in asyncio.run(setup.measure(config)).items()}


if __name__ == "__main__":
    todo = {"train": train, "measure": measure}[sys.argv[1]]
    print(json.dumps(todo(load(sys.argv[2], sys.argv[3:]))))
