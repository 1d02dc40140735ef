"""Sends and receives single messages over descriptors, without reading ahead."""

from __future__ import annotations

import os

from envhub.sandbox.inside.frames import HEAD, Broken, pack

MAX_REQUEST = 512 << 20


def receive(descriptor: int) -> bytes:
    """Receive the next message.

    Raises:
        Broken: The stream ended.
    """
    (size,) = HEAD.unpack(_exactly(descriptor, HEAD.size))
    if size > MAX_REQUEST:
        raise Broken(f"a message of {size} bytes")
    return _exactly(descriptor, size)


def send(descriptor: int, body: bytes) -> None:
    """Send a message; blocks until it is written."""
    rest = memoryview(pack(body))
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _exactly(descriptor: int, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = os.read(descriptor, min(size - len(parts), 1 << 20))
        if not part:
            raise Broken("the stream ended")
        parts += part
    return bytes(parts)
