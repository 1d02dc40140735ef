"""Confidence of the policy in its own text.

From log-probabilities that the caller provides.

==================  ===================================================================  ======================
function            source                                                               range
==================  ===================================================================  ======================
self_certainty      arXiv 2502.18581; the reward of INTUITOR, arXiv 2505.19590           [0, infinity)
negative_entropy    RENT, arXiv 2505.22660 (EM-RL-token, 2505.15134, sums over tokens)   [-log(vocabulary), 0]
sequence_log_prob   EM-RL-sequence, arXiv 2505.15134                                     (-infinity, 0]
==================  ===================================================================  ======================

On error: NaN. They ignore the answer, so they reward confident errors: use them for tasks without a key, or behind a
gate. The sum of log-probabilities also favours short texts.

Approximation: given only the log-probabilities of the k most likely tokens, the remaining mass is spread evenly over
the other tokens. This is the least certain tail, so self-certainty and negative entropy are lower bounds; with the
whole vocabulary they are exact. Pass the policy's distribution before temperature, top-p or any other filter. An empty
text gets the lowest value of the two means, and 0 for the sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from envhub.core.errors import InvalidParameters
from envhub.rewards.base import Sample, SampleReward, count, needed

LEAST_REST: Final = 1e-6
"""Minimum mass of a tail: single precision has errors of about 1e-7, and log(0) is undefined."""
_SLACK: Final = 1e-3


def self_certainty(distributions: Sequence[Sequence[float]], vocabulary: int) -> float:
    """The mean divergence from uniform to the policy over tokens.

    ``-log(V) - mean(log p)`` over the vocabulary.

    Args:
        distributions: For each token, log-probabilities of all tokens, or of the most likely ones.
        vocabulary: Number of tokens in it.

    Raises:
        InvalidParameters: A log-probability is not finite, or they are not a distribution over the vocabulary.
    """
    if not distributions:
        return 0.0
    total = 0.0
    for logs in distributions:
        others, rest = _tail(logs, vocabulary)
        if not all(map(math.isfinite, logs)):
            raise InvalidParameters(
                "Self-certainty needs finite log-probabilities: those of an unfiltered distribution."
            )
        tail = others * math.log(max(rest, LEAST_REST) / others) if others else 0.0
        total += max(0.0, -math.log(vocabulary) - (math.fsum(logs) + tail) / vocabulary)
    return total / len(distributions)


def negative_entropy(distributions: Sequence[Sequence[float]], vocabulary: int) -> float:
    """The mean over tokens of ``sum(p * log p)`` over the vocabulary.

    RENT's best variant uses only the last tokens.

    Args:
        distributions: For each token, log-probabilities of all tokens, or of the most likely ones.
        vocabulary: Number of tokens in it.

    Raises:
        InvalidParameters: They are not a distribution over the vocabulary.
    """
    lowest = -math.log(count(vocabulary, "The vocabulary", 1))
    if not distributions:
        return lowest
    total = 0.0
    for logs in distributions:
        others, rest = _tail(logs, vocabulary)
        known = math.fsum(math.exp(log) * log for log in logs if log > -math.inf)
        tail = rest * math.log(rest / others) if others and rest > 0 else 0.0
        total += min(0.0, max(lowest, known + tail))
    return total / len(distributions)


def sequence_log_prob(log_probs: Sequence[float]) -> float:
    """The log-probability of the whole text: the sum over its tokens."""
    return math.fsum(log_probs)


def _tail(logs: Sequence[float], vocabulary: int) -> tuple[int, float]:
    """Number of vocabulary tokens that a distribution omits, and their total mass."""
    others = count(vocabulary, "The vocabulary", 1) - len(logs)
    mass = math.fsum(math.exp(log) if log <= _SLACK else math.inf for log in logs)
    whole = others > 0 or abs(mass - 1.0) <= _SLACK
    if not logs or others < 0 or not mass <= 1.0 + _SLACK or not whole:
        raise InvalidParameters(
            f"The log-probabilities of a token are those of a distribution over {vocabulary} tokens, all or the most "
            f"likely ones; got {len(logs)} with a mass of {mass:.6g}."
        )
    return others, max(0.0, 1.0 - mass)


@dataclass(frozen=True, slots=True)
class SelfCertainty(SampleReward):
    """Self-certainty of a sample; needs ``distributions``."""

    vocabulary: int

    def __post_init__(self) -> None:
        count(self.vocabulary, "The vocabulary", 1)

    def of(self, judged: Sample) -> float:
        """Self-certainty."""
        return self_certainty(needed(judged.distributions, "distributions"), self.vocabulary)


@dataclass(frozen=True, slots=True)
class NegativeEntropy(SampleReward):
    """Negative entropy of a sample; needs ``distributions``."""

    vocabulary: int

    def __post_init__(self) -> None:
        count(self.vocabulary, "The vocabulary", 1)

    def of(self, judged: Sample) -> float:
        """Negative entropy."""
        return negative_entropy(needed(judged.distributions, "distributions"), self.vocabulary)


@dataclass(frozen=True, slots=True)
class SequenceLogProb(SampleReward):
    """The log-probability of a sample's text; needs ``log_probs``."""

    def of(self, judged: Sample) -> float:
        """The log-probability."""
        return sequence_log_prob(needed(judged.log_probs, "log_probs"))
