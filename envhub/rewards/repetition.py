"""Repetition: the share of a text that repeats earlier n-grams.

Source: the n-gram repetition penalty of arXiv 2502.03373 (section 4.5), which puts a penalty on every token of an n-gram
that occurred before (:func:`repeated` finds them; the paper has n = 40 and -0.05 a token), and the share of n-grams that are
repeats, from the same authors' code (:func:`repetition_share`). Range of :class:`Repetition`: [-most, 0]. On error: NaN.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from envhub.core.errors import InvalidParameters
from envhub.rewards.base import Sample, SampleReward, count, finite, needed


def repeated(tokens: Sequence[Hashable], n: int) -> list[bool]:
    """Whether each token belongs to a repeated n-gram.

    Multiply by a per-token penalty.

    Raises:
        InvalidParameters: ``n`` is not a positive integer.
    """
    repeats = [False] * len(tokens)
    seen: set[tuple[Hashable, ...]] = set()
    decided = 0  # overlapping repeats are counted once, as earlier tokens are already decided
    for start in range(len(tokens) - count(n, "The size of an n-gram", 1) + 1):
        gram = tuple(tokens[start : start + n])
        if gram in seen:
            for i in range(max(start, decided), start + n):
                repeats[i] = True
            decided = start + n
        seen.add(gram)
    return repeats


def repetition_share(tokens: Sequence[Hashable], n: int) -> float:
    """The share of n-grams that are repeats, in [0, 1).

    0 for fewer than n tokens.

    Raises:
        InvalidParameters: ``n`` is not a positive integer.
    """
    total = len(tokens) - count(n, "The size of an n-gram", 1) + 1
    if total <= 0:
        return 0.0
    return 1.0 - len({tuple(tokens[start : start + n]) for start in range(total)}) / total


@dataclass(frozen=True, slots=True)
class Repetition(SampleReward):
    """A penalty proportional to the share of repeated n-grams.

    Needs ``token_ids`` or ``text``.

    Attributes:
        n: Number of tokens or words per n-gram.
        most: The maximum penalty, approached by a text of only repeats.
        over: The unit: token ids, or lower-case words.
    """

    n: int = 40
    most: float = 1.0
    over: Literal["tokens", "words"] = "tokens"

    def __post_init__(self) -> None:
        count(self.n, "The size of an n-gram", 1)
        if finite(self.most, "The penalty") < 0:
            raise InvalidParameters(f"The penalty must not be negative, got {self.most!r}.")
        if self.over not in ("tokens", "words"):
            raise InvalidParameters(f"`over` must be 'tokens' or 'words', got {self.over!r}.")

    def of(self, judged: Sample) -> float:
        """The penalty."""
        if self.over == "words":
            share = repetition_share(needed(judged.text, "text").lower().split(), self.n)
        else:
            share = repetition_share(needed(judged.token_ids, "token_ids"), self.n)
        return -self.most * share
