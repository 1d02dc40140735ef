"""verl: a reward function for the rows that ``envhub generate`` writes.

In verl's configuration ``custom_reward_function.path`` names this file and ``custom_reward_function.name`` is
``compute_score``; ``reward_kwargs`` may hold ``reward``, weights by name. Nothing but the row is needed: the problem and its
solution are drawn again from the ground truth, which is a task key, and remembered for the other samples of its group::

    compute_score("envhub/sudoku-v0", response, row["reward_model"]["ground_truth"], row["extra_info"])

:mod:`envhub.adapters.verl.reward_manager` judges whole batches, here or by a server;
:mod:`envhub.adapters.verl.agent_loop` plays tasks of several turns.

What is handed on when an answer could not be judged: nothing. verl knows no missing reward, and a 0 would train the policy on a
failure that is ours, so :class:`envhub.core.errors.JudgementError` is raised.

Source: verl ``utils/reward_score/__init__.py`` (``compute_score`` gives a number or a dictionary with ``score``) and
``trainer/ppo/metric_utils.py`` (``acc`` is what validation reports).
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
        data_source: The row's; ``envhub/`` and an environment's id.
        solution_str: What the policy wrote.
        ground_truth: The row's ``reward_model["ground_truth"]``.
        extra_info: The row's; ``answer_format`` and ``fingerprint`` are read from it.
        reward: Weights by name (``accuracy``, ``format`` ...); accuracy alone if not given.

    Returns:
        ``score`` (the reward), ``acc`` (1.0 if the problem is solved), ``format`` (1.0 if the answer came in the form asked
        for) and ``no_answer`` (1.0 if there was nothing to grade): the same names for every row, as verl's batches need.

    Raises:
        InvalidParameters: It is no row of envhub, its environment has several turns, or a weight is of nothing.
        JudgementError: The answer could not be judged.
    """
    (scored,) = Scorer(reward)([answered(data_source, solution_str, ground_truth, extra_info)])
    return names(scored)


def answered(
    data_source: str, response: str, ground_truth: str, extra_info: Mapping[str, Any] | None = None
) -> RowResponse:
    """A response to a row, by the row's columns.

    Raises:
        InvalidParameters: It is no row of envhub.
    """
    key = truth.read(ground_truth)
    if data_source != f"{NAMESPACE}/{key.env_id}":
        raise InvalidParameters(f"The row is of {data_source!r} and its ground truth of '{NAMESPACE}/{key.env_id}'.")
    facts = {} if extra_info is None else extra_info
    return RowResponse(ground_truth, response, facts.get("answer_format"), facts.get("fingerprint"))


def names(scored: Scored) -> dict[str, float]:
    """What a response earned under the names that verl reports.

    Raises:
        JudgementError: The answer could not be judged.
    """
    return {
        "score": scored.require_reward(),
        "acc": float(scored.solved),
        "format": float(scored.formatted),
        "no_answer": float(scored.no_answer),
    }
