"""A hub's requests over WebSockets: what :class:`envhub.AsyncHub` sends by when its address is ``ws://`` or ``wss://``.

A request is one message, its answer another with the same number, and many are under way on one connection at once; that costs
a hundredth of what HTTP costs a client. Which connection is an episode's own matter, so its turns meet the same worker. ::

    lines = Lines(httpx.URL("ws://127.0.0.1:8420"), headers, timeout_s=60.0)
    answer = await lines.ask(message_of(call))

Nothing is repeated here: a request whose connection ended, or whose answer did not come in time, raises
:class:`ConnectionLost`, and whoever asked sends it again, in the same words, on a connection that is opened for it.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus, WebSocketException
from websockets.protocol import State

from envhub.client.requests import Call, dumped, item_of, refusal, result_of
from envhub.core.errors import RemoteError
from envhub.core.types import JSON

MOST_LINES: Final = 4
_UNDER_WAY: Final = 256  # of a connection; the server reads no more of one
_BUSY: Final = 64  # under way on a connection before there is another, which with luck meets another worker
_LONG: Final = 2**20  # longer ones would hold up the others; they go over HTTP
_TOO_LONG: Final = 1009
_CLOSING_S: Final = 5.0
_CLOSED: Final = "This hub is closed."
_PATH: Final = "/v1/ws"
_wire_log = logging.getLogger(f"{__name__}.wire")
_wire_log.setLevel(logging.INFO)  # in more detail the library writes down headers, and with them the key

Connect = Callable[[], Awaitable[ClientConnection]]


class ConnectionLost(Exception):
    """The connection could not be opened, or ended, or an answer took too long: the same request can be sent again."""


class OverHttp(Exception):
    """The request is nothing for a WebSocket: too long, or the server could not read it and so named no request."""


@dataclass(frozen=True, slots=True)
class Message:
    """A request as a message.

    Attributes:
        text: What follows its number.
        episode_id: Of the episode that it is about.
        step: Whether it takes a turn, which any server can read.
    """

    text: str
    episode_id: str | None
    step: bool


def message_of(call: Call) -> Message | None:
    """A request as a message; None where there is no message of that kind.

    Raises:
        InvalidParameters: It holds something JSON has no form for.
    """
    item = item_of(call)
    if item is None:
        return None
    episode_id = item.get("episode_id") or (item["body"].get("episode_id") if item["op"] == "create" else None)
    return Message(dumped(item)[1:], episode_id, item["op"] == "step")


class Lines:
    """The connections to one server: one, and more while much is under way.

    Args:
        url: Of the server, ``ws`` or ``wss``.
        headers: Of the request that connects.
        timeout_s: Seconds until an answer is there, and until a connection is.
        proxied: Whether proxies of the environment count.
    """

    def __init__(self, url: httpx.URL, headers: Mapping[str, str], timeout_s: float, proxied: bool = True) -> None:
        address = str(url.copy_with(path=url.path.rstrip("/") + _PATH))

        async def opened() -> ClientConnection:
            return await connect(
                address,
                additional_headers=headers,
                proxy=True if proxied else None,
                compression=None,  # as the server has it
                open_timeout=timeout_s,
                ping_interval=None,  # a server that reads no further answers none; what is not answered in time is seen
                close_timeout=min(timeout_s, _CLOSING_S),
                max_size=None,
                max_queue=None,  # every answer was asked for, and at most so many are under way
                logger=_wire_log,
            )

        self._lines = [_Line(opened, timeout_s, self._shorten) for _ in range(MOST_LINES)]
        self._count = 1
        self._longest = _LONG

    async def connect(self) -> None:
        """Open a connection now instead of with the first message.

        Raises:
            EnvhubError: The server refuses, or speaks no WebSocket.
            ConnectionLost: It could not be opened this time.
        """
        await self._lines[0].connection()

    async def ask(self, message: Message) -> JSON:
        """The answer to a message.

        Raises:
            EnvhubError: What the server answered, as the error it would have been here.
            ConnectionLost: There is no answer.
            OverHttp: There can be none.
        """
        if len(message.text) > self._longest:
            raise OverHttp
        line = self._line(message)
        if line.asked >= _BUSY and self._count < MOST_LINES:
            self._count += 1
            line = self._line(message)
        answer = result_of(await line.ask(message))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _line(self, message: Message) -> _Line:
        if message.episode_id is None:
            return min(self._lines[: self._count], key=lambda line: line.asked)
        return self._lines[hash(message.episode_id) % self._count]

    def _shorten(self, longest: int) -> None:
        """A connection ended because one of its messages was too long for the server; the longest had this length."""
        self._longest = min(self._longest, longest // 2)

    async def close(self) -> None:
        """Close the connections; what is under way is not waited for."""
        await asyncio.gather(*(line.close() for line in self._lines))


class _Line:
    """A connection that is opened when it is needed, and again when it has ended."""

    def __init__(self, connect: Connect, timeout_s: float, shorten: Callable[[int], None]) -> None:
        self._connect, self._timeout_s, self._shorten = connect, timeout_s, shorten
        self._now: _Connection | None = None
        self._opening: asyncio.Task[_Connection | Exception] | None = None
        self._free = asyncio.Semaphore(_UNDER_WAY)
        self._closed = False
        self.asked = 0
        """How many messages wait for their answers, or to be sent."""

    async def ask(self, message: Message) -> JSON:
        """The answer to a message, with its status."""
        self.asked += 1
        try:
            async with self._free:
                return await (await self.connection()).ask(message)
        finally:
            self.asked -= 1

    async def connection(self) -> _Connection:
        """The connection, opened if it is not open."""
        if self._closed:
            raise RemoteError(_CLOSED)
        if self._now is not None and self._now.open:
            return self._now
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        # one attempt for all who wait, and it goes on when one of them is cancelled
        found = await asyncio.shield(self._opening)
        if isinstance(found, Exception):
            raise _again(found)
        return found

    async def _open(self) -> _Connection | Exception:
        try:
            self._now = _Connection(await self._connect(), self._timeout_s, self._shorten)
            return self._now
        except InvalidStatus as error:
            response = error.response
            return refusal(response.status_code, bytes(response.body or b""), response.headers.get("retry-after"))
        except asyncio.CancelledError:
            if not self._closed:
                raise
            return RemoteError(_CLOSED)  # those who wait for it were not cancelled
        except (OSError, TimeoutError, InvalidMessage) as error:  # nobody is there, or they were cut off
            return ConnectionLost(f"{type(error).__name__}: {error}")
        except WebSocketException as error:
            return RemoteError(f"No WebSocket can be opened: {error}. Try the same address with http.")
        finally:
            self._opening = None

    async def close(self) -> None:
        self._closed = True
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._now is not None:
            await self._now.close()


def _again(error: Exception) -> Exception:
    """The same error for one more who waited for it, without the traceback of the others."""
    twin = type(error)(*error.args)
    twin.__dict__.update(error.__dict__)
    return twin


@dataclass(slots=True)
class _Asked:
    """A message that is under way."""

    answer: asyncio.Future[JSON | Exception]
    message: Message
    since: float


class _Connection:
    """An open connection and what is under way on it."""

    def __init__(self, socket: ClientConnection, timeout_s: float, shorten: Callable[[int], None]) -> None:
        self._socket, self._timeout_s, self._shorten = socket, timeout_s, shorten
        self._loop = asyncio.get_running_loop()
        self._numbers = itertools.count(1)
        self._under_way: dict[int, _Asked] = {}  # in the order in which they will be late
        self._timer: asyncio.TimerHandle | None = None
        self._heard = self._loop.time()
        self._why = "the connection ended"
        self._reader = asyncio.create_task(self._read())
        self._dead = False

    @property
    def open(self) -> bool:
        """Whether more can be asked on it."""
        return not self._dead and self._socket.state is State.OPEN

    async def ask(self, message: Message) -> JSON:
        """The answer to a message, with its status."""
        number = next(self._numbers)
        asked = _Asked(self._loop.create_future(), message, self._loop.time())
        self._under_way[number] = asked
        if self._timer is None:
            self._timer = self._loop.call_at(asked.since + self._timeout_s, self._late)
        try:
            await self._socket.send(f'{{"id": {number}, {message.text}')
            answer = await asked.answer
        except ConnectionClosed:
            raise ConnectionLost(self._end()) from None
        finally:
            self._under_way.pop(number, None)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _read(self) -> None:
        """Hand over the answers until the connection ends."""
        try:
            async for text in self._socket:
                self._heard = self._loop.time()
                self._take(text)
        except ConnectionClosed:
            pass
        except (ValueError, RecursionError) as error:
            self._why = f"it sent what is no answer: {str(error)[:200]}"
        finally:
            self._lose()

    def _take(self, text: str | bytes) -> None:
        """Hand an answer to who waits for it; nobody does if they were cancelled or have asked again.

        Raises:
            ValueError: It is none, so nothing that follows can be relied on.
        """
        answer = json.loads(text)  # exact for integers of any size
        number = answer.get("id", "none") if isinstance(answer, dict) else "none"
        if number is not None and not isinstance(number, int):
            raise ValueError(repr(text[:200]))
        if number is None:
            for asked in self._under_way.values():
                if not asked.message.step:
                    _give(asked, OverHttp())
        elif (found := self._under_way.get(number)) is not None:
            _give(found, answer)

    def _late(self) -> None:
        """Give up what has waited long enough; with the connection, if nothing at all has come since."""
        self._timer = None
        until = self._loop.time() - self._timeout_s
        for asked in self._under_way.values():
            if asked.since > until:
                self._timer = self._loop.call_at(asked.since + self._timeout_s, self._late)
                break
            _give(asked, ConnectionLost(f"no answer within {self._timeout_s:g} s"))
            if self._heard < asked.since:
                self._dead = True  # at once: whoever asks again must not meet it
                self._socket.transport.abort()

    def _lose(self) -> None:
        """Tell everybody that no answer will come."""
        self._dead = True
        if self._timer is not None:
            self._timer.cancel()
        if self._socket.close_code == _TOO_LONG and self._under_way:
            self._shorten(max(len(asked.message.text) for asked in self._under_way.values()))
        for asked in self._under_way.values():
            _give(asked, ConnectionLost(self._end()))
        self._socket.transport.abort()  # where it ended for what we could not read

    def _end(self) -> str:
        code, reason = self._socket.close_code, self._socket.close_reason
        return self._why if code in (None, 1006) else f"{self._why} ({' '.join(filter(None, (str(code), reason)))})"

    async def close(self) -> None:
        await self._socket.close()
        await self._reader


def _give(asked: _Asked, answer: Any) -> None:
    if not asked.answer.done():
        asked.answer.set_result(answer)
