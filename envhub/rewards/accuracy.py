"""Accuracy: rewards that depend on the verdict alone.

Source: the accuracy reward of DeepSeek-R1 (arXiv 2501.12948, section 2.2.2); with ``wrong=-1`` equation 7 of DAPO (arXiv
2503.14476). Range: [0, 1] for :class:`Accuracy`; {wrong, right} for :class:`Outcome`. On error: NaN.
"""

from __future__ import annotations

from dataclasses import dataclass

from envhub.core.types import Verdict
from envhub.rewards.base import Judged, Reward, finite


def solved(judged: Judged) -> bool:
    """Whether the verdict is solved."""
    verdict = judged if isinstance(judged, Verdict) else judged.verdict
    return verdict.solved is True


@dataclass(frozen=True, slots=True)
class Accuracy(Reward[Judged]):
    """The score of the verdict."""

    def of(self, judged: Judged) -> float:
        """The score."""
        verdict = judged if isinstance(judged, Verdict) else judged.verdict
        return verdict.score or 0.0


@dataclass(frozen=True, slots=True)
class Outcome(Reward[Judged]):
    """One value for solved and another for unsolved; partial scores are unsolved."""

    right: float = 1.0
    wrong: float = 0.0

    def __post_init__(self) -> None:
        finite(self.right, "The reward of a solved problem")
        finite(self.wrong, "The reward of an unsolved problem")

    def of(self, judged: Judged) -> float:
        """``right`` or ``wrong``."""
        return self.right if solved(judged) else self.wrong
