"""What the tests of ``/v1/ws`` share: requests, a client that talks on one connection, and an environment that waits."""

from __future__ import annotations

import asyncio
import json
from asyncio import Future
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from envhub.server.auth.access import Caller
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.websocket import WebSocket
from envhub.server.journal import Entry, Header, MemoryJournal, StoredEpisode
from envhub.server.telemetry.request_log import RequestLog
from tests.server.serving import GUESS, Api

CREATE = {"env_id": GUESS, "episode_id": "e", "difficulty": 1, "seed": 7}
GUESS_100 = "<answer>100</answer>"


def create(id: Any = 1, **fields: Any) -> dict[str, Any]:
    return {"id": id, "op": "create", "body": {**CREATE, **fields}}


def step(turn: int, action: str, id: Any = 1, episode_id: str = "e") -> dict[str, Any]:
    return {"id": id, "op": "step", "episode_id": episode_id, "body": {"turn": turn, "action": action}}


class Talk:
    """One connection to an application in this process."""

    def __init__(self, app: Any, **headers: str) -> None:
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        self._scope = {
            "type": "websocket",
            "path": "/v1/ws",
            "root_path": "",
            "query_string": b"",
            "headers": pairs,
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        self._app = app
        self.taken = 0
        self.said: asyncio.Queue[Any] = asyncio.Queue()
        self._inbox: asyncio.Queue[Any] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self.stuck: asyncio.Event | None = None

    async def _receive(self) -> Any:
        message = await self._inbox.get()
        self.taken += message["type"] == "websocket.receive"
        return message

    async def _send(self, message: Any) -> None:
        if self.stuck is not None:
            await self.stuck.wait()
        self.said.put_nowait(message)

    async def begin(self) -> Any:
        self._task = asyncio.create_task(self._app(self._scope, self._receive, self._send))
        return await self.said.get()

    def put(self, message: Any) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    async def next(self) -> Any:
        message = await self.said.get()
        return json.loads(message["text"]) if message["type"] == "websocket.send" else message

    async def ask(self, message: Any) -> Any:
        self.put(message)
        return await self.next()

    def leave(self) -> None:
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})

    async def end(self) -> None:
        self.leave()
        await self._task


def directly(api: Api, endpoint: WebSocket) -> Talk:
    """A connection to an endpoint without the layers before it."""
    talk = Talk(endpoint)
    caller = Caller(None, frozenset({"play"}))
    talk._scope |= {"envhub.request_log": RequestLog(api.app, api.app.state.metrics), "envhub.caller": caller}
    return talk


@asynccontextmanager
async def talking(app: Any, **headers: str) -> AsyncIterator[Talk]:
    talk = Talk(app, **headers)
    assert (await talk.begin())["type"] == "websocket.accept"
    yield talk
    await talk.end()


class Stopping(MemoryJournal):
    """A journal whose turns wait."""

    def __init__(self) -> None:
        super().__init__(3600, 1000)
        self.go = asyncio.Event()
        self.waiting = 0
        self.loop: asyncio.AbstractEventLoop

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        async def later() -> StoredEpisode | None:
            await self.go.wait()
            return await MemoryJournal.append(self, header, turn, entry)

        self.waiting += 1
        self.loop = asyncio.get_running_loop()
        return asyncio.ensure_future(later())


class Keyed:
    def __init__(self, path: Path, make_api: Callable[..., Api]) -> None:
        self.file = KeyFile(path)
        self.now = 1000.0
        self.texts = {name: self.file.create(name, [name])[0] for name in ("play", "verify", "solutions")}
        self.texts["rare"] = self.file.create("rare", ["play"], rate=0.001)[0]
        self.api = make_api(MemoryJournal(3600, 100), keyring=Keyring(path, ticks=lambda: self.now))

    def headers(self, name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.texts[name]}"}
