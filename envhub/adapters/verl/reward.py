"""verl reward function for the rows of ``envhub generate``.

In verl's configuration ``custom_reward_function.path`` names this file and ``custom_reward_function.name`` is
``compute_score``; ``reward_kwargs`` may hold ``reward``, weights by name. Only the row is needed: the problem and its
solution are drawn again from the ground truth, which is a task key, and cached for the other samples of its group::

    compute_score("envhub/sudoku-v0", response, row["reward_model"]["ground_truth"], row["extra_info"])

:mod:`envhub.adapters.verl.reward_manager` judges whole batches, here or on a server;
:mod:`envhub.adapters.verl.agent_loop` plays tasks of several turns.

verl has no missing rewards, and a 0 would train the policy on an internal failure, so an answer that could not be
judged raises :class:`envhub.core.errors.JudgementError`.

Source: verl ``utils/reward_score/__init__.py`` (``compute_score`` returns a number or a dictionary with ``score``) and
``trainer/ppo/metric_utils.py`` (validation reports ``acc``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envhub.adapters.shared.scoring import RowResponse, Scored, Scorer
from envhub.core.errors import InvalidParameters
from envhub.dataset import truth
from envhub.dataset.formats import NAMESPACE


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    *,
    reward: Mapping[str, float] | None = None,
    **_: Any,
) -> dict[str, float]:
    """The reward of a response to a row.

    Args:
        data_source: ``envhub/`` and an environment's id.
        solution_str: The policy's response.
        ground_truth: The row's ``reward_model["ground_truth"]``.
        extra_info: Column of the row; ``answer_format`` and ``fingerprint`` are read from it.
        reward: Weights by name (``accuracy``, ``format`` ...); accuracy alone by default.

    Returns:
        ``score`` (the reward), ``acc`` (1.0 if the problem is solved), ``format`` (1.0 if the answer had the requested
        format) and ``no_answer`` (1.0 if there was nothing to grade): the same names for every row, as verl's batches
        need.

    Raises:
        InvalidParameters: The row has no valid ground truth, its environment has several turns, or a weight names no
            component.
        JudgementError: The answer could not be judged.
    """
    (scored,) = Scorer(reward)([answered(data_source, solution_str, ground_truth, extra_info)])
    return names(scored)


def answered(
    data_source: str, response: str, ground_truth: str, extra_info: Mapping[str, Any] | None = None
) -> RowResponse:
    """A response to a row, from the row's columns.

    Raises:
        InvalidParameters: The row has no valid ground truth.
    """
    key = truth.read(ground_truth)
    if data_source != f"{NAMESPACE}/{key.env_id}":
        raise InvalidParameters(f"The row is of {data_source!r} and its ground truth of '{NAMESPACE}/{key.env_id}'.")
    facts = {} if extra_info is None else extra_info
    return RowResponse(ground_truth, response, facts.get("answer_format"), facts.get("fingerprint"))


def names(scored: Scored) -> dict[str, float]:
    """The score of a response under verl's names.

    Raises:
        JudgementError: The answer could not be judged.
    """
    return {
        "score": scored.require_reward(),
        "acc": float(scored.solved),
        "format": float(scored.formatted),
        "no_answer": float(scored.no_answer),
    }
