"""Companions: what learns beside the policy and scores its batches.

A critic of its own, PRIME's process reward model, SPO's tracker. Each adds tensors to a batch before the advantage is computed
and learns from the same batch afterwards; its state is part of a checkpoint. A row of
:data:`envhub_trainer.algorithms.ALGORITHMS` names its companions by their settings, and
:func:`envhub_trainer.companions.build.companions` builds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from envhub_trainer.batch import Batch
from envhub_trainer.episode import Episode


class Companion(Protocol):
    """Learns beside the policy."""

    def score(self, batch: Batch, episodes: Sequence[Episode]) -> Batch:
        """Return the batch with the tensors that the advantage needs.

        Args:
            batch: With the log-probabilities of the policy and the reference that the algorithm needs.
            episodes: The episodes of the batch, in the order of its episode tensors.
        """

    def learn(self, batch: Batch, step: int) -> dict[str, float]:
        """Learn from a batch and return statistics; FloatingPointError without a finite gradient."""

    def state_dict(self) -> dict[str, Any]:
        """All that a resumed run needs, as values that torch saves."""

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""
