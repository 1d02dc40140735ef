"""Samples for the tests of rewards: verdicts of every kind, with everything that any piece asks for."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from envhub.core.types import Verdict
from envhub.rewards import Sample

RIGHT = Verdict.exact(True)
WRONG = Verdict.exact(False)
SILENT = Verdict.no_answer("empty", "")
FAILED = Verdict.failed("judge_down", "no answer from the judge")
FAILURES = [FAILED, FAILED.noting("x", format=1.0), Verdict(1.0, "error", solved=True), Verdict(None, solved=True)]

SHARES = st.floats(0, 1)
VERDICTS = st.one_of(
    st.sampled_from([RIGHT, WRONG, SILENT]),
    st.builds(lambda score, form: Verdict(score, solved=score == 1.0, components={"format": form}), SHARES, SHARES),
)


def sample(verdict: Verdict = RIGHT, **others: Any) -> Sample:
    """A sample that has everything, unless said otherwise."""
    everything: dict[str, Any] = {
        "text": "<think>one and one</think><answer>2</answer>",
        "length": 6,
        "token_ids": (1, 2, 3, 1, 2, 3),
        "budget": 8,
        "log_probs": (-0.5,) * 6,
        "distributions": ((-0.7, -0.7),) * 6,
        "turn_rewards": (0.25, 0.5),
    }
    return Sample(verdict, **{**everything, **others})
