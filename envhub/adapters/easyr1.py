"""EasyR1: a reward function for rows whose answer is the ground truth.

EasyR1 loads it by its path, ``worker.reward.reward_function=.../envhub/adapters/easyr1.py:compute_score``, and calls it with a
batch or, where ``reward_type`` is ``sequential``, with one response; ``reward_function_kwargs`` may hold ``reward``, weights by
name, and ``answer_format``, if the rows request a format other than the environments' default::

    compute_score([{"response": "<answer>42</answer>", "response_length": 9, "ground_truth": row["answer"]}])

EasyR1 has no missing rewards, so an answer that could not be judged raises :class:`envhub.core.errors.JudgementError`,
which ends the step.

Source: EasyR1 ``verl/workers/reward/function.py`` (``RewardInput``, ``RewardScore``) and ``verl/utils/dataset.py`` (prompts are
text, ``answer_key`` becomes ``ground_truth``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envhub.adapters.shared.scoring import RowResponse, Scorer

Score = dict[str, float]


def compute_score(
    reward_inputs: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    reward: Mapping[str, float] | None = None,
    answer_format: str | None = None,
) -> Score | list[Score]:
    """The scores of a batch, or of one response.

    Args:
        reward_inputs: Each with ``response`` and ``ground_truth``; other fields are not read.
        reward: Weights by name (``accuracy``, ``format`` ...); accuracy alone by default.
        answer_format: Answer format of the rows; by default the environments' own.

    Returns:
        ``overall`` (the reward), ``accuracy`` (1.0 if the problem is solved), ``format`` and ``no_answer``: the same names for
        every row, as EasyR1's metrics need.

    Raises:
        InvalidParameters: A ground truth is not valid, its environment has several turns, or a weight names no
            component.
        JudgementError: An answer could not be judged.
    """
    batch = [reward_inputs] if isinstance(reward_inputs, Mapping) else reward_inputs
    scored = Scorer(reward)([RowResponse(each["ground_truth"], each["response"], answer_format) for each in batch])
    scores = [
        {
            "overall": each.require_reward(),
            "accuracy": float(each.solved),
            "format": float(each.formatted),
            "no_answer": float(each.no_answer),
        }
        for each in scored
    ]
    return scores[0] if isinstance(reward_inputs, Mapping) else scores
