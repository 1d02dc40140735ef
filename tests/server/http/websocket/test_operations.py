"""``/v1/ws``: the same operations as over HTTP, many on one connection, and nothing that is sent breaks it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from envhub.server.episodes.operations import OPERATIONS
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.http.websocket.talking import CREATE, GUESS_100, create, step, talking
from tests.server.serving import GUESS, Api, local, patiently, serving


def test_every_operation_answers_as_its_route_does(api: Api, make_api: Callable[..., Api]) -> None:
    other = make_api()
    task = {"env_id": "arithmetic-v0", "params": {}, "split": "train", "seed": 7}
    asked: list[tuple[str, Any, Any, str, str]] = [
        ("create", None, CREATE, "POST", "/v1/episodes"),
        ("step", "e", {"turn": 0, "action": GUESS_100}, "POST", "/v1/episodes/e/step"),
        ("step", "e", {"turn": 5, "action": GUESS_100}, "POST", "/v1/episodes/e/step"),
        ("step", "nobody", {"turn": 0, "action": ""}, "POST", "/v1/episodes/nobody/step"),
        ("step", "e", {"turn": 1, "acton": ""}, "POST", "/v1/episodes/e/step"),
        ("fork", "e", {"episode_id": "f", "turn": 0}, "POST", "/v1/episodes/e/fork"),
        ("get", "f", None, "GET", "/v1/episodes/f"),
        ("delete", "f", None, "DELETE", "/v1/episodes/f"),
        ("delete", "f", None, "DELETE", "/v1/episodes/f"),
        ("tasks", None, {"env_id": GUESS, "seeds": [1, 2]}, "POST", "/v1/tasks"),
        ("verify", None, {"items": [{"task": task, "responses": ["1"]}]}, "POST", "/v1/verify"),
        ("create", None, {**CREATE, "env_id": "gess-number-v0"}, "POST", "/v1/episodes"),
    ]
    assert {name for name, *_ in asked} == set(OPERATIONS)

    async def over_the_socket() -> list[Any]:
        async with talking(api.app) as talk:
            answers = []
            for place, (name, episode_id, body, _, _) in enumerate(asked):
                message = {"id": f"m{place}", "op": name, "episode_id": episode_id, "body": body}
                answers.append(await talk.ask({key: value for key, value in message.items() if value is not None}))
            return answers

    for place, ((*_, body, method, path), answer) in enumerate(zip(asked, api.run(over_the_socket()), strict=True)):
        response = other.send(method, path, body)
        wanted = response.json() if response.content else None
        assert answer == {"id": f"m{place}", "status": response.status_code, "body": wanted}


def test_numbers_are_read_exactly(api: Api) -> None:
    api.create(GUESS, "e", difficulty=1)

    async def ask(id: Any, turn: int, action: str) -> Any:
        async with talking(api.app) as talk:
            return await talk.ask(step(turn, action, id))

    answer = api.run(ask(2**63 - 1, 2**70, ""))
    assert (answer["id"], answer["status"]) == (2**63 - 1, 409)
    assert f"not {2**70}." in answer["body"]["detail"]
    assert f"not {2**70}." in api.try_step(2**70, "").json()["detail"]
    assert api.run(ask("\ud800", 0, "<answer>\ud800</answer>"))["status"] == 200  # text that has no UTF-8 form


def test_many_episodes_on_one_connection(api: Api) -> None:
    async def play() -> dict[str, Any]:
        async with talking(api.app) as talk:
            for number in range(20):
                talk.put(create(number, episode_id=f"e{number}", seed=number))
            assert {(await talk.next())["status"] for _ in range(20)} == {201}
            for number in range(20):
                talk.put(step(0, GUESS_100, number, f"e{number}"))
            answers = [await talk.next() for _ in range(20)]
            return {answer["id"]: answer["body"] for answer in answers}

    for number, answer in api.run(play()).items():
        env = local(GUESS, int(number), difficulty=1)
        assert answer["episode_id"] == f"e{number}"
        assert answer["observation"] == env.step(GUESS_100)[0]


WRONG: list[tuple[Any, str]] = [
    ("{", "not JSON"),
    ("", "not JSON"),
    ("[" * 100_000, "nested"),
    ('{"id": 1, "op": ' + "1" * 5000 + "}", "JSON"),
    ("[]", "An array must have 1 to 256 messages, got 0"),
    ("7", "A message must be an object"),
    ({"op": "step"}, "id: must be an integer"),
    ({"id": None, "op": "step"}, "id: must be an integer"),
    ({"id": 1.5, "op": "step"}, "id: must be an integer"),
    ({"id": True, "op": "step"}, "id: must be an integer"),
    ({"id": 2**63, "op": "step"}, "id: must be an integer"),
    ({"id": "x" * 129, "op": "step"}, "id: must be an integer"),
    ({"id": 1}, "unknown operation 'None'"),
    ({"id": 1, "op": "stepp"}, "Did you mean 'step'?"),
    ({"id": 1, "op": []}, "unknown operation '[]'"),
    ({"id": 1, "op": "step", "body": {"turn": 0, "action": ""}}, "step needs the id of an episode"),
    ({"id": 1, "op": "step", "episode_id": 7, "body": {"turn": 0, "action": ""}}, "step needs the id of an episode"),
    ({"id": 1, "op": "get"}, "get needs the id of an episode"),
    ({"id": 1, "op": "get", "episode_id": "e", "body": {}}, "get does not take a body"),
    (
        {"id": 1, "op": "create", "episode_id": "e", "body": CREATE},
        "create does not take an episode_id beside its body",
    ),
    ({"id": 1, "op": "create", "bdy": CREATE}, "Unknown field 'bdy'"),
    ({"id": 1, "op": "create"}, "body: "),
    ({"id": 1, "op": "step", "episode_id": "e", "body": {"turn": True, "action": ""}}, "turn: "),
    ({"id": 1, "op": "step", "episode_id": "e", "body": {"turn": -1, "action": ""}}, "turn: "),
    ({"id": 1, "op": "step", "episode_id": "e", "body": {"turn": 0, "action": 2**64}}, "action: "),
    (create(seed=2**64), "seed: Input should be less"),  # and not that it is no integer
]


@pytest.mark.parametrize(("message", "part"), WRONG, ids=[ascii(message)[:50] for message, _ in WRONG])
def test_what_is_wrong_is_answered_and_the_connection_stays(api: Api, message: Any, part: str) -> None:
    async def ask() -> tuple[Any, Any]:
        async with talking(api.app) as talk:
            return await talk.ask(message), await talk.ask({"id": "still", "op": "get", "episode_id": "nobody"})

    answer, after = api.run(ask())
    assert set(answer) == {"id", "status", "body"}
    assert (answer["status"], answer["body"]["code"]) == (422, "InvalidRequest")
    assert part in answer["body"]["detail"]
    assert answer["id"] in (1, None)
    assert (after["id"], after["status"]) == ("still", 404)


@pytest.mark.slow
@settings(max_examples=100)
@given(
    message=st.dictionaries(
        st.sampled_from(["id", "op", "episode_id", "body", "x"]),
        st.sampled_from([*OPERATIONS, 1, "e", None, {}, CREATE, {"turn": 0, "action": "\ud800"}, [[]]])
        | st.text(max_size=5)
        | st.recursive(st.none() | st.integers() | st.floats(), lambda inner: st.lists(inner, max_size=3)),
    )
    | st.text(max_size=20)
)
def test_no_message_makes_the_server_fail(message: Any) -> None:
    api = Api()

    async def ask() -> Any:
        async with talking(api.app) as talk:
            return await talk.ask(message)

    try:
        answer = api.run(ask())
    finally:
        api.close()
    assert answer["status"] < 500


def test_a_failure_of_an_environment_tells_nothing(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("the secret is 4711")

    monkeypatch.setattr(api.app.state.episodes, "step", fails)

    async def ask() -> Any:
        async with talking(api.app) as talk:
            return await talk.ask(step(0, ""))

    answer = api.run(ask())
    assert (answer["status"], answer["body"]["code"]) == (500, "InternalError")
    assert "4711" not in str(answer)


def test_over_a_real_connection() -> None:
    async def play(url: str) -> None:
        async with connect(f"{url.replace('http', 'ws', 1)}/v1/ws", compression=None) as socket:
            await socket.send(json.dumps(create()))
            assert json.loads(await socket.recv())["status"] == 201
            await socket.send(json.dumps(step(0, GUESS_100)).encode())  # bytes do as well
            answer = json.loads(await socket.recv())
            env = local(GUESS, 7, difficulty=1)
            assert answer["body"]["observation"] == env.step(GUESS_100)[0]
            assert "X-Request-ID" in socket.response.headers  # type: ignore[union-attr]
            with suppress(ConnectionClosed):  # perhaps while it is being sent
                await socket.send("x" * (16 * 2**20 + 1))
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert socket.close_code == 1009
        with pytest.raises(InvalidStatus, match="403"):
            await connect(f"{url.replace('http', 'ws', 1)}/v1/ws", origin="https://evil.example").__aenter__()  # type: ignore[arg-type]

    with serving(create_app(ServerSettings())) as url:
        asyncio.run(patiently(play(url)))
