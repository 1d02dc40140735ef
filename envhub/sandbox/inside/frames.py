"""Messages over a byte stream: four bytes of length, then so many bytes.

Both ends of a slot speak it, so this file also runs in the jail: it knows nothing but the standard library. Whoever reads
states the longest message it takes, because the other end may be hostile.
"""

import struct

HEAD = struct.Struct(">I")


class Broken(Exception):
    """The stream ended in the middle of a message, or a message is longer than the reader takes."""


def pack(body: bytes) -> bytes:
    """A message as it travels."""
    return HEAD.pack(len(body)) + body


class Reader:
    """Takes bytes as they come and gives whole messages.

    Args:
        most: The longest message it takes, in bytes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Add what was received."""
        self._buffer += data

    @property
    def held(self) -> int:
        """Bytes that belong to no message given out yet."""
        return len(self._buffer)

    def next(self) -> "bytes | None":
        """The next whole message, or None while it has not come.

        Raises:
            Broken: Its length is beyond what this reader takes.
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
