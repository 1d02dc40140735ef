"""Runs with rewards by name raise held-out success: a majority vote without labels, and max@k what k attempts reach."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from envhub_trainer.config import Config, load
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.render import Renderer
from envhub_trainer.rollout import gather_or_cancel
from envhub_trainer.setup import held_out, opened_player
from envhub_trainer.watch.track import read
from tests.trainer.test_learning import command

pytestmark = pytest.mark.nightly

STEPS = 60
TASKS = 500
K = 4


def words(folder: Path, name: str) -> list[str]:
    changes = {
        "run.folder": folder / name,
        "run.steps": STEPS,
        "run.save_every": 1000,
        "model.path": folder / "start",
        "evaluate.every": STEPS,
        "evaluate.episodes": TASKS,
    }
    return ["addition", *(word for key, value in changes.items() for word in ("--set", f"{key}={value}"))]


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


def test_a_majority_vote_and_max_at_k_raise_held_out_success(tmp_path: Path) -> None:
    command("warmstart", *words(tmp_path, "start"))
    rewards = {"vote": '[{name="majority_vote"}]', "max": f'[{{name="max_at_k", k={K}}}]'}
    sampled, reached = {}, {}
    for name, entries in rewards.items():
        command("run", *words(tmp_path, name), "--set", f"reward={entries}")
        log = read(tmp_path / name)
        sampled[name] = log[0]["test/sampled"], log[-1]["test/sampled"]
        config = load("addition", words(tmp_path, name)[2::2])
        last = tmp_path / name / "checkpoints" / f"step-{STEPS:06d}"
        reached[name] = tuple(asyncio.run(solved_in(K, config, str(model))) for model in (tmp_path / "start", last))
    print("sampled", sampled, f"in {K} attempts", reached)
    assert sampled["vote"][1] > sampled["vote"][0] + 0.05
    assert reached["max"][1] > reached["max"][0] + 0.03
