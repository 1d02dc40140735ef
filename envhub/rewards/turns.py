"""Credit assignment: divides an episode's reward among its turns or steps.

===================  ===============================================================  ================================
function             source                                                           range
===================  ===============================================================  ================================
discounted_returns   Sutton and Barto, Reinforcement Learning (2018), equation 3.9    sums of the rewards
min_form_returns     PURE, arXiv 2504.15275: the least reward still to come           that of the rewards
broadcast            GRPO with outcome supervision, arXiv 2402.03300, section 4.1.2   the outcome
gated_turns          gated reward accumulation, arXiv 2508.10548                      outcome + weighted turn rewards
at_ends              GRPO with process supervision, arXiv 2402.03300, section 4.1.3   that of the rewards, else 0
===================  ===============================================================  ================================

On error: the outcome or the last reward is NaN, and so is everything computed from it: every turn, except in
``at_ends``, which only moves rewards. :class:`GatedTurns` is ``gated_turns`` summed over one sample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from envhub.core.errors import InvalidParameters
from envhub.rewards.base import Sample, SampleReward, finite, needed


def discounted_returns(rewards: Sequence[float], discount: float = 1.0) -> list[float]:
    """Returns of each turn: ``G[t] = rewards[t] + discount * G[t + 1]``.

    Raises:
        InvalidParameters: The discount is not in [0, 1].
    """
    if not 0.0 <= finite(discount, "The discount") <= 1.0:
        raise InvalidParameters(f"The discount must be in [0, 1], got {discount!r}.")
    returns = [0.0] * len(rewards)
    follows = 0.0
    for turn in reversed(range(len(rewards))):
        returns[turn] = follows = rewards[turn] + discount * follows
    return returns


def min_form_returns(rewards: Sequence[float]) -> list[float]:
    """The least reward from each step on.

    A good step cannot offset a bad one.
    """
    returns = [0.0] * len(rewards)
    least = math.inf
    for step in reversed(range(len(rewards))):
        bad = math.isnan(rewards[step]) or math.isnan(least)
        returns[step] = least = math.nan if bad else min(least, rewards[step])
    return returns


def broadcast(outcome: float, turns: int) -> list[float]:
    """The outcome for every turn."""
    return [outcome] * turns


def gated_turns(turn_rewards: Sequence[float], outcome: float, least: float = 1.0, weight: float = 1.0) -> list[float]:
    """Per-turn rewards, weighted if the outcome meets the gate, else 0.

    The last adds the outcome.

    Args:
        turn_rewards: The rewards of the turns, without the outcome.
        outcome: The episode's reward; NaN if it could not be judged, which makes all NaN.
        least: Minimum outcome for turn rewards to count.
        weight: Factor of turn rewards.
    """
    if math.isnan(outcome):
        return [math.nan] * len(turn_rewards)
    rewards = [weight * reward if outcome >= least else 0.0 for reward in turn_rewards]
    if rewards:
        rewards[-1] += outcome
    return rewards


def at_ends(rewards: Sequence[float], ends: Sequence[int], length: int) -> list[float]:
    """Per-token rewards: that of a step at its last token, 0 elsewhere.

    Args:
        rewards: One per step.
        ends: Positions of the steps' last tokens, increasing.
        length: Number of tokens.

    Raises:
        InvalidParameters: ``ends`` and ``rewards`` differ in length, or ``ends`` does not increase within ``length``.
    """
    fits = all(one < other for one, other in pairwise(ends))
    if len(ends) != len(rewards) or not fits or (ends and not (ends[0] >= 0 and ends[-1] < length)):
        raise InvalidParameters(
            f"{len(rewards)} steps need as many ends, rising from 0 to below {length}, got {list(ends)!r}."
        )
    tokens = [0.0] * length
    for end, reward in zip(ends, rewards, strict=True):
        tokens[end] = reward
    return tokens


@dataclass(frozen=True, slots=True)
class GatedTurns(SampleReward):
    """The score, and the turn rewards where it meets the gate.

    Needs ``turn_rewards``.

    Attributes:
        least: Minimum score for turn rewards to count.
        weight: Factor of turn rewards.
    """

    least: float = 1.0
    weight: float = 1.0

    def __post_init__(self) -> None:
        finite(self.least, "The threshold of a gate")
        finite(self.weight, "The weight of a turn's reward")

    def of(self, judged: Sample) -> float:
        """The sum over the episode."""
        score = judged.verdict.score or 0.0
        turn_rewards = needed(judged.turn_rewards, "turn_rewards")
        return score + self.weight * math.fsum(turn_rewards) if score >= self.least else score
