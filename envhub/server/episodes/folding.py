"""Rebuilds episodes from their records.

Folding performs no effects, so any worker can continue any episode::

    episode = fold(stored)
"""

from __future__ import annotations

from envhub.authoring import Environment
from envhub.core.seeding import TaskKey
from envhub.core.types import Instance, Task
from envhub.episodes.episode import Episode
from envhub.episodes.rerun import CHECKER
from envhub.making import environment_of
from envhub.registry.registry import spec
from envhub.server.journal import Header, StoredEpisode
from envhub.tasks.sampling import rebuild


def origin(header: Header) -> tuple[Environment, Task, Instance]:
    """Rebuild the environment, task and instance of an episode.

    Raises:
        EnvhubError: The environment does not exist, or its task cannot be rebuilt.
    """
    key = TaskKey.from_json(header.task)
    form = header.options.get("tool_format") or header.options.get("answer_format")
    environment = environment_of(key.env_id, form, header.options.get("wording"), header.options.get("observation"))
    task, instance = rebuild(spec(key.env_id), environment, key, header.task["difficulty"])
    return environment, task, instance


def fold(stored: StoredEpisode) -> Episode:
    """Rebuild an episode from its record, without performing effects.

    Raises:
        EnvhubError: As :func:`origin`.
        SnapshotMismatch: The environment no longer does what was recorded.
    """
    header = stored.header
    journal = [entry.record for entry in stored.entries]
    episode = Episode.replay(*origin(header), journal, header.first_turn_seed, CHECKER)
    episode.turn_seed = header.turn_seed
    return episode
