"""The WebSockets of one client to one server.

:class:`envhub.AsyncHub` uses them for addresses that begin with ``ws://`` or ``wss://``. It opens one connection, and
more under load. Many requests are in flight on each, which takes far less CPU time than HTTP. All turns of an episode use the
same connection, so they reach the same worker. ::

    lines = Lines(httpx.URL("ws://127.0.0.1:8420"), headers, timeout_s=60.0)
    answer = await lines.ask(message_of(call))
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage, InvalidStatus, WebSocketException

from envhub.client.requests import refusal, result_of
from envhub.client.websocket import Connection, ConnectionLost, Limit, Message, OverHttp
from envhub.core.errors import RemoteError
from envhub.core.types import JSON

MOST_LINES: Final = 4
_UNDER_WAY: Final = 256  # messages in flight on a connection; the server reads no more of them
_BUSY: Final = 64  # messages in flight on a connection before another is opened, which may reach another worker
_CLOSING_S: Final = 5.0
_CLOSED: Final = "This hub is closed."
_PATH: Final = "/v1/ws"
_wire_log = logging.getLogger(f"{__name__}.wire")
_wire_log.setLevel(logging.INFO)  # at DEBUG the library logs headers, including the API key

Connect = Callable[[], Awaitable[ClientConnection]]


class Lines:
    """The connections to one server.

    Args:
        url: Address of the server, ``ws`` or ``wss``.
        headers: Headers of the opening handshake.
        timeout_s: Timeout in seconds of an answer, and of connecting.
        proxied: Whether the proxies of the environment variables apply.
    """

    def __init__(self, url: httpx.URL, headers: Mapping[str, str], timeout_s: float, proxied: bool = True) -> None:
        address = str(url.copy_with(path=url.path.rstrip("/") + _PATH))

        async def opened() -> ClientConnection:
            return await connect(
                address,
                additional_headers=headers,
                proxy=True if proxied else None,
                compression=None,  # the server does not compress either
                open_timeout=timeout_s,
                ping_interval=None,  # a server that has paused reading answers no pings; late answers are noticed anyway
                close_timeout=min(timeout_s, _CLOSING_S),
                max_size=None,
                max_queue=None,  # bounded already by the number of messages in flight
                logger=_wire_log,
            )

        self._limit = Limit()
        self._lines = [_Line(opened, timeout_s, self._limit) for _ in range(MOST_LINES)]
        self._count = 1

    async def connect(self) -> None:
        """Open a connection now instead of with the first message.

        Raises:
            EnvhubError: The server refuses the connection or does not support WebSockets.
            ConnectionLost: It could not be opened; try again.
        """
        await self._lines[0].connection()

    async def ask(self, message: Message) -> JSON:
        """The answer to a message.

        Raises:
            EnvhubError: The error that the server reported.
            ConnectionLost: There is no answer.
            OverHttp: The message cannot be sent over a WebSocket.
        """
        if len(message.text) > self._limit.chars:
            raise OverHttp
        line = self._line(message)
        if line.asked >= _BUSY and self._count < MOST_LINES:
            self._count += 1
            line = self._line(message)
        answer = result_of(await line.ask(message))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _line(self, message: Message) -> _Line:
        if message.episode_id is None:
            return min(self._lines[: self._count], key=lambda line: line.asked)
        return self._lines[hash(message.episode_id) % self._count]

    async def close(self) -> None:
        """Close the connections without waiting for answers."""
        await asyncio.gather(*(line.close() for line in self._lines))


class _Line:
    """A connection, opened on first use and reopened when it has ended."""

    def __init__(self, connect: Connect, timeout_s: float, limit: Limit) -> None:
        self._connect, self._timeout_s, self._limit = connect, timeout_s, limit
        self._now: Connection | None = None
        self._opening: asyncio.Task[Connection | Exception] | None = None
        self._free = asyncio.Semaphore(_UNDER_WAY)
        self._closed = False
        self.asked = 0
        """Number of messages that wait to be sent or answered."""

    async def ask(self, message: Message) -> JSON:
        """The answer to a message, with its status."""
        self.asked += 1
        try:
            async with self._free:
                return await (await self.connection()).ask(message)
        finally:
            self.asked -= 1

    async def connection(self) -> Connection:
        """The connection, opened if it is not open."""
        if self._closed:
            raise RemoteError(_CLOSED)
        if self._now is not None and self._now.open:
            return self._now
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        # one attempt for all callers; it continues when one of them is cancelled
        found = await asyncio.shield(self._opening)
        if isinstance(found, Exception):
            raise _again(found)
        return found

    async def _open(self) -> Connection | Exception:
        try:
            self._now = Connection(await self._connect(), self._timeout_s, self._limit)
            return self._now
        except InvalidStatus as error:
            response = error.response
            return refusal(response.status_code, bytes(response.body or b""), response.headers.get("retry-after"))
        except asyncio.CancelledError:
            if not self._closed:
                raise
            return RemoteError(_CLOSED)  # the callers that wait for it were not cancelled
        except (OSError, TimeoutError, InvalidMessage) as error:  # not listening, or cut off
            return ConnectionLost(f"{type(error).__name__}: {error}")
        except WebSocketException as error:
            return RemoteError(f"Cannot open a WebSocket: {error}. Try the same address with http://.")
        finally:
            self._opening = None

    async def close(self) -> None:
        self._closed = True
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._now is not None:
            await self._now.close()


def _again(error: Exception) -> Exception:
    """A copy of the error for another caller, without its traceback."""
    twin = type(error)(*error.args)
    twin.__dict__.update(error.__dict__)
    return twin
