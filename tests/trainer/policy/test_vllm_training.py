"""Twenty steps of training with a real vLLM server as the sampler; every sync is verified by log-probabilities."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from envhub_trainer.loop import train
from envhub_trainer.watch.track import read
from tests.trainer import runs
from tests.trainer.models import tiny_llama
from tests.trainer.policy.vllm_models import ENVIRONMENT, OPTIONS, python_with_vllm

pytestmark = pytest.mark.nightly


def test_twenty_steps_with_verified_syncs(tmp_path: Path) -> None:
    python = python_with_vllm()
    model = tmp_path / "model"
    tiny_llama(vocabulary=len(runs.digits()), width=128).save_pretrained(model)  # heads of 32, which vLLM wants
    runs.digits().save_pretrained(model)
    config = runs.config(
        tmp_path,
        run={"steps": 20, "save_every": 20},
        model={"path": str(model)},
        algorithm={"entropy": 0.01},  # so that every step moves the weights
        policy={"kind": "vllm", "python": python, "options": list(OPTIONS), "environment": ENVIRONMENT},
    )
    run = asyncio.run(train(config))
    log = read(config.run.folder)
    assert run.step == 20
    assert [line["step"] for line in log] == list(range(1, 21))
    assert all(line["probe"] < 1e-4 for line in log)
    assert all(line["staleness_max"] == 0 for line in log)
    assert all(line["grad_norm"] > 0 for line in log)
    assert all(line["masked"] == 0 for line in log)
