"""Which protocols uvicorn is given: httptools where it is installed, but with an end to what it keeps, and WebSockets.

httptools gathers a header until its end has come, however long that takes: anybody who can connect could fill the memory, and
no layer of the application would ever see it. h11 has a limit of its own. ::

    uvicorn.Config(app, **options(max_body_bytes))

A WebSocket's messages are as long as a body at most, and none is compressed: that costs more than our short messages gain, and
a few bytes could become very many.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.server.frames import Line

MAX_HEAD_BYTES: Final = 65_536
"""The same as h11's; a head that came in one piece may be longer."""
_TOO_LONG: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def http_protocol() -> Any:
    """What uvicorn's setting ``http`` should be."""
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    except ImportError:
        return "h11"

    class Bounded(HttpToolsProtocol):
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
        "ws": Line,
        "ws_max_size": max_message_bytes,
        "ws_per_message_deflate": False,
        "ws_ping_timeout": None,  # while we read no further, for too much is under way, a pong would not be seen
    }
