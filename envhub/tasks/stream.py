"""Endless, seeded stream of tasks for a trainer.

Sharded by rank and resumable.

::

    stream = TaskStream({"sudoku-v0": 2, "maze-v0": 1}, difficulty=Curriculum(), seed=0, rank=0, world_size=8)
    for task in stream:
        env = envhub.begin(task)            # an environment at the start of this task
        ...
        stream.report(task, solved)         # for the curricula
    stream.state_dict()                     # position and curricula, as JSON values

Each task number has its own seed, and rank ``r`` of ``w`` takes the numbers ``r``, ``r + w``, ``r + 2w`` and so on, so no task
number is used twice. Curricula change only by reports; ranks that report the same results stay in step.
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
    """Endless iterator over the tasks of an environment or a mixture.

    Args:
        environments: An id, or weights and settings by id as for :func:`envhub.make_mixture`.
        difficulty: A level, a range, or a curriculum; each environment gets its own copy.
        split: ``train``, ``validation`` or ``test``.
        seed: Seed of the stream.
        rank: Number of this shard.
        world_size: Number of shards.
        answer_format: Format of answers, or of tool calls, that the prompts ask for.
        wording: ``"held-out"``, or the number of one wording for all prompts; None lets every task choose its own.
        observation: ``text``, ``both`` or ``image``: what the prompts leave to a picture.

    Raises:
        InvalidParameters: A value is invalid.
        UnknownEnvironment: No environment has one of the ids.
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
        wording: int | str | None = None,
        observation: str = "text",
    ) -> None:
        if type(world_size) is not int or type(rank) is not int or not 0 <= rank < world_size:
            raise InvalidParameters(f"rank is 0..world_size - 1, got rank {rank!r} of {world_size!r}.")
        given = {environments: 1.0} if isinstance(environments, str) else environments
        options = {"answer_format": answer_format, "wording": wording, "observation": observation}
        self._source, _ = mixture_source(given, difficulty, split, options)
        self._rank, self._world_size = rank, world_size
        self._seeds = seeds_of_stream(seed)
        settings = [dict(given), difficulty, split, seed, answer_format, wording]
        settings += [] if observation == "text" else [observation]
        told = json.dumps(settings, sort_keys=True, default=_told)
        self._settings = blake2b(told.encode(), digest_size=8).hexdigest()
        self._round = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Task:
        """The next task of this shard.

        Raises:
            SplitExhausted: No problem of the split was found for the next seed.
        """
        number = self._round * self._world_size + self._rank
        task, _ = self._source.draw(seed_of(self._seeds, number))
        self._round += 1
        return task

    def report(self, task: Task, solved: bool | None) -> None:
        """Record a result in the curriculum of the task's environment, if any.

        Args:
            task: A task of this stream.
            solved: ``solved`` of its verdict; None, which means an ``error``, is ignored.
        """
        self._source.report(task, solved)

    def state_dict(self) -> dict[str, Any]:
        """Position and curricula as JSON values.

        Equal on all ranks that have taken the same number of tasks.
        """
        return {
            "envhub": _FORMAT,
            "settings": self._settings,
            "taken": self._round * self._world_size,
            "curricula": self._source.state_dict(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`; the number of ranks may differ.

        Raises:
            SnapshotMismatch: The state is of another stream.
        """
        if not isinstance(state, Mapping) or state.get("envhub") != _FORMAT:
            raise SnapshotMismatch(f"The state of a stream is an object with envhub={_FORMAT}.")
        if state.get("settings") != self._settings:
            raise SnapshotMismatch("The state is of a stream with other environments, difficulty, split or seed.")
        taken = state.get("taken")
        if type(taken) is not int or taken < 0:
            raise SnapshotMismatch(f"The state's position is a number of tasks, got {taken!r}.")
        self._source.load_state_dict(state.get("curricula", {}))
        self._round = -(-taken // self._world_size)  # skip the rest of a round begun by other ranks


def seeds_of_stream(seed: int) -> SeedHash:
    """The seeds of a stream's tasks, by their numbers (:func:`envhub.core.seeding.seed_of`)."""
    return SeedHash(["stream", check_seed(seed)])


def _told(schedule: Any) -> str:
    """Identifies a schedule by ``repr``.

    By its class if that is a memory address.
    """
    plain: Any = object.__repr__
    return type(schedule).__qualname__ if type(schedule).__repr__ is plain else repr(schedule)
