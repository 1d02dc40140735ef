"""Non-blocking pipes and sockets to and from untrusted programs.

They connect a trusted process and the programs it runs. :class:`Streams` reads from and writes to any number of
descriptors on one poll object. What is waited for besides them (the end of a process, a deadline) is up to its
subclasses.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress

_CHUNK = 1 << 16


class Output:
    """What a program printed, up to a limit; the rest is discarded.

    Attributes:
        cut: Whether anything was discarded.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept = bytearray()
        self.cut = False

    def add(self, data: bytes) -> None:
        """Append data as far as there is room."""
        room = self._most - len(self._kept)
        self.cut = self.cut or len(data) > room
        self._kept += data[:room]

    def take(self) -> bytes:
        """Return and clear what was collected since the last call."""
        kept, self._kept = bytes(self._kept), bytearray()
        return kept


class Streams:
    """A job's descriptors, and the first limit that it hit.

    Attributes:
        limit: The first limit that was hit, or None.
    """

    def __init__(self) -> None:
        self.limit: str | None = None
        self._poll = select.poll()
        self._readers: dict[int, Callable[[bytes], None]] = {}
        self._pending: dict[int, tuple[memoryview, bool]] = {}

    def hit(self, limit: str) -> None:
        """Record a limit, unless one was recorded before."""
        self.limit = self.limit or limit

    def listen(self, descriptor: int, reader: Callable[[bytes], None]) -> None:
        """Call ``reader`` with all data from a descriptor.

        At its end, call it with ``b""`` and close the descriptor.
        """
        os.set_blocking(descriptor, False)
        self._readers[descriptor] = reader
        self._register(descriptor)

    def listens(self, descriptor: int) -> bool:
        """Whether a descriptor passed to :meth:`listen` is still open."""
        return descriptor in self._readers

    def feed(self, descriptor: int, data: bytes, *, close: bool = True) -> None:
        """Write data as fast as it is read, then close the descriptor.

        Unless it is also read from or ``close`` is false.
        """
        if descriptor not in self._readers:
            os.set_blocking(descriptor, False)
        self._pending[descriptor] = (memoryview(data), close)
        self._write(descriptor)

    def drain(self) -> None:
        """Read everything that has been written so far."""
        while self._serve_all(0):
            pass

    def close_streams(self) -> None:
        """Close every descriptor."""
        for descriptor in {*self._readers, *self._pending}:
            self._drop(descriptor)

    def _serve_all(self, seconds: float) -> bool:
        """Serve every descriptor that is ready within a time.

        Whether anything was read.
        """
        read = [self._serve(descriptor, event) for descriptor, event in self._poll.poll(seconds * 1000)]
        return any(read)

    def _serve(self, descriptor: int, event: int) -> bool:
        """Write or read one descriptor; whether anything was read."""
        if descriptor in self._pending and event & ~select.POLLIN:
            self._write(descriptor)
        reader = self._readers.get(descriptor)
        if reader is None or not event & ~select.POLLOUT:
            return False
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._drop(descriptor)
        reader(data)
        return True

    def _write(self, descriptor: int) -> None:
        rest, close = self._pending[descriptor]
        try:
            while rest:
                rest = rest[os.write(descriptor, rest[:_CHUNK]) :]
        except BlockingIOError:
            self._pending[descriptor] = (rest, close)
            self._register(descriptor)
            return
        except OSError:  # nobody reads it any more
            pass
        del self._pending[descriptor]
        if descriptor in self._readers or not close:
            self._register(descriptor)
        else:
            self._drop(descriptor)

    def _register(self, descriptor: int) -> None:
        events = select.POLLOUT if descriptor in self._pending else 0
        self._poll.register(descriptor, events | (select.POLLIN if descriptor in self._readers else 0))

    def _drop(self, descriptor: int) -> None:
        self._readers.pop(descriptor, None)
        self._pending.pop(descriptor, None)
        with suppress(KeyError):  # everything was written at once
            self._poll.unregister(descriptor)
        os.close(descriptor)
