"""Which protocols uvicorn is given: HTTP whose heads and bodies must end, and WebSockets.

httptools gathers a header until its end has come, however long that takes, and neither it nor h11 knows of time: anybody who
can connect could fill the memory or hold connections open, and no layer of the application would ever see it. ::

    uvicorn.Config(app, **options(max_body_bytes))

A WebSocket's messages are as long as a body at most, and none is compressed: that costs more than our short messages gain, and
a few bytes could become very many.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from envhub.server.http.frames import DirectWebSocket

MAX_HEAD_BYTES: Final = 65_536
"""The same as h11's; a head that came in one piece may be longer."""
HEAD_S: Final = 10.0
"""Seconds in which the head of a request must have come, from the connection or from its first byte."""
BODY_S: Final = 30.0
"""Seconds between two pieces of a request's body."""
MAX_WAITING: Final = 1_024
"""Connections of a worker that have sent no whole head yet; for another one the oldest of them is closed."""
_TOO_LONG: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Punctual(asyncio.Protocol):
    """Closes a connection whose next request head, or more of its body, does not come in time. Base of an HTTP protocol."""

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
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._await_head()
        if len(self._waiting) > self.max_waiting:
            next(iter(self._waiting))._too_late()

    def data_received(self, data: bytes) -> None:
        """Wait on where the data end within a head or a body."""
        super().data_received(data)
        self._await_body()
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self.transport.is_closing() or self.transport.get_protocol() is not self:  # now a WebSocket
            self._head_came()
        elif self not in self._waiting:
            self._await_head()

    def on_response_complete(self) -> None:
        """Wait for the body of the next request, whose head may have been read already."""
        super().on_response_complete()  # type: ignore[misc]
        self._await_body()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
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
        """Begin to wait for more of the body that is under way, if one is."""
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
        if self.flow.read_paused or self.pipeline:  # the server is not reading: the client is not to blame
            self._await_body()
        else:
            self._too_late(started=self.cycle.response_started)

    def _too_late(self, started: bool = False) -> None:
        self._head_came()
        if self.transport.get_protocol() is self and not self.transport.is_closing():
            if not started:  # else a status line would stand within a response
                self.transport.write(_TOO_LATE)
            self.transport.close()


class PunctualH11(Punctual, H11Protocol):
    """h11, which bounds the bytes of a head by itself."""


def http_protocol() -> Any:
    """What uvicorn's setting ``http`` should be."""
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    except ImportError:
        return PunctualH11

    class Bounded(Punctual, HttpToolsProtocol):
        """Ends a connection that sends on and on without completing anything: a header, or a trailer."""

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
    """What uvicorn is told of protocols.

    Args:
        max_message_bytes: The longest message of a WebSocket; a longer one ends its connection.
    """
    return {
        "http": http_protocol(),
        "ws": DirectWebSocket,
        "ws_max_size": max_message_bytes,
        "ws_per_message_deflate": False,
        "ws_ping_timeout": None,  # while we read no further, for too much is under way, a pong would not be seen
    }
