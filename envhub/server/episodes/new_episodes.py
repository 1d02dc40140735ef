"""Begins new episodes: draws their tasks, in threads if slow.

A task of a slow environment may have been drawn ahead (:mod:`envhub.server.episodes.prefill`). Nothing is recorded yet::

    episode = await new_episodes.begin(kind, seed=None, options={}, turn_seed=0)
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from envhub.core.seeding import MAX_SEED
from envhub.core.types import JSON
from envhub.episodes.episode import Episode
from envhub.episodes.rerun import CHECKER
from envhub.server.episodes.prefill import Prefill
from envhub.server.episodes.prefill_queue import TaskKind
from envhub.server.episodes.scheduling import Scheduler
from envhub.server.http.limits import Permissions
from envhub.tasks.sampling import Drawn, TaskSource
from envhub.tasks.sources import prepare


class NewEpisodes:
    """Begins the new episodes of one worker.

    Args:
        scheduler: Where tasks are drawn.
        prefill: Draws tasks of slow environments ahead.
        allowed: The files and opponents that clients may name.
    """

    def __init__(self, scheduler: Scheduler, prefill: Prefill, allowed: Permissions) -> None:
        self._scheduler = scheduler
        self._prefill = prefill
        self._allowed = allowed
        self._slow: set[str] = set()  # environments that declare themselves slow

    def may_be_slow(self, kind: TaskKind) -> bool:
        """Whether a kind of task may take long to draw."""
        return kind.env_id in self._slow or not self._scheduler.is_quick(kind.key)

    async def begin(self, kind: TaskKind, seed: int | None, options: Mapping[str, JSON], turn_seed: int) -> Episode:
        """Draw a task and begin its episode. Nothing is recorded.

        Args:
            kind: Kind of the task.
            seed: Seed of the task; None draws any task.
            options: The episode's options.
            turn_seed: Seed of per-turn randomness.

        Raises:
            EnvhubError: As :func:`envhub.make` and ``reset``.
        """

        def begin() -> Episode:
            self._allowed.check(kind.env_id, kind.params)
            source, _ = prepare(kind.env_id, kind.difficulty, kind.split, kind.params, options)
            if source.searches:  # quick only when cached
                self._slow.add(kind.env_id)
            task, instance = self._draw(source, kind, seed)
            return Episode(source.environment, task, instance, turn_seed, CHECKER)

        return await self._scheduler.run(kind.env_id, kind.key, begin, blocks=kind.env_id in self._slow)

    def close(self) -> None:
        """Stop drawing ahead."""
        self._prefill.close()

    def _draw(self, source: TaskSource, kind: TaskKind, seed: int | None) -> Drawn:
        """Draw the task of a seed, or any task.

        One of a slow environment may have been drawn ahead.
        """
        slow = source.searches
        chosen = self._prefill.take(kind) if slow and seed is None else seed
        drawn = source.draw(secrets.randbelow(MAX_SEED + 1) if chosen is None else chosen)
        if slow:
            self._prefill.note_request(kind, seed)
        return drawn
