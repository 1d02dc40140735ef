"""The journal's entry for one turn.

::

    Record("<answer>5</answer>").to_json()      # {"action": "<answer>5</answer>", "turn_seed": 0, "effects": []}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from envhub.core.effects import Performed
from envhub.core.errors import SnapshotMismatch
from envhub.core.types import JSON, encodable


class Record(NamedTuple):
    """The journal's entry for one turn.

    Attributes:
        action: Text written by the policy.
        turn_seed: Turn seed in use.
        effects: Outcomes of the effects.
    """

    action: str
    turn_seed: int = 0
    effects: tuple[Performed, ...] = ()

    def to_json(self) -> dict[str, JSON]:
        """The record as JSON values."""
        return {"action": self.action, "turn_seed": self.turn_seed, "effects": [e.to_json() for e in self.effects]}

    @classmethod
    def from_json(cls, data: Mapping[str, JSON]) -> Record:
        """Restore a record from :meth:`to_json`."""
        return cls(data["action"], data["turn_seed"], tuple(map(Performed.from_json, data["effects"])))


def admitted(action: str, limit: int) -> str:
    """An action as recorded: cut above the limit, and valid UTF-8."""
    return encodable(action[: limit + 1])


class JournalMismatch(SnapshotMismatch):
    """Raised by replay itself, not by an environment."""
