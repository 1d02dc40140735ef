"""Requests that are none, or hardly: each is answered or hung up on, tells nothing of the server, and disturbs nobody."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from envhub.server.http.app import create_app
from envhub.server.http.protocol import options
from envhub.settings import ServerSettings
from tests.server import serving as servers
from tests.server.raw import no_complaints, wire
from tests.server.serving import serving

MOST = 100_000
CREATE = {"env_id": "arithmetic-v0", "episode_id": "e", "difficulty": 1, "seed": 7}
BODY = json.dumps(CREATE).encode()
FEW = settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module", params=["httptools", "h11"])
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "httptools":
        pytest.importorskip("httptools", reason="comes with the extra serve")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "h11":  # what there is without the extra serve
            patch.setattr(servers, "options", lambda most: {**options(most), "http": "h11"})
        with serving(create_app(ServerSettings(max_body_bytes=MOST))) as address:
            yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    with no_complaints():
        yield server


def asked(body: bytes = BODY, line: str = "POST /v1/episodes", **headers: str | None) -> bytes:
    """A request; a header that is None is left out, and an underscore in its name is a hyphen."""
    given: dict[str, str | None] = {
        "Host": "here",
        "Content_Type": "application/json",
        "Content_Length": str(len(body)),
    }
    given["Connection"] = "close"
    given |= headers
    lines = [
        f"{line} HTTP/1.1",
        *(f"{name.replace('_', '-')}: {value}" for name, value in given.items() if value is not None),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def chunked(*chunks: bytes, line: str = "POST /v1/episodes") -> bytes:
    """A request whose body is written in chunks, as they are."""
    return asked(b"".join(chunks), line, Content_Length=None, Transfer_Encoding="chunked")


def said(url: str, sent: bytes, *, cut: bool = False) -> bytes:
    """Everything that is answered until the server hangs up; if the request is cut, it is told that nothing more comes."""
    with wire(url) as connection:
        connection.send(sent)
        if cut:
            connection.no_more()
        return connection.rest()


def statuses(answer: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def check(answer: bytes) -> None:
    assert b"Traceback" not in answer
    assert b'File "' not in answer
    assert b"InternalError" not in answer
    assert all(100 <= status < 500 for status in statuses(answer)), answer[:500]


def usable(url: str) -> None:
    answer = said(url, asked(b"", "GET /health", Content_Type=None, Content_Length=None))
    assert statuses(answer) == [200]


DEEP = 50_000
BODIES: dict[str, bytes] = {
    "nothing": b"",
    "null": b"null",
    "nesting": b"[" * DEEP,
    "nesting that ends": b"[" * DEEP + b"]" * (DEEP - 1000),
    "nesting in a field": b'{"env_id": "arithmetic-v0", "params": ' + b'{"a":' * 5000 + b"1" + b"}" * 5001,
    "nesting that Python reads": b'{"env_id": "arithmetic-v0", "params": {"terms": ' + b"[" * 400 + b"]" * 400 + b"}}",
    "a very long integer": b'{"env_id": "arithmetic-v0", "seed": ' + b"9" * 99_000 + b"}",
    "a long integer": b'{"env_id": "arithmetic-v0", "seed": ' + b"9" * 4000 + b"}",
    "a long integer as a parameter": b'{"env_id": "arithmetic-v0", "params": {"terms": ' + b"9" * 4000 + b"}}",
    "a difficulty that is infinite": b'{"env_id": "arithmetic-v0", "difficulty": 1e999}',
    "a seed that is infinite": b'{"env_id": "arithmetic-v0", "seed": -1e999}',
    "a seed that is no number": b'{"env_id": "arithmetic-v0", "seed": NaN}',
    "a weight that is no number": b'{"env_id": "arithmetic-v0", "options": {"reward": {"accuracy": NaN}}}',
    "a weight that is infinite": b'{"env_id": "arithmetic-v0", "options": {"reward": {"accuracy": 1e999}}}',
    "a parameter that is no number": b'{"env_id": "arithmetic-v0", "params": {"terms": NaN}}',
    "a name twice": b'{"env_id": "arithmetic-v0", "env_id": "x", "seed": 1, "seed": 2}',
    "a byte order mark": b"\xef\xbb\xbf" + BODY,
    "UTF-16": json.dumps(CREATE).encode("utf-16"),
    "UTF-32": json.dumps(CREATE).encode("utf-32-le"),
    "Latin-1": b'{"env_id": "\xe9"}',
    "half a surrogate pair": b'{"env_id": "\\ud800"}',
    "half a surrogate pair in UTF-8": b'{"env_id": "\xed\xa0\x80"}',
    "half a surrogate pair as a name": b'{"env_id": "arithmetic-v0", "params": {"\\udfff": 1}}',
    "half a surrogate pair as a message": b'{"env_id": "arithmetic-v0", "options": {"system": "\\ud800"}}',
    "null bytes": b'{"env_id": "arithmetic-v0", "episode_id": "\\u0000"}',
    "gzip": gzip.compress(BODY),
    "two documents": BODY + BODY,
    "a form": b"env_id=arithmetic-v0",
    "a long name": b'{"' + b"x" * 90_000 + b'": 1}',
    "many names": json.dumps({f"n{number}": 1 for number in range(5000)}).encode(),
}
ROUTES = [
    *("/v1/episodes", "/v1/episodes/e/step", "/v1/episodes/e/fork", "/v1/batch", "/v1/tasks", "/v1/verify"),
    *("/rewards/openrlhf", "/rewards/slime", "/openenv/arithmetic-v0/reset", "/openenv/arithmetic-v0/step"),
    *("/openenv/arithmetic-v0/arithmetic-v0/task_range", "/nemo/any/verify", "/nemo/any/seed_session"),
    *(
        "/nemo/any/close_session",
        "/nemo/any/aggregate_metrics",
        "/nemo/any/reset",
        "/nemo/any/step",
        "/nemo/any/a_tool",
    ),
]


@pytest.mark.parametrize("name", BODIES)
def test_no_body_makes_the_server_fail(url: str, name: str) -> None:
    for route in ROUTES:
        answer = said(url, asked(BODIES[name], f"POST {route}"))
        check(answer)
        assert len(statuses(answer)) == 1
    items = b'{"items": [' + BODIES[name] + b', {"op": "tasks", "body": ' + BODIES[name] + b"}]}"
    check(said(url, asked(items, "POST /v1/batch")))
    usable(url)


PATHS = [
    "/%00",
    "/v1/episodes/%00",
    "/v1/episodes/%ff%fe",
    "/v1/episodes/%ed%a0%80",
    "/v1/episodes/%F0%9F%98%80",
    "/v1/episodes/..",
    "/v1/episodes/../../etc/passwd",
    "/v1/episodes/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/v1/episodes/a%2fb",
    "/v1/episodes/e%0d%0aX-Evil:%201",
    "/v1/episodes/e%0a",
    "/v1/episodes/" + "x" * 30_000,
    "/v1/episodes/%",
    "/v1/episodes/%zz",
    "/v1/episodes/:e",
    "/v1/episodes/a:e",
    "/v1/episodes//",
    "/v1/episodes/",
    "//v1//episodes",
    "/v1/environments/%00",
    "/v1/environments/../../etc/passwd",
    "/v1/environments/" + "../" * 100,
    "/v1/environments/%ff",
    "/v1/environments/a\\b",
    "/v1/environments/{env_id}",
    "/v1/environments/__class__-v0",
    "/v1/environments?category=%00",
    "/v1/environments?category=%ff",
    "/v1/environments?category=a&category=b",
    "/v1/environments?" + "a=b&" * 5000,
    "/v1/environments?key=envhub_x",
    "/?%%%",
    "*",
    "http://elsewhere/v1/environments",
    "http://[/v1",
    "v1/environments",
    "/v1/ws",
    "/openenv/%00/ws",
    "/openenv/../../etc/passwd/health",
    "/openenv//ws",
    "/nemo/%ff/verify",
    "/nemo//",
    "/rewards/",
    "/openapi.json%00",
    "/docs/../metrics",
]


@pytest.mark.parametrize("path", PATHS, ids=[path[:50] for path in PATHS])
def test_no_path_makes_the_server_fail(url: str, path: str) -> None:
    for method in ("GET", "DELETE", "POST", "PUT", "HEAD", "OPTIONS", "PATCH", "CONNECT", "TRACE", "BREW"):
        answer = said(url, asked(b"", f"{method} {path}"))
        check(answer)
        assert b"root:" not in answer
        assert b"\r\nX-Evil" not in answer
    if path.startswith("/v1/episodes/"):
        for end in ("/step", "/fork"):
            check(said(url, asked(b'{"turn": 0, "action": "x"}', f"POST {path}{end}")))
    usable(url)


ODD: dict[str, tuple[bytes, tuple[int, ...]]] = {
    "chunks": (chunked(b"%x\r\n" % len(BODY), BODY, b"\r\n0\r\n\r\n"), (201,)),
    "many chunks": (chunked(*(b"1\r\n" + bytes([one]) + b"\r\n" for one in BODY), b"0\r\n\r\n"), (201,)),
    "chunks that are not": (chunked(b"zz\r\n", BODY), (400,)),
    "chunks of less than nothing": (chunked(b"-1\r\n", BODY, b"\r\n0\r\n\r\n"), (400,)),
    "a chunk longer than can be": (chunked(b"f" * 17 + b"\r\n", BODY), ()),
    "a chunk that is cut": (chunked(b"ff\r\n", BODY), ()),
    "too many bytes in chunks": (chunked(*[b"2710\r\n" + b" " * 10_000 + b"\r\n"] * 11, b"0\r\n\r\n"), (413,)),
    "long extensions of a chunk": (chunked(b"1;" + b"x" * 90_000 + b"\r\n1\r\n0\r\n\r\n"), (400, 413, 422, 431)),
    "a trailer without end": (chunked(b"1\r\n1\r\n0\r\n", b"X: y\r\n" * 200_000), (400, 413, 422, 431)),
    "chunks and a length": (asked(BODY + b"\r\n\r\n", Transfer_Encoding="chunked"), (400,)),
    "an encoding that is none": (asked(BODY, Content_Length=None, Transfer_Encoding="gzip"), (400, 501, 422)),
    "chunked twice": (asked(BODY, Content_Length=None, Transfer_Encoding="chunked, chunked"), (400, 501)),
    "a length of less than nothing": (asked(BODY, Content_Length="-1"), (400,)),
    "a length that is no number": (asked(BODY, Content_Length="x"), (400,)),
    "a length with a sign": (asked(BODY, Content_Length=f"+{len(BODY)}"), (400,)),
    "a length longer than can be": (asked(BODY, Content_Length="9" * 30), (400, 413)),
    "a length that is too long": (asked(BODY, Content_Length=str(MOST + 1)), (413,)),
    "a length that is too short": (asked(BODY, Content_Length="5"), (422,)),
    "a body that is cut": (asked(BODY, Content_Length=str(len(BODY) + 1)), ()),
    "a body that is too long": (asked(b" " * (MOST + 1)), (413,)),
    "two lengths": (asked(BODY, **{"content-length": "5"}), (400,)),
    "two hosts": (asked(BODY, host="there"), (400, 201)),
    "no host": (asked(BODY, Host=None), (400, 201)),
    "two types": (asked(BODY, **{"content-type": "text/plain"}), (201, 422)),
    "two keys": (asked(BODY, Authorization="Bearer a", authorization="Bearer b"), (400,)),
    "a key that is no text": (asked(BODY, Authorization="Bearer \xff\xfe"), (201, 400)),
    "a long key": (asked(BODY, Authorization="Bearer " + "x" * 20_000), (201, 400)),
    "no type": (asked(BODY, Content_Type=None), (422,)),
    "a type that is none": (asked(BODY, Content_Type=";;;,json\xff"), (201, 400, 422)),
    "gzip that says so": (asked(gzip.compress(BODY), Content_Encoding="gzip"), (422,)),
    "a long request id": (asked(BODY, **{"X-Request-ID": "x" * 5000}), (201,)),
    "an origin that is none": (asked(BODY, Origin="http://["), (403,)),
    "an origin that is no text": (asked(BODY, Origin="\xff\xfe://\x80"), (403, 400)),
    "a long header": (asked(BODY, X="x" * 200_000), (400, 413, 431)),
    "many headers": (asked(BODY, **{f"X{number}": "y" for number in range(20_000)}), (400, 413, 431)),
    "a header without a name": (asked(BODY).replace(b"Host:", b":", 1), (400,)),
    "a header with a space": (asked(BODY).replace(b"Host:", b"Host :", 1), (400,)),
    "a folded header": (asked(BODY).replace(b"Host: here", b"Host: here\r\n  there", 1), (400, 201)),
    "a null byte in a header": (asked(BODY, X="a\0b"), (400, 201)),
    "lines that end with a newline": (asked(BODY).replace(b"\r\n", b"\n"), (400, 201)),
    "another version": (asked(BODY).replace(b"HTTP/1.1", b"HTTP/9.9", 1), (201, 400, 505)),
    "no version": (b"GET /health\r\n\r\n", (200, 400)),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (404, 400, 505)),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), (400,)),
    "nothing": (b"", ()),
    "half a line": (b"GET /hea", ()),
    "no end of the headers": (b"GET /health HTTP/1.1\r\nHost: here\r\n", ()),
    "an expectation": (asked(BODY, Expect="100-continue"), (100, 201)),
    "an upgrade": (asked(BODY, Connection="Upgrade, close", Upgrade="h2c"), (201, 400, 422)),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_requests_are_answered_as_they_should(url: str, name: str) -> None:
    sent, wanted = ODD[name]
    answer = said(url, sent, cut=not wanted)
    check(answer)
    assert set(statuses(answer)) <= {*wanted, 400} if wanted else set(statuses(answer)) <= {400}
    assert bool(statuses(answer)) or not wanted or len(sent) > 60_000  # hung up on while it was still sending
    usable(url)


def test_requests_behind_each_other_are_answered_in_their_order(url: str) -> None:
    sent, wanted = b"", []
    for number in range(50):
        last = "close" if number == 49 else "keep-alive"
        sent += asked(b"", f"GET /v1/episodes/nobody-{number}", Connection="keep-alive")
        sent += asked(b"{", "POST /v1/tasks", Connection=last)
        wanted += [404, 422]
    answer = said(url, sent)
    check(answer)
    assert statuses(answer) == wanted
    assert [int(number) for number in re.findall(rb"nobody-(\d+)", answer)] == list(range(50))


def test_what_comes_before_nonsense_is_answered(url: str) -> None:
    answer = said(url, asked(b"", "GET /v1/episodes/nobody", Connection="keep-alive") + b"\x00\x01 nonsense\r\n\r\n")
    check(answer)
    assert statuses(answer)[0] in (404, 400)
    usable(url)


lines = st.sampled_from(["GET /health", "POST /v1/episodes", "POST /v1/batch", "DELETE /v1/episodes/e", "GET /v1/ws"])
headers = st.sampled_from(
    [
        "Content-Length",
        "Transfer-Encoding",
        "Connection",
        "Upgrade",
        "Expect",
        "Host",
        "Authorization",
        "Origin",
        "Cookie",
    ]
)
values = st.sampled_from(["", "0", "5", "chunked", "close", "websocket", "100-continue", "\x00", "Bearer x", "\xff"])
requests = st.builds(
    lambda line, extra, body: asked(body, line, **extra),
    lines,
    st.dictionaries(headers, values),
    st.binary(max_size=30),
)


def broken(request: bytes, at: list[tuple[int, bytes]]) -> bytes:
    """A request with some of its bytes changed."""
    for place, other in at:
        place %= len(request)
        request = request[:place] + other + request[place + 1 :]
    return request


@FEW
@given(
    sent=st.lists(
        st.builds(broken, requests, st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=3)), max_size=3))
        | st.binary(max_size=50),
        max_size=3,
    )
)
def test_any_bytes_come_to_an_end(url: str, sent: list[bytes]) -> None:
    check(said(url, b"".join(sent), cut=True))


def test_the_checks_notice_a_failure() -> None:
    """A negative control: an application that fails as ours must not."""

    async def fails(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            raise ZeroDivisionError

    with pytest.raises(AssertionError, match="ASGI application"), no_complaints(), serving(fails) as url:  # noqa: PT012
        answer = said(url, asked())
        with pytest.raises(AssertionError):
            check(answer)
