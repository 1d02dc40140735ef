"""A third party's environment: thirty lines in a package with an entry point, and everything works untouched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from envhub.audit import CHECKS
from tests.support.places import TESTS

pytestmark = pytest.mark.slow

# Exactly thirty lines.
MODULE = '''\
from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn
from envhub.core.types import Instance, Verdict
from envhub.verifiers.answers.types import Integer


class Params(BaseParams):
    terms: int = Field(2, ge=2, description="how many numbers")
    digits: int = Field(3, ge=1, description="digits of each")

    @classmethod
    def at(cls, difficulty):
        return cls(terms=1 + 2 * difficulty, digits=3 + difficulty // 2)


class Sum(SingleTurn):
    """Add integers. Action: one integer. Difficulty: more and longer numbers."""
    Params, answer, category = Params, Integer(), "rule_based"
    def sample(self, rng, p):
        xs = [rng.below(10**p.digits) for _ in range(p.terms)]
        return Instance({"xs": xs}, key=sum(xs))
    def canonical(self, content):
        return sorted(content["xs"])
    def prompt(self, problem):
        return "Compute " + " + ".join(map(str, problem["xs"])) + "."
    def grade(self, inst, value):
        return Verdict.exact(value == inst.key)
    def solve(self, inst):
        return str(inst.key)
'''

SERVED = """
import socket, threading
import uvicorn
import envhub
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings

assert "toy-sum-v0" in envhub.list_envs() and envhub.spec("toy-sum-v0").source == "toy-envs"
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
server = uvicorn.Server(uvicorn.Config(create_app(ServerSettings()), log_level="error"))
thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
thread.start()
listener.listen()
try:
    with envhub.connect(f"http://127.0.0.1:{listener.getsockname()[1]}") as hub:
        assert "toy-sum-v0" in hub.list_envs()
        remote, mirror = hub.make("toy-sum-v0", difficulty=4), envhub.make("toy-sum-v0", difficulty=4)
        assert remote.reset(seed=9) == mirror.reset(seed=9)
        wrong = remote.fork().step("<answer>1</answer>")
        right = remote.step(mirror.solve())
        print(wrong[1], right[1], right[2])
finally:
    server.should_exit = True
    thread.join()
"""


@pytest.fixture
def plugin(tmp_path: Path) -> dict[str, str]:
    """The environment variables under which a freshly made plug-in is installed."""
    assert len(MODULE.splitlines()) == 30
    (tmp_path / "toy_envs").mkdir()
    (tmp_path / "toy_envs" / "__init__.py").write_text("")
    (tmp_path / "toy_envs" / "sum.py").write_text(MODULE)
    info = tmp_path / "toy_envs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-envs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[envhub.environments]\ntoy-sum-v0 = toy_envs.sum:Sum\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def _run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, cwd=TESTS.parent, check=False
    )


def test_a_plugin_is_found_and_served_over_http(plugin: dict[str, str]) -> None:
    run = _run(["-c", SERVED], plugin)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["0.0", "1.0", "True"]


def test_a_plugin_passes_the_whole_registry_suite_untouched(plugin: dict[str, str]) -> None:
    command = [
        "-m",
        "pytest",
        "tests/registry/test_contract.py",
        "--envs",
        "toy-sum-v0",
        "-rs",
        "-p",
        "no:cacheprovider",
    ]
    run = _run(command, plugin)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{len(CHECKS) + 2} passed, 3 skipped" in run.stdout  # its golden digests are its own affair


def test_a_broken_plugin_fails_the_registry_suite(plugin: dict[str, str]) -> None:
    path = Path(plugin["PYTHONPATH"]) / "toy_envs" / "sum.py"
    path.write_text(path.read_text().replace("value == inst.key", "abs(value - inst.key) < 100"))
    run = _run(
        ["-m", "pytest", "tests/registry/test_contract.py", "--envs", "toy-sum-v0", "-p", "no:cacheprovider"], plugin
    )
    assert run.returncode == 1
    assert "perturbed answers pass" in run.stdout
