"""The tools of a task decide what may be called, also where they are drawn with it: through every router the oracle is paid."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.sync.client import connect

import envhub
from envhub.registry.registry import list_envs, spec
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.protocols.client import Http, spoken
from tests.server.protocols.played import call, message, play, response, solved
from tests.server.protocols.toolplay import DRAWN, SHARED, ToolPlay, solved_by_calls, written
from tests.server.serving import problem, serving

RESERVED = {
    "seed_session",
    "verify",
    "close_session",
    "aggregate_metrics",
    "reverify_mode",
    "reset",
    "step",
    "close",
    "state",
}
"""Routes of NeMo Gym's, and names that OpenEnv keeps for itself."""


@pytest.fixture(scope="module")
def http() -> Iterator[Http]:
    with serving(create_app(ServerSettings(journal="memory:"))) as url, Http(url) as client:
        yield client


def row(played: ToolPlay) -> Any:
    """As ``envhub generate`` writes it."""
    return play(played.env_id, played.reset["seed"], "", difficulty=played.reset["difficulty"]).row("nemo-gym")


def by_openenv_session(http: Http, played: ToolPlay) -> tuple[list[str], list[Any]]:
    with connect(f"{http.ws}/openenv/{played.env_id}/ws") as socket:
        spoken(socket, {"type": "reset", "data": played.reset})
        listing = spoken(socket, {"type": "step", "data": {"type": "list_tools"}})["data"]["observation"]["tools"]
        steps = [{"type": "call_tool", "tool_name": name, "arguments": given} for name, given in played.calls]
        told = [spoken(socket, {"type": "step", "data": step})["data"] for step in steps]
    return [tool["name"] for tool in listing], [(each["observation"]["result"], each["reward"]) for each in told]


def by_openenv_http(http: Http, played: ToolPlay) -> tuple[list[str], list[Any]]:
    at = f"/openenv/{played.env_id}"
    episode = {"episode_id": http.post(f"{at}/reset", played.reset)["metadata"]["episode_id"]}
    listing = http.post(f"{at}/step", {"action": {"type": "list_tools"}, **episode})["observation"]["tools"]
    steps = [{"type": "call_tool", "tool_name": name, "arguments": given} for name, given in played.calls]
    told = [http.post(f"{at}/step", {"action": step, **episode}) for step in steps]
    return [tool["name"] for tool in listing], [(each["observation"]["result"], each["reward"]) for each in told]


def by_nemo_steps(http: Http, played: ToolPlay) -> tuple[list[str], list[Any]]:
    http.forget()
    asked, at = row(played), f"/nemo/{played.env_id}"
    http.post(f"{at}/reset", asked)
    said = [response(call(name, json.dumps(given))) for name, given in played.calls]
    told = [http.post(f"{at}/step", {**asked, "response": each}) for each in said]
    listing = [tool["name"] for tool in asked["responses_create_params"]["tools"]]
    return listing, [(each["info"]["tool_outputs"][0]["output"], each["reward"]) for each in told]


def by_nemo_tools(http: Http, played: ToolPlay) -> tuple[list[str], list[Any]]:
    http.forget()
    asked, at = row(played), f"/nemo/{played.env_id}"
    http.post(f"{at}/seed_session", asked)
    seen = [http.ask("POST", f"{at}/{name}", given).text for name, given in played.calls]
    earned = http.post(f"{at}/verify", {**asked, "response": response(message("Done."))})
    assert not earned["mask_sample"]
    rewards = [*played.rewards[:-1], earned["reward"]]
    return [tool["name"] for tool in asked["responses_create_params"]["tools"]], list(zip(seen, rewards, strict=True))


@pytest.mark.parametrize("env", [SHARED, DRAWN])
@pytest.mark.parametrize("way", [by_openenv_session, by_openenv_http, by_nemo_steps, by_nemo_tools])
def test_the_oracle_is_paid(http: Http, env: str, way: Callable[[Http, ToolPlay], Any]) -> None:
    for seed, difficulty in ((1, 1), (2, 4)):
        played = solved_by_calls(env, seed, difficulty)
        assert played.rewards[-1] == 1.0
        listing, told = way(http, played)
        assert listing == list(played.tools)
        assert told == list(zip(played.observations, played.rewards, strict=True))


def test_calls_of_one_response_are_one_turn_where_the_task_has_tools(http: Http) -> None:
    """At level 10 one call a message would not do: the messages are counted."""
    played = solved(DRAWN, 1, difficulty=10)
    asked, at = played.row("nemo-gym"), f"/nemo/{DRAWN}"
    tools = {tool["name"] for tool in asked["responses_create_params"]["tools"]}
    http.post(f"{at}/reset", asked)
    for action in played.actions:
        made = [call(name, json.dumps(given), f"c{n}") for n, (name, given) in enumerate(written(action, tools))]
        last = http.post(f"{at}/step", {**asked, "response": response(*made)})
        assert len(last["info"]["tool_outputs"]) == len(made)
    assert (last["reward"], last["terminated"]) == (1.0, True)


def test_a_call_where_there_are_no_tools_is_refused(http: Http) -> None:
    step = {"type": "call_tool", "tool_name": "done"}
    with connect(f"{http.ws}/openenv/arithmetic-v0/ws") as socket:
        spoken(socket, {"type": "reset", "data": {"seed": 1}})
        assert "has no tools" in spoken(socket, {"type": "step", "data": step})["data"]["message"]
    at = "/openenv/arithmetic-v0"
    episode = http.post(f"{at}/reset", {"seed": 1})["metadata"]["episode_id"]
    refused = http.ask("POST", f"{at}/step", {"action": step, "episode_id": episode})
    assert problem(refused)[:2] == (422, "InvalidRequest")
    with connect(f"{http.ws}/openenv/{DRAWN}/ws") as socket:  # not known yet is not none
        listing = spoken(socket, {"type": "step", "data": {"type": "list_tools"}})
        assert "come with its tasks" in listing["data"]["message"]
        assert spoken(socket, {"type": "step", "data": step})["data"]["problem"] == "EpisodeOver"


def test_no_tool_of_a_task_has_the_name_of_a_route() -> None:
    for env_id in list_envs():
        if spec(env_id).category != "tools":
            continue
        try:
            env = envhub.make(env_id, difficulty=10)
            env.reset(seed=1)
        except (ImportError, ValueError):  # an extra is missing, or a file is to be named
            continue
        assert env.task is not None
        assert not RESERVED & {tool["function"]["name"] for tool in env.task.tools}, env_id
        env.close()
