"""Length: limits, the soft overlong penalty, budgets, and the cosine reward.

Lengths are in tokens.

==============  ==========================================================  ==========================
piece           source                                                      range
==============  ==========================================================  ==========================
Within          a plain limit                                               {0, 1}
Overlong        DAPO, arXiv 2503.14476, equation 13                         [-1, 0]
ExactBudget     L1, arXiv 2503.04697, equation 1 without its first term     (-infinity, 0]
MaxBudget       L1, arXiv 2503.04697, equation 2 without its first factor   [0, 1]
CosineLength    arXiv 2502.03373, section 4.2                               the range of its five values
==============  ==========================================================  ==========================

On error: NaN. L1-Exact is ``Sum([(1, Outcome()), (1, ExactBudget())])``, L1-Max is
``Gate(MaxBudget(), by=Outcome())``. All but the last two depend only on the length: a short wrong answer loses nothing,
so combine them with accuracy or a gate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from envhub.core.errors import InvalidParameters
from envhub.rewards.accuracy import solved
from envhub.rewards.base import Sample, SampleReward, count, finite, needed


def overlong(length: int, limit: int, buffer: int) -> float:
    """The soft overlong penalty.

    0 up to ``limit - buffer``, then linear to -1 at ``limit``.
    """
    start = limit - buffer
    if length <= start:
        return 0.0
    return (start - length) / buffer if length <= limit else -1.0


def exact_budget(length: int, target: int, alpha: float) -> float:
    """The penalty for deviating from a length: ``-alpha * |target - length|``."""
    return -alpha * abs(target - length)


def max_budget(length: int, target: int, alpha: float, delta: float) -> float:
    """The factor for a maximum length: ``clip(alpha * (target - length) + delta, 0, 1)``."""
    return min(max(alpha * (target - length) + delta, 0.0), 1.0)


def cosine_length(length: int, limit: int, at_zero: float, at_limit: float) -> float:
    """Half a cosine from ``at_zero`` to ``at_limit``, like the learning-rate schedule."""
    return at_limit + 0.5 * (at_zero - at_limit) * (1.0 + math.cos(math.pi * length / limit))


@dataclass(frozen=True, slots=True)
class Within(SampleReward):
    """1 if the length is in ``least`` to ``most``, else 0.

    Needs ``length``.
    """

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
    """The soft overlong penalty, added to the accuracy; needs ``length``.

    Attributes:
        limit: The length from which the penalty is -1 (the paper's L_max).
        buffer: Number of tokens before it at which the penalty begins (L_cache).
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
    """The penalty for missing the requested length.

    Needs ``length``, and ``budget`` unless ``target``.

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
    """A right answer's factor under a maximum length.

    Needs ``length``, and ``budget`` unless ``target``.

    Attributes:
        alpha: The price of one token; the paper's is 0.0003.
        delta: The factor at the target itself; the paper's is 0.5.
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
    """A reward for right or wrong that depends on the length.

    Needs ``length``. Right answers should be short (``right`` falls); wrong ones should think longer (``wrong`` rises).

    Defaults are from the authors' experiments.

    Attributes:
        limit: The length at which texts are cut.
        right: Rewards of a right answer at length 0 and at the limit.
        wrong: The same for a wrong answer.
        cut: Reward of a text at or beyond the limit.
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
