"""The training loop: sample, score, filter, advantage, update, sync, log, save.

::

    asyncio.run(train(load("addition")))

:mod:`envhub_trainer.setup` builds the run that the loop drives.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from envhub_trainer.config import Config
from envhub_trainer.run import Run
from envhub_trainer.setup import opened


async def train(config: Config) -> Run:
    """Train until the last step, SIGTERM or Ctrl-C.

    Resumes from the last checkpoint, if any.

    Returns:
        The run, closed; its log is on disk.

    Raises:
        PolicyError: The sampler failed, or its weights do not match the trained ones.
        StuckError: Too many steps in a row updated no weights.
        ConfigError: The configuration does not fit the model or the environments.
    """
    async with opened(config) as run:
        with _stopping(run):
            if run.step == 0 and config.evaluate.every:
                run.track.log(0, await run.evaluate())
            while run.step < config.run.steps and not run.stopping:
                run.rollouts.proceed(run.step)
                groups = await run.sample()
                batch = run.learner.prepare(groups)
                learned = await run.learn(batch)
                run.step += 1
                await run.sync()
                measured = await run.evaluate() if run.due(config.evaluate.every) else {}
                run.log(groups, {**learned, **measured})
                run.save(run.due(config.run.save_every))
            run.save(due=True)
    return run


@contextmanager
def _stopping(run: Run) -> Iterator[None]:
    """Stop after the current step at SIGTERM or Ctrl-C, then at once."""
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        run.stopping = True
        loop.remove_signal_handler(number)

    caught = []
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(ValueError, RuntimeError):  # not in the main thread
            loop.add_signal_handler(number, stop, number)
            caught.append(number)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
