"""Self-play of proposer-v0 goes on after all workers were killed between the proposal and the attempts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.envs.code.proposer.questions import ANSWERS, right_answer
from tests.chaos.test_worlds import replays_after_a_kill

pytestmark = pytest.mark.nightly
SETTINGS: dict[str, Any] = {"difficulty": 2, "opponent": "self", "attempts": 4}


def script(env_id: str, seed: int) -> list[str]:
    """A proposal, then right and wrong attempts in turn."""
    env = envhub.make(env_id, **SETTINGS)
    env.reset(seed=seed)
    actions = [env.solve()]
    env.step(actions[0])
    state = env.episode.state
    answer = ANSWERS[state["challenge"]["kind"]]
    source = actions[0].removeprefix("```python\n").removesuffix("\n```")
    right = answer.wrap(right_answer(state["challenge"], state["values"], source))
    return [*actions, right, answer.wrap("17"), right, "nothing"]


def test_a_few_proposals_go_on(tmp_path: Path) -> None:
    replays_after_a_kill("proposer-v0", 3, tmp_path, script, SETTINGS)


def test_twenty_proposals_go_on(tmp_path: Path) -> None:
    replays_after_a_kill("proposer-v0", 20, tmp_path, script, SETTINGS)
