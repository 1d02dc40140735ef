"""A file of instances whose images a Docker daemon has."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import envhub
from envhub.core.errors import SplitExhausted
from envhub.gymnasium.env import Env
from tests.envs.code.swe.images import COMMAND, QUEUE, SLUG, build, rows
from tests.sandbox.daemons import docker_host, docker_image

__all__ = ["docker_host", "docker_image"]
BROKEN = {
    **QUEUE,
    "run_tests.sh": "pytest r2e_tests",
    "r2e_tests/test_1.py": "secret",
    "ring/buffer.py": QUEUE["ring/buffer.py"].replace("[-self.size :]", "[: self.size]"),
}


@pytest.fixture(scope="session")
def instances(docker_image: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with an instance in each format."""
    slug, ring = build(docker_image, "slug:1", SLUG), build(docker_image, "ring:1", QUEUE)
    build(docker_image, "ring:1-broken", BROKEN)
    folder = tmp_path_factory.mktemp("instances")
    for number, row in enumerate(rows(slug, ring)):
        (folder / f"{number}.jsonl").write_text(json.dumps(row) + "\n")
    return folder


@pytest.fixture
def begun(instances: Path) -> Callable[..., Env]:
    """An episode of the instance in one of the formats."""

    def begin(number: int, **given: object) -> Env:
        path = str(instances / f"{number}.jsonl")
        for split in ("train", "validation", "test"):
            env = envhub.make("swe-dataset-v0", path=path, command=COMMAND, split=split, **given)
            try:
                env.reset(seed=1)
            except SplitExhausted:
                continue
            return env
        raise AssertionError("no split has the instance")

    return begin
