"""Stages of sampling, the share of hints, and reference resets, by hand."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from envhub_trainer.config import ConfigError
from envhub_trainer.loop import train
from envhub_trainer.schedule import hint_share, stage
from envhub_trainer.setup import chosen
from envhub_trainer.techniques import DemonstrationsConfig, StageConfig
from envhub_trainer.watch.track import read
from tests.trainer import runs

STAGES = [{"step": 1, "max_tokens": 3, "temperature": 0.5}, {"step": 3, "max_tokens": 4, "context": 64}]


def test_later_stages_replace_what_they_name(tmp_path: Path) -> None:
    config = runs.config(tmp_path).model_copy(update={"stage": stages(STAGES)})
    found = [stage(config, step) for step in range(5)]
    assert [(each.max_tokens, each.temperature, each.context) for each in found] == [
        (6, 1.0, 96),
        (3, 0.5, 96),
        (3, 0.5, 96),
        (4, 0.5, 64),
        (4, 0.5, 64),
    ]


def stages(given: list[dict[str, Any]]) -> Any:
    return tuple(StageConfig(**each) for each in given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([{"step": 3, "context": 64}, {"step": 3, "context": 32}], "must rise, got 3 before 3"),
        ([{"step": 1, "context": 97}], "context must be at most rollout.context, 96; got 97"),
        ([{"step": 1, "max_tokens": 7}], "max_tokens must be at most rollout.max_tokens, 6; got 7"),
    ],
)
def test_stages_that_cannot_be_are_refused(tmp_path: Path, given: list[dict[str, Any]], message: str) -> None:
    config = runs.config(tmp_path).model_copy(update={"stage": stages(given)})
    with pytest.raises(ConfigError, match=message):
        chosen(config)


def test_a_run_samples_as_its_stages_say(tmp_path: Path) -> None:
    given = [{"step": 2, "max_tokens": 2, "context": 40, "temperature": 0.5}]
    changes: dict[str, Any] = {"algorithm": {"entropy": 0.001}, "optimizer": {"minibatches": 1}}
    config = runs.config(tmp_path, **changes).model_copy(update={"stage": stages(given)})
    run = asyncio.run(train(config))
    log = read(config.run.folder)
    assert [line["response_tokens_max"] <= 2 for line in log] == [False, False, True, True]
    assert all(line["kl"] < 1e-6 for line in log), "the learner's temperature is the sampler's"
    assert run.learner.temperature == 0.5


def test_the_share_of_hints_falls_along_a_cosine() -> None:
    settings = DemonstrationsConfig(hint=(0.9, 0.1), hint_steps=4)
    found = [hint_share(settings, step) for step in range(6)]
    assert found == pytest.approx([0.1 + 0.4 * (1 + 0.5**0.5), 0.5, 0.1 + 0.4 * (1 - 0.5**0.5), 0.1, 0, 0])
    assert hint_share(DemonstrationsConfig(), 0) == 0.0
