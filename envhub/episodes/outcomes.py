"""Converts turns to Gymnasium's five values, and validates verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable

from envhub.core.types import JSON, Turn, Verdict

Step = tuple[str, float, bool, bool, dict[str, JSON]]
"""Observation, reward, terminated, truncated, info."""


def five_tuple(turn: Turn, reward: Callable[[Verdict], float]) -> Step:
    """A turn as Gymnasium has it: observation, reward, terminated, truncated, info.

    The reward is 0.0 until the end; the info then holds the ``verdict``, and ``error`` if there was one.
    """
    verdict = turn.verdict
    if verdict is None:
        return turn.observation, 0.0, False, False, turn.info
    info = {**turn.info, "verdict": verdict.to_json()}
    if verdict.error is not None:
        info["error"] = verdict.error.to_json()
    value = math.nan if verdict.error is not None else reward(verdict)
    return turn.observation, value, turn.terminated, turn.truncated, info


def check_verdict(verdict: Verdict) -> None:
    """Reject a verdict without a valid reward; its turn becomes an ``error``.

    Raises:
        TypeError: The verdict is invalid; the message says why.
    """
    if verdict.status == "error":
        if verdict.error is None or verdict.score is not None:
            raise TypeError("a verdict of status error has an error and no score")
        return
    if not isinstance(verdict.score, (int, float)) or not 0 <= verdict.score <= 1:
        raise TypeError("a verdict has a score of 0..1")
    if not isinstance(verdict.solved, bool) or (verdict.solved and verdict.score == 0):
        raise TypeError("a verdict says whether the problem is solved, and what is solved scores")
    if not all(map(math.isfinite, verdict.components.values())):
        raise TypeError("the components of a verdict are finite")
