"""One WebSocket to a server, with many requests in flight.

A request is one message and its answer another with the same number. Requests made in the same iteration of the event loop
are sent as one array of messages, if the server can read it (:data:`ARRAYS`), which takes far less CPU time; each is still
answered on its own. :mod:`envhub.client.lines` opens and reopens the connections::

    answer = await connection.ask(message_of(call))

Nothing is sent twice here: a request whose connection ended, or whose answer was late, raises :class:`ConnectionLost`. The
caller sends the same request again, on a new connection.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from envhub.client.requests import Call, dumped, item_of
from envhub.core.types import JSON

_LONG: Final = 2**20  # longer messages would delay the others; they are sent over HTTP
_TOO_LONG: Final = 1009
ARRAYS: Final = "envhub-arrays"
"""Header of the opening handshake by which a server says that it reads arrays of messages."""


class ConnectionLost(Exception):
    """The connection failed to open or ended, or an answer was late.

    The request can be sent again.
    """


class OverHttp(Exception):
    """The request must be sent over HTTP.

    It is too long, or the server could not read it.
    """


@dataclass(frozen=True, slots=True)
class Message:
    """A request as a message.

    Attributes:
        text: The message after its number.
        episode_id: The episode that it names, if any.
        step: Whether it takes a turn; the server can always read those.
    """

    text: str
    episode_id: str | None
    step: bool


def message_of(call: Call) -> Message | None:
    """A request as a message; None if it has no such form.

    Raises:
        InvalidParameters: It contains something that is not JSON.
    """
    item = item_of(call)
    if item is None:
        return None
    episode_id = item.get("episode_id") or (item["body"].get("episode_id") if item["op"] == "create" else None)
    return Message(dumped(item)[1:], episode_id, item["op"] == "step")


class Limit:
    """Maximum length of what is sent as one text.

    Attributes:
        chars: The length.
    """

    def __init__(self) -> None:
        self.chars = _LONG

    def shorten(self, longest: int) -> None:
        """Lower it after a text was too long for the server.

        The longest that was sent had this length.
        """
        self.chars = min(self.chars, longest // 2)


@dataclass(slots=True)
class _Asked:
    """A message in flight."""

    answer: asyncio.Future[JSON | Exception]
    message: Message
    since: float


class Connection:
    """An open connection and its messages in flight."""

    def __init__(self, socket: ClientConnection, timeout_s: float, limit: Limit) -> None:
        self._socket, self._timeout_s, self._limit = socket, timeout_s, limit
        answered = socket.response
        self._arrays = answered is not None and answered.headers.get(ARRAYS) is not None
        self._loop = asyncio.get_running_loop()
        self._numbers = itertools.count(1)
        self._under_way: dict[int, _Asked] = {}  # ordered by deadline
        self._timer: asyncio.TimerHandle | None = None
        self._heard = self._loop.time()
        self._why = "the connection ended"
        self._outbox: list[tuple[int, str]] = []
        self._wanted = asyncio.Event()
        self._longest = 0
        self._reader, self._writer = asyncio.create_task(self._read()), asyncio.create_task(self._write())
        self._dead = False

    @property
    def open(self) -> bool:
        """Whether it can take another message."""
        return not self._dead and self._socket.state is State.OPEN

    async def ask(self, message: Message) -> JSON:
        """The answer to a message, with its status."""
        if self._dead:
            raise ConnectionLost(self._end())
        number = next(self._numbers)
        asked = _Asked(self._loop.create_future(), message, self._loop.time())
        self._under_way[number] = asked
        if self._timer is None:
            self._timer = self._loop.call_at(asked.since + self._timeout_s, self._late)
        self._outbox.append((number, f'{{"id": {number}, {message.text}'))
        self._wanted.set()
        try:
            answer = await asked.answer
        finally:
            self._under_way.pop(number, None)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _write(self) -> None:
        """Send what waits to be sent until the connection ends."""
        with suppress(ConnectionClosed):  # the reader notices too
            while True:
                await self._wanted.wait()
                for text in self._texts():
                    self._longest = max(self._longest, len(text))
                    await self._socket.send(text)

    def _texts(self) -> Iterator[str]:
        """The waiting messages, as few texts as possible."""
        self._wanted.clear()
        waiting, self._outbox = self._outbox, []
        texts: list[str] = []
        chars = 0
        for number, text in waiting:
            if number not in self._under_way:  # cancelled
                continue
            chars += len(text) + 1
            if texts and (not self._arrays or chars > self._limit.chars):
                yield _array(texts)
                texts, chars = [], len(text) + 1
            texts.append(text)
        if texts:
            yield _array(texts)

    async def _read(self) -> None:
        """Deliver answers until the connection ends."""
        try:
            async for text in self._socket:
                self._heard = self._loop.time()
                self._take(text)
        except ConnectionClosed:
            pass
        except (ValueError, RecursionError) as error:
            self._why = f"the server sent an invalid answer: {str(error)[:200]}"
        finally:
            self._lose()

    def _take(self, text: str | bytes) -> None:
        """Deliver an answer to its caller.

        Unless the caller was cancelled or has sent the request again.

        Raises:
            ValueError: It is not an answer, so nothing after it can be relied on.
        """
        found = json.loads(text)  # exact for integers of any size
        for answer in found if isinstance(found, list) and found else [found]:
            self._deliver(answer)

    def _deliver(self, answer: JSON) -> None:
        number = answer.get("id", "none") if isinstance(answer, dict) else "none"
        if number is not None and not isinstance(number, int):
            raise ValueError(repr(answer)[:200])
        if number is None:
            for asked in self._under_way.values():
                if not asked.message.step:
                    _give(asked, OverHttp())
        elif (found := self._under_way.get(number)) is not None:
            _give(found, answer)

    def _late(self) -> None:
        """Fail the messages whose answers are late.

        Also the connection, if nothing arrived since they were sent.
        """
        self._timer = None
        until = self._loop.time() - self._timeout_s
        for asked in self._under_way.values():
            if asked.since > until:
                self._timer = self._loop.call_at(asked.since + self._timeout_s, self._late)
                break
            _give(asked, ConnectionLost(f"no answer within {self._timeout_s:g} s"))
            if self._heard < asked.since:
                self._dead = True  # at once: a message that is sent again must not use it
                self._socket.transport.abort()

    def _lose(self) -> None:
        """Fail all messages in flight."""
        self._dead = True
        self._writer.cancel()
        if self._timer is not None:
            self._timer.cancel()
        if self._socket.close_code == _TOO_LONG and self._longest:
            self._limit.shorten(self._longest)
        for asked in self._under_way.values():
            _give(asked, ConnectionLost(self._end()))
        self._socket.transport.abort()  # if it ended because of an answer that we could not read

    def _end(self) -> str:
        code, reason = self._socket.close_code, self._socket.close_reason
        return self._why if code in (None, 1006) else f"{self._why} ({' '.join(filter(None, (str(code), reason)))})"

    async def close(self) -> None:
        """Close it without waiting for answers."""
        await self._socket.close()
        await asyncio.gather(self._reader, self._writer, return_exceptions=True)


def _array(texts: list[str]) -> str:
    """Messages as one text."""
    return texts[0] if len(texts) == 1 else f"[{','.join(texts)}]"


def _give(asked: _Asked, answer: Any) -> None:
    if not asked.answer.done():
        asked.answer.set_result(answer)
