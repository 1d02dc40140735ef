"""A proxy that stands between players and servers and does what networks do: it loses, delays, doubles and cuts.

What it does to a message is drawn from a generator that is seeded by the number of the connection and of the message on it, and
what was done is counted. A request that it doubles is executed twice, and both answers must be the same. ::

    async with Proxy(seed=1, servers=lambda: [("127.0.0.1", port)]) as proxy:
        ... proxy.url, proxy.done, proxy.statuses, proxy.disagreements
"""

from __future__ import annotations

import asyncio
import json
import re
from asyncio import StreamReader, StreamWriter
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random
from types import TracebackType
from typing import Any, Final, Self

from tests.chaos.frames import ENDED, Http, read_frame, read_http

HTTP_FAULTS: Final[Mapping[str, float]] = {
    "request lost": 0.04,  # before the server has seen it
    "request cut": 0.04,
    "request doubled": 0.06,
    "request late": 0.04,
    "answer lost": 0.06,  # executed, and nobody knows
    "answer cut": 0.04,
    "answer late": 0.04,
}
SOCKET_FAULTS: Final[Mapping[str, float]] = {
    "frame lost": 0.006,
    "frame cut": 0.006,
    "frame doubled": 0.06,
    "frame late": 0.04,
    "cut after frame": 0.008,  # it has arrived, what follows has not
}
"""Shares of the messages in each direction; what loses any takes the connection with it."""

_OVERTAKEN_BY: Final = 5
_AT_MOST_S: Final = 0.05  # what is late is so until others have overtaken it; where there are none, so long
_LIMIT: Final = 2**21
_STATUS: Final = re.compile(rb'"status":(\d+)')

Servers = Callable[[], Sequence[tuple[str, int]]]


class Proxy:
    """The proxy.

    Args:
        seed: Of everything it does.
        servers: Where the servers are at this moment.
        noticed: Told of the status of every answer.

    Attributes:
        done: How often it did what.
        statuses: How often the servers answered what.
        disagreements: Requests that were doubled and answered in two ways.
    """

    def __init__(self, seed: int, servers: Servers, noticed: Callable[[int], None] = lambda status: None) -> None:
        self._seed, self._servers, self._noticed = seed, servers, noticed
        self.done: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.disagreements: list[str] = []
        self._connections = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._passed = 0
        self._late: list[tuple[int, asyncio.Event]] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_LIMIT, backlog=1024)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """Where the players find it."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._connections += 1
        connection = f"{self._seed} {self._connections}"
        number = 0
        async with _closing(writer):
            while (request := await read_http(reader)) is not None:
                if request.upgrades:
                    await self._relay(request, reader, writer, connection)
                    return
                number += 1
                if not await self._exchange(request, writer, Random(f"{connection} {number}")):
                    return

    # -- HTTP --------------------------------------------------------------------------------------------------------

    async def _exchange(self, request: Http, writer: StreamWriter, rng: Random) -> bool:
        """Have a request answered, or not; whether the connection stays."""
        fault = _drawn(HTTP_FAULTS, rng)
        if fault == "request lost":
            self.done[fault] += 1
            return False
        if fault == "request cut":
            if await self._ask(request.whole[: len(request.whole) // 2], rng, cut=True) is None:
                self.done[fault] += 1
            return False
        if fault == "request late":
            await self._delay(fault)
        answer = await self._ask(request.whole, rng) if fault != "request doubled" else await self._twice(request, rng)
        if answer is None:  # the server was killed, or is not there
            self.done["request unanswered"] += 1
            return False
        if fault == "answer late":
            await self._delay(fault)
        self._pass()
        if fault in ("answer lost", "answer cut"):
            self.done[fault] += 1
        if fault != "answer lost":
            writer.write(answer.whole[: len(answer.whole) // 2] if fault == "answer cut" else answer.whole)
            await writer.drain()
        return fault not in ("answer lost", "answer cut")

    async def _ask(self, data: bytes, rng: Random, *, cut: bool = False) -> Http | None:
        """The answer of a server to a request; None where none has come."""
        try:
            async with self._connected(rng) as (reader, writer):
                writer.write(data)
                await writer.drain()
                answer = None if cut else await read_http(reader)
        except ENDED:
            return None
        if answer is not None:
            self._note(answer.status)
        return answer

    async def _twice(self, request: Http, rng: Random) -> Http | None:
        """One of the two answers to a request that is sent on two connections at once."""
        answers = await asyncio.gather(self._ask(request.whole, rng), self._ask(request.whole, rng))
        both = [answer for answer in answers if answer is not None]
        if len([answer for answer in both if answer.status < 400]) == 2:
            self.done["request doubled"] += 1
            if len({json.dumps(json.loads(answer.body), sort_keys=True) for answer in both}) != 1:
                self.disagreements.append(f"{request.whole[:300]!r}: {both[0].body!r} and {both[1].body!r}")
        return rng.choice(both) if both else None

    # -- WebSocket ---------------------------------------------------------------------------------------------------

    async def _relay(self, request: Http, reader: StreamReader, writer: StreamWriter, connection: str) -> None:
        """Both directions of a WebSocket, until one of them ends: that ends the other."""
        with suppress(*ENDED):
            async with self._connected(Random(connection)) as (from_server, to_server):
                to_server.write(request.whole)
                answer = await read_http(from_server)
                if answer is None:
                    return
                writer.write(answer.whole)
                up = asyncio.create_task(self._pump(reader, to_server, f"{connection} up"))
                down = asyncio.create_task(self._pump(from_server, writer, f"{connection} down", answers=True))
                try:
                    await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    up.cancel(), down.cancel()
                    await asyncio.gather(up, down, return_exceptions=True)

    async def _pump(self, reader: StreamReader, writer: StreamWriter, key: str, *, answers: bool = False) -> None:
        """Send on what comes, until something is lost."""
        number = 0
        while (frame := await read_frame(reader)) is not None:
            number += 1
            if answers and frame.is_message and (status := _STATUS.search(frame.payload)) is not None:
                self._note(int(status[1]))
            fault = _drawn(SOCKET_FAULTS, Random(f"{key} {number}")) if frame.is_message else ""
            if fault == "frame late":
                await self._delay(fault)
            elif fault:
                self.done[fault] += 1
            self._pass()
            if fault == "frame lost":
                return
            writer.write(frame.whole[: len(frame.whole) // 2] if fault == "frame cut" else frame.whole)
            if fault == "frame doubled":
                writer.write(frame.whole)
            await writer.drain()
            if fault in ("frame cut", "cut after frame"):
                return

    # -- both --------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _connected(self, rng: Random) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
        """A connection to one of the servers; to another where it is not there."""
        servers = list(self._servers())
        rng.shuffle(servers)
        for host, port in servers:
            try:
                reader, writer = await asyncio.open_connection(host, port, limit=_LIMIT)
            except OSError:
                self.done["server away"] += 1
                continue
            async with _closing(writer):
                yield reader, writer
            return
        raise ConnectionError("no server is there")

    def _note(self, status: int) -> None:
        self.statuses[status] += 1
        self._noticed(status)

    def _pass(self) -> None:
        """A message has passed: what it has overtaken by enough need not wait any more."""
        self._passed += 1
        for until, event in self._late:
            if until <= self._passed:
                event.set()

    async def _delay(self, what: str) -> None:
        """Let others go first."""
        before = self._passed
        late = (before + _OVERTAKEN_BY, asyncio.Event())
        self._late.append(late)
        with suppress(TimeoutError):
            async with asyncio.timeout(_AT_MOST_S):  # wait_for of Python 3.11 can swallow a cancellation
                await late[1].wait()
        self._late.remove(late)
        if self._passed > before:
            self.done[what] += 1


@asynccontextmanager
async def _closing(writer: StreamWriter) -> AsyncIterator[None]:
    try:
        yield
    finally:
        writer.close()
        with suppress(Exception):
            await writer.wait_closed()


def _drawn(faults: Mapping[str, float], rng: Random) -> str:
    """What happens to a message; mostly nothing, which is empty."""
    return rng.choices(["", *faults], [1 - sum(faults.values()), *faults.values()])[0]


def least(faults: Mapping[str, float], done: Mapping[str, int], wanted: int) -> dict[str, Any]:
    """The faults that have happened too seldom."""
    return {fault: done.get(fault, 0) for fault in faults if done.get(fault, 0) < wanted}
