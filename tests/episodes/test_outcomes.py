"""A turn as Gymnasium has it; and no reward is made of what is no verdict."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from envhub.core.types import Turn, Verdict
from envhub.episodes.outcomes import check_verdict, five_tuple

RIGHT = Verdict.exact(True)
FAILED = Verdict.failed("no_judge", "the judge is away")


@pytest.mark.parametrize(
    "verdict", [RIGHT, Verdict.exact(False), Verdict.no_answer("empty", "Nothing is there."), FAILED]
)
def test_a_verdict_of_any_kind_passes(verdict: Verdict) -> None:
    check_verdict(verdict)


@pytest.mark.parametrize(
    ("verdict", "changed"),
    [
        (RIGHT, {"score": 1.0001}),
        (RIGHT, {"score": -0.1}),
        (RIGHT, {"score": math.nan}),
        (RIGHT, {"score": None}),
        (RIGHT, {"score": "1"}),
        (RIGHT, {"score": 0.0}),
        (RIGHT, {"solved": None}),
        (RIGHT, {"components": {"format": math.inf}}),
        (FAILED, {"score": 0.0}),
        (FAILED, {"error": None}),
    ],
)
def test_what_no_reward_can_be_made_of_is_refused(verdict: Verdict, changed: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="verdict"):
        check_verdict(replace(verdict, **changed))


def test_before_the_end_there_is_no_verdict_and_no_reward() -> None:
    def asked(verdict: Verdict) -> float:
        raise AssertionError("a reward was asked for")

    assert five_tuple(Turn(0, "go on"), asked) == ("go on", 0.0, False, False, {})


def test_the_end_has_the_reward_of_its_verdict_and_an_error_has_none() -> None:
    _, reward, terminated, _, info = five_tuple(Turn.end(0, RIGHT), lambda verdict: 0.25)
    assert (reward, terminated) == (0.25, True)
    assert info["verdict"] == RIGHT.to_json()
    assert "error" not in info
    _, reward, _, _, info = five_tuple(Turn.end(0, FAILED), lambda verdict: 0.25)
    assert math.isnan(reward)
    assert info["error"] == {"code": "no_judge", "reason": "the judge is away"}
