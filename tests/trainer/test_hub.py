"""Which way the trainer plays at a hub."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from envhub_trainer.hub import Hub, open_hub
from tests.server.serving import patiently, serving

OPTIONS = {"answer_format": "tag"}
ACTIONS = ["<answer>201</answer>", "no idea"]


class App:
    """The application, which notes what comes, and lets WebSockets in or not."""

    def __init__(self) -> None:
        self._app = create_app(ServerSettings(), MemoryJournal(3600, 100))
        self.came: list[str] = []
        self.sockets = True

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.came.append(f"{scope['type']} {scope.get('path', '')}")
        if scope["type"] == "websocket" and not self.sockets:
            await receive()
            await send({"type": "websocket.close", "code": 1000})
            return
        await self._app(scope, receive, send)


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def url(app: App) -> Iterator[str]:
    with serving(app) as address:
        yield address


def played(address: str | None, **more: Any) -> list[Any]:
    """What three episodes of a task see; the first two have the same luck."""
    env = envhub.make("guess-number-v0", difficulty=1, answer_format="tag")
    env.reset(seed=7)

    async def play(hub: Hub) -> list[Any]:
        sessions = await hub.begin(env.task, [0, 0, 3])
        seen = [[await session.step(action) for action in ACTIONS] for session in sessions]
        for session in sessions:
            await session.close()
        return seen

    async def whole() -> list[Any]:
        async with open_hub(address, OPTIONS, **more) as hub:
            return await play(hub)

    return asyncio.run(patiently(whole()))


def test_a_hub_is_played_over_its_web_socket(app: App, url: str) -> None:
    assert played(url) == played(None)
    assert {what for what in app.came if not what.startswith("lifespan")} == {"websocket /v1/ws"}
    assert played(url.replace("http", "ws")) == played(None)


def test_a_hub_without_one_is_played_over_http(app: App, url: str, caplog: pytest.LogCaptureFixture) -> None:
    app.sockets = False
    with caplog.at_level(logging.WARNING):
        assert played(url) == played(None)
    assert app.came.count("websocket /v1/ws") == 1
    assert "http /v1/episodes" in app.came
    assert "no WebSocket to the hub, so HTTP" in caplog.text


def test_a_hub_is_played_over_http_when_that_is_wanted(app: App, url: str) -> None:
    assert played(url, websocket=False) == played(None)
    assert "websocket /v1/ws" not in app.came


def test_an_address_that_is_none() -> None:
    for address in ("nowhere", "http://"):
        with pytest.raises(InvalidParameters, match="got '"):
            played(address)
