"""Optimisers lose no small update, resume exactly, and name the package that is missing."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from envhub_trainer.config import Config, ConfigError, OptimizerConfig
from envhub_trainer.loop import train
from envhub_trainer.optimizers import Masters, build, parameters
from tests.trainer import runs
from tests.trainer.models import tiny_llama
from tests.trainer.test_update import REWARDS, groups, learner


def stepped(weight: nn.Parameter, optimizer: Any, steps: int) -> float:
    for _ in range(steps):
        optimizer.zero_grad()
        (weight * 1.0).sum().backward()
        optimizer.step()
    return float(weight.detach()[0])


def test_updates_too_small_for_bfloat16_add_up() -> None:
    settings = OptimizerConfig(learning_rate=1e-4, weight_decay=0)
    bare = nn.Parameter(torch.ones(4, dtype=torch.bfloat16))
    assert stepped(bare, torch.optim.AdamW([bare], lr=1e-4, weight_decay=0), 100) == 1.0, "each of them is lost"
    kept = nn.Parameter(torch.ones(4, dtype=torch.bfloat16))
    assert stepped(kept, build([kept], settings), 100) == pytest.approx(0.99, abs=0.002)


def test_gradients_of_micro_batches_are_summed_in_float32() -> None:
    weight = nn.Parameter(torch.ones(1, dtype=torch.bfloat16))
    optimizer = build([weight], OptimizerConfig())
    for part in [1.0] + [2.0**-10] * 512:
        (weight * part).sum().backward()
    (copy,) = parameters(optimizer)
    assert copy.grad is not None
    assert float(copy.grad) == 1.5
    assert weight.grad is None
    optimizer.zero_grad()
    assert copy.grad is None


def test_weights_in_float32_have_no_copy_and_frozen_ones_no_state() -> None:
    low, full, frozen = (
        nn.Parameter(torch.ones(2, dtype=dtype)) for dtype in (torch.bfloat16, torch.float32, torch.float32)
    )
    frozen.requires_grad_(False)
    optimizer = build([low, full, frozen], OptimizerConfig())
    copy, other = parameters(optimizer)
    assert copy.dtype == torch.float32
    assert other is full
    assert isinstance(build([full], OptimizerConfig()), torch.optim.AdamW)


def learned(optimizer: str, dtype: torch.dtype, steps: int, state: Any = None, weights: Any = None) -> tuple[Any, Any]:
    trained = learner(seed=4)
    trained.settings = OptimizerConfig(learning_rate=1e-3, kind=optimizer, minibatches=2)  # type: ignore[arg-type]
    trained.model = tiny_llama(4).to(dtype)
    trained.__post_init__()
    if state is not None:
        trained.model.load_state_dict(weights)
        trained.optimizer.load_state_dict(state)
    for step in range(steps):
        trained.learn(trained.prepare(groups(REWARDS)), step + (2 if state else 0))  # type: ignore[arg-type]
    return trained.model, trained.optimizer


def flat(model: Any) -> Tensor:
    return torch.cat([weight.detach().flatten() for weight in model.parameters()])


@pytest.mark.parametrize(
    ("kind", "dtype"), [("adamw", "bfloat16"), ("adamw8bit", "float32"), ("adamw8bit", "bfloat16")]
)
def test_two_steps_saved_and_two_more_are_four(kind: str, dtype: str, tmp_path: Path) -> None:
    if kind == "adamw8bit":
        pytest.importorskip("bitsandbytes", reason="the 8-bit optimiser needs bitsandbytes")
    of = getattr(torch, dtype)
    model, optimizer = learned(kind, of, 2)
    torch.save({"optimizer": optimizer.state_dict(), "model": model.state_dict()}, tmp_path / "state.pt")
    told = torch.load(tmp_path / "state.pt", weights_only=True)
    resumed, _ = learned(kind, of, 2, told["optimizer"], told["model"])
    whole, four = learned(kind, of, 4)
    assert isinstance(four, Masters) == (dtype == "bfloat16")
    assert torch.equal(flat(resumed), flat(whole))
    assert not torch.equal(flat(resumed), flat(model))


def test_a_run_in_bfloat16_resumes_bit_for_bit_and_says_how_it_computes(tmp_path: Path) -> None:
    def run(name: str, steps: int) -> Config:
        folder = {"folder": str(tmp_path / name), "steps": steps}
        config = runs.config(tmp_path, run=folder, model={"dtype": "bfloat16"}, optimizer={"pack": True})
        asyncio.run(train(config))
        return config

    whole = run("whole", 4)
    run("parts", 2)
    parts = run("parts", 4)
    one, other = (
        load_file(config.run.folder / "checkpoints/step-000004/model.safetensors") for config in (whole, parts)
    )
    assert {tensor.dtype for tensor in one.values()} == {torch.bfloat16}
    assert all(torch.equal(tensor, other[name]) for name, tensor in one.items())
    assert (
        "the update computes in bfloat16 and the sampler in bfloat16" in (whole.run.folder / "events.log").read_text()
    )


def test_eight_bits_learn_almost_the_same() -> None:
    pytest.importorskip("bitsandbytes", reason="the 8-bit optimiser needs bitsandbytes")
    start, full, eight = (flat(each) for each in (tiny_llama(4), learned("adamw", torch.float32, 4)[0],
                                                  learned("adamw8bit", torch.float32, 4)[0]))  # fmt: skip
    moved = (full - start).norm()
    assert 0 < (full - eight).norm() < 0.2 * moved


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitsandbytes.optim", None)
    with pytest.raises(ConfigError, match=r"needs bitsandbytes: pip install 'envhub\[adam8bit\]'"):
        build([nn.Parameter(torch.ones(2))], OptimizerConfig(kind="adamw8bit"))
