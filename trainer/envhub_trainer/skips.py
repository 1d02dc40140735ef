"""Steps that updated no weights: reasons, counts and a limit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class Skip(StrEnum):
    """A reason for which a step updated no weights."""

    FAILED = "failed"
    UNIFORM = "uniform"
    OVERLONG = "overlong"
    NONFINITE = "nonfinite"

    @property
    def words(self) -> str:
        """What happened and what to change, as two sentences."""
        return _WORDS[self]


_WORDS = {
    Skip.FAILED: "No group had two episodes that could be judged. Look at errors/ in the log, and at the hub's own log.",
    Skip.UNIFORM: (
        "All episodes of each group had equal returns, or the algorithm's filter kept no group. Change tasks.difficulty or set "
        "a tasks.curriculum so that some but not all attempts succeed, raise rollout.size, or reward more than accuracy."
    ),
    Skip.OVERLONG: (
        "Every episode ran out of tokens and the algorithm drops such episodes. Raise rollout.max_tokens and "
        "rollout.context, or set algorithm.drop_overlong = false."
    ),
    Skip.NONFINITE: (
        "The gradient was not finite, and the optimiser step was not taken. Lower optimizer.learning_rate; if it happens from "
        "the first step on, the model's weights or a reward are not finite."
    ),
}


class StuckError(RuntimeError):
    """Too many steps in a row updated no weights; the run stops."""


@dataclass
class Skips:
    """Counts the steps that updated no weights.

    Attributes:
        limit: Number of such steps in a row at which the run stops; 0 never stops it.
        counts: Number of them by reason, since the process started.
        row: Number of them since the last update.
    """

    limit: int
    counts: Counter[Skip] = field(default_factory=Counter)
    row: int = 0

    def add(self, why: Skip) -> str:
        """Count a step and return the log's text; StuckError at the limit."""
        self.counts[why] += 1
        self.row += 1
        so_far = ", ".join(f"{reason} {count}" for reason, count in sorted(self.counts.items()))
        if self.row == self.limit:
            raise StuckError(
                f"{self.row} steps in a row updated no weights ({so_far}). {why.words} Run the same command to resume from the "
                "last checkpoint; run.max_skipped sets this limit."
            )
        advice = f" {why.words}" if self.counts[why] == 1 else ""
        return f"skipped: {why}.{advice} Skipped so far: {so_far}."

    def reset(self) -> None:
        """Note that a step has updated the weights."""
        self.row = 0
