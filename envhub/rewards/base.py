"""Base classes of rewards.

A number for a verdict or a sample, and NaN for an ``error``. A reward subclasses :class:`Reward` and implements ``of``.
The base class never calls ``of`` on an ``error``, so no composition turns one into a number. A field that a reward
needs and a sample lacks raises; it never counts as 0.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from envhub.core.errors import InvalidParameters
from envhub.core.types import Verdict


@dataclass(frozen=True, slots=True)
class Sample:
    """Data of one episode for rewards.

    A field is None if it was not given.

    Attributes:
        verdict: The verdict on the episode.
        text: The text of the policy's last turn.
        length: Number of tokens the policy wrote.
        token_ids: Those tokens.
        budget: The length that the prompt requested, in tokens.
        log_probs: The log-probability of each of those tokens.
        distributions: For each of those tokens, the log-probabilities of the whole vocabulary, or of its k most likely
            members; in any order.
        turn_rewards: One reward for each turn, without the outcome.
    """

    verdict: Verdict
    text: str | None = None
    length: int | None = None
    token_ids: Sequence[int] | None = None
    budget: int | None = None
    log_probs: Sequence[float] | None = None
    distributions: Sequence[Sequence[float]] | None = None
    turn_rewards: Sequence[float] | None = None


Judged: TypeAlias = Verdict | Sample
J = TypeVar("J", bound=Judged, contravariant=True)
T = TypeVar("T")


class Reward(ABC, Generic[J]):
    """A reward function of a verdict or a sample.

    NaN if the status is ``error``.
    """

    __slots__ = ()

    @abstractmethod
    def of(self, judged: J) -> float:
        """The reward. Never called on an ``error``."""

    def check(self, components: Iterable[str]) -> None:
        """Check that a verdict with these components suffices, as for ``make(..., reward=...)``.

        Raises:
            InvalidParameters: Some part of the reward needs more.
        """

    def __call__(self, judged: J) -> float:
        """The reward, or NaN if the status is ``error``."""
        return math.nan if failed(judged) else self.of(judged)


class SampleReward(Reward[Sample]):
    """A reward that needs more than the verdict.

    A trainer computes it; ``make`` cannot.
    """

    __slots__ = ()

    def check(self, components: Iterable[str]) -> None:
        """Always raise: a verdict is not enough.

        Raises:
            InvalidParameters: Always.
        """
        raise InvalidParameters(
            f"{type(self).__name__} needs a Sample (text, length, log-probabilities ...), and make(..., reward=...) has "
            "only the verdict. Call it with a Sample where the episodes are collected."
        )


def failed(judged: Judged) -> bool:
    """Whether the status is ``error``, so that there is no reward."""
    verdict = judged if isinstance(judged, Verdict) else judged.verdict
    return verdict.status == "error" or verdict.score is None


def needed(value: T | None, name: str) -> T:
    """Return the value of a field, which must not be None.

    Raises:
        InvalidParameters: It is None.
    """
    if value is None:
        raise InvalidParameters(
            f"This reward needs {name!r}, which the sample lacks. Pass it: Sample(..., {name}=...)."
        )
    return value


def finite(value: float, what: str) -> float:
    """Return a setting, which must be a finite number.

    Raises:
        InvalidParameters: It is not.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InvalidParameters(f"{what} must be a finite number, got {value!r}.")
    return value


def count(value: int, what: str, least: int = 0) -> int:
    """Return a setting, which must be an integer of at least ``least``.

    Raises:
        InvalidParameters: It is not.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidParameters(f"{what} must be an integer >= {least}, got {value!r}.")
    return value


def check_parts(parts: Iterable[object], components: Iterable[str]) -> None:
    """Check the parts of a composition. Plain callables are not checked.

    Raises:
        InvalidParameters: A part needs more than a verdict.
    """
    names = list(components)
    for part in parts:
        if isinstance(part, Reward):
            part.check(names)
