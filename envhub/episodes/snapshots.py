"""Snapshots as JSON values: their task keys, and snapshots of new episodes.

A snapshot is the task key, the turn seed and the journal, and contains no answer key;
:class:`envhub.episodes.episode.Episode` takes and restores them::

    key = snapshot_key(snapshot)                     # SnapshotMismatch: describes the error
    Episode.restore(spec, environment, opening(key, difficulty=3, answer_format="tag"))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from envhub.core.errors import SnapshotMismatch
from envhub.core.seeding import TaskKey
from envhub.core.types import JSON

SNAPSHOT_FORMAT: Final = 1


def snapshot_key(snapshot: Mapping[str, JSON]) -> TaskKey:
    """The task key of a snapshot.

    Raises:
        SnapshotMismatch: The value is not a snapshot, or has another format.
        InvalidParameters: Its task key is invalid.
    """
    found = snapshot.get("envhub") if isinstance(snapshot, Mapping) else None
    if found != SNAPSHOT_FORMAT:
        raise SnapshotMismatch(f"A snapshot is an object with envhub={SNAPSHOT_FORMAT}, got envhub={found!r}.")
    if not isinstance(snapshot.get("task"), Mapping):
        raise SnapshotMismatch("The snapshot is damaged: it holds no task.")
    return TaskKey.from_json(snapshot["task"])


def opening(key: TaskKey, difficulty: int | None, answer_format: str | None) -> dict[str, JSON]:
    """The snapshot of a new episode without turns."""
    return {
        "envhub": SNAPSHOT_FORMAT,
        "task": {**key.to_json(), "difficulty": difficulty},
        "answer_format": answer_format,
        "first_turn_seed": 0,
        "turn_seed": 0,
        "journal": [],
    }
