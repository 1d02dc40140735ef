"""Repositories in containers are as their commands left them after all workers were killed in the middle."""

from __future__ import annotations

from pathlib import Path

import pytest

import envhub
from envhub.core.errors import SplitExhausted
from envhub.core.tools import write_call
from tests.chaos.test_worlds import replays_after_a_kill
from tests.envs.code.swe.conftest import instances
from tests.envs.code.swe.images import COMMAND, SLUG
from tests.sandbox.daemons import docker_host, docker_image

__all__ = ["docker_host", "docker_image", "instances"]
FIXED = SLUG["slug/text.py"].replace('text.split(" ")', "text.lower().split()")


def script(env_id: str, number: int) -> list[str]:
    """An episode whose second half needs what commands and edits of the first left."""
    first = [
        write_call("run", command=f"echo {number} > note; mkdir -p kept; cp slug/text.py kept/"),
        "no call",
        write_call("edit_file", path="slug/text.py", old='split(" ")', new=f"split()  # {number}"),
    ]
    then = [
        write_call(
            "run", command="cat note kept/text.py slug/text.py; python3 -m pytest -q tests 2>&1 | grep -c passed"
        ),
        write_call("write_file", path="slug/text.py", text=FIXED if number % 2 else SLUG["slug/text.py"]),
        write_call("submit"),
    ]
    return [*first, *then]


def replays(episodes: int, instances: Path, folder: Path) -> None:
    """Play the first instance, in the split that has it."""
    settings = {"path": str(instances / "0.jsonl"), "command": COMMAND}
    for split in ("train", "validation", "test"):
        try:
            envhub.make("swe-dataset-v0", split=split, **settings).reset(seed=0)
        except SplitExhausted:
            continue
        chosen = {**settings, "split": split}
        replays_after_a_kill("swe-dataset-v0", episodes, folder, script, chosen, ["--files"])
        return
    raise AssertionError("no split has the instance")


def test_a_few_repositories_go_on(instances: Path, tmp_path: Path) -> None:
    replays(2, instances, tmp_path)


@pytest.mark.nightly
def test_twenty_repositories_go_on(instances: Path, tmp_path: Path) -> None:
    replays(20, instances, tmp_path)
