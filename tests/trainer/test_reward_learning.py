"""Runs with rewards by name raise held-out success: a majority vote without labels, and max@k what k attempts reach."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from envhub_trainer.config import Config, load
from envhub_trainer.gathering import gather_or_cancel
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.render import Renderer
from envhub_trainer.setup import held_out, opened_player
from envhub_trainer.watch.track import read
from tests.trainer.test_learning import command

pytestmark = pytest.mark.nightly

STEPS = 60
TASKS = 500
K = 4


def words(folder: Path, name: str, **changes: Any) -> list[str]:
    """A run of the recipe ``addition`` in a folder of its own."""
    settings = {
        "run.folder": folder / name,
        "run.steps": STEPS,
        "run.save_every": 1000,
        "model.path": folder / "start",
        "optimizer.learning_rate": 2e-4,
        "evaluate.every": STEPS,
        "evaluate.episodes": TASKS,
        **changes,
    }
    return ["addition", *(word for key, value in settings.items() for word in ("--set", f"{key}={value}"))]


async def solved_in(k: int, config: Config, model: str) -> float:
    """The share of held-out tasks that at least one of k attempts solves."""
    tokenizer = load_tokenizer(model)
    ends = Renderer(tokenizer).end_ids
    policy = HfPolicy(
        load_model(model, config.model), end_ids=ends, context=config.rollout.context, vocabulary=len(tokenizer)
    )
    async with opened_player(config, policy, tokenizer) as player:
        played = [player.groups(number, task, k) for number, task in enumerate(held_out(config))]
        found = await gather_or_cancel(played)
    await policy.close()
    return sum(any(episode.solved for episode in group.sound) for [group] in found) / len(found)


def test_max_at_k_raises_what_k_attempts_reach(tmp_path: Path) -> None:
    command("warmstart", *words(tmp_path, "max"))
    entries = {"reward": f'[{{name="max_at_k", k={K}}}]', "algorithm.std": "none"}
    command("run", *words(tmp_path, "max", **entries))
    config = load("addition", words(tmp_path, "max")[2::2])
    ends = tmp_path / "start", tmp_path / "max" / "checkpoints" / f"step-{STEPS:06d}"
    before, after = (asyncio.run(solved_in(K, config, str(model))) for model in ends)
    print(f"solved in {K} attempts: {before:.3f} -> {after:.3f}")
    assert after > before + 0.05


def test_a_majority_vote_raises_success_without_labels(tmp_path: Path) -> None:
    settings = {
        "warmstart.stop": 0.6,  # from .4 on, the majority is too often wrong
        "run.steps": 20,
        "evaluate.every": 20,
        "evaluate.episodes": 1000,
        "rollout.size": 32,
        "optimizer.learning_rate": 1e-4,
        "optimizer.minibatches": 1,
    }
    command("warmstart", *words(tmp_path, "vote", **settings))
    command("run", *words(tmp_path, "vote", **settings, reward='[{name="majority_vote"}]'))
    log = read(tmp_path / "vote")
    before, after = log[0]["test/sampled"], log[-1]["test/sampled"]
    print(f"sampled: {before:.3f} -> {after:.3f}")
    assert after > before + 0.04
