"""No connection fills the memory: a head that does not end is refused, whichever parser is there."""

from __future__ import annotations

import socket
import sys
from urllib.parse import urlsplit

import httpx
import pytest

from envhub.server.app import create_app
from envhub.server.protocol import MAX_HEAD_BYTES, http_protocol
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
    assert http_protocol() == "h11"
