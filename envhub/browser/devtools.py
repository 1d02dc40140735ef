"""The DevTools protocol over a pipe.

Messages are JSON and end with a zero byte.

Synchronous: a call sends a command and handles events until its answer has arrived, or its time is up::

    devtools = DevTools(read_end, write_end, on_event)
    devtools.call("Page.navigate", session, url="http://site.test/")
"""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Callable
from typing import Any, Final

from envhub.core.errors import ResourceLost

_CHUNK: Final = 1 << 20
_LARGEST: Final = 1 << 26

OnEvent = Callable[[str, str, dict[str, Any]], None]
"""Receives the session ("" for the browser), the name of the event and its parameters."""


class BrowserLost(ResourceLost):
    """The browser or one of its pages is gone or silent."""


class _Late(BrowserLost):
    """The time is up."""


class CommandFailed(Exception):
    """The browser refused a command."""


class DevTools:
    """One end of a browser's pipe.

    Args:
        reads: Descriptor to read from.
        writes: Descriptor to write to.
        on_event: Receives events while a call waits.
        patience_s: Seconds until a call is given up.
    """

    def __init__(self, reads: int, writes: int, on_event: OnEvent, patience_s: float) -> None:
        self._reads, self._writes = reads, writes
        os.set_blocking(reads, False)
        os.set_blocking(writes, False)
        self._on_event = on_event
        self._patience_s = patience_s
        self._number = 0
        self._buffer = bytearray()
        self._searched = 0

    def post(self, method: str, session: str = "", **params: Any) -> int:
        """Send a command without waiting for its answer; returns its number.

        Raises:
            BrowserLost: The browser is gone.
        """
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self._send(json.dumps(message).encode() + b"\0")
        return self._number

    def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """Send a command and return its result.

        Raises:
            BrowserLost: The browser is gone, or does not answer.
            CommandFailed: It refused the command.
        """
        deadline = time.monotonic() + self._patience_s
        number = self.post(method, session, **params)
        while True:
            message = self._receive(deadline, method)
            if message.get("id") == number:
                if "error" in message:
                    raise CommandFailed(f"{method}: {message['error'].get('message', '')}")
                result: dict[str, Any] = message["result"]
                return result
            self._dispatch(message)

    def wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Handle events until a condition holds; returns whether it does in time.

        Raises:
            BrowserLost: The browser is gone.
        """
        deadline = time.monotonic() + seconds
        while not done():
            try:
                self._dispatch(self._receive(deadline, "in time"))
            except _Late:
                return False
        return True

    def close(self) -> None:
        """Close both descriptors."""
        os.close(self._reads)
        os.close(self._writes)

    def _dispatch(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self._on_event(message.get("sessionId", ""), message["method"], message.get("params", {}))

    def _send(self, data: bytes) -> None:
        rest = memoryview(data)
        deadline = time.monotonic() + self._patience_s
        while rest:
            try:
                rest = rest[os.write(self._writes, rest) :]
            except BlockingIOError:
                self._ready(self._writes, select.POLLOUT, deadline, "reading")
            except OSError as error:
                raise BrowserLost("The browser is gone.") from error

    def _receive(self, deadline: float, what: str) -> dict[str, Any]:
        while (end := self._buffer.find(0, self._searched)) < 0:
            self._searched = len(self._buffer)
            if self._searched > _LARGEST:
                raise BrowserLost(f"The browser sent a message of more than {_LARGEST} bytes.")
            self._ready(self._reads, select.POLLIN, deadline, what)
            try:
                part = os.read(self._reads, _CHUNK)
            except BlockingIOError:
                continue
            if not part:
                raise BrowserLost("The browser is gone.")
            self._buffer += part
        message: dict[str, Any] = json.loads(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return message

    def _ready(self, end: int, event: int, deadline: float, what: str) -> None:
        poll = select.poll()
        poll.register(end, event)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise _Late(f"The browser did not answer {what} within {self._patience_s:g} seconds.")
