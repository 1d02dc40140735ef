"""OpenEnv's client and NeMo Gym's agents themselves, nightly: what they are told is what is so in this process."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from envhub.core.tools import read_calls, tools_of
from envhub.registry.registry import load, spec
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.protocols.played import Play, call, message, play, solved
from tests.server.protocols.toolplay import DRAWN, SHARED, solved_by_calls
from tests.server.serving import serving
from tests.support.peers import python_of

pytestmark = pytest.mark.nightly
PEERS = Path(__file__).parent / "peers"
SESSIONS = 32
PATIENCE_S = 150


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings(journal="memory:"))) as address:
        yield address


def run(peer: str, program: str, *arguments: str, given: Any = None) -> Any:
    """What a peer's program prints last, as JSON."""
    command = [python_of(peer), str(PEERS / program), *arguments]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def test_openenvs_client_plays_32_sessions_at_once(url: str) -> None:
    said = run("openenv", "openenv_play.py", url, str(SESSIONS))
    assert len(said["played"]) == SESSIONS
    for episodes in said["played"]:
        for episode in episodes:
            asked = episode["asked"]
            settings = {"difficulty": asked["difficulty"], "split": asked["split"], **asked["params"]}
            here = play("guess-number-v0", asked["seed"], *episode["actions"], **settings)
            assert here.over
            assert episode["rewards"] == [None, *here.rewards]
            assert tuple(episode["seen"]) == here.observations
            assert episode["steps"] == len(here.actions)
    assert {episode["rewards"][-1] for episodes in said["played"] for episode in episodes} == {1.0}


def test_openenvs_client_raises_what_was_wrong(url: str) -> None:
    before, field, level, param, after, unknown = run("openenv", "openenv_play.py", url, "0")["misuse"]
    assert "EXECUTION_ERROR" in before
    assert "reset" in before
    assert "VALIDATION_ERROR" in field
    assert "Did you mean 'difficulty'?" in field
    assert "VALIDATION_ERROR" in level
    assert "1..10" in level
    assert "VALIDATION_ERROR" in param
    assert "Did you mean 'high'?" in param
    assert after == "I am think"
    assert "FACTORY_ERROR" in unknown
    assert "Did you mean 'guess-number-v0'?" in unknown


def test_openenvs_client_of_tools_calls_them_in_every_way_it_has(url: str) -> None:
    """Tools that all tasks share, and tools that are drawn with the task: also before its reset, and after the end."""
    played = [solved_by_calls(SHARED, seed, 2) for seed in range(3)] + [
        solved_by_calls(DRAWN, seed, 2) for seed in range(3)
    ]
    found = run("openenv", "openenv_mcp.py", url, given=[each.to_json() for each in played])
    for here, there in zip(played, found, strict=True):
        assert here.rewards[-1] == 1.0
        for way in ("http", "messages", "steps"):
            assert tuple(there[way]["seen"]) == here.observations
        for way in ("messages", "steps"):
            assert tuple(there[way]["rewards"]) == here.rewards
        state, http = there["http"]["state"], there["http"]
        assert (state["step_count"], state["over"], state["reward"]) == (len(here.calls), True, 1.0)
        assert tuple(tool["name"] for tool in http["tools"]) == here.tools
        assert http["before"] == (list(here.tools) if here.env_id == SHARED else [])
        assert "The episode has ended" in http["after"]


# -- NeMo Gym ----------------------------------------------------------------------------------------------------

SINGLE, TURNS, TOOLS = "arithmetic-v0", "guess-number-v0", "browse-v0"


def called(played: Play) -> list[dict[str, Any]]:
    """The oracle's calls as a model that calls functions makes them, and a last word."""
    tools = tools_of(load(spec(TOOLS)))
    calls = [read_calls(action, tools)[0] for action in played.actions]
    made = [call(each.name, json.dumps(dict(each.arguments)), f"c{n}") for n, each in enumerate(calls)]
    return [*made, message("Done.")]


def numbered(played: Play, numbers: Iterator[int]) -> Any:
    """A row whose prompt begins with a number, by which the scripted model knows what to say."""
    row = played.row("nemo-gym")
    asked = row["responses_create_params"]["input"][-1]
    asked["content"] = f"[{next(numbers)}] {asked['content']}"
    return row


def script() -> tuple[Any, list[list[float | None]]]:
    """What the agents are to do, and the rewards it earns here."""
    singles = [
        *(play(SINGLE, seed, "oracle") for seed in range(4)),
        *(play(SINGLE, seed, "<answer>1234567</answer>") for seed in range(4, 6)),
        *(play(SINGLE, seed, "no idea") for seed in range(6, 8)),
    ]
    guesses = [*(solved(TURNS, seed) for seed in range(3)), play(TURNS, 9, *["<answer>7</answer>"] * 10)]
    browsed = [solved(TOOLS, seed) for seed in range(3)]
    parts = [(SINGLE, "simple", singles), (TURNS, "gymnasium", guesses), (TOOLS, "simple", browsed)]
    says = [[message(action) for action in each.actions] for each in (*singles, *guesses)]
    says += [called(each) for each in browsed]
    numbers = count()
    given = {
        "ports": free_ports(3),
        "environments": [SINGLE, TURNS, TOOLS],
        "says": says,
        "parts": [
            {"env_id": env_id, "agent": agent, "rows": [numbered(each, numbers) for each in played]}
            for env_id, agent, played in parts
        ],
    }
    return given, [[each.reward for each in played] for _, _, played in parts]


def test_nemo_gyms_agents_verify_and_play(url: str) -> None:
    given, wanted = script()
    found = run("nemo-gym", "nemo_play.py", url.rpartition(":")[2], given=given)
    assert [[answer["reward"] for answer in answers] for answers in found["answers"]] == wanted
    assert wanted[0] == [1.0] * 4 + [0.0] * 4
    assert wanted[1] == [1.0, 1.0, 1.0, 0.0]
    assert wanted[2] == [1.0] * 3
    for answer in (*found["answers"][0], *found["answers"][2]):
        assert (answer["mask_sample"], answer["failure_kind"], answer["failure_reason"]) == (False, None, None)
    assert found["mode"] == "stateless"


def test_ours_sums_up_as_nemo_gym_does(url: str) -> None:
    given, _ = script()
    given["parts"] = given["parts"][:1]
    found = run("nemo-gym", "nemo_play.py", url.rpartition(":")[2], given=given)
    ours, theirs = found["ours"], found["theirs"]
    for part in ("agent_metrics", "key_metrics"):
        assert ours[part] == {name: pytest.approx(theirs[part][name]) for name in ours[part]}
        if part == "key_metrics":
            assert {name for name in theirs[part] if "across_repeats" not in name} == set(ours[part])
    assert {"mean/reward", "coverage/masked_rollouts", "mean/solved"} <= set(ours["key_metrics"])
    for mine, other in zip(ours["group_level_metrics"], theirs["group_level_metrics"], strict=True):
        assert mine == {name: pytest.approx(other[name]) for name in mine}
