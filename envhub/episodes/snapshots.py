"""Snapshots as JSON values: their parts, and snapshots of new episodes.

A snapshot is the task key, the turn seed and the journal, and contains no answer key;
:class:`envhub.episodes.episode.Episode` takes and restores them::

    key = snapshot_key(snapshot)                     # SnapshotMismatch: describes the error
    Episode.restore(spec, environment, opening(key, difficulty=3, answer_format="tag"))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from envhub.core.errors import SnapshotMismatch
from envhub.core.seeding import TaskKey
from envhub.core.types import JSON
from envhub.episodes.record import Record

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


class Snapshot(NamedTuple):
    """The parts of a snapshot."""

    key: TaskKey
    difficulty: int | None
    answer_format: str | None
    wording: int | str | None
    observation: str
    first_turn_seed: int
    turn_seed: int
    journal: list[Record]

    def check(self, env_id: str, answer_format: str | None) -> None:
        """Check that it is a snapshot of this environment.

        Raises:
            SnapshotMismatch: It is of another environment or answer format.
        """
        if self.key.env_id != env_id:
            raise SnapshotMismatch(f"The snapshot is of {self.key.env_id}, this environment is {env_id}.")
        if self.answer_format != answer_format:
            raise SnapshotMismatch(
                f"The snapshot was taken with answer_format={self.answer_format!r}, "
                f"this environment has {answer_format!r}."
            )

    def check_shown(self, wording: int | str | None, observation: str) -> None:
        """Check that it was taken with this wording and observation.

        A snapshot without a wording fits any.

        Raises:
            SnapshotMismatch: It was taken with another.
        """
        if self.observation != observation:
            raise SnapshotMismatch(
                f"The snapshot was taken with observation={self.observation!r}, this environment has {observation!r}."
            )
        if self.wording not in (None, wording):
            raise SnapshotMismatch(
                f"The snapshot was taken with wording={self.wording!r}, this environment has {wording!r}."
            )


def read_snapshot(snapshot: Mapping[str, JSON]) -> Snapshot:
    """The parts of a snapshot.

    Raises:
        SnapshotMismatch: The value is not a snapshot, or is damaged.
        InvalidParameters: Its task key is invalid.
    """
    key = snapshot_key(snapshot)
    try:
        difficulty = snapshot["task"].get("difficulty")
        journal = [Record.from_json(record) for record in snapshot["journal"]]
        answer_format, first_turn_seed, turn_seed = (
            snapshot[name] for name in ("answer_format", "first_turn_seed", "turn_seed")
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise SnapshotMismatch(f"The snapshot is damaged: {type(error).__name__}: {error}.") from None
    shown = snapshot.get("wording"), snapshot.get("observation", "text")
    return Snapshot(key, difficulty, answer_format, *shown, first_turn_seed, turn_seed, journal)


def opening(
    key: TaskKey,
    difficulty: int | None,
    answer_format: str | None,
    wording: int | str | None = None,
    observation: str = "text",
) -> dict[str, JSON]:
    """The snapshot of a new episode without turns.

    It names the observation only if it is not text.
    """
    return {
        "envhub": SNAPSHOT_FORMAT,
        "task": {**key.to_json(), "difficulty": difficulty},
        "answer_format": answer_format,
        "wording": wording,
        **({} if observation == "text" else {"observation": observation}),
        "first_turn_seed": 0,
        "turn_seed": 0,
        "journal": [],
    }
