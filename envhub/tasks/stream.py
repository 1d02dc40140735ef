"""A stream of tasks for a trainer: endless, seeded, sharded by rank, resumable.

::

    stream = TaskStream({"sudoku-v0": 2, "maze-v0": 1}, difficulty=Curriculum(), seed=0, rank=0, world_size=8)
    for task in stream:
        env = envhub.begin(task)            # an environment that stands at this task
        ...
        stream.report(task, solved)         # for the curricula
    stream.state_dict()                     # position and curricula, as JSON values

Task number ``i`` of a stream has a seed of its own, and rank ``r`` of ``w`` takes the numbers ``r``, ``r + w``, ``r + 2w`` and
so on: no number is taken twice. A curriculum learns only what is reported to it; ranks that report the same results stay alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final, Self

from envhub.core.difficulty import DEFAULT_LEVEL, Difficulty
from envhub.core.errors import InvalidParameters, SnapshotMismatch
from envhub.core.seeding import SeedHash, check_seed, seed_of
from envhub.core.types import Task
from envhub.tasks.mixture import Weights, mixture_source

_FORMAT: Final = 1


class TaskStream(Iterator[Task]):
    """The tasks of one environment or of a mixture, one after the other without end.

    Args:
        environments: An id, or weights and settings by id as for :func:`envhub.make_mixture`.
        difficulty: A level, a range, or a curriculum, of which each environment gets its own.
        split: ``train``, ``validation`` or ``test``.
        seed: Of the stream.
        rank: Which shard this is.
        world_size: How many there are.
        answer_format: What the prompts ask for.

    Raises:
        InvalidParameters: One of them does not fit.
        UnknownEnvironment: There is no environment of an id.
    """

    def __init__(
        self,
        environments: str | Weights,
        *,
        difficulty: Difficulty | None = DEFAULT_LEVEL,
        split: str = "train",
        seed: int = 0,
        rank: int = 0,
        world_size: int = 1,
        answer_format: str | None = None,
    ) -> None:
        if type(world_size) is not int or type(rank) is not int or not 0 <= rank < world_size:
            raise InvalidParameters(f"rank is 0..world_size - 1, got rank {rank!r} of {world_size!r}.")
        given = {environments: 1.0} if isinstance(environments, str) else environments
        options = {"answer_format": answer_format}
        self._source, _ = mixture_source(given, difficulty, split, options)
        self._rank, self._world_size = rank, world_size
        self._seeds = SeedHash(["stream", check_seed(seed)])
        told = json.dumps([dict(given), difficulty, split, seed, answer_format], sort_keys=True, default=_told)
        self._settings = blake2b(told.encode(), digest_size=8).hexdigest()
        self._round = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Task:
        """The next task of this shard.

        Raises:
            SplitExhausted: The environment has no problem of the split for the next seed.
        """
        number = self._round * self._world_size + self._rank
        task, _ = self._source.draw(seed_of(self._seeds, number))
        self._round += 1
        return task

    def report(self, task: Task, solved: bool | None) -> None:
        """Tell the curriculum of the task's environment how it went; without one nothing happens.

        Args:
            task: Of this stream.
            solved: As its verdict says; None, which is an ``error``, says nothing about the policy.
        """
        self._source.report(task, solved)

    def state_dict(self) -> dict[str, Any]:
        """The position and the curricula, as JSON values; equal on all ranks that have taken equally many tasks."""
        return {
            "envhub": _FORMAT,
            "settings": self._settings,
            "taken": self._round * self._world_size,
            "curricula": self._source.state_dict(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from what :meth:`state_dict` gave, on as many ranks or on another number of them.

        Raises:
            SnapshotMismatch: It is of another stream.
        """
        if not isinstance(state, Mapping) or state.get("envhub") != _FORMAT:
            raise SnapshotMismatch(f"The state of a stream is an object with envhub={_FORMAT}.")
        if state.get("settings") != self._settings:
            raise SnapshotMismatch("The state is of a stream with other environments, difficulty, split or seed.")
        taken = state.get("taken")
        if type(taken) is not int or taken < 0:
            raise SnapshotMismatch(f"The state's position is a number of tasks, got {taken!r}.")
        self._source.load_state_dict(state.get("curricula", {}))
        self._round = -(-taken // self._world_size)  # what is left of a round begun by other ranks is skipped


def _told(schedule: Any) -> str:
    """A schedule as it is told apart from others: by its ``repr``, if that says anything but where it is in memory."""
    plain: Any = object.__repr__
    return type(schedule).__qualname__ if type(schedule).__repr__ is plain else repr(schedule)
