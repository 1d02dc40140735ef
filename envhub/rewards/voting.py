"""Majority vote.

The most frequent answer of a group replaces the answer key. Source: TTRL, arXiv 2504.16084: 1 for a sample whose answer
is the most frequent one, else 0. Range: {0, 1}. On error: the sample has no vote and gets NaN.

Answers are read and compared by the answer type of the environment, so 1/2 and 0.5 vote together. A sample without a
readable answer has no vote and gets 0. A tie for first place, or a group without answers, gives no label, and all
rewards are NaN: the paper breaks ties by order, which would make a reward depend on the order of the samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from envhub.rewards.base import Sample, failed, needed

if TYPE_CHECKING:
    from envhub.verifiers.answers.types import AnswerType


def majority_vote(samples: Sequence[Sample], answer: AnswerType) -> list[float]:
    """The rewards of the samples of one task, in their order.

    Each needs ``text``.

    Args:
        samples: The group.
        answer: The answer type of the environment.

    Raises:
        InvalidParameters: A sample has no text.
    """
    texts = [None if failed(sample) else needed(sample.text, "text") for sample in samples]
    readings = {text: answer.read(text) for text in dict.fromkeys(texts) if text is not None}
    # each distinct text votes once per occurrence
    values = {text: reading.value for text, reading in readings.items() if reading.reason is None}
    ballots = {text: texts.count(text) for text in values}

    def agree(one: str, other: str) -> bool:
        # both ways: a tolerance may be asymmetric, and the order of samples must not matter
        return one == other or (answer.same(values[one], values[other]) and answer.same(values[other], values[one]))

    voters = list(values)
    agreeing = {one: {other for other in voters if agree(one, other)} for one in voters}
    votes = {one: sum(ballots[other] for other in agreeing[one]) for one in voters}
    most = max(votes.values(), default=0)
    leaders = {text for text in voters if votes[text] == most}
    if not leaders or any(not leaders <= agreeing[leader] for leader in leaders):
        return [math.nan] * len(samples)
    return [math.nan if text is None else float(text in values and leaders <= agreeing[text]) for text in texts]
