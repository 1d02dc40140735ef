"""Whole runs with companions: resumed they end with the same weights; and a newcomer's algorithm runs from the docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch

from envhub_trainer import checkpoint
from envhub_trainer.algorithms import algorithm
from envhub_trainer.config import Config, ConfigError
from envhub_trainer.watch.track import read as read_log
from tests.support.places import ROOT
from tests.trainer import runs
from tests.trainer.algorithms.toys import batch_of, episodes
from tests.trainer.runs import assert_same_weights, trained

OWN = {"value_trunk": "own", "value_normalise": True, "value_warmup": 1}
CASES: dict[str, dict[str, Any]] = {
    "ppo": {"algorithm": {"name": "ppo", **OWN}},
    "vapo": {"algorithm": {"name": "vapo", "value_warmup": 1, "success": 0.5}},
    "prime": {"algorithm": {"name": "prime", "success": 0.5, "refill": False}},
    "steps": {"algorithm": {"name": "steps", "success": 0.5}},
    "spo": {
        "algorithm": {"name": "spo"},
        "tasks": {"reward": {"accuracy": 1.0}, "pool": 5},  # returns from 0 to 1
        "rollout": {"groups": 12, "size": 1},
    },
    "controllers": {"algorithm": {"name": "grpo", "kl": 0.1, "kl_target": 0.001, "entropy_target": 5.0}},
}


def config(folder: Path, name: str, steps: int, at: str) -> Config:
    return runs.config(folder, **CASES[name], run={"folder": str(folder / at), "steps": steps})


def rest(settings: Config) -> Any:
    last = checkpoint.latest(settings.run.folder / "checkpoints")
    assert last is not None
    saved, _ = checkpoint.load(last)
    return saved


def same(one: Any, other: Any) -> bool:
    """Whether nested states are equal, tensors bit for bit."""
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.mark.parametrize("name", CASES)
def test_a_run_that_stops_and_goes_on_ends_with_the_same_models(name: str, tmp_path: Path) -> None:
    whole = config(tmp_path, name, 4, "whole")
    trained(whole)
    trained(config(tmp_path, name, 2, "halves"))
    halves = config(tmp_path, name, 4, "halves")
    trained(halves)
    assert_same_weights(whole, halves)
    one, other = rest(whole), rest(halves)
    assert same(one["companions"], other["companions"])
    assert one["coefficients"] == other["coefficients"]
    assert bool(one["companions"]) == (name != "controllers")
    told = {key for line in read_log(whole.run.folder) for key in line}
    kind = {
        "ppo": "value_loss",
        "vapo": "value_loss",
        "prime": "process_loss",
        "steps": "process_loss",
        "spo": "tracked",
    }
    assert kind.get(name, "coefficient/1") in told


def test_settings_that_do_not_fit_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"Set tasks\.pool"):
        trained(runs.config(tmp_path, algorithm={"name": "spo"}))
    with pytest.raises(ConfigError, match=r"only the critic learns in the first 4 steps, and run\.steps is 4"):
        trained(runs.config(tmp_path, algorithm={"name": "vapo", "value_warmup": 4}))
    curriculum = {"pool": 4, "curriculum": {"window": 4}}
    with pytest.raises(ConfigError, match=r"tasks\.pool and tasks\.curriculum exclude each other"):
        trained(runs.config(tmp_path, tasks=curriculum))
    assert not (tmp_path / "run").exists()


def newcomer() -> str:
    """The example of the docs: an algorithm of one's own."""
    text = (ROOT / "docs" / "trainer.md").read_text()
    (code,) = re.findall(r"```python\n(\"\"\"OPO.*?)```", text, re.DOTALL)
    return str(code)


def test_a_newcomer_adds_an_algorithm_from_the_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(newcomer().splitlines()) < 30
    (tmp_path / "my_algorithms.py").write_text(newcomer())
    monkeypatch.syspath_prepend(str(tmp_path))
    batch, _ = batch_of(episodes(groups=1))
    found = algorithm("my_algorithms:OPO").advantage(batch).advantage
    assert found is not None
    lengths = [int(batch.mask[batch.episode == e].sum()) for e in range(4)]
    scores = batch.score.tolist()
    baseline = sum(n * r for n, r in zip(lengths, scores, strict=True)) / sum(lengths)  # 2505.23585
    for row, episode in enumerate(batch.episode.tolist()):
        wanted = batch.mask[row] * (scores[episode] - baseline)
        torch.testing.assert_close(found[row], wanted)
    settings = {"algorithm": {"name": "my_algorithms:OPO", "kl": 0, "entropy": 0.01}}
    run = trained(runs.config(tmp_path, **settings, optimizer={"minibatches": 1}, run={"steps": 2}))
    assert (run.step, run.skips.counts.total()) == (2, 0)


def test_an_algorithm_of_one_s_own_that_is_not_there_says_so() -> None:
    for name, said in (("no_such_module:ROW", "No module named"), ("math:pi", "must be an Algorithm, got float")):
        with pytest.raises(ValueError, match=said):
            algorithm(name)
    with pytest.raises(ValueError, match="has no attribute 'nothing'"):
        algorithm("math:nothing")
