"""No connection fills the memory: a head that does not end is refused, whichever parser is there."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from queue import Queue
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from envhub.server.http.app import create_app
from envhub.server.http.protocol import MAX_HEAD_BYTES, Punctual, http_protocol
from envhub.settings import ServerSettings
from tests.server.serving import PATIENCE_S, serving

ENDLESS = {
    "header": b"GET /health HTTP/1.1\r\nhost: x\r\nx-endless: ",
    "name of a header": b"GET /health HTTP/1.1\r\nhost: x\r\nx",
    "path": b"GET /",
    "trailer": b"POST /v1/verify HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nx-endless: ",
}


@pytest.mark.parametrize("beginning", ENDLESS.values(), ids=ENDLESS)
def test_what_does_not_end_is_refused(real_server: str, beginning: bytes) -> None:
    address = urlsplit(real_server)
    with socket.create_connection((address.hostname or "", address.port or 0), PATIENCE_S) as connection:
        try:
            connection.sendall(beginning)
            for _ in range(256):
                connection.sendall(b"x" * MAX_HEAD_BYTES)
        except (BrokenPipeError, ConnectionResetError):
            return  # it was closed before all sixteen megabytes had gone
    pytest.fail("sixteen megabytes were taken in")


def test_a_long_body_is_no_long_head() -> None:
    with serving(create_app(ServerSettings(journal="memory:"))) as url, httpx.Client(base_url=url) as http:
        for _ in range(2):  # on one connection
            response = http.post("/v1/verify", content=b" " * 40 * MAX_HEAD_BYTES, headers={"x-some": "x" * 30_000})
            assert response.status_code == 422


def test_without_httptools_it_is_h11(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn.protocols.http.httptools_impl", None)
    assert issubclass(http_protocol(), H11Protocol)


@pytest.fixture(params=["httptools", "h11"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the parsers in turn."""
    if request.param == "h11":
        monkeypatch.setitem(sys.modules, "uvicorn.protocols.http.httptools_impl", None)


HALVES = {"nothing": b"", "half a line": b"GET /hea", "half a head": b"GET /health HTTP/1.1\r\nhost: x\r\n"}


def received(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    while part := connection.recv(4096):
        found += part
    return found


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("earlier", [0, 1], ids=["first", "second"])
@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_a_head_that_does_not_come_in_time_ends_its_connection(
    half: bytes, earlier: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Punctual, "head_s", 2.0 if earlier else 0.2)  # room for a whole request before
    with serving(create_app(ServerSettings(journal="memory:"))) as url:
        address = urlsplit(url)
        with socket.create_connection((address.hostname or "", address.port or 0), PATIENCE_S) as connection:
            for _ in range(earlier):
                connection.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
                assert connection.recv(4096).startswith(b"HTTP/1.1 200")
            connection.sendall(half)
            found = received(connection)
            late = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            assert found.endswith(late) or (earlier and not half)  # between requests uvicorn closes without a word
    assert not Punctual._waiting


@pytest.mark.usefixtures("parser")
def test_the_oldest_connection_without_a_head_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Punctual, "max_waiting", 3)
    with serving(create_app(ServerSettings(journal="memory:"))) as url, ExitStack() as stack:
        address = urlsplit(url)
        there = (address.hostname or "", address.port or 0)
        idle = [stack.enter_context(socket.create_connection(there, PATIENCE_S)) for _ in range(4)]
        assert b"408" in received(idle[0])
        assert httpx.get(f"{url}/health").status_code == 200
        for connection in idle[2:]:
            connection.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            assert received(connection).startswith(b"HTTP/1.1 200")


PART = b'{"responses": ['
BODIES = {
    "none of it": b"content-length: 400\r\n\r\n",
    "half of it": b"content-length: 400\r\n\r\n" + PART,
    "half a chunk": b"transfer-encoding: chunked\r\n\r\n90\r\n" + PART,
    "no last chunk": b"transfer-encoding: chunked\r\n\r\nf\r\n" + PART + b"\r\n",
}
POST = b"POST /v1/verify HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
WHOLE = POST + b"content-length: 2\r\n\r\n{}"


@pytest.fixture
def impatient(parser: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """The address of a server that waits a short time for more of a body."""
    monkeypatch.setattr(Punctual, "body_s", 0.1)
    with serving(create_app(ServerSettings(journal="memory:"))) as url:
        address = urlsplit(url)
        yield address.hostname or "", address.port or 0


@pytest.mark.parametrize("half", BODIES.values(), ids=BODIES)
def test_a_body_that_stops_half_way_ends_its_connection(half: bytes, impatient: tuple[str, int]) -> None:
    with socket.create_connection(impatient, PATIENCE_S) as connection:
        connection.sendall(POST + half)
        assert received(connection) == LATE
    with socket.create_connection(impatient, PATIENCE_S) as connection:  # nobody else notices
        connection.sendall(WHOLE.replace(b"host: x", b"host: x\r\nconnection: close"))
        assert received(connection).startswith(b"HTTP/1.1 422")


def test_a_body_that_stops_behind_another_request(impatient: tuple[str, int]) -> None:
    with socket.create_connection(impatient, PATIENCE_S) as connection:
        connection.sendall(WHOLE + POST + BODIES["half of it"])
        found = received(connection)
        assert found.startswith(b"HTTP/1.1 422")
        assert found.endswith(LATE)


@pytest.mark.usefixtures("parser")
def test_every_piece_of_a_body_restarts_its_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    timers: Queue[asyncio.TimerHandle | None] = Queue()
    monkeypatch.setattr(
        Punctual, "data_received", _watching(Punctual.data_received, lambda it: timers.put(it._body_timer))
    )
    with serving(create_app(ServerSettings(journal="memory:"))) as url, _connected(url) as connection:
        connection.sendall(POST + b"content-length: 2\r\n\r\n")
        first = timers.get(timeout=PATIENCE_S)
        connection.sendall(b"{")
        second = timers.get(timeout=PATIENCE_S)
        assert first is not None
        assert second is not None
        assert (first.cancelled(), second.cancelled()) == (True, False)
        connection.sendall(b"}")
        assert timers.get(timeout=PATIENCE_S) is None
        assert second.cancelled()


def test_a_server_that_pauses_reading_waits_for_the_body(parser: None, monkeypatch: pytest.MonkeyPatch) -> None:
    size, stalled = 4 * 2**20, Queue[None]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        """Reads the body after its timeout has passed twice."""
        assert scope["type"] == "http"  # it has no lifespan
        for _ in range(2):
            await asyncio.to_thread(stalled.get, timeout=PATIENCE_S)
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    monkeypatch.setattr(Punctual, "body_s", 0.1)
    monkeypatch.setattr(Punctual, "_body_stalled", _watching(Punctual._body_stalled, lambda it: stalled.put(None)))
    with serving(app) as url, _connected(url) as connection:
        head = POST + b"connection: close\r\ncontent-length: %d\r\n\r\n" % size
        connection.sendall(head + b"x" * size)
        assert received(connection).startswith(b"HTTP/1.1 200")


def test_no_status_line_stands_within_a_response(parser: None, monkeypatch: pytest.MonkeyPatch) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        """Answers in part before it reads the body."""
        assert scope["type"] == "http"  # it has no lifespan
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
        await send({"type": "http.response.body", "body": b"part", "more_body": True})
        while (await receive()).get("more_body"):
            pass

    monkeypatch.setattr(Punctual, "body_s", 0.1)
    with serving(app) as url, _connected(url) as connection:
        connection.sendall(POST + BODIES["half of it"])
        found = received(connection)
    assert found.startswith(b"HTTP/1.1 200")
    assert found.endswith(b"part")


def _watching(method: Callable[..., None], note: Callable[[Any], None]) -> Callable[..., None]:
    """A method that notes its object after each call."""

    def watched(self: Any, *args: Any) -> None:
        method(self, *args)
        note(self)

    return watched


@contextmanager
def _connected(url: str) -> Iterator[socket.socket]:
    address = urlsplit(url)
    with socket.create_connection((address.hostname or "", address.port or 0), PATIENCE_S) as connection:
        yield connection
