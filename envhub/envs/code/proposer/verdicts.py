"""The last turn of a proposal: verdict, payoffs, and the task."""

from __future__ import annotations

from typing import Any

from envhub.core.types import Instance, Turn, Verdict
from envhub.envs.code.proposer.rates import learnability, succeeds


def paid(inst: Instance, state: dict[str, Any], rate: float) -> Turn:
    """The turn that pays a valid proposal for its solve rate."""
    problem = inst.problem
    target = problem["target"] / 100
    earned, success = learnability(rate, target, problem["pays"]), succeeds(rate, problem)
    score = 1.0 if success and problem["pays"] == "target" else min(earned, 0.99)
    parts = {"valid": 1.0, "rate": rate, "learnability": earned, "format": state["format"]}
    said = f"The proposal is valid. Its solve rate is {100 * rate:.1f}%."
    verdict = Verdict(score, "graded", success, parts, earned, state["answer"], said)
    turn = ended(inst, state, verdict)
    turn.info["proposal"] = {**state["challenge"], "rate": rate}
    if problem["opponent"] == "self":
        turn.info["payoffs"] = [earned, *state["right"]]
    return turn


def ended(inst: Instance, state: Any, verdict: Verdict) -> Turn:
    """The last turn; in self-play, without a valid proposal nobody earns anything."""
    turn = Turn.end(state, verdict)
    if inst.problem["opponent"] == "self" and verdict.error is None:
        turn.info["payoffs"] = [0.0] * (1 + int(inst.problem["attempts"]))
    return turn
