"""Messages as they lie on a connection, whole: HTTP/1.1 requests and answers, and the frames of a WebSocket.

Only as much is understood as is needed to know where one ends; what is read is kept byte for byte. ::

    message = await read_http(reader)      # None where the connection has ended
    frame = await read_frame(reader)
"""

from __future__ import annotations

from asyncio import IncompleteReadError, StreamReader
from dataclasses import dataclass
from typing import Final

_TEXT: Final = 0x81  # a whole message of text in one frame
ENDED: Final = (IncompleteReadError, ConnectionError, OSError)
"""What reading raises where somebody has left."""


@dataclass(frozen=True, slots=True)
class Http:
    """A request or an answer."""

    head: bytes
    body: bytes

    @property
    def whole(self) -> bytes:
        return self.head + self.body

    @property
    def upgrades(self) -> bool:
        """Whether it asks for a WebSocket."""
        return b"\r\nupgrade: websocket\r\n" in self.head.lower()

    @property
    def status(self) -> int:
        """Of an answer."""
        return int(self.head.split(b" ", 2)[1])


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame."""

    whole: bytes
    payload: bytes

    @property
    def is_message(self) -> bool:
        """Whether it is a message, and not a part of one, a ping or a goodbye."""
        return self.whole[0] == _TEXT


async def read_http(reader: StreamReader) -> Http | None:
    """The next request or answer; None where there is none any more."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.lower().split(b"\r\n"):
            name, _, value = line.partition(b":")
            assert name != b"transfer-encoding", "the proxy does not understand chunks, and the server sends none"
            length = int(value) if name == b"content-length" else length
        return Http(head, await reader.readexactly(length))
    except ENDED:
        return None


async def read_frame(reader: StreamReader) -> Frame | None:
    """The next frame of a WebSocket; None where there is none any more."""
    try:
        head = await reader.readexactly(2)
        length = head[1] & 0x7F
        if length > 125:
            more = await reader.readexactly(2 if length == 126 else 8)
            head, length = head + more, int.from_bytes(more, "big")
        if head[1] & 0x80:
            head += await reader.readexactly(4)
        payload = await reader.readexactly(length)
        return Frame(head + payload, payload)
    except ENDED:
        return None
