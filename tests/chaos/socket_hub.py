"""A hub over one WebSocket, as docs/api.md says that one is written: connect again, and send what was not answered again. ::

async with SocketHub("ws://127.0.0.1:8420/v1/ws") as hub:
    env = AsyncRemoteEnv(hub, template)
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from envhub.client.requests import Call, error_of
from envhub.core.errors import RemoteError
from envhub.core.types import JSON

_TRIES: Final = 200
_PAUSE_S: Final = 0.1
_LOST: Final = (WebSocketException, OSError, EOFError)


class SocketHub:
    """What :class:`envhub.client.hub.AsyncHub` is to a remote environment: somewhere to send its calls to."""

    def __init__(self, url: str, pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._url, self._pause = url, pause
        self._ids = count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._connecting = asyncio.Lock()
        self._connection: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None

    async def call(self, call: Call) -> JSON:
        """Send a message until it is answered."""
        id = next(self._ids)
        message = json.dumps({"id": id, **_item(call)})
        for _ in range(_TRIES):
            future = self._waiting[id] = asyncio.get_running_loop().create_future()
            try:
                connection = await self._connected()
                await connection.send(message)
                answer = await future
            except _LOST:
                await self._pause(_PAUSE_S)
                continue
            finally:
                del self._waiting[id]
                future.cancel()  # that the connection was lost is known already
            if answer["status"] < 400:
                return answer["body"]
            if "retry_after" not in answer:
                raise error_of(answer["body"], answer["status"], None)
            await self._pause(answer["retry_after"])
        raise RemoteError(f"No answer in {_TRIES} tries.")

    async def close(self) -> None:
        """Leave."""
        if self._connection is not None and self._reading is not None:
            await self._connection.close()
            await self._reading

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def _connected(self) -> ClientConnection:
        async with self._connecting:
            if self._connection is None:
                self._connection = await connect(
                    self._url,
                    proxy=None,
                    compression=None,
                    ping_interval=None,
                    max_size=2**24,
                    open_timeout=60,
                    close_timeout=1,
                )
                self._reading = asyncio.create_task(self._read(self._connection))
            return self._connection

    async def _read(self, connection: ClientConnection) -> None:
        """Hand out answers until the connection is lost; then say so to all that wait."""
        with suppress(*_LOST):
            async for text in connection:
                answer = json.loads(text)
                future = self._waiting.get(answer["id"])
                if future is not None and not future.done():  # else it was doubled on its way
                    future.set_result(answer)
        self._connection = None
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ConnectionError("the connection was lost"))
        await connection.close()


def _item(call: Call) -> dict[str, Any]:
    method, path, body = call
    match path.split("/")[3:]:  # after /v1/episodes
        case []:
            return {"op": "create", "body": body}
        case [episode_id]:
            return {"op": {"GET": "get", "DELETE": "delete"}[method], "episode_id": episode_id}
        case [episode_id, op]:
            return {"op": op, "episode_id": episode_id, "body": body}
    raise AssertionError(path)
