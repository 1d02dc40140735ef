"""Members of a family, and problems of a member, for the tests of families."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import envhub
from envhub.core.types import Instance
from envhub.families.member import Member
from envhub.registry.registry import builtin_ids, load, spec


def members(family: type[Member]) -> list[str]:
    """The registered environments of a family."""
    return [env_id for env_id in builtin_ids() if issubclass(load(spec(env_id)), family)]


def problems(env_id: str, level: int, count: int) -> Iterator[tuple[Any, Instance]]:
    """The first problems of a level, each with the environment."""
    env = envhub.make(env_id, difficulty=level)
    for seed in range(count):
        env.reset(seed=seed)
        yield env.environment, env.episode.instance
