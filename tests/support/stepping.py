"""A turn taken in both ways that there are: at once, and on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from envhub.core.types import Turn
from envhub.episodes.episode import Episode


def sync_step(episode: Episode, action: str) -> Turn:
    return episode.step(action)


def async_step(episode: Episode, action: str) -> Turn:
    return asyncio.run(episode.astep(action))


Step = Callable[[Episode, str], Turn]
both_steps = pytest.mark.parametrize("step", [sync_step, async_step])
