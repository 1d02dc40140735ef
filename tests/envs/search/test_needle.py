"""needle-v0: the text holds what is asked for, and all the names of the answer count."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.core.types import Instance
from envhub.envs.search.needle import Needle


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_answer_stands_in_the_text_and_the_text_fits(level: int) -> None:
    env = envhub.make("needle-v0", difficulty=level)
    here = 0
    for seed in range(20):
        env.reset(seed=seed)
        answers = env.episode.instance.key["answers"]
        text = "\n".join(env.task.problem["documents"])
        assert len(env.task.prompt) <= env.environment.max_observation_chars - 2000
        assert env.task.prompt.count(env.task.problem["question"]) == 1
        here += any(answer in text for answer in answers)
    assert here >= 15  # but for counts and for what is not told


def test_only_the_answers_count() -> None:
    inst = Instance({}, key={"answers": ["the baker Ada Reed", "Ada Reed, the baker", "Tilda Moss"]})
    environment = Needle()
    for text in ("The baker Ada Reed.", "tilda moss", "\u201cAda Reed, the baker\u201d"):
        assert environment.grade(inst, environment.answer.read(f"<answer>{text}</answer>").value).solved
    for text in ("Ada Reed", "Tilda Moss or Ada Reed", "not Tilda Moss", "Tilda", "not in the corpus"):
        assert not environment.grade(inst, environment.answer.read(f"<answer>{text}</answer>").value).solved


@pytest.mark.parametrize("asked", [{"people": 57}, {"people": 8, "namesakes": 3}, {"facts": 7}])
def test_what_would_not_fit_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters):
        envhub.make("needle-v0", **asked)
