"""Composable reward functions.

A reward is a function of a verdict, or of a :class:`Sample` (a verdict with the text, its length, log-probabilities and the
rewards of its turns). Each module has one concept, with its source and its range::

    reward = Sum([(1.0, Accuracy()), (0.1, Gate(ThinkAnswer())), (1.0, Overlong(limit=20480, buffer=4096))])
    reward(sample)
    make("sudoku-v0", reward=Clip(WeightedReward({"accuracy": 1.0, "format": 0.1}), 0.0, 1.0))

An attempt that could not be judged (``status == "error"``) has the reward NaN in every composition. Rewards over a group
leave it out and return NaN in its place. Mask it; never train on it as 0.
"""

from envhub.rewards.accuracy import Accuracy, Outcome
from envhub.rewards.base import Judged, Reward, Sample, SampleReward, failed
from envhub.rewards.compose import Clip, Gate, Sum
from envhub.rewards.confidence import (
    NegativeEntropy,
    SelfCertainty,
    SequenceLogProb,
    negative_entropy,
    self_certainty,
    sequence_log_prob,
)
from envhub.rewards.form import ThinkAnswer, thinks_then_answers
from envhub.rewards.language import SCRIPTS, Language, script_share
from envhub.rewards.length import (
    CosineLength,
    ExactBudget,
    MaxBudget,
    Overlong,
    Within,
    cosine_length,
    exact_budget,
    max_budget,
    overlong,
)
from envhub.rewards.passk import marginal_at_k_rewards, max_at_k, max_at_k_rewards
from envhub.rewards.relative import relative_length
from envhub.rewards.repetition import Repetition, repeated, repetition_share
from envhub.rewards.turns import (
    GatedTurns,
    at_ends,
    broadcast,
    discounted_returns,
    gated_turns,
    min_form_returns,
)
from envhub.rewards.voting import majority_vote
from envhub.rewards.weighted import ACCURACY, WeightedReward

__all__ = [
    "ACCURACY",
    "SCRIPTS",
    "Accuracy",
    "Clip",
    "CosineLength",
    "ExactBudget",
    "Gate",
    "GatedTurns",
    "Judged",
    "Language",
    "MaxBudget",
    "NegativeEntropy",
    "Outcome",
    "Overlong",
    "Repetition",
    "Reward",
    "Sample",
    "SampleReward",
    "SelfCertainty",
    "SequenceLogProb",
    "Sum",
    "ThinkAnswer",
    "WeightedReward",
    "Within",
    "at_ends",
    "broadcast",
    "cosine_length",
    "discounted_returns",
    "exact_budget",
    "failed",
    "gated_turns",
    "majority_vote",
    "marginal_at_k_rewards",
    "max_at_k",
    "max_at_k_rewards",
    "max_budget",
    "min_form_returns",
    "negative_entropy",
    "overlong",
    "relative_length",
    "repeated",
    "repetition_share",
    "script_share",
    "self_certainty",
    "sequence_log_prob",
    "thinks_then_answers",
]
