"""Builds banks: the first tasks of a stream, drawn in advance.

::

    build(Path("bank"), ["sudoku-v0", "maze-v0"], 10_000, difficulty=(1, 5))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from envhub.core.difficulty import DEFAULT_LEVEL
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import seed_of
from envhub.tasks.bank import FORMAT, MANIFEST, Bank, write_shard
from envhub.tasks.cache import Found
from envhub.tasks.mixture import MixtureSource, mixture_source
from envhub.tasks.stream import seeds_of_stream

SHARD: Final = 10_000
"""Number of tasks per shard."""


def build(
    folder: Path,
    environments: Sequence[str],
    count: int,
    *,
    difficulty: int | tuple[int, int] = DEFAULT_LEVEL,
    split: str = "train",
    seed: int = 0,
    overwrite: bool = False,
    on_task: Callable[[], None] = lambda: None,
) -> Bank:
    """Write a bank and open it.

    The manifest is written last, so an interrupted build leaves no bank.

    Args:
        folder: The bank's folder, created if missing.
        environments: Ids with equal weights.
        count: Number of tasks.
        difficulty: A level, or a range of levels.
        split: ``train``, ``validation`` or ``test``.
        seed: Seed of the stream.
        overwrite: Replace a bank that is already in the folder.
        on_task: Called after each task.

    Raises:
        InvalidParameters: A value is invalid, or the folder contains a bank.
        SplitExhausted: There is no problem of the split for a seed.
        TypeError: JSON cannot represent an instance.
    """
    if type(count) is not int or count < 1:
        raise InvalidParameters(f"`count` must be a positive integer, got {count!r}.")
    if (folder / MANIFEST).exists() and not overwrite:
        raise InvalidParameters(f"{folder} contains a bank. Choose another folder, or overwrite it.")
    source, _ = mixture_source(dict.fromkeys(environments, 1), difficulty, split, {})
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    names = []
    for start in range(0, count, SHARD):
        names.append(f"{start // SHARD:05}.bank")
        tasks = dict(_drawn(source, seed, range(start, min(start + SHARD, count)), on_task))
        write_shard(folder / names[-1], tasks)
    about = {"environments": list(environments), "difficulty": difficulty, "split": split, "seed": seed}
    (folder / MANIFEST).write_text(json.dumps({"envhub": FORMAT, **about, "shards": names}, indent=1) + "\n")
    return Bank(folder)


def _drawn(
    source: MixtureSource, seed: int, numbers: range, on_task: Callable[[], None]
) -> Iterator[tuple[bytes, Found]]:
    """The tasks of a stream by their roots."""
    seeds = seeds_of_stream(seed)
    for number in numbers:
        task, instance = source.draw(seed_of(seeds, number))
        assert task.key.draw is not None
        by_content = source.of(task.env_id).environment.split_by == "content"
        yield task.key.root, Found(task.key.draw, task.fingerprint if by_content else None, instance)
        on_task()
