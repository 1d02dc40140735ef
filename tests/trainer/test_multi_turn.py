"""Short runs over many turns: the policy against itself, and tools, in process and over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.authoring import write_call
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from envhub_trainer.checkpoint import latest
from envhub_trainer.config import RECIPES, load
from envhub_trainer.conversations import self_play
from envhub_trainer.loop import train
from envhub_trainer.setup import task_stream
from envhub_trainer.watch.report import report
from envhub_trainer.watch.track import EPISODES, lines, read
from tests.server.serving import serving
from tests.trainer import runs

WORDS = ("check", "bet", "call", "fold")
CALLS = (
    *(write_call("open", doc=f"doc-{number}") for number in range(1, 5)),
    write_call("search", query="the founder of the company"),
    write_call("find", text="was born in"),
    write_call("submit", answer="nobody"),
)
TAKEN = {
    "kuhn": (WORDS, {"kuhn-poker-v0": {"weight": 1, "opponent": "self", "hands": 3}}),
    "search": (CALLS, {"search-qa-v0": {"weight": 1, "people": 8, "namesakes": 0, "facts": 1}}),
}


def last_calls(environments: dict[str, Any]) -> list[str]:
    """What ends the tasks of the first step, where calls are made: so that something is earned."""
    found = []
    for task, _ in zip(envhub.TaskStream(environments, seed=runs.SEED), range(2), strict=False):
        env = envhub.begin(task)
        while task.tools and not env.episode.over:
            found.append(env.solve())
            env.step(found[-1])
    return [call for call in found if '"submit"' in call]


def trained(folder: Path, which: str, **changes: Any) -> list[dict[str, float]]:
    """The log of a run of three steps with a random model that says whole moves or calls."""
    words, environments = TAKEN[which]
    runs.model(folder, tokens=runs.speaking(*words, *last_calls(environments)))
    config = runs.config(
        folder,
        run={"steps": 3, "folder": str(folder / f"run{len(changes)}")},
        tasks={"environments": environments, "answer_format": None, "reward": None, **changes},
        rollout={"groups": 2, "size": 6, "max_tokens": 2, "context": 128, "turn_seed": "varied"},
        track={"samples": 12},
    )
    run = asyncio.run(train(config))
    assert run.step == 3
    assert latest(config.run.folder / "checkpoints") is not None
    assert report(config.run.folder).exists()
    return read(config.run.folder)


@pytest.mark.parametrize("which", TAKEN)
def test_a_run_takes_its_steps(tmp_path: Path, which: str) -> None:
    log = trained(tmp_path, which)
    assert [line["step"] for line in log] == [1, 2, 3]
    for line in log:
        assert line["masked"] == 0
        assert line["probe"] < 1e-4
        assert line["turns"] > 1
    assert any(line.get("grad_norm", 0) > 0 for line in log)


def test_both_seats_are_learned_from_and_shown(tmp_path: Path) -> None:
    log = trained(tmp_path, "kuhn")
    assert all(12 < line["episodes"] <= 24 for line in log)  # twelve games
    assert any(line["env/kuhn-poker-v0/seat/0/reward"] != 0 for line in log)
    assert not any("solved" in line for line in log)
    kept = list(lines(tmp_path / "run0" / EPISODES))
    assert {episode["seat"] for episode in kept} == {0, 1}
    assert "seat 1 of a game of the policy with itself" in (tmp_path / "run0" / "report.html").read_text()


def test_a_context_that_tools_fill_ends_the_episode_unsolved(tmp_path: Path) -> None:
    log = trained(tmp_path, "search")
    assert any(line["overlong"] > 0 for line in log)
    full = [episode for episode in lines(tmp_path / "run0" / EPISODES) if episode["overlong"] and episode["truncated"]]
    assert full
    for episode in full:
        assert (episode["solved"], episode["reward"], episode["error"]) == (False, 0.0, None)


@pytest.mark.parametrize("which", TAKEN)
def test_over_http_it_is_the_same_run(tmp_path: Path, which: str) -> None:
    here = trained(tmp_path, which)
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 1000))) as url:
        there = trained(tmp_path, which, hub=url)
    for name in ("episodes", "episode_tokens", "turns", "reward_std"):
        assert here[0][name] == pytest.approx(there[0][name])


@pytest.mark.parametrize(("name", "alone"), [("kuhn", True), ("search", False)])
def test_the_recipes_name_tasks_that_there_are(name: str, alone: bool) -> None:
    config = load(RECIPES / f"{name}.toml")
    assert config.run.steps >= 20
    task = next(task_stream(config.tasks, "train", 0))
    assert self_play(task) is alone
    other = config.evaluate.environments
    if other is not None:
        assert not self_play(next(iter(envhub.TaskStream(other))))
