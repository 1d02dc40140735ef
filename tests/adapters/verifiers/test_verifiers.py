"""verifiers' own evaluation of our taskset and of our environment for older versions, found by name; nightly.

The model is known to solve every task, or its endpoint dies in the middle of every episode.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from envhub.evaluation.demo import serving
from tests.support.places import PEERS, ROOT

pytestmark = pytest.mark.nightly
Model = Callable[..., str]


@pytest.fixture
def model() -> Iterator[Model]:
    """Starts a model that guesses by halving, and gives its address."""
    with ExitStack() as stack:

        def started(*patience: str) -> str:
            command = [sys.executable, str(PEERS / "halving.py"), *patience]
            process = stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            stack.callback(process.communicate)
            assert process.stdout is not None
            return f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"

        yield started


def evaluated(venv: str, arguments: list[str], found: str, folder: Path) -> list[Any]:
    """What an evaluation by a version of verifiers writes, a line an episode."""
    program = ROOT / ".venvs" / venv / "bin" / "vf-eval"
    if not program.exists():
        pytest.skip(f"verifiers is not installed in .venvs/{venv}: see docs/trainers.md")
    command = [str(program), "envhub-verifiers", "-n", "3", "-m", "halving", *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}  # its harness is a program that uv installs
    ran = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env)
    assert ran.returncode == 0, ran.stderr[-3000:] + ran.stdout[-2000:]
    (written,) = folder.glob(found)
    return [json.loads(line) for line in written.read_text().splitlines()]


# -- since 0.4 ---------------------------------------------------------------------------------------------------------


def episodes(model: str, folder: Path, **more: str) -> list[Any]:
    """Of the taskset, by a version since 0.4."""
    given = {"environment": "guess-number-v0", "difficulty": "1", "seed": "7", **more}
    arguments = ["--no-push", "--no-rich"]
    arguments += [part for name, value in given.items() for part in (f"--env.taskset.{name}", value)]
    arguments += ["--client.base-url", model, "--client.api-key-var", "HOME"]  # it wants some key; any will do
    arguments += ["--env.player.runtime.type", "subprocess", "--env.player.harness.id", "null"]
    found = evaluated("verifiers", arguments, "outputs/*/traces.jsonl", folder)
    assert len(found) == 3
    for episode in found:
        if any("uv script" in error["message"] for error in episode["errors"]):
            pytest.skip(f"verifiers could not get uv, which runs its harness: {episode['errors'][0]['message'][:200]}")
    return found


@pytest.mark.parametrize("where", ["here", "there"])
def test_an_evaluation_by_verifiers_itself(where: str, model: Model, tmp_path: Path) -> None:
    with ExitStack() as stack:
        url = {"url": stack.enter_context(serving())} if where == "there" else {}
        found = episodes(model(), tmp_path, **url)
    for episode in found:
        assert episode["errors"] == []
        assert episode["traces"][0]["rewards"] == {"envhub": {"score": 1.0, "weight": 1.0}}


def test_an_endpoint_that_dies_is_no_reward(model: Model, tmp_path: Path) -> None:
    for episode in episodes(model("2"), tmp_path):
        (trace,) = episode["traces"]
        assert not trace["ok"]
        assert trace["errors"]
        assert trace["rewards"] == {}


# -- before 0.4 --------------------------------------------------------------------------------------------------------


def rollouts(model: str, folder: Path, **more: Any) -> list[Any]:
    """Of ``load_environment``, by a version before 0.4."""
    given = {"environment": "guess-number-v0", "difficulty": 1, "seed": 7, "num_tasks": 5, "num_eval_tasks": 5, **more}
    arguments = ["-r", "2", "-a", json.dumps(given), "-b", model, "-k", "HOME", "-d", "-s"]
    found = evaluated("verifiers-0.3", arguments, "outputs/evals/*/*/results.jsonl", folder)
    assert len(found) == 6
    return found


@pytest.mark.parametrize("where", ["here", "there"])
def test_an_evaluation_by_an_older_version(where: str, model: Model, tmp_path: Path) -> None:
    with ExitStack() as stack:
        url = {"url": stack.enter_context(serving())} if where == "there" else {}
        found = rollouts(model(), tmp_path, reward={"accuracy": 1.0, "format": 0.5}, **url)
    for rollout in found:
        assert rollout.get("error") is None
        assert (rollout["reward"], rollout["solved"], rollout["no_answer"]) == (1.5, 1.0, 0.0)
        assert "You found it" in rollout["completion"][-1]["content"]


def test_an_older_version_makes_no_reward_of_an_endpoint_that_dies(model: Model, tmp_path: Path) -> None:
    for rollout in rollouts(model("2"), tmp_path):
        assert rollout["error"]
        assert math.isnan(rollout["reward"])
        assert "solved" not in rollout
