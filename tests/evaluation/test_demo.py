"""The demo: it passes as things are, and fails loudly when the oracle, the random agent, the judge or the server is wrong."""

from __future__ import annotations

import json
import math
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from envhub.cli import app
from envhub.core.errors import EnvhubError, MissingExtra, ResourceError
from envhub.core.types import EnvSpec, Fault
from envhub.evaluation import demo
from envhub.evaluation.demo import AGENTS, DemoReport, Diverged, Played, run_demo, sample, serving
from envhub.gymnasium.env import Env
from envhub.registry.registry import list_envs, self_contained, spec
from envhub.verifiers.proofs.checker import close_kernels

PATIENCE_S = 60.0
PLAYED = [id for id in list_envs() if self_contained(id) and demo._absent(id) is None]
FEW = ["countdown-v0", "dataset-v0", "mastermind-v0", "maze-v0", "search-qa-v0", "sudoku-v0"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server names a few environments: what is tested is the demo, which played all of them once."""
    monkeypatch.setattr("envhub.client.hub.Hub.list_envs", lambda *_: FEW)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["demo", "--episodes", "1", *arguments])


def connected(url: str) -> socket.socket:
    host, _, port = url.removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


def played(agent: str, reward: float, error: Fault | None = None, **fields: Any) -> Played:
    place = {"env_id": "x-v0", "difficulty": 1, "seed": 0, "steps": 2, "reset_s": 0.5, "step_s": 0.25, **fields}
    return Played(agent=agent, reward=reward, error=error, **place)


def test_a_sample_has_some_of_each_category_in_order() -> None:
    chosen = sample(PLAYED, 2)
    assert chosen == [id for id in PLAYED if id in chosen]
    counts = Counter(spec(id).category for id in chosen)
    wanted = Counter(spec(id).category for id in PLAYED)
    assert counts == {category: min(2, count) for category, count in wanted.items()}
    assert sample(PLAYED, len(PLAYED)) == PLAYED


@pytest.mark.nightly
def test_the_whole_of_it() -> None:
    shown = run("--all")
    assert shown.exit_code == 0, shown.output
    rows = [line.split() for line in shown.stdout.splitlines()]
    for id in PLAYED:
        for level in range(1, 11):
            assert [row for row in rows if row[:3] == [id, str(level), "1.000"]], (id, level)
    for id in {"dataset-v0", "code-tests-v0", "search-dataset-v0", "lean-theorems-v0"} | set(list_envs()) - set(PLAYED):
        assert f"skipped {id}: " in shown.stdout
    assert "errors (could not be judged): 0" in shown.stdout
    assert shown.stdout.endswith("passed\n")


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_json(url: str) -> None:
    shown = run("--json", "--seed", "7", "--url", url)
    assert shown.exit_code == 0
    assert shown.stderr == ""
    report = json.loads(shown.stdout)
    assert report["passed"] is True
    assert report["failures"] == report["errors"] == []
    assert {cell["env_id"] for cell in report["cells"]} == set(FEW) - {"dataset-v0"}
    assert all(cell["oracle"] == 1.0 for cell in report["cells"])
    assert report["skipped"].keys() == {"dataset-v0"}
    assert "path=" in report["skipped"]["dataset-v0"]
    assert 0.0 <= report["random_mean"] <= report["random_bound"]
    assert report["rates"]["all"]["episodes"] == (len(FEW) - 1) * 10 * 2
    assert report["rates"]["all"]["steps_per_s"] > 0


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_both_agents_get_the_same_tasks_and_the_same_again(url: str) -> None:
    first, second = (run_demo(url, episodes=3, seed=5, levels=(1, 9)) for _ in range(2))
    assert first.passed
    outcomes = [
        [(e.env_id, e.difficulty, e.seed, e.agent, e.reward, e.steps) for e in r.episodes] for r in (first, second)
    ]
    assert outcomes[0] == outcomes[1]
    for agent in AGENTS:
        seeds = [e.seed for e in first.episodes if e.agent == agent]
        assert seeds == [5, 6, 7] * 2 * (len(FEW) - 1)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_the_server_keeps_no_episode(url: str) -> None:
    from envhub.client.hub import connect

    run_demo(url, episodes=1, levels=(1,))
    with connect(url) as hub:
        assert hub.call(("GET", "/ready", None))["episodes"] == 0


# -- what must make it fail ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_an_oracle_that_is_wrong(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Env, "solve", lambda self: "<answer>0</answer>")
    shown = run("--url", url)
    assert shown.exit_code == 1
    assert "FAILED: sudoku-v0 at difficulty 1: the oracle earns 0.000, not 1.000" in shown.stdout
    assert "passed" not in shown.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_a_reward_for_knowing_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "random", demo.oracle)
    shown = run("--url", url)
    assert shown.exit_code == 1
    assert "FAILED: the random agent earns 1.000, more than 0.10" in shown.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("method", "place", "value", "name"),
    [
        ("reset", 0, "another prompt", "observation"),
        ("step", 0, "another observation", "observation"),
        ("step", 1, 0.5, "reward"),
        ("step", 1, math.nan, "reward"),
        ("step", 4, {"verdict": None}, "info"),
    ],
)
def test_a_server_that_says_something_else(
    method: str, place: int, value: Any, name: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = getattr(Env, method)

    def other(self: Env, *arguments: Any, **named: Any) -> Any:
        answer = list(honest(self, *arguments, **named))
        answer[place] = value
        return tuple(answer)

    monkeypatch.setattr(Env, method, other)
    with pytest.raises(Diverged, match=f"The server's {name} is not that of the same task here"):
        run_demo(url, episodes=1, levels=(3,))
    shown = run("--url", url)
    assert shown.exit_code == 1
    assert "difficulty 1, seed 0, oracle agent" in shown.stderr


def test_what_could_not_be_judged_stands_apart() -> None:
    fault = Fault("judge_failed", "the judge is ill")
    report = DemoReport(
        [played("oracle", 1.0), played("oracle", math.nan, fault, seed=3), played("random", math.nan, fault)]
    )
    assert report.cells["x-v0", 1]["oracle"] == 1.0
    assert math.isnan(report.random_mean)
    assert report.failures == ["2 episodes could not be judged"]
    written = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert written["random_mean"] is None
    assert [(error["seed"], error["code"]) for error in written["errors"]] == [(3, "judge_failed"), (0, "judge_failed")]


def test_nothing_played_is_no_success() -> None:
    assert DemoReport([]).failures == ["not everything was played"]
    assert not DemoReport([played("oracle", 1.0), played("random", 0.0)], complete=False).passed
    assert DemoReport([played("oracle", 1.0), played("random", 0.0)]).passed


def test_rates_count_the_time_of_the_server() -> None:
    report = DemoReport([played("oracle", 1.0), played("random", 0.0), played("random", 0.0, env_id="y-v0", steps=5)])
    assert report.rate("x-v0") == {"episodes": 2, "steps": 4, "steps_per_s": 8.0, "resets_per_s": 2.0}
    assert report.rate()["steps_per_s"] == 12.0
    assert report.rate("z-v0")["steps_per_s"] == 0.0


@pytest.mark.slow
def test_an_environment_whose_kernel_is_not_there_is_skipped_aloud(
    url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    close_kernels()
    monkeypatch.setenv("ENVHUB_LEAN", str(tmp_path))
    monkeypatch.setattr("envhub.client.hub.Hub.list_envs", lambda *_: ["lean-proof-v0"])
    report = run_demo(url, episodes=1)
    assert report.episodes == []
    assert "envhub lean setup" in report.skipped["lean-proof-v0"]


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_an_environment_that_needs_more_is_skipped_aloud(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = demo.load

    def missing(found: EnvSpec) -> Any:
        if found.id == "sudoku-v0":
            raise MissingExtra("sudoku-v0 needs more: pip install 'envhub[math]'.")
        return honest(found)

    monkeypatch.setattr(demo, "load", missing)
    shown = run("--url", url)
    assert shown.exit_code == 0
    assert "skipped sudoku-v0: sudoku-v0 needs more: pip install 'envhub[math]'." in shown.stdout


# -- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_ctrl_c_shows_what_was_played_and_stops_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    honest, begun = demo.play_episode, list[str]()
    addresses: list[str] = []

    def stopped(env: Any, mirror: Env, agent: str, **place: Any) -> Played:
        begun.append(agent)
        if len(begun) == 3:
            addresses.append(str(env._hub._http.base_url).rstrip("/"))
            raise KeyboardInterrupt
        return honest(env, mirror, agent, **place)

    monkeypatch.setattr(demo, "play_episode", stopped)
    shown = run("--json")
    assert shown.exit_code == 130
    report = json.loads(shown.stdout)
    assert report["failures"] == ["not everything was played"]
    [cell] = report["cells"]
    assert cell["oracle"] == 1.0
    with pytest.raises(ConnectionRefusedError):
        connected(addresses[0])


@pytest.mark.slow
def test_no_server_outlives_the_one_who_started_it() -> None:
    code = (
        "from envhub.evaluation.demo import serving\nwith serving() as url:\n    print(url, flush=True)\n    input()\n"
    )
    started = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert started.stdout is not None
        with connected(started.stdout.readline().strip()) as connection:
            started.send_signal(signal.SIGKILL)
            assert connection.recv(1) == b""  # the server hangs up, within the connection's patience
    finally:
        started.kill()
        started.communicate()


@pytest.mark.slow
def test_a_failure_inside_stops_the_server() -> None:
    addresses: list[str] = []

    def fail() -> None:
        with serving() as url:
            addresses.append(url)
            connected(url).close()
            raise EnvhubError("mine")

    with pytest.raises(EnvhubError, match="mine"):
        fail()
    with pytest.raises(ConnectionRefusedError):
        connected(addresses[0])


@pytest.mark.slow
def test_a_server_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(ResourceError, match="ended before it listened"), serving():
        pass
    shown = run()
    assert shown.exit_code == 2
    assert "ended before it listened" in shown.stderr


def test_a_server_that_cannot_be_reached() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        shown = run("--url", f"http://127.0.0.1:{taken.getsockname()[1]}")
    assert shown.exit_code == 2
    assert "The server cannot be reached" in shown.stderr
