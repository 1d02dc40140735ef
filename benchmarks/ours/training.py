"""A run of the trainer, or the success of a model on the run's held-out tasks.

Arguments: ``train`` or ``measure``, the run's file, changes to it (``section.name=value``); the model measured is model.path.
``train`` prints samples, CPU and wall-clock seconds of the training alone: from the first episode to the checkpoint after the
last step, with the log and the probes; without imports and loading. ``updates`` are the CPU seconds of the thread that
learned, one number a step: where a sampler computes beside it, seconds on the clock are no measure of what learning takes.
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
    loop.opened, setup.Learner = timed, TimedLearner  # type: ignore[attr-defined]  # by these names a run is made
    asyncio.run(loop.train(config))
    return {"items": config.run.steps * config.rollout.groups * config.rollout.size, **_spent, "updates": _updates}


def measure(config: Config) -> dict[str, Any]:
    return {name: score.share for name, score in asyncio.run(setup.measure(config)).items()}


if __name__ == "__main__":
    todo = {"train": train, "measure": measure}[sys.argv[1]]
    print(json.dumps(todo(load(sys.argv[2], sys.argv[3:]))))
