"""Calls of a function over a stream.

One framed message of arguments per call, one framed reply each. Replies are not parsed here. They are passed to the
host unchanged and count against a limit in bytes. An unexpected reply, or a second one to the same call, fails the
current call and ends the conversation. So nothing that a program writes can pass for the reply to another call.
"""

from __future__ import annotations

from collections.abc import Sequence

from envhub.sandbox.inside.frames import Broken, Reader, pack
from envhub.sandbox.inside.streams import Streams

READY = b"r"
_MESSAGE = 4096
UNASKED = b'e["UnaskedReply","more was written to the reply stream than one reply to one call"]'


class Conversation:
    """The calls of one job.

    Args:
        streams: Reads and writes the descriptor.
        descriptor: The socket for arguments and replies.
        calls: The arguments of each call.
        most: Maximum bytes of all replies together.

    Attributes:
        replies: The replies so far.
        over: Whether no further reply is expected.
    """

    def __init__(self, streams: Streams, descriptor: int, calls: Sequence[bytes], most: int) -> None:
        self._streams = streams
        self._descriptor = descriptor
        self._calls = calls
        self._most = most
        self._room = most
        self._reader = Reader(most + _MESSAGE)
        self._ready = False
        self.replies: list[bytes] = []
        self.over = False
        streams.listen(descriptor, self._take)

    @property
    def complete(self) -> bool:
        """Whether every call has its reply."""
        return self._ready and len(self.replies) == len(self._calls)

    def _take(self, data: bytes) -> None:
        if self.over or not data:  # the end of the process decides, not the end of the stream
            return
        self._reader.feed(data)
        try:
            body = self._reader.next()
        except Broken:
            self._streams.hit("value")
            return
        if body is None:
            return
        if self._reader.held or (not self._ready and body != READY):
            self.replies.append(UNASKED)
            self.over = True
            return
        if not self._ready:
            self._ready = True
        else:
            self._room -= len(body)
            if self._room < 0:
                self._streams.hit("value")
                return
            self.replies.append(body)
        self._next()

    def _next(self) -> None:
        if self.complete:
            self.over = True
            return
        self._streams.feed(self._descriptor, pack(self._calls[len(self.replies)]), close=False)
