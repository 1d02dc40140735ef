"""Runs that are killed, stopped or finished, and continued from their checkpoint."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from envhub_trainer import checkpoint
from envhub_trainer.config import Config, ConfigError
from envhub_trainer.watch.track import read as read_log
from tests.support.places import ROOT
from tests.trainer import runs
from tests.trainer.runs import assert_same_weights, trained

KILLED = """
import asyncio, json, os, signal, sys
from pathlib import Path
import envhub_trainer.checkpoint, envhub_trainer.run
from envhub_trainer.config import read
from envhub_trainer.loop import train

where, count = sys.argv[2], int(sys.argv[3])
owner = envhub_trainer.checkpoint if where == "_sync" else envhub_trainer.run.Run
real = getattr(owner, where)
calls = 0

def counted(*args):
    global calls
    calls += 1
    if calls == count:
        os.kill(os.getpid(), signal.SIGTERM if where == "learn" else signal.SIGKILL)
    return real(*args)

setattr(owner, where, counted)
asyncio.run(train(read(json.loads(sys.argv[1]))))
"""


def run_until(config: Config, where: str, count: int) -> int:
    """Train in a process that is killed at a call; its exit code."""
    told = json.dumps(config.model_dump(mode="json"))
    done = subprocess.run(
        [sys.executable, "-c", KILLED, told, where, str(count)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


SETTINGS: dict[str, Any] = {
    "tasks": {
        "curriculum": {"window": 4, "target": (0.1, 0.2), "start": 2},
        "environments": {"arithmetic-v0": 1, "maze-v0": 1},
    },
    "optimizer": {"learning_rate": 1e-3, "minibatches": 2, "warmup": 3},
    "rollout": {"groups": 4, "size": 2, "max_tokens": 6, "context": 128},
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Config:
    folder = tmp_path_factory.mktemp("undisturbed")
    config = runs.config(folder, **SETTINGS)
    trained(config)
    return config


@pytest.mark.parametrize(
    ("where", "count"),
    [("sample", 1), ("sample", 4), ("sync", 3), ("log", 4), ("_sync", 3), ("_sync", 11)],
    ids=lambda value: str(value),
)
def test_a_run_that_is_killed_goes_on_to_the_same_weights(
    undisturbed: Config, tmp_path: Path, where: str, count: int
) -> None:
    changes = {**SETTINGS, "model": {"path": undisturbed.model.path, "device": "cpu"}}
    config = runs.config(tmp_path, **changes)
    assert run_until(config, where, count) == -signal.SIGKILL
    again = trained(config)
    assert again.step == 4
    assert_same_weights(config, undisturbed)
    timeless = [
        {name: line.get(name) for name in ("step", "reward", "loss", "grad_norm", "entropy", "skipped")}
        for line in read_log(config.run.folder)
    ]
    expected = [
        {name: line.get(name) for name in ("step", "reward", "loss", "grad_norm", "entropy", "skipped")}
        for line in read_log(undisturbed.run.folder)
    ]
    assert timeless == expected


def test_sigterm_ends_the_run_after_its_step_and_saves_it(undisturbed: Config, tmp_path: Path) -> None:
    config = runs.config(tmp_path, **{**SETTINGS, "model": {"path": undisturbed.model.path, "device": "cpu"}})
    assert run_until(config, "learn", 3) == 0
    last = checkpoint.latest(config.run.folder / "checkpoints")
    assert last is not None
    assert last.name == "step-000003"
    trained(config)
    assert_same_weights(config, undisturbed)


@pytest.mark.parametrize("save_every", [1, 2])
def test_checks_and_evaluations_leave_nothing_that_a_resumed_run_lacks(tmp_path: Path, save_every: int) -> None:
    changes: dict[str, Any] = {
        "rollout": {"groups": 12, "size": 8, "max_tokens": 6, "context": 128},
        "policy": {"slots": 256},
        "evaluate": {"every": 1, "episodes": 5},
        "model": {"path": str(runs.model(tmp_path)), "device": "cpu"},
    }
    whole = runs.config(tmp_path, run={"folder": str(tmp_path / "whole")}, **changes)
    trained(whole)
    halves = {"folder": str(tmp_path / "halves"), "save_every": save_every}
    trained(runs.config(tmp_path, run={**halves, "steps": 2}, **changes))
    parts = runs.config(tmp_path, run={**halves, "steps": 4}, **changes)
    trained(parts)
    assert_same_weights(parts, whole)


def test_a_finished_run_is_done(tmp_path: Path) -> None:
    config = runs.config(tmp_path)
    trained(config)
    log = (config.run.folder / "log.jsonl").read_text()
    assert trained(config).step == 4
    assert (config.run.folder / "log.jsonl").read_text() == log


def test_a_checkpoint_that_cannot_be_written_is_tried_again_after_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, full = torch.save, [2]

    def save(value: Any, path: Path) -> None:
        if path.parent.name == f".draft-{full[0]:06d}":
            path.write_bytes(b"half")
            raise OSError(28, "No space left on device")
        real(value, path)

    monkeypatch.setattr(torch, "save", save)
    config = runs.config(tmp_path, run={"keep": 9})
    trained(config)
    assert sorted(path.name for path in (config.run.folder / "checkpoints").iterdir()) == ["step-000003", "step-000004"]
    event = "step 2: checkpoint failed: [Errno 28] No space left on device. None is kept; the next step tries again."
    assert event in (config.run.folder / "events.log").read_text()
    full[0] = 6
    longer = runs.config(tmp_path, run={"keep": 9, "steps": 6})
    with pytest.raises(OSError, match="No space left"):
        trained(longer)
    full[0] = 0
    assert trained(longer).step == 6
    events = (config.run.folder / "events.log").read_text()
    assert "step 6: checkpoint failed" in events
    assert "step 4: resumed from step-000004; 0 groups that had begun are played again." in events


def test_a_longer_run_goes_on_and_another_run_is_refused(tmp_path: Path) -> None:
    config = runs.config(tmp_path)
    trained(config)
    longer = runs.config(tmp_path, run={"steps": 5})
    assert trained(longer).step == 5
    with pytest.raises(ConfigError, match="other settings of optimizer"):
        trained(runs.config(tmp_path, optimizer={"learning_rate": 2e-3}))
