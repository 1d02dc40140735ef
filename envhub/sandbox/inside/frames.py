"""Length-prefixed messages over a byte stream.

Four bytes of length, then the body. Used by both ends of a slot. A reader sets the maximum length, because the other
end may be hostile.
"""

import struct

HEAD = struct.Struct(">I")


class Broken(Exception):
    """The stream ended within a message, or a message is invalid.

    It is malformed or too long.
    """


def pack(body: bytes) -> bytes:
    """A message with its length prefix."""
    return HEAD.pack(len(body)) + body


class Reader:
    """Splits a byte stream into messages.

    Args:
        most: Maximum length of a message in bytes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._buffer += data

    @property
    def held(self) -> int:
        """Number of bytes not returned in a message yet."""
        return len(self._buffer)

    def next(self) -> "bytes | None":
        """The next complete message, or None if it is incomplete.

        Raises:
            Broken: The message is too long.
        """
        if len(self._buffer) < HEAD.size:
            return None
        (length,) = HEAD.unpack_from(self._buffer)
        if length > self._most:
            raise Broken(f"a message of {length} bytes is longer than {self._most}")
        end = HEAD.size + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[HEAD.size : end])
        del self._buffer[:end]
        return body
