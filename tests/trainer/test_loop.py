"""Whole runs of a tiny random model: the log, the weights, ahead of the weights and over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from typer import Exit

from envhub.core.errors import RemoteError
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from envhub_trainer import checkpoint
from envhub_trainer.cli import _guarded as guarded
from envhub_trainer.config import AlgorithmConfig, ConfigError, ModelConfig, read
from envhub_trainer.episode import Branch
from envhub_trainer.hub import HubError, LocalHub
from envhub_trainer.models import load_model
from envhub_trainer.policy import PolicyError
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.run import permute_rewards
from envhub_trainer.setup import held_out, measure
from envhub_trainer.skips import StuckError
from envhub_trainer.update import Learner
from envhub_trainer.watch.track import read as read_log
from tests.server.serving import serving
from tests.trainer import runs
from tests.trainer.models import tiny_llama
from tests.trainer.runs import assert_same_weights, trained, weights
from tests.trainer.test_update import REWARDS, groups


def test_a_run_logs_every_step_saves_and_moves_the_weights(tmp_path: Path) -> None:
    config = runs.config(tmp_path, evaluate={"every": 2})
    run = trained(config)
    assert run.step == 4
    log = read_log(config.run.folder)
    assert [line["step"] for line in log] == [0, 1, 2, 3, 4]
    for line in log[1:]:
        assert line["episodes"] == 12
        assert line["staleness_max"] == 0
        assert line["probe"] < 1e-4
        assert line["masked"] == 0
        assert line["learning_rate"] == 1e-3
        assert {
            "reward",
            "entropy",
            "kl",
            "grad_norm",
            "clipped",
            "seconds/wait",
            "seconds/update",
            "tokens",
        } <= line.keys()
    assert [line["step"] for line in log if "test/sampled" in line] == [0, 2, 4]
    assert (config.run.folder / "episodes.jsonl").exists()
    before = load_file(Path(config.model.path) / "model.safetensors")
    assert any(not torch.equal(tensor, before[name]) for name, tensor in weights(config).items())
    names = sorted(path.name for path in (config.run.folder / "checkpoints").iterdir())
    assert names == ["step-000002", "step-000004"]


def test_a_checkpoint_is_a_model_by_itself(tmp_path: Path) -> None:
    config = runs.config(tmp_path)
    trained(config)
    last = checkpoint.latest(config.run.folder / "checkpoints")
    scores = asyncio.run(measure(config, str(last)))
    assert {name: score.episodes for name, score in scores.items()} == {"sampled": 4, "greedy": 4}


def test_the_same_settings_give_the_same_weights_and_another_seed_gives_others(tmp_path: Path) -> None:
    one, again, other = (
        runs.config(tmp_path, run={"folder": str(tmp_path / name), "seed": seed})
        for name, seed in (("one", 3), ("again", 3), ("other", 4))
    )
    for config in (one, again, other):
        trained(config)
    assert_same_weights(one, again)
    with pytest.raises(AssertionError):
        assert_same_weights(one, other)


# -- ahead of the weights, and over HTTP ---------------------------------------------------------------------------


def test_an_asynchronous_run_keeps_to_its_staleness_and_really_runs_ahead(tmp_path: Path) -> None:
    config = runs.config(tmp_path, rollout={"staleness": 2}, run={"steps": 6})
    trained(config)
    log = read_log(config.run.folder)
    assert [line["step"] for line in log] == [1, 2, 3, 4, 5, 6]
    assert all(line["staleness_max"] <= 2 for line in log)
    assert max(line["staleness_max"] for line in log) >= 1
    assert all(line["probe"] < 1e-4 for line in log)


def test_over_http_it_is_the_same_run(tmp_path: Path) -> None:
    here = runs.config(tmp_path, run={"folder": str(tmp_path / "here"), "steps": 2})
    trained(here)
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 1000))) as url:
        there = runs.config(tmp_path, run={"folder": str(tmp_path / "there"), "steps": 2}, tasks={"hub": url})
        trained(there)
    one, other = read_log(here.run.folder), read_log(there.run.folder)
    assert one[0]["reward"] == pytest.approx(other[0]["reward"])
    assert one[0]["episode_tokens"] == pytest.approx(other[0]["episode_tokens"])
    first, second = weights(here), weights(there)
    assert max(float((tensor - second[name]).abs().max()) for name, tensor in first.items()) < 2e-3


def test_a_reinforce_row_with_a_ratio_goes_on_with_old_samples(tmp_path: Path) -> None:
    algorithm = {"name": "rloo", "kl": 0, "importance": 2.0}
    optimizer = {"minibatches": 1, "epochs": 2, "learning_rate": 3e-3}
    config = runs.config(tmp_path, algorithm=algorithm, optimizer=optimizer, rollout={"staleness": 2})
    trained(config)
    assert max(line.get("ratio_max", 0.0) for line in read_log(config.run.folder)) > 1.05  # a step may be skipped


def test_where_update_and_sampler_differ_in_precision_it_is_corrected_and_said(tmp_path: Path) -> None:
    worst = {}
    for name, more in (("corrected", {}), ("plain", {"tis": 0})):
        config = runs.config(
            tmp_path,
            run={"folder": str(tmp_path / name), "steps": 2},
            algorithm={"name": "grpo", "kl": 0, **more},
            optimizer={"bf16": True, "minibatches": 1},
        )
        run = trained(config)
        assert (run.learner.algorithm.correct is None) == ("tis" in more)
        worst[name] = max(line.get("ratio_max", 0.0) for line in read_log(config.run.folder))
        events = (config.run.folder / "events.log").read_text()
        assert "numerics: the update computes in bfloat16 and the sampler in float32." in events
        assert ("corrected by Tis(cap=2.0, level='token')" in events) == (name == "corrected")
    assert worst["plain"] > 1.003 > 1.0001 > worst["corrected"]


def test_ppo_trains_its_critic_and_takes_it_up_again(tmp_path: Path) -> None:
    changes = {"algorithm": {"name": "ppo"}, "run": {"steps": 2}}
    told = runs.config(tmp_path, **changes).model_dump(mode="json")
    del told["algorithm"]["kl"]
    first = trained(read(told)).learner.critic
    assert first is not None
    assert first.weight.abs().sum() > 0
    told["run"]["steps"] = 3
    second = trained(read(told)).learner.critic
    assert second is not None
    moved = (second.weight - first.weight).detach().abs().max()
    assert 0 < float(moved) < 2e-3  # a step of Adam at 1e-3 from where it stood, not from nought


# -- what stops a run ----------------------------------------------------------------------------------------------


def test_a_sampler_with_other_weights_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, held = HfPolicy.sync, tiny_llama(vocabulary=len(runs.digits()))

    async def stale(self: HfPolicy, model: Any, version: int) -> None:
        await real(self, held if version == 3 else model, version)
        held.load_state_dict(model.state_dict())

    monkeypatch.setattr(HfPolicy, "sync", stale)
    config = runs.config(tmp_path, rollout={"staleness": 1}, optimizer={"learning_rate": 1e-2})
    with pytest.raises(PolicyError, match="does not sample from the trainer's weights of version 3"):
        trained(config)


def test_a_hub_that_judges_nothing_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(self: LocalHub, task: Any, turn_seeds: Any) -> Any:
        raise RemoteError("nobody answers")

    monkeypatch.setattr(LocalHub, "begin", away)
    config = runs.config(tmp_path, algorithm={"name": "dapo"})
    with pytest.raises(HubError, match=r"step 1 could be judged \(RemoteError: nobody answers\)"):
        trained(config.model_copy(update={"algorithm": AlgorithmConfig(name="dapo")}))
    assert checkpoint.latest(config.run.folder / "checkpoints") is None


def test_skipped_steps_are_explained_and_counted_and_too_many_stop_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(self: Any, *_: Any) -> Any:
        return None

    real, calls = Learner.learn, iter(range(100))

    def learn(self: Learner, batch: Any, step: int) -> dict[str, float]:
        if next(calls) < 2:
            batch = batch.having(advantage=batch.advantage * float("nan"))
        return real(self, batch, step)

    monkeypatch.setattr(Learner, "learn", learn)
    config = runs.config(tmp_path, run={"steps": 8, "max_skipped": 3})
    before = load_file(Path(config.model.path) / "model.safetensors")
    trained(config)
    log = read_log(config.run.folder)
    assert [line.get("skipped/nonfinite", 0.0) for line in log] == [1.0, 1.0, *[0.0] * 6]
    assert any(not torch.equal(tensor, before[name]) for name, tensor in weights(config).items())
    events = (config.run.folder / "events.log").read_text().splitlines()
    assert [line.split(" ", 1)[1].split(".")[0] for line in events[:2]] == [
        "step 1: skipped: nonfinite",
        "step 2: skipped: nonfinite",
    ]
    assert "Lower optimizer.learning_rate" in events[0]
    assert events[1].endswith("Skipped so far: nonfinite 2.")
    monkeypatch.setattr("envhub_trainer.playing.Seat.earn", none)
    stuck = runs.config(tmp_path, run={"folder": str(tmp_path / "stuck"), "max_skipped": 3})
    with pytest.raises(StuckError, match=r"3 steps in a row .*\(uniform 3\)\. All episodes .*tasks.curriculum"):
        trained(stuck)
    assert [line["skipped/uniform"] for line in read_log(stuck.run.folder)] == [1.0, 1.0]
    with pytest.raises(Exit) as ended:
        guarded(lambda: trained(runs.config(tmp_path, run={"folder": str(tmp_path / "again"), "max_skipped": 1})))
    assert ended.value.exit_code == 1


def test_held_out_tasks_are_of_all_levels_a_curriculum_may_reach(tmp_path: Path) -> None:
    changes = {"tasks": {"environments": {"arithmetic-v0": 1}, "curriculum": {"start": 1}}}
    tasks = held_out(runs.config(tmp_path, evaluate={"episodes": 60}, **changes))
    assert {task.difficulty for task in tasks} == set(range(1, 11))
    tasks = held_out(runs.config(tmp_path, evaluate={"episodes": 20, "difficulty": (2, 3)}, **changes))
    assert {task.difficulty for task in tasks} == {2, 3}


def test_dropout_is_off(tmp_path: Path) -> None:
    from transformers import GPT2Config, GPT2LMHeadModel

    path = tmp_path / "gpt2"
    GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=16, n_embd=16, n_layer=1, n_head=2)).save_pretrained(path)
    model = load_model(str(path), ModelConfig(path=str(path), device="cpu")).train()
    ids = torch.arange(8)[None]
    assert torch.equal(model(ids).logits, model(ids).logits)


def test_an_algorithm_or_environment_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"algorithm: .*grpo"):
        trained(runs.config(tmp_path, algorithm={"name": "grpp"}))
    with pytest.raises(ConfigError, match=r"tasks: .*guess-number-v0"):
        trained(
            runs.config(tmp_path, run={"folder": str(tmp_path / "b")}, tasks={"environments": {"guess-numbr-v0": 1}})
        )
    with pytest.raises(ConfigError, match="warmstart"):
        trained(runs.config(tmp_path, run={"folder": str(tmp_path / "c")}, model={"path": str(tmp_path / "none")}))


def test_permuted_rewards_are_the_same_rewards_on_other_episodes() -> None:
    found = groups(REWARDS)
    before = [episode.reward for group in found for episode in group.episodes]
    permute_rewards(found, 1)
    after = [episode.reward for group in found for episode in group.episodes]
    assert sorted(after) == sorted(before)
    assert after != before


def test_permuted_rewards_reach_continuations_but_not_a_greedy_episode() -> None:
    found = groups(REWARDS)
    for group in found:
        group.branches = [Branch(0, 2, groups([[3.0 + group.number]])[0].episodes[0])]
        group.greedy = groups([[9.0]])[0].episodes[0]
    permute_rewards(found, 1)
    attempts = [episode.reward for group in found for episode in group.episodes]
    continued = [branch.episode.reward for group in found for branch in group.branches]
    assert sorted(attempts + continued) == sorted([reward for each in REWARDS for reward in each] + [3.0, 4.0, 5.0])
    assert continued != [3.0, 4.0, 5.0]
    assert [group.greedy.reward for group in found if group.greedy] == [9.0] * 3
