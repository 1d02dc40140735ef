"""OpenEnv's MCP: what its client said once is answered as it was; a call is a turn; sessions are apart and outlive workers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.dataset.workshop import known
from tests.server.protocols.client import Http, as_recorded, spoken
from tests.server.protocols.toolplay import DRAWN, SHARED, McpClient, Ring, made, rpc, solved_by_calls
from tests.server.serving import PATIENCE_S, problem, serving

RECORDED = Path(__file__).parent / "recorded" / "openenv_mcp.json"
TASK = {"seed": 1, "difficulty": 1}


@pytest.fixture(scope="module")
def http() -> Iterator[Http]:
    with serving(create_app(ServerSettings(journal="memory:"))) as url, Http(url) as client:
        yield client


def socket_of(http: Http, env_id: str, path: str = "ws", **more: Any) -> ClientConnection:
    return connect(f"{http.ws}/openenv/{env_id}/{path}", **more)


def asked(socket: ClientConnection, method: str, **params: Any) -> Any:
    """The answer to JSON-RPC in a message of a session."""
    answer = spoken(socket, {"type": "mcp", "data": rpc(method, **params)})
    assert answer["type"] == "mcp"
    return answer["data"]


def turns(http: Http, episode_id: str) -> int:
    return int(http.ask("GET", f"/v1/episodes/{episode_id}").json()["turn"])


# -- as OpenEnv's client speaks ----------------------------------------------------------------------------------------


def test_recorded_conversations_of_openenvs_client(http: Http) -> None:
    """Recorded by tests/server/protocols/peers/openenv_mcp_record.py with OpenEnv's own client."""
    text = RECORDED.read_text()
    rewards = []
    for place, play in enumerate(json.loads(text)):
        old = play["said"][0]["from"]["result"]["session_id"]
        new = http.post(f"/openenv/{play['env_id']}/mcp", rpc("openenv/session/create"))["result"]["session_id"]
        said = json.loads(text.replace(old, new))[place]["said"][1:]
        with socket_of(http, play["env_id"], f"ws?session_id={new}") as socket:
            for each in said:
                if each["over"] == "ws":
                    assert as_recorded(spoken(socket, each["to"]), each["from"])
                    rewards.append(each["from"]["data"].get("reward"))
                elif each["to"]["method"] != "openenv/session/close":
                    assert as_recorded(http.post(f"/openenv/{play['env_id']}/mcp", each["to"]), each["from"])
        assert http.post(f"/openenv/{play['env_id']}/mcp", said[-1]["to"]) == said[-1]["from"]
        assert http.ask("GET", f"/v1/episodes/{new}").status_code == 404
    assert rewards.count(1.0) >= 2


@pytest.mark.parametrize("env", [SHARED, DRAWN])
def test_an_oracle_earns_its_reward_over_each_way(http: Http, env: str) -> None:
    played = solved_by_calls(env, 987654321, 2)
    assert played.rewards[-1] == 1.0
    mcp = McpClient(http, env)
    opened = mcp.result("openenv/session/create", **played.reset)
    session = opened["session_id"]
    tools = mcp.result("tools/list", session_id=session)["tools"]
    assert [tool["name"] for tool in tools] == list(played.tools)
    assert all(set(tool) == {"name", "description", "inputSchema"} for tool in tools)
    found = {"http": [mcp.call(session, *call) for call in played.calls]}
    with socket_of(http, env) as socket, socket_of(http, env, "mcp") as bare:
        spoken(socket, {"type": "reset", "data": played.reset})
        said = [asked(socket, "tools/call", name=name, arguments=given) for name, given in played.calls]
        found["messages"] = [answer["result"] for answer in said]
        spoken(bare, rpc("openenv/session/create", **played.reset))
        said = [spoken(bare, rpc("tools/call", name=name, arguments=given)) for name, given in played.calls]
        found["bare"] = [answer["result"] for answer in said]
    for way, results in found.items():
        assert [result["data"] for result in results] == list(played.observations), way
        assert [result["content"][0]["text"] for result in results] == list(played.observations), way
        assert [result["_meta"]["reward"] for result in results] == list(played.rewards), way
        assert results[-1]["_meta"]["done"] is True
    assert "987654321" not in json.dumps([opened, found])


def test_tools_that_come_with_the_task_are_unknown_before_it(http: Http) -> None:
    """An error, not an empty list, which OpenEnv's client would keep."""
    mcp = McpClient(http, DRAWN)
    assert mcp.error("tools/list")[:2] == (-32602, "InvalidRequest")
    session = mcp.result("openenv/session/create")["session_id"]
    assert mcp.error("tools/list", session_id=session)[:2] == (-32602, "UnknownEpisode")
    assert len(McpClient(http, SHARED).result("tools/list")["tools"]) == 3
    assert McpClient(http, "arithmetic-v0").result("tools/list")["tools"] == []


def test_what_could_not_be_judged_is_an_error_and_no_number(http: Http) -> None:
    with known("ring-v0", Ring) as env_id:
        mcp = McpClient(http, env_id)
        session = mcp.result("openenv/session/create", **TASK)["session_id"]
        answer = mcp.ask("tools/call", session_id=session, name="judge")
        assert (answer["error"]["code"], answer["error"]["data"]["problem"]) == (-32000, "JudgementError")
        assert "judge_lost" in answer["error"]["message"]
        assert "reward" not in json.dumps(answer)
        assert mcp.error("tools/call", session_id=session, name="ring")[1] == "EpisodeOver"


# -- sessions ------------------------------------------------------------------------------------------------------------


def test_a_session_outlives_its_connection_and_goes_on_in_another(http: Http) -> None:
    mcp = McpClient(http, SHARED)
    session = mcp.result("openenv/session/create")["session_id"]
    with socket_of(http, SHARED, f"ws?session_id={session}") as socket:
        first = spoken(socket, {"type": "reset", "data": TASK})
        mcp.call(session, "back", {})
    with socket_of(http, SHARED, f"ws?session_id={session}") as socket:
        state = spoken(socket, {"type": "state"})["data"]
        assert (state["step_count"], state["over"], state["reward"]) == (1, False, 0.0)
        step = {"type": "step", "data": {"type": "call_tool", "tool_name": "back"}}
        assert spoken(socket, step)["data"]["metadata"]["turn"] == 2
    assert mcp.call(session, "back", {})["_meta"]["metadata"]["turn"] == 3
    assert first["data"]["metadata"]["episode_id"] == session
    for _ in range(2):  # and a second time there is nothing to be closed
        assert mcp.result("openenv/session/close", session_id=session) == {"session_id": session, "closed": True}
    assert mcp.error("tools/call", session_id=session, name="back")[1] == "UnknownEpisode"


def test_what_was_finished_is_kept_when_the_next_episode_begins() -> None:
    journal, played = MemoryJournal(3600, 100), solved_by_calls(SHARED, 1)
    with serving(create_app(ServerSettings(), journal)) as url, Http(url) as http:
        mcp = McpClient(http, SHARED)
        session = mcp.result("openenv/session/create")["session_id"]
        with socket_of(http, SHARED, f"ws?session_id={session}") as socket:
            for number in range(1, 4):
                spoken(socket, {"type": "reset", "data": played.reset})
                for call in played.calls:
                    last = mcp.call(session, *call)
                assert last["_meta"]["reward"] == 1.0
                assert len(asyncio.run(journal.finished())) == number
            for _ in range(2):
                spoken(socket, {"type": "reset", "data": TASK})
                assert mcp.call(session, "back", {})["_meta"]["metadata"]["turn"] == 1
        kept = asyncio.run(journal.finished())
        assert [turns(http, episode_id) for episode_id in kept] == [len(played.calls)] * 3
        assert session not in kept
        assert len(journal) == 4


def test_calls_at_once_are_turns_each(http: Http) -> None:
    """Also when they say the same; nothing is lost, and nothing is taken for a repeat."""
    with known("ring-v0", Ring) as env_id:
        mcp = McpClient(http, env_id)
        session = mcp.result("openenv/session/create", **TASK)["session_id"]
        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(lambda _: mcp.call(session, "ring", {})["data"], range(8)))
        assert sorted(seen) == [f"Rung {number}." for number in range(1, 9)]


def test_a_call_that_names_its_turn_can_be_sent_again(http: Http) -> None:
    with known("ring-v0", Ring) as env_id:
        mcp = McpClient(http, env_id)
        session = mcp.result("openenv/session/create", **TASK)["session_id"]
        first = mcp.call(session, "ring", {}, turn=0)
        assert mcp.call(session, "ring", {}, turn=0) == first
        assert mcp.error("tools/call", session_id=session, name="judge", turn=0)[1] == "Conflict"
        assert mcp.error("tools/call", session_id=session, name="ring", turn=7)[1] == "Conflict"
        assert mcp.call(session, "ring", {})["data"] == "Rung 2."


def test_a_connection_of_its_own_can_be_shared_and_ends_its_session(http: Http) -> None:
    mcp = McpClient(http, SHARED)
    with socket_of(http, SHARED) as socket:
        spoken(socket, {"type": "reset", "data": TASK})
        asked(socket, "tools/call", name="back", arguments={})
        session = asked(socket, "openenv/session/create")["result"]["session_id"]
        assert mcp.call(session, "back", {})["_meta"]["metadata"]["turn"] == 2
        assert asked(socket, "tools/call", name="back", arguments={})["result"]["_meta"]["metadata"]["turn"] == 3
        assert "another" in asked(socket, "tools/call", session_id="x", name="back")["error"]["message"]
        assert "close the connection" in asked(socket, "openenv/session/close", session_id=session)["error"]["message"]
        socket.send(json.dumps({"type": "close"}))
        with pytest.raises(ConnectionClosed):
            socket.recv(PATIENCE_S)
    assert mcp.error("tools/call", session_id=session, name="back")[1] == "UnknownEpisode"


def test_any_worker_answers_a_session(tmp_path: Path) -> None:
    with ExitStack() as stack:
        workers = []
        for _ in range(2):
            app = create_app(ServerSettings(journal=f"sqlite:///{tmp_path / 'journal.sqlite'}"))
            workers.append(stack.enter_context(Http(stack.enter_context(serving(app)))))
        here, there = (McpClient(worker, SHARED) for worker in workers)
        session = here.result("openenv/session/create")["session_id"]
        with socket_of(workers[0], SHARED, f"ws?session_id={session}") as socket:
            for _ in range(2):
                spoken(socket, {"type": "reset", "data": TASK})
                took = [each.call(session, "back", {})["_meta"]["metadata"]["turn"] for each in (there, here, there)]
                assert took == [1, 2, 3]
                step = {"type": "step", "data": {"type": "call_tool", "tool_name": "back"}}
                assert spoken(socket, step)["data"]["metadata"]["turn"] == 4


def test_a_session_outlives_its_server(tmp_path: Path) -> None:
    session = ""
    for turn in range(1, 4):
        app = create_app(ServerSettings(journal=f"sqlite:///{tmp_path / 'journal.sqlite'}"))
        with serving(app) as url, Http(url) as http:
            mcp = McpClient(http, SHARED)
            session = session or mcp.result("openenv/session/create", **TASK)["session_id"]
            assert mcp.call(session, "back", {})["_meta"]["metadata"]["turn"] == turn


def test_another_keys_session_is_none(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    mine, yours = (file.create(name, ["play"])[0] for name in ("mine", "yours"))
    app = create_app(ServerSettings(journal="memory:"), keyring=Keyring(tmp_path / "keys.json"))
    with serving(app) as url, Http(url) as http:
        at, headers = f"/openenv/{SHARED}/mcp", {"authorization": f"Bearer {mine}"}
        with socket_of(http, SHARED, "mcp", additional_headers=headers) as socket:
            session = spoken(socket, rpc("openenv/session/create", **TASK))["result"]["session_id"]
            assert http.ask("POST", at, rpc("tools/list")).status_code == 401
            http.authorize(yours)
            for _ in range(2):  # nor does closing it do anything
                call = http.post(at, rpc("tools/call", session_id=session, name="back"))
                assert call["error"]["data"]["problem"] == "UnknownEpisode"
                http.post(at, rpc("openenv/session/close", session_id=session))
            http.authorize(mine)
            call = http.post(at, rpc("tools/call", session_id=session, name="back"))
            assert call["result"]["_meta"]["metadata"]["turn"] == 1


# -- nonsense --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "code", "says"),
    [
        ([], -32600, "body"),
        ("tools/list", -32600, "body"),
        ({"jsonrpc": "1.0", "method": "tools/list"}, -32600, "jsonrpc"),
        ({"jsonrpc": "2.0", "method": "tools/list", "parms": {}}, -32600, "Did you mean 'params'?"),
        ({"jsonrpc": "2.0", "method": "tools/list", "params": []}, -32600, "params"),
        ({"jsonrpc": "2.0", "method": "tools/lst"}, -32601, "Did you mean 'tools/list'?"),
        (rpc("tools/call", name="back"), -32602, "session_id"),
        (rpc("tools/call", name=7, session_id="x"), -32602, "name"),
        (rpc("tools/call", name="back", session_id="a:b"), -32602, "session_id"),
        (rpc("tools/call", name="back", session_id="x", arguments=[]), -32602, "arguments"),
        (rpc("openenv/session/create", dificulty=3), -32602, "Did you mean 'difficulty'?"),
        (rpc("openenv/session/create", difficulty=99), -32602, "from 1 to 10"),
        (rpc("openenv/session/close"), -32602, "session_id"),
    ],
)
def test_what_is_asked_wrongly(http: Http, request_: Any, code: int, says: str) -> None:
    with socket_of(http, SHARED, "mcp") as socket:
        answer = spoken(socket, request_)
    assert (answer["error"]["code"], answer["id"]) == (code, request_.get("id") if isinstance(request_, dict) else None)
    assert says in answer["error"]["message"]
    over_http = http.ask("POST", f"/openenv/{SHARED}/mcp", request_)
    if code == -32600:  # which is no request of JSON-RPC
        assert problem(over_http)[:2] == (422, "InvalidRequest")
    else:
        assert over_http.json() == answer


def test_other_mistakes_say_what_they_are(http: Http) -> None:
    session = McpClient(http, SHARED).result("openenv/session/create", **TASK)["session_id"]
    elsewhere = McpClient(http, "guess-number-v0").error("tools/call", session_id=session, name="back")
    assert elsewhere[1:] == ("InvalidParameters", f"The episode is of {SHARED}, but this path of guess-number-v0.")
    assert problem(http.ask("POST", "/openenv/brwse-v0/mcp", rpc("tools/list")))[:2] == (404, "UnknownEnvironment")
    with socket_of(http, "brwse-v0", "mcp") as socket:
        assert "Did you mean 'browse-v0'?" in json.loads(socket.recv(PATIENCE_S))["error"]["message"]
    assert "Send a reset" in McpClient(http, SHARED).error("tools/call", session_id="nobody", name="back")[2]
    alone = McpClient(http, "arithmetic-v0").result("openenv/session/create", **TASK)["session_id"]
    no_tools = McpClient(http, "arithmetic-v0").error("tools/call", session_id=alone, name="back")
    assert no_tools[1:] == ("InvalidRequest", "name: arithmetic-v0 has no tools.")
    with socket_of(http, SHARED, "ws?session_id=a:b") as socket:
        assert json.loads(socket.recv(PATIENCE_S))["data"]["code"] == "VALIDATION_ERROR"
    assert McpClient(http, SHARED).result("tools/list", _meta={"progressToken": 1})["tools"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["tools/call", "2.0", "back"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "arguments", "session_id", "seed", "turn"]), inner, max_size=3)
    ),
    max_leaves=8,
)
requests = st.one_of(
    anything,
    st.fixed_dictionaries(
        {
            "jsonrpc": st.just("2.0"),
            "method": st.sampled_from(["tools/list", "tools/call", "openenv/session/create", "openenv/session/close"]),
            "params": anything,
            "id": anything,
        }
    ),
)


@settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(request_=requests)
def test_any_request_is_answered(http: Http, request_: Any) -> None:
    with socket_of(http, SHARED, "mcp") as socket:
        answer = spoken(socket, request_)
    assert answer["jsonrpc"] == "2.0"
    assert ("result" in answer) != ("error" in answer)
    assert "InternalError" not in json.dumps(answer)
    assert http.ask("POST", f"/openenv/{SHARED}/mcp", request_).status_code in (200, 422)


@pytest.mark.parametrize("text", ["{", "[" * 50_000, "\x00", "9" * 5000, '{"jsonrpc": "2.0", "id": NaN}', ""])
def test_what_is_no_json(http: Http, text: str) -> None:
    with socket_of(http, SHARED, "mcp") as socket:
        socket.send(text)
        assert json.loads(socket.recv(PATIENCE_S))["error"]["code"] in (-32700, -32600)
        assert spoken(socket, rpc("tools/list"))["result"]["tools"]


names = st.sampled_from(["follow", "back", "submit", "step", "", "\ud800", "__init__"])
arguments = st.dictionaries(
    st.sampled_from(["number", "values", "x"]),
    st.none() | st.integers(-2, 9) | st.text(max_size=9) | st.sampled_from(["</tool_call>", {"x": "y"}, [1]]),
    max_size=2,
)


@settings(max_examples=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(calls=st.lists(st.tuples(names, arguments), min_size=1, max_size=6), seed=st.integers(0, 999))
def test_whatever_is_called_brings_what_it_brings_in_this_process(http: Http, calls: Any, seed: int) -> None:
    here = made(SHARED, {"seed": seed, "difficulty": 1}, calls)
    mcp = McpClient(http, SHARED)
    session = mcp.result("openenv/session/create", **here.reset)["session_id"]
    there = [mcp.call(session, *call) for call in here.calls]
    assert [result["data"] for result in there] == list(here.observations)
    assert [result["_meta"]["reward"] for result in there] == list(here.rewards)
