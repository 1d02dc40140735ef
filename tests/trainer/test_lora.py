"""Runs with adapters: the base never changes, and a checkpoint resumes, samples and exports exactly."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from envhub_trainer import checkpoint, lora
from envhub_trainer.config import Config, ConfigError, LoraConfig
from envhub_trainer.export import export
from envhub_trainer.loop import train
from envhub_trainer.models import ADAPTER
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.run import Run
from envhub_trainer.setup import measure, opened
from envhub_trainer.watch.track import read as read_log
from tests.trainer import runs
from tests.trainer.models import tiny_llama

pytest.importorskip("peft", reason="adapters need peft")


def config(folder: Path, steps: int = 4, lora: Any = None, **changes: Any) -> Config:
    given = {"rank": 4, "alpha": 8, **(lora or {})}
    return runs.config(folder, lora=given, **{**changes, "run": {"steps": steps, **changes.get("run", {})}})


def last(config: Config) -> Path:
    found = checkpoint.latest(config.run.folder / "checkpoints")
    assert found is not None
    return found


def adapters(config: Config) -> dict[str, torch.Tensor]:
    return load_file(last(config) / "adapter_model.safetensors")


def test_only_adapters_are_trained_and_saved_and_the_base_is_as_it_was(tmp_path: Path) -> None:
    settings = config(tmp_path)
    before = load_file(Path(settings.model.path) / "model.safetensors")
    run = asyncio.run(train(settings))
    now = run.learner.model.state_dict()
    kept = {name.replace(".base_layer", ""): tensor for name, tensor in now.items() if "lora_" not in name}
    assert before.keys() <= kept.keys()
    assert all(torch.equal(kept[name], tensor) for name, tensor in before.items())
    assert any("lora_B" in name and tensor.any() for name, tensor in now.items())
    assert run.learner.size == sum(tensor.numel() for tensor in adapters(settings).values())
    assert not (last(settings) / "model.safetensors").exists()
    assert (last(settings) / ADAPTER).exists()
    assert all(line["probe"] < 1e-4 for line in read_log(settings.run.folder)[1:])


@pytest.mark.parametrize("changes", [{}, {"lora": {"sync": "merged"}}, {"model": {"dtype": "bfloat16"}}], ids=str)
def test_two_steps_and_two_more_are_four_bit_for_bit(tmp_path: Path, changes: dict[str, Any]) -> None:
    whole, parts = (config(tmp_path, run={"folder": str(tmp_path / name)}, **changes) for name in ("whole", "parts"))
    asyncio.run(train(whole))
    for steps in (2, 4):
        asyncio.run(train(parts.model_copy(update={"run": parts.run.model_copy(update={"steps": steps})})))
    expected, found = adapters(whole), adapters(parts)
    assert expected.keys() == found.keys()
    assert all(torch.equal(found[name], tensor) for name, tensor in expected.items())


def test_the_sampler_receives_merged_weights_or_adapters(tmp_path: Path) -> None:
    async def names(settings: Config) -> set[bool]:
        async with opened(settings) as run:
            assert isinstance(run.policy, HfPolicy)
            await one_step(run)
            return {"lora_" in name for name in run.policy._engine.forward.model.state_dict()}

    async def one_step(run: Run) -> None:
        run.rollouts.proceed(0)
        await run.learn(run.learner.prepare(await run.sample()))
        run.step = 1
        await run.sync()  # probes that sampler and trainer agree

    for sync, staleness, expected in (("merged", 0, {False}), ("merged", 1, {False}), ("adapter", 1, {True, False})):
        folder = {"folder": str(tmp_path / f"{sync}{staleness}")}
        settings = config(tmp_path, lora={"sync": sync}, rollout={"staleness": staleness}, run=folder)
        assert asyncio.run(names(settings)) == expected


def test_an_exported_model_is_the_base_with_the_adapters_merged(tmp_path: Path) -> None:
    settings = config(tmp_path, steps=2)
    run = asyncio.run(train(settings))
    folder = export(settings.run.folder, tmp_path / "exported")
    plain = lora.load(str(folder), settings)
    ids = torch.arange(10)[None]
    with torch.no_grad():
        base = lora.load(settings.model.path, settings)
        ours, theirs, before = (model(ids).logits for model in (run.learner.model, plain, base))
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=0)
    assert (ours - before).abs().max() > 1e-4
    assert (folder / "tokenizer.json").exists()
    scores = [asyncio.run(measure(settings, str(each)))["sampled"].solved for each in (folder, last(settings))]
    assert scores[0] == scores[1]
    with pytest.raises(ConfigError, match=r"holds adapters without their base model. `envhub train export"):
        lora.load_model(str(last(settings)), settings.model)
    with pytest.raises(ConfigError, match="exists already"):
        export(settings.run.folder, folder)


def test_settings_that_do_not_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"lora\.targets: .*no_such_layer"):
        lora.attach(tiny_llama(), LoraConfig(targets=("no_such_layer",)))
    with pytest.raises(ConfigError, match="vLLM receives merged weights"):
        asyncio.run(train(config(tmp_path, lora={"sync": "adapter"}, policy={"kind": "vllm"})))
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(ConfigError, match=r"pip install 'envhub\[lora\]'"):
        lora.attach(tiny_llama(), LoraConfig())
