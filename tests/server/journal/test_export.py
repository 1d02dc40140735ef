"""Finished episodes as trajectories: all of them, whole, and made from the record alone."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envhub.authoring import write_call
from envhub.server.journal import Journal, StoredEpisode
from envhub.server.journal.export import export, trajectory
from tests.server.journal.kinds import TTL, Clock, Open, run
from tests.server.serving import GUESS, Api, local
from tests.support.toys import adder

MakeApi = Callable[..., Api]


def lines(journal: Journal) -> list[Any]:
    file = io.BytesIO()
    written = run(export(journal, file))
    found = [json.loads(line) for line in file.getvalue().splitlines()]
    assert written == len(found)
    return found


def played(api: Api, id: str, seed: int, **fields: Any) -> None:
    env = local(GUESS, seed)
    api.create(GUESS, id, seed=seed, **fields)
    turn, over = 0, False
    while not over:
        action = env.solve()
        api.step(turn, action, id)
        over = any(env.step(action)[2:4])
        turn += 1


@pytest.fixture
def journal(open_journal: Open) -> Journal:
    return open_journal()


def test_a_line_tells_the_whole_episode(journal: Journal, make_api: MakeApi) -> None:
    api = make_api(journal)
    api.create(GUESS, "unfinished", seed=1)
    played(api, "b", 2, options={"system": "Be brief."}, turn_seed=5)
    played(api, "a", 1)
    whole = api.look("b")
    first, second = lines(journal)
    assert (first["episode_id"], second["episode_id"]) == ("b", "a")
    assert first["messages"] == whole["messages"]
    assert first["messages"][0] == {"role": "system", "content": "Be brief."}
    assert first["rewards"] == [step["reward"] for step in whole["steps"]]
    assert first["reward"] == math.fsum(first["rewards"]) == 1.0
    assert first["actions"] == [m["content"] for m in whole["messages"] if m["role"] == "assistant"]
    assert first["verdict"] == whole["steps"][-1]["info"]["verdict"]
    assert (first["terminated"], first["truncated"], first["error"]) == (True, False, None)
    assert (first["turn_seed"], second["turn_seed"]) == (5, 0)
    assert local(GUESS, 2).task.prompt == first["messages"][1]["content"]
    assert first["task"]["seed"] == 2
    turns = first["timing"]["turns"]
    assert len(turns) == len(first["actions"])
    assert all(turn["at"] >= first["timing"]["begun"] and turn["took_s"] >= 0 for turn in turns)


@pytest.mark.parametrize("kind", ["memory"], indirect=True)
def test_what_could_not_be_judged_has_no_reward(
    journal: Journal, make_api: MakeApi, register: Callable[..., str]
) -> None:
    environment, _ = adder("none")
    register("adder-v0", type(environment))
    api = make_api(journal, max_live=1)
    api.create("adder-v0", "e", seed=1)
    api.step(0, write_call("add", amount=3))
    api.create("adder-v0", "f", seed=1)
    api.step(1, write_call("add", amount=3))  # its resource is lost
    (line,) = lines(journal)
    assert (line["reward"], line["rewards"]) == (None, [0.0, None])
    assert line["error"]["code"] == "resource_lost"
    assert line["verdict"]["status"] == "error"


@pytest.mark.parametrize("kind", ["memory"], indirect=True)
def test_an_environment_that_is_not_there_costs_only_the_messages(journal: Journal, make_api: MakeApi) -> None:
    api = make_api(journal)
    played(api, "e", 1)
    stored = run(journal.load("e"))
    assert stored is not None
    gone = StoredEpisode(replace(stored.header, task={**stored.header.task, "env_id": "gone-v0"}), stored.entries)
    line = trajectory(gone)
    assert line["messages"] is None
    assert line["lacking"].startswith("UnknownEnvironment")
    assert {**line, "messages": 0, "lacking": 0, "task": 0} == {
        **trajectory(stored),
        "messages": 0,
        "lacking": 0,
        "task": 0,
    }


def test_an_export_keeps_nothing_alive(journal: Journal, make_api: MakeApi, clock: Clock) -> None:
    played(make_api(journal), "e", 1)
    clock.now += TTL * 0.9
    assert len(lines(journal)) == 1
    clock.now += TTL * 0.2
    assert lines(journal) == []


@pytest.mark.slow
def test_the_command(tmp_path: Path, make_api: MakeApi) -> None:
    from envhub.server.journal import open_journal

    url, out = f"sqlite:///{tmp_path}/j.sqlite", tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "envhub", "export", "--journal", url, "-o", str(out)]
    missing = subprocess.run(command, capture_output=True, text=True)
    assert missing.returncode == 2
    assert "no journal" in missing.stderr
    assert not (tmp_path / "j.sqlite").exists()
    journal = open_journal(url, TTL, 10, lambda: 1000.0)  # long expired, by the clock of the command
    played(make_api(journal), "e", 1)
    done = subprocess.run(command, capture_output=True, text=True)
    journal.close()
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 episodes" in done.stdout
    assert [json.loads(line)["reward"] for line in out.read_text().splitlines()] == [1.0]
    assert sorted(p.name for p in tmp_path.iterdir() if not p.name.startswith("j.")) == ["out.jsonl"]
