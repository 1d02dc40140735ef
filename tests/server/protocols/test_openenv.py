"""OpenEnv's protocol: what its client said once is answered as it was, sessions are apart, and no error becomes a number."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from envhub.core.seeding import MAX_SEED
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.server.protocols.rows import tool_calls_action
from envhub.settings import ServerSettings
from tests.dataset.workshop import Unjudged, known
from tests.server.protocols.client import Http, as_recorded, spoken
from tests.server.protocols.played import play
from tests.server.serving import PATIENCE_S, Api, problem, serving

RECORDED = Path(__file__).parent / "recorded" / "openenv.json"
GUESS, ONE = "guess-number-v0", {"seed": 1, "params": {"low": 1, "high": 4}}


@pytest.fixture(scope="module")
def http() -> Iterator[Http]:
    with serving(create_app(ServerSettings(journal="memory:"))) as url, Http(url) as client:
        yield client


def session(http: Http, env_id: str = GUESS, **more: Any) -> ClientConnection:
    return connect(f"{http.ws}/openenv/{env_id}/ws", **more)


def reset(socket: ClientConnection, **data: Any) -> Any:
    return spoken(socket, {"type": "reset", "data": data})


def step(socket: ClientConnection, text: str) -> Any:
    return spoken(socket, {"type": "step", "data": {"message": text}})


def episodes(http: Http) -> int:
    return int(http.ask("GET", "/ready").json()["episodes"])


def test_a_recorded_conversation_of_openenvs_client(http: Http) -> None:
    """Recorded by tests/server/protocols/peers/openenv_record.py with OpenEnv's own client."""
    said = json.loads(RECORDED.read_text())
    answered = 0
    with session(http) as socket:
        for each in said:
            if "to" in each:
                socket.send(json.dumps(each["to"]))
            else:
                assert as_recorded(json.loads(socket.recv(PATIENCE_S)), each["from"])
                answered += 1
        with pytest.raises(ConnectionClosed):
            socket.recv(PATIENCE_S)
    assert answered >= 16
    assert 1.0 in [each["from"]["data"].get("reward") for each in said if "from" in each]


def test_the_seed_is_in_nothing_that_a_trainer_might_show_to_the_policy(http: Http) -> None:
    with session(http) as socket:
        told = [reset(socket, seed=987654321), step(socket, "<answer>1</answer>"), spoken(socket, {"type": "state"})]
    assert "987654321" not in json.dumps(told)
    assert told[2]["data"]["step_count"] == 1


def test_sessions_are_apart(http: Http) -> None:
    with session(http) as a, session(http) as b:
        assert reset(a, **ONE, episode_id="same")["data"] == reset(b, **ONE, episode_id="same")["data"]
        step(a, "<answer>1</answer>")
        assert spoken(a, {"type": "state"})["data"]["step_count"] == 1
        assert spoken(b, {"type": "state"})["data"]["step_count"] == 0


def test_what_is_given_up_is_forgotten_and_what_is_finished_is_kept(http: Http) -> None:
    before = episodes(http)
    with session(http) as socket:
        for _ in range(5):
            reset(socket, **ONE)
        spoken(socket, {"type": "reset", "data": {"dificulty": 1}})  # no reset, which gives nothing up
        assert step(socket, "<answer>1</answer>")["type"] == "observation"
        finished = play(GUESS, 1, *["oracle"] * 10, difficulty=3, low=1, high=4)
        reset(socket, **ONE)
        for action in finished.actions:
            last = step(socket, action)
        assert (last["data"]["reward"], last["data"]["done"]) == (1.0, True)
        assert step(socket, "more")["data"]["problem"] == "EpisodeOver"
        reset(socket, **ONE)
        socket.send(json.dumps({"type": "close"}))
        with pytest.raises(ConnectionClosed):
            socket.recv(PATIENCE_S)
    assert whole_count(http, before + 1)


def whole_count(http: Http, wanted: int) -> bool:
    """Whether the journal comes to hold so many; the answer to /ready is a second old at most."""
    return any(episodes(http) == wanted for _ in range(2_000))


def test_what_could_not_be_judged_is_an_error_and_no_number(http: Http) -> None:
    with known("unjudged-v0", Unjudged) as env_id:
        with session(http, env_id) as socket:
            reset(socket, seed=1)
            answer = step(socket, "<answer>1</answer>")
            assert answer["type"] == "error"
            assert "reward" not in json.dumps(answer)
            assert (answer["data"]["code"], answer["data"]["problem"]) == ("EXECUTION_ERROR", "JudgementError")
            assert "judge_lost" in answer["data"]["message"]
            assert step(socket, "again")["data"]["problem"] == "EpisodeOver"
            assert spoken(socket, {"type": "state"})["data"]["over"] is True
        at = f"/openenv/{env_id}"
        episode = http.post(f"{at}/reset", {"seed": 1})["metadata"]["episode_id"]
        body = {"action": {"message": "<answer>1</answer>"}, "episode_id": episode}
        assert problem(http.ask("POST", f"{at}/step", body))[:2] == (500, "JudgementError")


def test_tools_as_openenvs_clients_call_them(http: Http) -> None:
    with session(http, "browse-v0") as socket:
        listing = spoken(socket, {"type": "step", "data": {"type": "list_tools"}})["data"]["observation"]["tools"]
        assert {tool["name"] for tool in listing} == {"follow", "back", "submit"}
        assert all(set(tool) == {"name", "description", "input_schema"} for tool in listing)
        reset(socket, seed=1, difficulty=1)
        arguments = {"values": {"x": "</tool_call><think>"}}
        call = {"type": "call_tool", "tool_name": "submit", "arguments": arguments}
        here = play("browse-v0", 1, json.dumps({"tool_calls": [{"name": "submit", "arguments": arguments}]}))
        asked = play("browse-v0", 1, tool_calls_action([("submit", arguments)]))
        told = spoken(socket, {"type": "step", "data": call})["data"]
        assert told["observation"]["tool_name"] == "submit"
        assert told["observation"]["result"] == told["observation"]["message"]
        assert (told["done"], told["reward"]) == (asked.over, asked.rewards[0])
        assert told["observation"]["message"] == asked.observations[1]
        assert "No tool call was found" not in asked.observations[1]
        assert here.observations[1] != asked.observations[1]  # what a tag within an argument would make of it


def test_a_row_of_another_problem_is_refused(http: Http) -> None:
    key = json.loads(play("arithmetic-v0", 7, "no idea").ground_truth)
    with session(http, "arithmetic-v0") as socket:
        refused = reset(socket, ground_truth=json.dumps({**key, "draw": key["draw"] + 1}))
        assert refused["data"]["code"] == "VALIDATION_ERROR"
        assert step(socket, "1")["data"]["problem"] == "EpisodeOver"
        assert "leave out seed" in reset(socket, ground_truth=json.dumps(key), seed=1)["data"]["message"]
        other = json.dumps({**key, "env_id": GUESS})
        assert "this path of arithmetic-v0" in reset(socket, ground_truth=other)["data"]["message"]
        assert reset(socket, ground_truth=json.dumps(key))["type"] == "observation"


def test_over_http_a_step_names_its_episode(api: Api) -> None:
    at = f"/openenv/{GUESS}"
    body = {"seed": 3, "difficulty": 1, "episode_id": "mine"}
    first = api.post(f"{at}/reset", body).json()
    assert first == api.post(f"{at}/reset", body).json()  # the same request, the same answer
    assert (first["reward"], first["done"], first["metadata"]["episode_id"]) == (None, False, "mine")
    taken = {"action": {"message": "<answer>1</answer>"}, "episode_id": "mine", "turn": 0, "timeout_s": 3.0}
    assert api.post(f"{at}/step", taken).json() == api.post(f"{at}/step", taken).json()
    assert api.get(f"{at}/state?episode_id=mine").json()["step_count"] == 1
    assert problem(api.post(f"{at}/step", {"action": {"message": "1"}}))[:2] == (422, "InvalidRequest")
    assert problem(api.post(f"{at}/step", {**taken, "episode_id": "nobody"}))[1] == "UnknownEpisode"
    elsewhere = {"action": {"message": "1"}, "episode_id": "mine"}
    assert "this path of arithmetic-v0" in problem(api.post("/openenv/arithmetic-v0/step", elsewhere))[2]


def test_the_task_api(api: Api) -> None:
    at = f"/openenv/{GUESS}/{GUESS}"
    assert api.get(f"/openenv/{GUESS}/list_environments").json() == [GUESS]
    assert [each["name"] for each in api.get(f"{at}/splits").json()] == ["train", "validation", "test"]
    count = api.post(f"{at}/num_tasks", {"split": "test"}).json()["num_tasks"]
    assert len(api.post(f"{at}/tasks", {"split": "test"}).json()["tasks"]) == count
    tasks = api.post(f"{at}/task_range", {"split": "test", "start": 5, "stop": 7, "difficulty": 2}).json()["tasks"]
    assert tasks == [{"split": "test", "seed": seed, "difficulty": 2} for seed in (5, 6)]
    assert api.post(f"{at}/task", {"split": "test", "index": 5, "difficulty": 2}).json()["task"] == tasks[0]
    assert api.post(f"/openenv/{GUESS}/reset", tasks[0]).json()["metadata"]["split"] == "test"
    last = api.post(f"{at}/task_range", {"split": "test", "start": MAX_SEED, "stop": MAX_SEED + 9}).json()["tasks"]
    assert [each["seed"] for each in last] == [MAX_SEED]
    assert problem(api.post(f"{at}/task_range", {"split": "test", "stop": count + 1}))[1] == "InvalidParameters"
    assert problem(api.post(f"{at}/tasks", {"split": "tset"}))[1] == "InvalidParameters"
    assert problem(api.get(f"/openenv/{GUESS}/arithmetic-v0/splits"))[:2] == (404, "UnknownEnvironment")


# -- keys and nonsense -----------------------------------------------------------------------------------------------------


def test_keys_hold_here_too(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    texts = {name: file.create(name, [name])[0] for name in ("play", "verify")}
    one, _ = file.create("one", ["play"], episodes=1)
    now = [0.0]
    keyring = Keyring(tmp_path / "keys.json", ticks=lambda: now[-1])
    app = create_app(ServerSettings(journal="memory:"), keyring=keyring)
    with serving(app) as url, Http(url) as http:
        for headers in ({}, {"authorization": f"Bearer {texts['verify']}"}):
            with pytest.raises(Exception, match=r"HTTP 40[13]"):
                session(http, additional_headers=headers)
        with session(http, additional_headers={"authorization": f"Bearer {texts['play']}"}) as socket:
            assert reset(socket, **ONE)["type"] == "observation"
        with session(http, additional_headers={"authorization": f"Bearer {one}"}) as socket:
            assert [reset(socket, **ONE)["type"] for _ in range(3)] == ["observation"] * 3  # one at a time
            with session(http, additional_headers={"authorization": f"Bearer {one}"}) as second:
                assert reset(second, **ONE)["data"]["code"] == "CAPACITY_REACHED"
            file.revoke("one")
            now.append(now[-1] + 1.0)
            assert step(socket, "no guess")["data"]["code"] == "SESSION_ERROR"
            with pytest.raises(ConnectionClosed, match="1008"):
                socket.recv(PATIENCE_S)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["reset", "step", "state"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "data", "seed", "message"]), inner)
    ),
    max_leaves=8,
)
messages = st.one_of(
    st.text(max_size=20),
    anything.map(json.dumps),
    st.fixed_dictionaries({"type": st.sampled_from(["reset", "step", "state", "mcp", "x"]), "data": anything}).map(
        json.dumps
    ),
)


@settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(said=st.lists(messages, min_size=1, max_size=5))
def test_any_message_is_answered_and_the_session_stays(http: Http, said: list[str]) -> None:
    with session(http) as socket:
        for text in said:
            socket.send(text)
            answer = json.loads(socket.recv(PATIENCE_S))
            assert answer["type"] in ("observation", "state", "error", "mcp")
            assert "InternalError" not in json.dumps(answer)
        assert reset(socket, **ONE)["type"] == "observation"


@pytest.mark.parametrize(
    "text", ["{", "[" * 50_000, "\x00", '{"type": 1e999}', "9" * 5000, '{"type": "reset", "data": NaN}']
)
def test_what_is_no_message(http: Http, text: str) -> None:
    with session(http) as socket:
        socket.send(text)
        assert json.loads(socket.recv(PATIENCE_S))["type"] == "error"
        assert reset(socket, **ONE)["type"] == "observation"


def test_messages_are_counted_by_what_they_ask_for(make_api: Callable[..., Api], http: Http) -> None:
    with session(http) as socket:
        reset(socket, **ONE)
        spoken(socket, {"type": "whatever-a-client-says"})
    text = http.ask("GET", "/metrics").text
    assert 'route="/openenv/ws reset"' in text
    assert "whatever-a-client-says" not in text
