"""A fixed set of tasks, drawn again and again with priority.

::

    pool = Pool(stream, size=512, seed=0, priority=tracker.priority)
    task = next(pool)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

from envhub.core.types import Task
from envhub_trainer.rollout import seed_of


class Pool:
    """Draws from the first tasks of a stream, with replacement.

    Args:
        stream: The stream, at its beginning.
        size: Number of tasks.
        seed: Seed of the draws.
        priority: Weight of a task at the time of a draw, by its key as JSON values; all equal by default.
    """

    def __init__(
        self,
        stream: Iterator[Task],
        size: int,
        seed: int,
        priority: Callable[[Mapping[str, Any]], float] | None = None,
    ) -> None:
        distinct = {repr(task.key): task for task in islice(stream, size)}
        self._tasks = list(distinct.values())
        self._keys = [task.key.to_json() for task in self._tasks]
        self._seed, self._priority = seed, priority
        self._drawn = 0

    def __len__(self) -> int:
        """Number of distinct tasks."""
        return len(self._tasks)

    def __iter__(self) -> Iterator[Task]:
        return self

    def __next__(self) -> Task:
        """Draw a task."""
        weights = None if self._priority is None else [self._priority(key) for key in self._keys]
        draw = Random(seed_of(self._seed, self._drawn))
        self._drawn += 1
        return draw.choices(self._tasks, weights)[0]

    def report(self, task: Task, solved: bool | None) -> None:
        """Results do not change the pool; its priority has its own."""

    def state_dict(self) -> dict[str, Any]:
        """The number of draws."""
        return {"drawn": self._drawn}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""
        self._drawn = state["drawn"]
