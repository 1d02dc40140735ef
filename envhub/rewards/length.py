"""Length: limits, the soft overlong penalty, budgets, and the cosine reward. Lengths are in tokens.

==============  ==========================================================  ==========================
piece           source                                                      range
==============  ==========================================================  ==========================
Within          a plain limit                                               {0, 1}
Overlong        DAPO, arXiv 2503.14476, equation 13                         [-1, 0]
ExactBudget     L1, arXiv 2503.04697, equation 1 without its first term     (-infinity, 0]
MaxBudget       L1, arXiv 2503.04697, equation 2 without its first factor   [0, 1]
CosineLength    arXiv 2502.03373, section 4.2                               what its five values span
==============  ==========================================================  ==========================

On error: NaN. The reward of L1-Exact is ``Sum([(1, Outcome()), (1, ExactBudget())])``, that of L1-Max
``Gate(MaxBudget(), by=Outcome())``. All but the last two look only at the length: a short wrong answer loses nothing, so
they belong beside an accuracy or behind a gate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from envhub.core.errors import InvalidParameters
from envhub.rewards.accuracy import solved
from envhub.rewards.base import Sample, SampleReward, count, finite, needed


def overlong(length: int, limit: int, buffer: int) -> float:
    """The soft overlong penalty: 0 up to ``limit - buffer``, then falling in a line to -1 at ``limit`` and beyond."""
    start = limit - buffer
    if length <= start:
        return 0.0
    return (start - length) / buffer if length <= limit else -1.0


def exact_budget(length: int, target: int, alpha: float) -> float:
    """The penalty for missing a length, on either side: ``-alpha * |target - length|``."""
    return -alpha * abs(target - length)


def max_budget(length: int, target: int, alpha: float, delta: float) -> float:
    """The factor for a length under a maximum: ``clip(alpha * (target - length) + delta, 0, 1)``."""
    return min(max(alpha * (target - length) + delta, 0.0), 1.0)


def cosine_length(length: int, limit: int, at_zero: float, at_limit: float) -> float:
    """From ``at_zero`` to ``at_limit`` along half a cosine: the learning-rate schedule, over lengths."""
    return at_limit + 0.5 * (at_zero - at_limit) * (1.0 + math.cos(math.pi * length / limit))


@dataclass(frozen=True, slots=True)
class Within(SampleReward):
    """1 when the length is from ``least`` to ``most``, else 0; needs ``length``."""

    least: int = 0
    most: int | None = None

    def __post_init__(self) -> None:
        count(self.least, "The least length")
        if self.most is not None:
            count(self.most, "The most length", self.least)

    def of(self, judged: Sample) -> float:
        """1.0 or 0.0."""
        length = needed(judged.length, "length")
        return float(self.least <= length and (self.most is None or length <= self.most))


@dataclass(frozen=True, slots=True)
class Overlong(SampleReward):
    """The soft overlong penalty, to be added to the accuracy; needs ``length``.

    Attributes:
        limit: The length from which the penalty is -1 (the paper's L_max).
        buffer: How many tokens before it the penalty begins (the paper's L_cache).
    """

    limit: int
    buffer: int

    def __post_init__(self) -> None:
        if count(self.buffer, "The buffer") > count(self.limit, "The limit", 1):
            raise InvalidParameters(f"`buffer` must be at most the limit of {self.limit}, got {self.buffer}.")

    def of(self, judged: Sample) -> float:
        """The penalty."""
        return overlong(needed(judged.length, "length"), self.limit, self.buffer)


@dataclass(frozen=True, slots=True)
class ExactBudget(SampleReward):
    """The penalty for missing the length that the prompt asked for; needs ``length``, and ``budget`` unless ``target``.

    Attributes:
        alpha: The price of one token; the paper's is 0.0003.
        target: One target for all samples; None for each sample's own.
    """

    alpha: float = 0.0003
    target: int | None = None

    def __post_init__(self) -> None:
        _check_price(self.alpha)

    def of(self, judged: Sample) -> float:
        """The penalty."""
        return exact_budget(needed(judged.length, "length"), _target(judged, self.target), self.alpha)


@dataclass(frozen=True, slots=True)
class MaxBudget(SampleReward):
    """What a right answer keeps for its length under a maximum; needs ``length``, and ``budget`` unless ``target``.

    Attributes:
        alpha: The price of one token; the paper's is 0.0003.
        delta: What is left at the target itself; the paper's is 0.5.
        target: One maximum for all samples; None for each sample's own.
    """

    alpha: float = 0.0003
    delta: float = 0.5
    target: int | None = None

    def __post_init__(self) -> None:
        _check_price(self.alpha)
        finite(self.delta, "What is left at the target")

    def of(self, judged: Sample) -> float:
        """The factor."""
        return max_budget(needed(judged.length, "length"), _target(judged, self.target), self.alpha, self.delta)


@dataclass(frozen=True, slots=True)
class CosineLength(SampleReward):
    """A reward for being right or wrong that moves with the length; needs ``length``.

    A right answer should be short (``right`` falls) and a wrong one should have thought longer (``wrong`` rises).

    The defaults are those of the authors' experiments.

    Attributes:
        limit: The length at which a text was cut.
        right: What a right answer of no length, and one of the limit, would be paid.
        wrong: The same for a wrong answer.
        cut: What a text of the limit or more is paid.
    """

    limit: int
    right: tuple[float, float] = (2.0, 1.0)
    wrong: tuple[float, float] = (-10.0, 0.0)
    cut: float = -10.0

    def __post_init__(self) -> None:
        count(self.limit, "The limit", 1)
        for value in (*self.right, *self.wrong, self.cut):
            finite(value, "A value of a cosine reward")

    def of(self, judged: Sample) -> float:
        """The reward."""
        length = needed(judged.length, "length")
        if length >= self.limit:
            return self.cut
        at_zero, at_limit = self.right if solved(judged) else self.wrong
        return cosine_length(length, self.limit, at_zero, at_limit)


def _check_price(alpha: float) -> None:
    if finite(alpha, "The price of a token") < 0:
        raise InvalidParameters(f"The penalty per token must not be negative, got {alpha!r}.")


def _target(sample: Sample, target: int | None) -> int:
    return needed(sample.budget, "budget") if target is None else target
