"""Lines of every known kind, and lines of none."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.viewer.trajectories import OUTCOMES, read
from tests.viewer.files import CHAT, EXPORTED, ROLLOUT, TRAINED, attempt

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = ["job", "messages", "episode_id", "actions", "task", "step", "rows", "turns", "prompt", "completion", "outcome"]


@pytest.mark.parametrize(
    ("line", "kind", "facts"),
    [
        (attempt(4, solved=True), "evaluation", ("arithmetic-v0", 3, "solved", 1.0, 1)),
        (attempt(4), "evaluation", ("arithmetic-v0", 3, "failed", 0.0, 1)),
        (
            attempt(4, outcome="endpoint", score=None, messages=[]),
            "evaluation",
            ("arithmetic-v0", 3, "endpoint", None, 0),
        ),
        (EXPORTED, "export", ("guess-number-v0", 2, "failed", 0.5, 1)),
        (TRAINED, "training", ("tic-tac-toe-v0", 1, "solved", 1.0, 1)),
        (ROLLOUT, "verifiers", ("", 0, "solved", 1.0, 1)),
        (CHAT, "chat", ("", 0, "unknown", None, 1)),
    ],
)
def test_every_kind_is_read(line: dict[str, Any], kind: str, facts: tuple[Any, ...]) -> None:
    found = read(line)
    assert found is not None
    assert found.kind == kind
    reward = None if math.isnan(found.facts.reward) else found.facts.reward
    assert (found.facts.env, found.facts.level, found.facts.outcome, reward, found.facts.turns) == facts


def test_content_becomes_text() -> None:
    found = read(CHAT)
    assert found is not None
    assert [message["content"] for message in found.messages] == ["Look:\n[image_url]", "<think>A cat.</think>"]
    assert found.messages[1]["tool_calls"] == [{"id": "1"}]


def test_an_error_is_no_failure() -> None:
    found = read({**EXPORTED, "reward": None, "verdict": {"status": "error", "error": {"code": "X", "reason": "down"}}})
    assert found is not None
    assert (found.facts.outcome, found.facts.why) == ("error", "down")
    assert math.isnan(found.facts.reward)


def test_attempts_at_the_same_task_share_a_group() -> None:
    groups = [read(line).facts.group for line in (attempt(1), attempt(1, 1), attempt(2))]  # type: ignore[union-attr]
    assert groups[0] == groups[1] != groups[2]


@pytest.mark.parametrize("line", [{}, {"config": {}, "player": "x"}, {"messages": 3}, {"job": [1], "messages": []}])
def test_other_lines_are_no_episodes(line: dict[str, Any]) -> None:
    assert read(line) is None


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(NAMES), JSON_VALUES))
def test_no_line_fails(line: dict[str, Any]) -> None:
    found = read(line)
    if found is not None:
        facts = found.facts
        assert facts.outcome in OUTCOMES
        assert isinstance(facts.env, str)
        assert 0 <= facts.level <= 100
        assert isinstance(facts.reward, float)
