"""Load generator for servers: raw sockets in a separate process.

Raw sockets avoid measuring a client library. A client is a generator: it yields a message and is sent the answer; when it
ends, another one replaces it. It is created by an importable function of the client's number::

    measured = load("http://127.0.0.1:8420/v1/ws", 32, 3.0, steps, pid=server_pid)    # ws:// where the path is a WebSocket's
    measured.cpu_us, measured.rate, measured.p50_ms, measured.p99_ms

Over HTTP a message is a :class:`Post` and its answer the body; over a WebSocket both are texts. Clients can share connections
if an answer identifies its client. CPU is that of the process ``pid`` and all its descendants, over the same interval in
which messages are counted; clients and server share the machine, so only ratios of rates and latencies are meaningful.
"""

from __future__ import annotations

import asyncio
import base64
import multiprocessing
import os
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from benchmarks.hub_process import HubProcess

PATIENCE_S: Final = 60.0
_WARM_UP_S: Final = 1.0


class Post(NamedTuple):
    """A POST request with JSON."""

    path: str
    body: bytes


Message: TypeAlias = "Post | bytes"
Client: TypeAlias = Generator[Message, bytes, None]
MakeMessages: TypeAlias = Callable[[int], Client]


@dataclass(frozen=True)
class Measured:
    """Result of a load.

    Attributes:
        messages: Number of answered messages.
        seconds: Duration of the measurement.
        cpu: CPU seconds of the server.
        p50_ms: Median latency in milliseconds.
        p99_ms: 99th percentile of the latency in milliseconds.
    """

    messages: int
    seconds: float
    cpu: float
    p50_ms: float
    p99_ms: float

    @property
    def cpu_us(self) -> float:
        """Server CPU per message in microseconds."""
        return self.cpu / self.messages * 1e6

    @property
    def rate(self) -> float:
        """Messages per second."""
        return self.messages / self.seconds


def cpu_seconds(pid: int) -> float:
    """CPU seconds used so far by a process and its descendants."""
    return HubProcess("", pid).cpu()


def load(
    url: str,
    clients: int,
    seconds: float,
    make_messages: MakeMessages,
    *,
    pid: int,
    warm_up: float = _WARM_UP_S,
    connections: int | None = None,
    whose: Callable[[bytes], int] | None = None,
) -> Measured:
    """Load a server for a while.

    Args:
        url: ``http://host:port`` for requests, ``ws://host:port/path`` for messages.
        clients: Number of clients; each has one message in flight.
        seconds: Duration of the measurement.
        make_messages: Creates a client from its number; must be picklable (a module function, or a partial of one).
        pid: Process id of the server.
        warm_up: Seconds of load before the measurement.
        connections: Number of connections; by default one per client.
        whose: Returns the number of the client that an answer is for, if clients share connections.

    Raises:
        RuntimeError: The server answered with an error, or closed a connection.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    job = partial(_run, url, clients, seconds, make_messages, pid, warm_up, connections or clients, whose)
    process = context.Process(target=_work, args=(there, job), daemon=True)
    process.start()
    there.close()
    try:
        found = here.recv() if here.poll(PATIENCE_S + warm_up + seconds) else "the clients do not finish"
    except EOFError:
        found = "the clients' process has ended"
    finally:
        process.terminate()
        process.join()
    if not isinstance(found, Measured):
        raise RuntimeError(f"The load of {url} failed: {found}.")
    return found


def _work(pipe: Connection, job: Callable[[], Any]) -> None:
    """Main function of the clients' process."""
    try:
        import uvloop
    except ImportError:
        run = asyncio.run
    else:
        run = uvloop.run
    try:
        pipe.send(run(job()))
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")


async def _run(
    url: str,
    clients: int,
    seconds: float,
    make_messages: MakeMessages,
    pid: int,
    warm_up: float,
    connections: int,
    whose: Callable[[bytes], int] | None,
) -> Measured:
    loop = asyncio.get_running_loop()
    parts = urlsplit(url)
    kind = _WebSocket if parts.scheme == "ws" else _Http
    took: list[float] = []
    failed: asyncio.Future[None] = loop.create_future()
    open_ones: list[_Wire] = []
    for _ in range(min(connections, clients)):
        _, wire = await loop.create_connection(
            lambda: kind(parts.netloc, parts.path, whose, failed), parts.hostname or "", parts.port or 80
        )
        await asyncio.wait({wire.ready, failed}, return_when=asyncio.FIRST_COMPLETED)
        if failed.done():
            failed.result()
        open_ones.append(wire)
    for number in range(clients):
        open_ones[number % len(open_ones)].take(number if whose else 0, partial(make_messages, number), took)
    await _sleep(warm_up, failed)
    took.clear()
    spent, begun = cpu_seconds(pid), perf_counter()
    await _sleep(seconds, failed)
    ended, spent = perf_counter(), cpu_seconds(pid) - spent
    counted = sorted(took)
    if not counted:
        raise RuntimeError("nothing was answered")
    p50, p99 = (counted[len(counted) * share // 100] * 1e3 for share in (50, 99))
    return Measured(len(counted), ended - begun, spent, p50, p99)


async def _sleep(seconds: float, failed: asyncio.Future[None]) -> None:
    """Sleep, or raise if a task fails."""
    await asyncio.wait({failed}, timeout=seconds)
    if failed.done():
        failed.result()


class _Player:
    """A running client."""

    __slots__ = ("begun", "make", "messages", "took")

    def __init__(self, make: Callable[[], Client], took: list[float]) -> None:
        self.make, self.took, self.begun = make, took, 0.0
        self.messages = make()

    def first(self) -> Message:
        self.begun = perf_counter()
        return next(self.messages)

    def answer(self, body: bytes) -> Message:
        """The next message after an answer."""
        now = perf_counter()
        self.took.append(now - self.begun)
        try:
            message = self.messages.send(body)
        except StopIteration:
            self.messages = self.make()
            message = next(self.messages)
        self.begun = perf_counter()
        return message


class _Wire(asyncio.Protocol, ABC):
    """A connection and the clients on it."""

    transport: asyncio.Transport

    def __init__(
        self, netloc: str, path: str, whose: Callable[[bytes], int] | None, failed: asyncio.Future[None]
    ) -> None:
        self.netloc, self.path, self.whose, self.failed = netloc, path, whose, failed
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.players: dict[int, _Player] = {}
        self.buffer = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.greet()

    def connection_lost(self, exc: Exception | None) -> None:
        self.fail(f"a connection was closed ({exc})")

    def take(self, number: int, make: Callable[[], Client], took: list[float]) -> None:
        """Add a client."""
        player = self.players[number] = _Player(make, took)
        self.transport.write(self.framed(player.first()))

    def data_received(self, data: bytes) -> None:
        try:
            self.received(data)
        except Exception as error:
            self.fail(f"{type(error).__name__}: {error}")

    def received(self, data: bytes) -> None:
        """Answer all received messages in one write."""
        self.buffer += data
        written = []
        while (body := self.next()) is not None:
            player = self.players[self.whose(body) if self.whose else 0]
            written.append(self.framed(player.answer(body)))
        if written:
            self.transport.write(b"".join(written))

    def fail(self, why: str) -> None:
        if not self.failed.done():
            self.failed.set_exception(RuntimeError(why))

    @abstractmethod
    def greet(self) -> None:
        """Open the conversation; sets ``ready`` once messages can be sent."""

    @abstractmethod
    def framed(self, message: Any) -> bytes:
        """A message as it is sent."""

    @abstractmethod
    def next(self) -> bytes | None:
        """The next complete answer."""


class _Http(_Wire):
    """HTTP/1.1; answers must have a length."""

    def greet(self) -> None:
        self.ready.set_result(None)

    def framed(self, message: Post) -> bytes:
        head = f"POST {message.path} HTTP/1.1\r\nhost: {self.netloc}\r\ncontent-type: application/json\r\n"
        return b"%scontent-length: %d\r\n\r\n%s" % (head.encode(), len(message.body), message.body)

    def next(self) -> bytes | None:
        end = self.buffer.find(b"\r\n\r\n") + 4
        if end < 4:
            return None
        head = self.buffer[:end].lower()
        _, found, after = head.partition(b"\r\ncontent-length:")
        if head[9:10] != b"2" or not found:
            raise RuntimeError(f"answered {self.buffer[:500]!r}")
        whole = end + int(after.partition(b"\r\n")[0])
        if len(self.buffer) < whole:
            return None
        body, self.buffer = self.buffer[end:whole], self.buffer[whole:]
        return body


class _WebSocket(_Wire):
    """WebSocket (RFC 6455), uncompressed.

    Frames have a zero mask, which costs the server as much as any other.
    """

    def greet(self) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET {self.path or '/'} HTTP/1.1\r\nhost: {self.netloc}\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            f"sec-websocket-key: {key}\r\nsec-websocket-version: 13\r\n\r\n".encode()
        )

    def framed(self, message: bytes) -> bytes:
        return _frame(0x81, message)

    def next(self) -> bytes | None:
        if not self.ready.done():
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return None
            if b" 101 " not in head.partition(b"\r\n")[0]:
                raise RuntimeError(f"no WebSocket: {head[:500]!r}")
            self.buffer = rest
            self.ready.set_result(None)
        while len(self.buffer) >= 2:
            code, size, begin = self.buffer[0], self.buffer[1], 2
            if size >= 126:
                form = "!H" if size == 126 else "!Q"
                begin += struct.calcsize(form)
                if len(self.buffer) < begin:
                    return None
                (size,) = struct.unpack_from(form, self.buffer, 2)
            if len(self.buffer) < begin + size:
                return None
            data, self.buffer = self.buffer[begin : begin + size], self.buffer[begin + size :]
            if code == 0x89:
                self.transport.write(_frame(0x8A, data))
            elif code in (0x81, 0x82):
                return data
            else:
                raise RuntimeError(f"a frame {code:#x}: {data[:200]!r}")
        return None


def _frame(code: int, data: bytes) -> bytes:
    size = len(data)
    if size < 126:
        return struct.pack("!BB4x", code, 0x80 | size) + data
    form, length = ("!BBH4x", 126) if size < 65_536 else ("!BBQ4x", 127)
    return struct.pack(form, code, 0x80 | length, size) + data
