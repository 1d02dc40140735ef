"""What every reward is: a number for a verdict or a sample, and NaN for what could not be judged.

A piece derives from :class:`Reward` and says in ``of`` what it pays; the base sees to it that ``of`` is never asked about
an ``error``. So no composition of pieces can make a number of one. What a piece needs and a sample lacks is refused; it is
never taken for 0.
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
    """One episode of one task, as far as rewards look at it. Whatever is None was not given.

    Attributes:
        verdict: How it was judged.
        text: What the policy wrote: the whole of a single turn, or the last one of several.
        length: How many tokens the policy wrote.
        token_ids: Those tokens.
        budget: The length its prompt asked for, in tokens.
        log_probs: The log-probability of each of those tokens.
        distributions: For each of those tokens, the log-probabilities of the whole vocabulary, or of its k most likely
            members; in any order.
        turn_rewards: One reward a turn, without the outcome.
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
    """A piece: called with a verdict or a sample, it gives a number, or NaN when its status is ``error``."""

    __slots__ = ()

    @abstractmethod
    def of(self, judged: J) -> float:
        """The reward of what was judged; never asked about an ``error``."""

    def check(self, components: Iterable[str]) -> None:
        """Refuse what ``make(..., reward=...)`` cannot pay, where there is only a verdict with these components.

        Raises:
            InvalidParameters: There is such a part.
        """

    def __call__(self, judged: J) -> float:
        """The reward; NaN when the status is ``error``."""
        return math.nan if failed(judged) else self.of(judged)


class SampleReward(Reward[Sample]):
    """A piece that needs more than the verdict, so it is paid by a trainer and not by ``make``."""

    __slots__ = ()

    def check(self, components: Iterable[str]) -> None:
        """Refuse to be the reward of an environment.

        Raises:
            InvalidParameters: Always.
        """
        raise InvalidParameters(
            f"{type(self).__name__} needs a Sample (text, length, log-probabilities ...), and make(..., reward=...) has "
            "only the verdict. Call it with a Sample where the episodes are collected."
        )


def failed(judged: Judged) -> bool:
    """Whether this could not be judged, so that no number may be made of it."""
    verdict = judged if isinstance(judged, Verdict) else judged.verdict
    return verdict.status == "error" or verdict.score is None


def needed(value: T | None, name: str) -> T:
    """What a sample must have for this reward.

    Raises:
        InvalidParameters: It lacks it.
    """
    if value is None:
        raise InvalidParameters(f"This reward needs {name!r}, which the sample does not have: Sample(..., {name}=...).")
    return value


def finite(value: float, what: str) -> float:
    """A setting that must be a finite number.

    Raises:
        InvalidParameters: It is not one.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InvalidParameters(f"{what} is a finite number, got {value!r}.")
    return value


def count(value: int, what: str, least: int = 0) -> int:
    """A setting that must be an integer from ``least`` on.

    Raises:
        InvalidParameters: It is not one.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidParameters(f"{what} is an integer from {least} on, got {value!r}.")
    return value


def check_parts(parts: Iterable[object], components: Iterable[str]) -> None:
    """Check the parts of a composition that can be checked; a plain callable cannot.

    Raises:
        InvalidParameters: One refuses.
    """
    names = list(components)
    for part in parts:
        if isinstance(part, Reward):
            part.check(names)
