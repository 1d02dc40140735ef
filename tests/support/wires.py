"""Bad lines and odd servers, for tests of the client's WebSockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed


class Forwarder:
    """A line to a server that can be cut.

    Attributes:
        connections: How many there have been.
        cut: Asked of every packet with its direction, "to" or "from" the server, and its content; True ends the connection
            with the packet undelivered.
        url: Where it listens, once it does.
    """

    def __init__(self, server: str) -> None:
        self.server = server
        self.connections = 0
        self.cut: Callable[[str, bytes], bool] = lambda direction, data: False
        self.url = ""
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        address = urlsplit(self.server)
        try:
            there, to_server = await asyncio.open_connection(address.hostname, address.port)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, to_server}
        self._open |= ends
        pumps = [self._pump("to", reader, to_server, ends), self._pump("from", there, writer, ends)]
        await asyncio.gather(*pumps)
        self._open -= ends

    async def _pump(
        self,
        direction: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        ends: set[asyncio.StreamWriter],
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if self.cut(direction, data):
                    break
                writer.write(data)
        for end in ends:
            end.transport.abort()

    def cut_all(self) -> None:
        """End every connection."""
        for writer in self._open:
            writer.transport.abort()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Forwarder]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            self.cut_all()
            await server.wait_closed()
            await asyncio.sleep(0)


class Odd:
    """A server that answers as a test wants.

    Args:
        behave: Called with every message, the server and the connection that it came on.
    """

    def __init__(self, behave: Callable[[dict[str, Any], Odd, ServerConnection], Awaitable[None]]) -> None:
        self._behave = behave
        self.connections = 0
        self.seen: list[dict[str, Any]] = []
        self.url = ""

    async def _serve(self, socket: ServerConnection) -> None:
        self.connections += 1
        with suppress(ConnectionClosed):
            async for text in socket:
                message = json.loads(text)
                self.seen.append(message)
                await self._behave(message, self, socket)

    @asynccontextmanager
    async def listening(self, **more: Any) -> AsyncIterator[Odd]:
        async with serve(self._serve, "127.0.0.1", 0, compression=None, ping_interval=None, **more) as server:
            self.url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
            yield self


def answer(message: dict[str, Any], body: Any = None, status: int = 200, **more: Any) -> str:
    """The answer to a message."""
    return json.dumps({"id": message["id"], "status": status, "body": body, **more})


def problem(message: dict[str, Any], status: int, code: str, **more: Any) -> str:
    """An error as the answer to a message."""
    return answer(message, {"code": code, "detail": "As the test has it.", "status": status}, status, **more)
