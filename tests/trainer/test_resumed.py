"""Two steps and two more give the weights of four, bit for bit, whatever state a technique keeps between steps."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import torch

from envhub_trainer.config import ConfigError
from envhub_trainer.loop import train
from envhub_trainer.setup import chosen
from envhub_trainer.watch.track import read
from tests.trainer import runs
from tests.trainer.runs import assert_same_weights, trained

KUHN = {"kuhn-poker-v0": {"weight": 1, "opponent": "self", "hands": 2}}
TECHNIQUES: dict[str, dict[str, Any]] = {
    "vineppo": {"algorithm": {"name": "vineppo", "kl": 0.01, "continuations": 2}},
    "treerl": {"algorithm": {"name": "treerl", "kl": 0, "states": 2, "continuations": 2}},
    "demonstrations, hints and replay": {
        "demonstrations": {"join": True, "hint_steps": 1},
        "selection": {"repeat": 0.5, "candidates": 2},
        "replay": {"episodes": 2},
    },
    "stages and a reference reset": {
        "stage": [{"step": 1, "max_tokens": 4}, {"step": 3, "temperature": 1.2}],
        "algorithm": {"name": "grpo", "kl": 0.04},
        "optimizer": {"reference_reset": 1},
    },
    "a league with baselines by role": {
        "tasks": {"environments": KUHN, "answer_format": None, "reward": None},
        "rollout": {"groups": 2, "size": 4, "max_tokens": 2, "context": 128, "turn_seed": "varied"},
        "league": {"share": 0.5, "every": 1, "keep": 4},
        "algorithm": {"name": "spiral", "kl": 0},
    },
}


@pytest.mark.parametrize("name", TECHNIQUES)
def test_a_resumed_run_ends_with_the_same_weights(tmp_path: Path, name: str) -> None:
    runs.model(tmp_path, tokens=runs.speaking("check", "bet", "call", "fold") if "league" in name else None)
    whole = runs.config(tmp_path, **TECHNIQUES[name])
    undisturbed = trained(whole)
    cut, rest = (
        runs.config(
            tmp_path, **{**TECHNIQUES[name], "run": {"folder": str(tmp_path / "cut"), "steps": steps, "save_every": 1}}
        )
        for steps in (2, 4)
    )
    asyncio.run(train(cut))
    resumed = trained(rest)
    assert resumed.step == 4
    assert_same_weights(rest, whole)
    assert resumed.stream.state_dict() == undisturbed.stream.state_dict()
    assert resumed.rollouts.state_dict() == undisturbed.rollouts.state_dict()
    if undisturbed.league is not None and resumed.league is not None:
        for one, other in zip(resumed.league.state_dict(), undisturbed.league.state_dict(), strict=True):
            assert all(torch.equal(one[name], other[name]) for name in one)


def test_the_log_counts_continuations(tmp_path: Path) -> None:
    config = runs.config(tmp_path, **TECHNIQUES["vineppo"], run={"steps": 1})
    trained(config)
    [line] = read(config.run.folder)
    assert 0 < line["branches"] <= 3 * 4 * 2
    assert line["episodes"] == 12


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rollout": {"size": 1}}, "needs rollout.size of at least 2"),
        ({"tasks": {"environments": {"kuhn-poker-v0": {"weight": 1, "opponent": "self"}}}}, "of one seat"),
    ],
)
def test_forks_that_cannot_be_are_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        chosen(runs.config(tmp_path, **{**TECHNIQUES["vineppo"], **changes}))
