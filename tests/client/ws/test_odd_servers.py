"""The client over WebSockets: servers that are none of ours, or not what they were."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

from envhub.client.hub import AsyncHub
from envhub.core.errors import RemoteError, TooBusy
from envhub.server.http.app import create_app
from envhub.server.http.protocol import options
from envhub.settings import ServerSettings
from tests.client.ws.talking import MISSES, TASKS, Waits, at_home, key, run
from tests.server.serving import GUESS, serving
from tests.support.wires import Forwarder, Odd, answer


@pytest.mark.parametrize(
    "text", ["hello", "[]", '{"status": 200}', '{"id": [], "status": 200, "body": {}}', "[" * 9999]
)
def test_a_server_that_is_none_of_ours(text: str) -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.send(text)

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=Waits(), retries=1) as hub:
            with pytest.raises(
                RemoteError, match="cannot be reached: ConnectionLost: the server sent an invalid answer"
            ):
                await hub.call(TASKS)
            assert odd.connections == 2

    run(ask())


@pytest.mark.parametrize("body", [None, 7, []])
def test_an_answer_that_is_none(body: Any) -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.send(answer(message, body))

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url) as hub:
            with pytest.raises(RemoteError, match="Not an envhub server"):
                await hub.call(TASKS)

    run(ask())


def test_a_server_without_web_sockets() -> None:
    async def plain(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"<html>Welcome"})
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})

    async def ask(address: str) -> None:
        waits = Waits()
        async with AsyncHub(address.replace("http", "ws"), sleep=waits) as hub:
            with pytest.raises(RemoteError, match="403"):
                await hub.call(TASKS)
        assert waits == []

    with serving(plain) as address:
        run(ask(address))


def test_what_is_too_long_for_the_server_goes_over_http_and_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.server.serving.options", lambda _: options(4096))
    upgrades = 0

    def count(direction: str, data: bytes) -> bool:
        nonlocal upgrades
        upgrades += data.startswith(b"GET /v1/ws")
        return False

    async def refused(hub: AsyncHub) -> tuple[type, str]:
        with pytest.raises(RemoteError, match="413") as caught:
            await hub.begin(key(6), system="x" * 5000)
        return type(caught.value), str(caught.value)

    async def play(address: str) -> None:
        line = Forwarder(address)
        line.cut = count
        async with line.listening(), AsyncHub(line.url, sleep=Waits()) as hub, AsyncHub(address) as over_http:
            envs = [await hub.begin(key(seed)) for seed in range(5)]
            *steps, too_long = await asyncio.gather(*(env.step(MISSES[0]) for env in envs), refused(hub))
            assert steps == [at_home(seed)[0] for seed in range(5)]
            assert too_long == await refused(over_http)
            assert upgrades == 2
            assert await refused(hub) == too_long  # and now it knows
            assert [await env.step(MISSES[1]) for env in envs] == [at_home(seed)[1] for seed in range(5)]
            assert upgrades == 2

    with serving(create_app(ServerSettings(max_body_bytes=4096))) as address:
        run(play(address))


def beside(app: Any, socket: Any) -> Any:
    """An application with another endpoint for WebSockets."""

    async def both(scope: Any, receive: Any, send: Any) -> None:
        await (socket if scope["type"] == "websocket" else app)(scope, receive, send)

    return both


def test_what_the_server_cannot_read_goes_over_http() -> None:
    """Its answer names no message: it could not read the number of the one that it answers."""
    read: list[str] = []

    async def socket(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            read.append(message["text"])
            body = {"code": "InvalidRequest", "detail": "Not JSON."}
            await send({"type": "websocket.send", "text": json.dumps({"id": None, "status": 422, "body": body})})

    async def ask(address: str) -> None:
        async with AsyncHub(address.replace("http", "ws"), retries=0) as hub:
            (task,) = await hub.tasks(GUESS, [7])
            assert task.seed == 7
            assert len(read) == 1

    with serving(beside(create_app(ServerSettings()), socket)) as address:
        run(ask(address))


def test_a_server_that_is_too_busy_for_another_connection_is_asked_again_when_it_says() -> None:
    waits = Waits()

    async def socket(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        headers = [(b"retry-after", b"7"), (b"content-type", b"application/problem+json")]
        await send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
        body = {"code": "TooBusy", "detail": "Later."}
        await send({"type": "websocket.http.response.body", "body": json.dumps(body).encode()})

    async def ask(address: str) -> None:
        async with AsyncHub(address.replace("http", "ws"), retries=1, sleep=waits) as hub:
            with pytest.raises(TooBusy, match=r"Later\.") as refused:
                await hub.call(TASKS)
            assert refused.value.retry_after == 7

    with serving(beside(create_app(ServerSettings()), socket)) as address:
        run(ask(address))
    assert waits == [7.0]


def test_an_answer_that_comes_twice_is_one() -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        for _ in range(2):
            await socket.send(answer(message, {"of": message["body"]}))

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, retries=0) as hub:
            for n in range(10):
                assert await hub.call(("POST", "/v1/tasks", {"n": n})) == {"of": {"n": n}}
            assert odd.connections == 1

    run(ask())
