"""The protocols that uvicorn uses.

HTTP with limits on size and time, and WebSockets. httptools buffers a header of any length, and neither it nor h11 has
timeouts. Any client could fill the memory or hold connections open, and no middleware would see it. ::

    uvicorn.Config(app, **options(max_body_bytes))

WebSocket messages may be as long as a body. They are not compressed: it would cost more than short messages gain, and a few
bytes could expand to very many.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from envhub.server.http.frames import DirectWebSocket

MAX_HEAD_BYTES: Final = 65_536
"""Maximum length of a request head, as in h11; one that arrives in one piece may be longer."""
HEAD_S: Final = 10.0
"""Timeout of a request head in seconds, from the connection or from its first byte."""
BODY_S: Final = 30.0
"""Timeout in seconds between two pieces of a request body."""
MAX_WAITING: Final = 1_024
"""Maximum number of connections per worker without a complete head; beyond it the oldest is closed."""
_TOO_LONG: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Punctual(asyncio.Protocol):
    """Closes a connection whose request head or body is late.

    Mixed into an HTTP protocol of uvicorn.
    """

    head_s = HEAD_S
    body_s = BODY_S
    max_waiting = MAX_WAITING
    _waiting: dict[Punctual, asyncio.TimerHandle] = {}  # noqa: RUF012  of all connections, the oldest first
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    cycle: Any
    flow: Any
    pipeline: Any = ()
    _body_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timeout of the first head."""
        super().connection_made(transport)
        self._await_head()
        if len(self._waiting) > self.max_waiting:
            next(iter(self._waiting))._too_late()

    def data_received(self, data: bytes) -> None:
        """Restart the timeout if data end within a head or body."""
        super().data_received(data)
        self._await_body()
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self.transport.is_closing() or self.transport.get_protocol() is not self:  # now a WebSocket
            self._head_came()
        elif self not in self._waiting:
            self._await_head()

    def on_response_complete(self) -> None:
        """Start the timeout of the next body.

        Its head may have been read already.
        """
        super().on_response_complete()  # type: ignore[misc]
        self._await_body()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timeouts."""
        self._head_came()
        self._stop_body_timer()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._waiting[self] = self.loop.call_later(self.head_s, self._too_late)

    def _head_came(self) -> None:
        timer = self._waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _await_body(self) -> None:
        """Restart the timeout of the current body, if there is one."""
        self._stop_body_timer()
        cycle = self.cycle
        if cycle is None or not cycle.more_body or cycle.response_complete:
            return
        if self.transport.get_protocol() is self and not self.transport.is_closing():
            self._body_timer = self.loop.call_later(self.body_s, self._body_stalled)

    def _stop_body_timer(self) -> None:
        if self._body_timer is not None:
            self._body_timer.cancel()
            self._body_timer = None

    def _body_stalled(self) -> None:
        if self.flow.read_paused or self.pipeline:  # the server has paused reading: the client is not late
            self._await_body()
        else:
            self._too_late(started=self.cycle.response_started)

    def _too_late(self, started: bool = False) -> None:
        self._head_came()
        if self.transport.get_protocol() is self and not self.transport.is_closing():
            if not started:  # a status line must not appear within a response
                self.transport.write(_TOO_LATE)
            self.transport.close()


class PunctualH11(Punctual, H11Protocol):
    """h11 with timeouts; it limits the length of a head itself."""


def http_protocol() -> Any:
    """The protocol class for uvicorn's setting ``http``."""
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    except ImportError:
        return PunctualH11

    class Bounded(Punctual, HttpToolsProtocol):
        """httptools with timeouts and limited heads and trailers.

        The limit is on their length.
        """

        _pending = 0

        def data_received(self, data: bytes) -> None:
            self._pending += len(data)
            super().data_received(data)
            if self._pending > MAX_HEAD_BYTES and not self.transport.is_closing():
                self.transport.write(_TOO_LONG)
                self.transport.close()

        def on_body(self, body: bytes) -> None:
            self._pending = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._pending = 0
            super().on_message_complete()

    return Bounded


def options(max_message_bytes: int) -> dict[str, Any]:
    """The settings of uvicorn that concern protocols.

    Args:
        max_message_bytes: Maximum length of a WebSocket message; a longer one ends its connection.
    """
    return {
        "http": http_protocol(),
        "ws": DirectWebSocket,
        "ws_max_size": max_message_bytes,
        "ws_per_message_deflate": False,
        "ws_ping_timeout": None,  # pongs are not seen while reading is paused
    }
