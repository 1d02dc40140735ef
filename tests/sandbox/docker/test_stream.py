"""What a daemon sends of a container's streams, in whatever pieces, and what it must not send."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator

import pytest

from envhub.sandbox.docker.daemon import AttachedStream

Ends = tuple[AttachedStream, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    ours, theirs = socket.socketpair()
    stream = AttachedStream(ours)
    yield stream, theirs
    stream.close()
    theirs.close()


def piece(kind: int, data: bytes) -> bytes:
    return struct.pack(">B3xI", kind, len(data)) + data


def soon(seconds: float = 10) -> float:
    return time.monotonic() + seconds


def everything(stream: AttachedStream) -> bytes:
    parts = []
    while part := stream.receive(soon()):
        parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("size", [1, 3, 7, 8, 9, 100])
def test_pieces_come_together_however_they_are_cut(ends: Ends, size: int) -> None:
    stream, theirs = ends
    sent = piece(1, b"abc") + piece(1, b"") + piece(1, b"d" * 20)
    received = b""
    for at in range(0, len(sent), size):
        theirs.sendall(sent[at : at + size])
    theirs.shutdown(socket.SHUT_WR)
    received = everything(stream)
    assert received == b"abc" + b"d" * 20


@pytest.mark.parametrize("sent", [b"\0" * 8, b"\3" + b"\0" * 7, b"\1\0\1\0\0\0\0\1x", b"HTTP/1.1 500 no"])
def test_what_is_no_head_is_an_error(ends: Ends, sent: bytes) -> None:
    stream, theirs = ends
    theirs.sendall(sent)
    with pytest.raises(OSError, match="unexpected data"):
        stream.receive(soon())


def test_what_is_said_on_standard_error_is_the_error_in_full(ends: Ends) -> None:
    stream, theirs = ends
    theirs.sendall(piece(2, b"Traceback:\n") + piece(1, b"answer") + piece(2, b"no memory\n"))
    theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(OSError, match=r"standard error: Traceback:\n(.|\n)*no memory"):
        stream.receive(soon())


def test_one_that_complains_and_goes_on_is_not_waited_for(ends: Ends) -> None:
    stream, theirs = ends
    theirs.sendall(piece(2, b"hm"))
    with pytest.raises(OSError, match="standard error: hm"):
        stream.receive(soon(1000))
    assert theirs.fileno() >= 0


def test_nothing_comes_after_the_deadline(ends: Ends) -> None:
    stream, theirs = ends
    theirs.sendall(piece(1, b"abc")[:5])
    with pytest.raises(TimeoutError):
        stream.receive(soon(0.01))
    with pytest.raises(TimeoutError):
        stream.send(bytes(10 << 20), soon(0.01))


def test_an_end_is_no_data(ends: Ends) -> None:
    stream, theirs = ends
    theirs.close()
    assert stream.receive(soon()) == b""
