"""A function is called: arguments go in one call at a time, one framed reply each comes back.

Nothing that comes back is looked into here: a reply is handed to the host as it is, and counts against a limit in bytes. One
that nobody asked for, or a second one to the same call, makes the call it meets a failed one and ends the conversation; so
whatever a program writes, it is the answer to a call that was made, or none.
"""

from __future__ import annotations

from collections.abc import Sequence

from envhub.sandbox.inside.frames import Broken, Reader, pack
from envhub.sandbox.inside.monitor import Watch

READY = b"r"
_MESSAGE = 4096
UNASKED = b'e["UnaskedReply","more was written to the reply stream than one reply to one call"]'


class Conversation:
    """The calls of one job.

    Args:
        watch: Listens.
        descriptor: Where arguments are written and replies read.
        calls: The arguments of each call.
        most: Bytes of all replies together.

    Attributes:
        replies: The replies so far.
        over: Whether there is nothing more to wait for.
    """

    def __init__(self, watch: Watch, descriptor: int, calls: Sequence[bytes], most: int) -> None:
        self._watch = watch
        self._descriptor = descriptor
        self._calls = calls
        self._most = most
        self._room = most
        self._reader = Reader(most + _MESSAGE)
        self._ready = False
        self.replies: list[bytes] = []
        self.over = False
        watch.listen(descriptor, self._take)

    @property
    def complete(self) -> bool:
        """Whether every call has its reply."""
        return self._ready and len(self.replies) == len(self._calls)

    def _take(self, data: bytes) -> None:
        if self.over or not data:  # whether it is at its end the process says, not the stream
            return
        self._reader.feed(data)
        try:
            body = self._reader.next()
        except Broken:
            self._watch.hit("value")
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
                self._watch.hit("value")
                return
            self.replies.append(body)
        self._next()

    def _next(self) -> None:
        if self.complete:
            self.over = True
            return
        self._watch.feed(self._descriptor, pack(self._calls[len(self.replies)]), close=False)
