"""Repetition: the share of a text that repeats earlier n-grams.

Source: the n-gram repetition penalty of arXiv 2502.03373 (section 4.5), which puts a penalty on every token of an n-gram
that occurred before (:func:`repeated` says which; there n = 40 and -0.05 a token), and the share of n-grams that are
repeats, from the same authors' code (:func:`repetition_share`). Range of :class:`Repetition`: [-most, 0]. On error: NaN.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from envhub.core.errors import InvalidParameters
from envhub.rewards.base import Sample, SampleReward, count, finite, needed


def repeated(tokens: Sequence[Hashable], n: int) -> list[bool]:
    """Which tokens belong to an n-gram that occurred before; multiply by a penalty for a reward a token.

    Raises:
        InvalidParameters: ``n`` is not a positive integer.
    """
    marks = [False] * len(tokens)
    seen: set[tuple[Hashable, ...]] = set()
    marked = 0  # everything before is decided, so overlapping repeats cost no more
    for start in range(len(tokens) - count(n, "The size of an n-gram", 1) + 1):
        gram = tuple(tokens[start : start + n])
        if gram in seen:
            for i in range(max(start, marked), start + n):
                marks[i] = True
            marked = start + n
        seen.add(gram)
    return marks


def repetition_share(tokens: Sequence[Hashable], n: int) -> float:
    """The share of n-grams that are repeats, in [0, 1); 0 for fewer than n tokens.

    Raises:
        InvalidParameters: ``n`` is not a positive integer.
    """
    total = len(tokens) - count(n, "The size of an n-gram", 1) + 1
    if total <= 0:
        return 0.0
    return 1.0 - len({tuple(tokens[start : start + n]) for start in range(total)}) / total


@dataclass(frozen=True, slots=True)
class Repetition(SampleReward):
    """A penalty in proportion to the share of repeated n-grams; needs ``token_ids``, or ``text`` when over words.

    Attributes:
        n: How many tokens or words make an n-gram.
        most: The penalty that a text of nothing but repeats would come near.
        over: What is counted: token ids, or words in lower case.
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
