"""Clients that do what they should not, and a journal that fails, in other people's protocols: nothing is lost or paid wrongly.

What is wrong is said; what belongs to another session, row or key is not touched; a failure of ours is no reward of 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.server.http.protocol import options
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.dataset.workshop import known
from tests.server import serving as servers
from tests.server.journal.workers import Watched
from tests.server.protocols.client import Http, spoken
from tests.server.protocols.played import call, message, play, response, solved
from tests.server.protocols.toolplay import SHARED, McpClient, Ring, ToolPlay, solved_by_calls
from tests.server.serving import PATIENCE_S, problem, serving

TURNS = "guess-number-v0"


@pytest.fixture
def journal() -> Watched:
    return Watched(MemoryJournal(3600, 1000))


@pytest.fixture
def http(journal: Any) -> Iterator[Http]:
    with serving(create_app(ServerSettings(), journal)) as url, Http(url) as client:
        yield client


def asked(env_id: str, seed: int, difficulty: int = 1) -> Any:
    """The row of a task."""
    return play(env_id, seed, "", difficulty=difficulty).row("nemo-gym")


def made(played: ToolPlay, *places: int) -> list[dict[str, Any]]:
    """These calls of a play, or all of them, as a model makes them."""
    chosen = [played.calls[place] for place in places] if places else played.calls
    return [call(name, json.dumps(given), f"c{number}") for number, (name, given) in enumerate(chosen)]


# -- a repeat that is none, and sessions that are mixed up ---------------------------------------------------------------


def test_a_reset_that_is_refused_takes_no_episode_from_another(http: Http) -> None:
    """It had the same id and the same task, but the ground truth of a row that was altered."""
    played = solved(TURNS, 3)
    at, key = f"/openenv/{TURNS}", json.loads(played.ground_truth)
    http.post(f"{at}/reset", {"ground_truth": played.ground_truth, "episode_id": "mine"})
    first, *rest = played.actions
    http.post(f"{at}/step", {"episode_id": "mine", "action": {"message": first}})
    altered = json.dumps({**key, "draw": (key["draw"] or 0) + 1})
    refused = http.ask("POST", f"{at}/reset", {"ground_truth": altered, "episode_id": "mine"})
    assert problem(refused)[:2] == (422, "InvalidParameters")
    told = [http.post(f"{at}/step", {"episode_id": "mine", "action": {"message": action}}) for action in rest]
    assert told[-1]["reward"] == 1.0
    alone = http.ask("POST", f"{at}/reset", {"ground_truth": altered, "episode_id": "other"})
    assert problem(alone)[:2] == (422, "InvalidParameters")
    assert http.ask("GET", "/v1/episodes/other").status_code == 404  # and leaves none behind


def test_a_session_of_another_row_pays_nothing(http: Http) -> None:
    http.post(f"/nemo/{TURNS}/reset", asked(TURNS, 1))
    session = http.cookie()
    said = {"response": response(message("<answer>1</answer>"))}
    for env_id, row in (("kuhn-poker-v0", asked("kuhn-poker-v0", 1)), (TURNS, asked(TURNS, 2))):
        refused = http.ask("POST", f"/nemo/{env_id}/step", {**row, **said})
        assert problem(refused)[1:] == ("InvalidParameters", "The session's episode is of another row.")
    assert http.cookie() == session
    assert http.ask("GET", f"/v1/episodes/{session.partition(':')[0]}").json()["turn"] == 0
    elsewhere = http.ask("POST", f"/nemo/{SHARED}/back", {})
    assert problem(elsewhere)[1] == "InvalidParameters"


def test_a_path_that_is_mistyped_takes_no_turn(http: Http) -> None:
    """Where there are no tools, what is at no route is no call."""
    http.post(f"/nemo/{TURNS}/reset", asked(TURNS, 1))
    session = http.cookie()
    assert problem(http.ask("POST", f"/nemo/{TURNS}/stepp", {}))[:2] == (422, "InvalidRequest")
    assert http.cookie() == session
    assert http.ask("GET", f"/v1/episodes/{session.partition(':')[0]}").json()["turn"] == 0


def test_a_session_of_another_key_is_lost(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    mine, yours = (file.create(name, ["play", "verify"])[0] for name in ("mine", "yours"))
    with (
        serving(create_app(ServerSettings(journal="memory:"), keyring=Keyring(tmp_path / "keys.json"))) as url,
        Http(url) as http,
    ):
        http.authorize(mine)
        row = asked(TURNS, 1)
        http.post(f"/nemo/{TURNS}/reset", row)
        http.authorize(yours)
        said = {**row, "response": response(message("<answer>1</answer>"))}
        assert problem(http.ask("POST", f"/nemo/{TURNS}/step", said))[:2] == (404, "UnknownEpisode")
        got = http.post(f"/nemo/{TURNS}/verify", said)
        assert (got["mask_sample"], got["failure_kind"]) == (True, "session_lost")
        http.post(f"/nemo/{TURNS}/close", {})
        at, episode = f"/openenv/{TURNS}", http.cookie().partition(":")[0]
        step = {"action": {"message": "1"}, "episode_id": episode}
        assert problem(http.ask("POST", f"{at}/step", step))[:2] == (404, "UnknownEpisode")
        http.authorize(mine)
        assert http.post(f"/nemo/{TURNS}/step", said)["terminated"] is False


def test_a_session_that_another_key_has_closed_is_not_closed(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    mine, yours = (file.create(name, ["play", "verify"])[0] for name in ("mine", "yours"))
    with (
        serving(create_app(ServerSettings(journal="memory:"), keyring=Keyring(tmp_path / "keys.json"))) as url,
        Http(url) as http,
    ):
        begin = {"resources_session_id": "rollout-1", "task_data": asked(TURNS, 1)}
        http.authorize(yours)
        http.post(f"/nemo/{TURNS}/close_session", {"resources_session_id": "rollout-1"})
        assert http.ask("POST", f"/nemo/{TURNS}/seed_session", begin).status_code == 409
        http.authorize(mine)
        assert http.ask("POST", f"/nemo/{TURNS}/seed_session", begin).status_code == 200


def test_what_is_too_long_is_refused_and_ends_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body at its route, and a message at its connection."""
    monkeypatch.setattr(servers, "options", lambda most: options(20_000))
    with serving(create_app(ServerSettings(journal="memory:", max_body_bytes=20_000))) as url, Http(url) as http:
        long: Any = {"x": "x" * 30_000}
        at = [f"/openenv/{SHARED}/{name}" for name in ("reset", "step", "mcp")]
        at += [f"/nemo/{SHARED}/{name}" for name in ("seed_session", "verify", "reset", "step", "back")]
        for path in (*at, "/rewards/openrlhf", "/rewards/slime"):
            assert problem(http.ask("POST", path, long))[:2] == (413, "BodyTooLong"), path
        session = McpClient(http, SHARED).result("openenv/session/create", seed=1)["session_id"]
        for path in ("ws", "mcp", f"ws?session_id={session}"):
            with connect(f"{http.ws}/openenv/{SHARED}/{path}") as socket:
                socket.send(json.dumps(long))
                with pytest.raises(ConnectionClosed, match="1009"):
                    socket.recv(PATIENCE_S)
        assert McpClient(http, SHARED).call(session, "back", {})["_meta"]["metadata"]["turn"] == 1


# -- at once -------------------------------------------------------------------------------------------------------------


def test_steps_at_once_are_turns_each(http: Http) -> None:
    with known("ring-v0", Ring) as env_id:
        at = f"/openenv/{env_id}"
        episode = http.post(f"{at}/reset", {"seed": 1})["metadata"]["episode_id"]
        body = {"action": {"type": "call_tool", "tool_name": "ring"}, "episode_id": episode}
        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(lambda _: http.post(f"{at}/step", body)["observation"]["message"], range(8)))
    assert sorted(told) == [f"Rung {number}." for number in range(1, 9)]


def test_messages_that_do_not_wait_are_answered_in_order(http: Http) -> None:
    with known("ring-v0", Ring) as env_id, connect(f"{http.ws}/openenv/{env_id}/ws") as socket:
        ring = {"type": "step", "data": {"type": "call_tool", "tool_name": "ring"}}
        for said in ({"type": "reset", "data": {"seed": 1}}, ring, ring, {"type": "reset"}, ring, {"type": "state"}):
            socket.send(json.dumps(said))
        told = [json.loads(socket.recv(PATIENCE_S))["data"] for _ in range(6)]
    assert [each["observation"]["message"] for each in (told[1], told[2], told[4])] == ["Rung 1.", "Rung 2.", "Rung 1."]
    assert told[5]["step_count"] == 1


def test_who_leaves_in_the_middle_leaves_nothing_behind(http: Http, journal: Watched) -> None:
    with known("ring-v0", Ring) as env_id:
        for _ in range(5):
            with connect(f"{http.ws}/openenv/{env_id}/ws") as socket:
                spoken(socket, {"type": "reset", "data": {"seed": 1}})
                for _ in range(3):
                    socket.send(json.dumps({"type": "step", "data": {"type": "call_tool", "tool_name": "ring"}}))
        session = McpClient(http, env_id).result("openenv/session/create", seed=1)["session_id"]
        assert McpClient(http, env_id).call(session, "ring", {})["data"] == "Rung 1."
    assert any(http.ask("GET", "/health") and len(journal) == 1 for _ in range(2_000))  # the other five are forgotten


# -- failures of ours ----------------------------------------------------------------------------------------------------


def test_a_turn_that_could_not_be_recorded_can_be_taken_again(http: Http, journal: Watched) -> None:
    played = solved_by_calls(SHARED, 1)
    mcp = McpClient(http, SHARED)
    session = mcp.result("openenv/session/create", **played.reset)["session_id"]
    with connect(f"{http.ws}/openenv/{SHARED}/ws") as socket:
        spoken(socket, {"type": "reset", "data": played.reset})
        for (name, given), reward in zip(played.calls, played.rewards, strict=True):
            step = {"type": "step", "data": {"type": "call_tool", "tool_name": name, "arguments": given}}
            journal.failing = {"append"}
            assert spoken(socket, step)["data"]["problem"] == "JournalUnavailable"
            failed = mcp.error("tools/call", session_id=session, name=name, arguments=given)
            assert failed[:2] == (-32000, "JournalUnavailable")
            journal.failing = set()
            assert spoken(socket, step)["data"]["reward"] == reward
            assert mcp.call(session, name, given)["_meta"]["reward"] == reward
    assert reward == 1.0


def test_a_rollout_that_lost_a_call_has_no_reward(http: Http, journal: Watched) -> None:
    """NeMo Gym's agent shows the model the server's error and goes on: that is no failure of the policy."""
    played, row = solved_by_calls(SHARED, 1), asked(SHARED, 1)
    last = len(played.calls) - 1
    for missing in range(last + 1):
        http.forget()
        http.post(f"/nemo/{SHARED}/seed_session", row)
        for place, (name, given) in enumerate(played.calls):
            journal.failing = {"append"} if place == missing else set()
            status = http.ask("POST", f"/nemo/{SHARED}/{name}", given).status_code
            assert status == (503 if place == missing else 200)
        journal.failing = set()
        for _ in range(2):
            got = http.post(f"/nemo/{SHARED}/verify", {**row, "response": response(*made(played), message("Done."))})
            assert (got["mask_sample"], got["failure_kind"], got["reward"]) == (True, "transport_peer_drop", 0.0)
            assert "never became a turn" in got["failure_reason"]


def test_a_rollout_whose_calls_were_all_turns_has_one(http: Http) -> None:
    """Also with calls that do not fit, calls after the end, and calls that the agent answered by itself."""
    played, row = solved_by_calls(SHARED, 1), asked(SHARED, 1)
    by_itself = [call("back", "{"), call("no/tool", "{}"), call("verify", "{}"), call("", "{}")]
    wrong: list[Any] = [["x"], "x", None, 7, {"x": 1.5}, {"x": "\ud800</tool_call>"}, json.loads("[" * 60 + "]" * 60)]
    extra = [call("back", json.dumps(given)) for given in wrong]
    http.post(f"/nemo/{SHARED}/seed_session", row)
    for given in wrong:
        told = http.ask("POST", f"/nemo/{SHARED}/back", given)
        assert told.status_code == 200
        assert "Invalid call" in told.text
    for name, arguments in played.calls:
        http.ask("POST", f"/nemo/{SHARED}/{name}", arguments)
    assert "over" in http.ask("POST", f"/nemo/{SHARED}/back", {}).text
    output = [*by_itself, *extra, *made(played), call("back", "{}"), message("Done.")]
    got = http.post(f"/nemo/{SHARED}/verify", {**row, "response": response(*output)})
    assert (got["reward"], got["mask_sample"]) == (1.0, False)


def test_a_policy_cannot_have_its_episode_left_out(http: Http) -> None:
    """By calling a route that ends the session: then the episode was not solved."""
    row = asked(SHARED, 1)
    for route in ("close", "close_session"):
        http.post(f"/nemo/{SHARED}/seed_session", row)
        http.ask("POST", f"/nemo/{SHARED}/{route}", {})
        got = http.post(f"/nemo/{SHARED}/verify", {**row, "response": response(call(route, "{}"), message("Done."))})
        assert (got["reward"], got["mask_sample"], got["no_answer"]) == (0.0, False, 1.0)
