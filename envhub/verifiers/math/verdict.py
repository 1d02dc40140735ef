"""The verdict on an answer, from its comparison with the gold answer."""

from __future__ import annotations

from envhub.core.types import Verdict
from envhub.verifiers.math.kind import Comparison


def verdict_of(comparison: Comparison) -> Verdict:
    """The verdict for a comparison.

    An undecided one is not solved, and has the component ``undecided``.
    """
    if comparison.stage in ("unreadable", "unclear"):
        return Verdict.no_answer("unreadable", f"The answer could not be read: {comparison.reason}.")
    undecided = {"undecided": 1.0} if comparison.stage == "undecided" else {}
    return Verdict(
        score=float(comparison.same),
        solved=comparison.same,
        components=undecided,
        feedback="Correct." if comparison.same else "That is not correct.",
    )
