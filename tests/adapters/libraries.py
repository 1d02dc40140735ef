"""Adapters over installed libraries, and their episodes, for the nightly tests of games."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import envhub
from tests.support.peers import folder_of, on_path


@contextmanager
def adapter_over(library: str, cache: str = "off") -> Iterator[Any]:
    """The registered adapter of a library of the same name; ends its processes afterwards.

    Args:
        library: Name of the library, its adapter and its environments.
        cache: Value of ``ENVHUB_CACHE``.
    """
    ours = (f"envhub.adapters.{library}.environments", f"envhub.adapters.{library}.games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENVHUB_CACHE", cache)
        with on_path(folder_of(library, library), *ours, prefix=f"{library}/", library=library):
            found = importlib.import_module(ours[0])
            found.register()
            yield found
            games_of(library).processes.end_all()


def games_of(library: str) -> Any:
    """The adapter's module that plays games."""
    return importlib.import_module(f"envhub.adapters.{library}.games")


def solved(env: envhub.Env) -> list[str]:
    """The prompt and the observations of an episode, which the oracle solves."""
    seen, reward = [env.episode.task.prompt], 0.0
    while not env.episode.over:
        observation, reward, *_ = env.step(env.solve())
        seen.append(str(observation))
    assert reward == 1.0
    return seen
