"""Composition of rewards: weighted sums, gates and clipping.

A composition whose parts need only the verdict can be passed to ``make(..., reward=...)``; one that needs a sample is
rejected. Parts may be any callables.

Sources: weighted sums, DeepSeek-R1 (arXiv 2501.12948, section 2.2.2); gates, the gated reward accumulation of arXiv
2508.10548 (a reward counts only when one of higher priority meets its threshold). Clipping has no source.
Ranges: those of the parts. On error: NaN, even if a gate is closed. A NaN part makes the sum NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic

from envhub.core.errors import InvalidParameters
from envhub.rewards.accuracy import Accuracy
from envhub.rewards.base import J, Reward, check_parts, finite


@dataclass(frozen=True, slots=True)
class Sum(Reward[J], Generic[J]):
    """A weighted sum of rewards.

    Attributes:
        parts: Pairs of a weight and a reward.
    """

    parts: Sequence[tuple[float, Callable[[J], float]]]

    def __post_init__(self) -> None:
        for weight, _ in self.parts:
            finite(weight, "The weight of a reward")

    def check(self, components: Iterable[str]) -> None:
        """Check every part.

        Raises:
            InvalidParameters: A part needs more than a verdict.
        """
        check_parts((part for _, part in self.parts), components)

    def of(self, judged: J) -> float:
        """The sum."""
        total = 0.0
        for weight, part in self.parts:
            total += weight * part(judged)
        return total


@dataclass(frozen=True, slots=True)
class Gate(Reward[J], Generic[J]):
    """A reward paid only if another reward is high enough.

    Attributes:
        reward: The reward if the gate is open.
        by: The gating reward.
        least: Minimum value of ``by``.
        otherwise: The value if the gate is closed.
    """

    reward: Callable[[J], float]
    by: Callable[[J], float] = field(default_factory=Accuracy)
    least: float = 1.0
    otherwise: float = 0.0

    def __post_init__(self) -> None:
        finite(self.least, "The threshold of a gate")
        finite(self.otherwise, "The reward behind a closed gate")

    def check(self, components: Iterable[str]) -> None:
        """Check both parts.

        Raises:
            InvalidParameters: A part needs more than a verdict.
        """
        check_parts((self.reward, self.by), components)

    def of(self, judged: J) -> float:
        """The reward, or ``otherwise``; NaN if the gating reward is NaN."""
        height = self.by(judged)
        if math.isnan(height):
            return math.nan
        return self.reward(judged) if height >= self.least else self.otherwise


@dataclass(frozen=True, slots=True)
class Clip(Reward[J], Generic[J]):
    """A reward clipped to [low, high]."""

    reward: Callable[[J], float]
    low: float
    high: float

    def __post_init__(self) -> None:
        if not finite(self.low, "A bound of a reward") <= finite(self.high, "A bound of a reward"):
            raise InvalidParameters(f"A reward is clipped from low to high, got {self.low!r} and {self.high!r}.")

    def check(self, components: Iterable[str]) -> None:
        """Check the clipped reward.

        Raises:
            InvalidParameters: It needs more than a verdict.
        """
        check_parts((self.reward,), components)

    def of(self, judged: J) -> float:
        """The reward clipped to ``low`` and ``high``; NaN stays NaN."""
        value = self.reward(judged)
        return value if math.isnan(value) else min(max(value, self.low), self.high)
