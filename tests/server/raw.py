"""Bytes on a socket, for what no client would send: requests that are none, and frames of WebSockets."""

from __future__ import annotations

import json
import logging
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from tests.server.serving import PATIENCE_S

TEXT, BYTES, CLOSE, PING, PONG, MORE = 0x1, 0x2, 0x8, 0x9, 0xA, 0x0
LAST = 0x80
"""The bit of a frame that ends its message."""


class Wire:
    """One connection. What does not come within the patience of a test is a failure, and not waited for."""

    def __init__(self, url: str) -> None:
        where = urlsplit(url)
        self.socket = socket.create_connection((where.hostname or "", where.port or 0), PATIENCE_S)
        self.socket.settimeout(PATIENCE_S)
        self.file = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        """Send; a server may have hung up by then."""
        with suppress(ConnectionError):
            self.socket.sendall(data)

    def no_more(self) -> None:
        """Say that nothing more will be sent."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def rest(self) -> bytes:
        """Everything until the server hangs up."""
        parts = []
        with suppress(ConnectionError):
            while part := self.socket.recv(65_536):
                parts.append(part)
        return b"".join(parts)

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@contextmanager
def wire(url: str) -> Iterator[Wire]:
    connection = Wire(url)
    try:
        yield connection
    finally:
        connection.close()


def frame(code: int, payload: bytes = b"", *, masked: bool = True, size: int | None = None) -> bytes:
    """A frame; the first byte as it is, the length as it is claimed to be."""
    size = len(payload) if size is None else size
    bit = 0x80 if masked else 0
    if size < 126:
        head = struct.pack("!BB", code, bit | size)
    elif size < 65_536:
        head = struct.pack("!BBH", code, bit | 126, size)
    else:
        head = struct.pack("!BBQ", code, bit | 127, size)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))


class Frames(Wire):
    """A WebSocket that was connected by hand."""

    def __init__(self, url: str, path: str = "/v1/ws") -> None:
        super().__init__(url)
        self.send(
            f"GET {path} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.head = b""
        while not self.head.endswith(b"\r\n\r\n"):
            line = self.file.readline()
            assert line, self.head
            self.head += line
        assert self.head.startswith(b"HTTP/1.1 101 "), self.head

    def next(self) -> tuple[int, bytes] | None:
        """The next frame: its first byte without the last bit, and its payload. None when the server has hung up."""
        try:
            head = self.file.read(2)
            if len(head) < 2:
                return None
            size = head[1] & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self.file.read(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self.file.read(8))
            return head[0] & 0x0F, self.file.read(size)
        except ConnectionError:
            return None

    def say(self, message: Any) -> None:
        """Send a message in one frame."""
        self.send(frame(LAST | TEXT, json.dumps(message).encode()))

    def answer(self) -> Any:
        """The next answer; pongs are passed over."""
        while (found := self.next()) is not None and found[0] == PONG:
            pass
        assert found is not None, "the connection has ended"
        assert found[0] == TEXT, found
        return json.loads(found[1])

    def end(self) -> int | None:
        """The code the server closes with, passing over answers; None when it only hangs up."""
        while (found := self.next()) is not None:
            if found[0] == CLOSE:
                return int.from_bytes(found[1][:2], "big") if found[1] else 1005
        return None


@contextmanager
def frames(url: str) -> Iterator[Frames]:
    connection = Frames(url)
    try:
        yield connection
    finally:
        connection.close()


class Complaints(logging.Handler):
    """What a server's log says is wrong with the server."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.exc_info:
            self.found.append(f"{record.name}: {record.getMessage()} {record.exc_info}")


@contextmanager
def no_complaints() -> Iterator[Complaints]:
    """The log of what is done meanwhile has no failure of ours and no traceback, and nothing is left unanswered by accident."""
    complaints = Complaints()
    loggers = [logging.getLogger(name) for name in ("", "uvicorn", "uvicorn.error", "asyncio", "envhub", "websockets")]
    for logger in loggers:
        logger.addHandler(complaints)
    try:
        yield complaints
    finally:
        for logger in loggers:
            logger.removeHandler(complaints)
    assert not complaints.found, complaints.found[:3]
