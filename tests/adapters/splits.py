"""Tasks of a user's files, in whichever split they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import envhub
from envhub.core.errors import SplitExhausted
from envhub.core.seeding import SPLITS


def first_episode(make: Callable[..., envhub.Env], *given: Any, **options: Any) -> envhub.Env:
    """An episode in the first split that has a task."""
    for split in SPLITS:
        env = make(*given, split=split, **options)
        try:
            env.reset(seed=1)
        except SplitExhausted:
            env.close()
            continue
        return env
    raise AssertionError("no split has a task")


def episodes(make: Callable[..., envhub.Env], *given: Any, seeds: int, **options: Any) -> Iterator[envhub.Env]:
    """The environment after each reset, with these seeds in every split."""
    for split in SPLITS:
        with closing(make(*given, split=split, **options)) as env:
            for seed in range(seeds):
                try:
                    env.reset(seed=seed)
                except SplitExhausted:
                    break
                yield env
