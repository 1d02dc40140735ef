"""Whatever is sent to ``/v1/ws`` has one answer, or ends its own connection with a reason; nothing else notices."""

from __future__ import annotations

import itertools
import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from envhub.server.app import create_app
from envhub.settings import ServerSettings
from tests.server.raw import BYTES, CLOSE, LAST, MORE, PING, PONG, TEXT, Frames, frame, frames, no_complaints, wire
from tests.server.serving import GUESS, local, serving

SEED = 7
GUESS_100 = "<answer>100</answer>"
NUMBERS = itertools.count()
ENOUGH = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving(create_app(ServerSettings(max_episodes=2000))) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    with no_complaints():
        yield server


class Control:
    """An episode that goes on whatever else is said, as long as the connection is a good one."""

    def __init__(self, line: Frames) -> None:
        self._line, self._turn = line, 0
        self._id = f"control-{next(NUMBERS)}"
        self._here = local(GUESS, SEED, difficulty=1)
        body = {"env_id": GUESS, "episode_id": self._id, "difficulty": 1, "seed": SEED}
        line.say({"id": self._id, "op": "create", "body": body})
        assert line.answer()["status"] == 201

    def step(self) -> None:
        """Take a turn; the next answer is to it, and is right."""
        body = {"turn": self._turn, "action": GUESS_100}
        self._line.say({"id": f"{self._id}/{self._turn}", "op": "step", "episode_id": self._id, "body": body})
        answer = self._line.answer()
        assert (answer["id"], answer["status"]) == (f"{self._id}/{self._turn}", 200)
        assert answer["body"]["observation"] == self._here.step(GUESS_100)[0]
        self._turn += 1


def usable(url: str) -> None:
    """Somebody else can connect and play."""
    with frames(url) as line:
        Control(line).step()


# -- messages -----------------------------------------------------------------------------------------------------------

ODD_TEXTS = ["", "\x00", "\ud800", "e\x00", "../e", "%00", "\ufeff", "\u202e", "x" * 129, "x" * 1_000_000, "None", "e"]
ODD_NUMBERS = [0, -1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**400, 1e308, 0.5, -0.0, True, 10.0]
odd = st.sampled_from([*ODD_TEXTS, *ODD_NUMBERS, None, [], {}, [[]], {"": {}}, [None], {"turn": 0}])
VALID: list[dict[str, Any]] = [
    {"op": "create", "body": {"env_id": GUESS, "episode_id": "e", "difficulty": 1, "seed": SEED}},
    {
        "op": "create",
        "body": {"env_id": "arithmetic-v0", "params": {"terms": 2}, "options": {"reward": {"accuracy": 1.0}}},
    },
    {"op": "step", "episode_id": "e", "body": {"turn": 0, "action": GUESS_100}},
    {"op": "fork", "episode_id": "e", "body": {"episode_id": "f", "turn": 0, "chance": 3}},
    {"op": "get", "episode_id": "e"},
    {"op": "delete", "episode_id": "e"},
    {"op": "tasks", "body": {"env_id": "arithmetic-v0", "seeds": [1, 2], "difficulty": [1, 3]}},
    {"op": "verify", "body": {"items": [{"gold": "1", "responses": ["1"]}], "reward": {"accuracy": 1.0}}},
]


def places(value: Any) -> list[tuple[Any, ...]]:
    """Where something stands in a message."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *rest) for key, inner in items for rest in places(inner))]


def changed(value: Any, place: tuple[Any, ...], change: Any) -> Any:
    """A message with something else at a place."""
    if not place:
        return change(value)
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = changed(copy[place[0]], place[1:], change)
    return copy


def _other(kind: str, at: Any, name: str, value: Any, holder: Any) -> Any:
    """What holds something, with that missing, doubled, of another type, or with something beside it."""
    if at is None:
        return {**holder, name: value}
    if isinstance(holder, dict) and kind == "missing":
        return {key: inner for key, inner in holder.items() if key != at}
    if isinstance(holder, dict) and kind == "extra":
        return {**holder, name: value}
    copy = dict(holder) if isinstance(holder, dict) else list(holder)
    copy[at] = [copy[at], value] if kind == "list" else value
    return copy


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A valid message with something missing, too much, or of another type."""
    message: Any = {"id": draw(st.sampled_from([1, 2, "a", "b", "\x00", 2**63 - 1])), **draw(st.sampled_from(VALID))}
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.sampled_from(places(message)[1:] or [()]))
        value, name = draw(odd), draw(st.sampled_from(["id", "op", "turn", "x", "__class__", "\ud800", ""]))
        kind = draw(st.sampled_from(["other", "extra", "missing", "list"]))
        message = changed(message, place[:-1], partial(_other, kind, place[-1] if place else None, name, value))
        if not isinstance(message, dict):
            return {"id": message}
    return message


RAW = [
    b"",
    b" ",
    b"null",
    b"7",
    b'"text"',
    b"[]",
    b"{",
    b"}{",
    b'{"id": 1} {"id": 2}',
    b"[" * 200_000,
    b'{"id": 1, "body": ' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
    b'{"id": 1, "op": "tasks", "body": {"env_id": "arithmetic-v0", "seeds": [1], "params": {"x": '
    + b"[" * 500
    + b"]" * 500
    + b"}}}",
    b'{"id": NaN, "op": "get"}',
    b'{"id": Infinity}',
    b'{"id": 1, "op": "create", "body": {"env_id": "arithmetic-v0", "difficulty": NaN}}',
    b'{"id": 1, "op": "create", "body": {"env_id": "arithmetic-v0", "params": {"terms": Infinity}}}',
    b'{"id": 1, "op": "create", "body": {"env_id": "arithmetic-v0", "options": {"reward": {"accuracy": NaN}}}}',
    b'{"id": 1, "op": "create", "body": {"env_id": "arithmetic-v0", "options": {"reward": {"accuracy": 1e999}}}}',
    b'{"id": 1, "op": "verify", "body": {"items": [], "reward": {"accuracy": -1e999}}}',
    b'{"id": 1e999}',
    b'{"id": ' + b"9" * 100_000 + b"}",
    b'{"id": 1, "op": "step", "episode_id": "e", "body": {"turn": ' + b"9" * 5000 + b', "action": ""}}',
    b'{"id": 1, "id": 2, "op": "get", "op": "delete", "episode_id": "nobody"}',
    b'\xef\xbb\xbf{"id": 1, "op": "get", "episode_id": "nobody"}',
    b'{"id": 1, "op": "get", "episode_id": "\\ud800\\u0000"}',
    b'{"id": "\\ud800", "op": "get", "episode_id": "nobody"}',
    b'{"id": "\\ud83d\\ude00", "op": "get", "episode_id": "nobody"}',
    b'{"\\ud800": 1, "id": 1}',
    b'{"id": 1, "op": "get", "episode_id": "nobody", "' + b"x" * 1_000_000 + b'": 1}',
    b"\x00",
    b'{"id": 1}\x00',
    b"//",
    b"{'id': 1}",
]
ONLY_BYTES = [
    b"\xff\xfe",
    b"\x80",
    '{"id": 1, "op": "get", "episode_id": "nobody"}'.encode("utf-16"),
    '{"id": 1, "op": "get", "episode_id": "nobody"}'.encode("utf-32"),
    b'{"id": "\xed\xa0\x80"}',
    os.urandom(1000),
]
data = (
    st.tuples(st.sampled_from([TEXT, BYTES]), mutated().map(lambda message: json.dumps(message).encode()))
    | st.tuples(st.sampled_from([TEXT, BYTES]), st.sampled_from(RAW))
    | st.tuples(st.just(BYTES), st.sampled_from(ONLY_BYTES) | st.binary(max_size=40))
    | st.tuples(st.just(TEXT), st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")))
)


def id_in(sent: bytes) -> Any:
    """The id that the answer to a message must have; None where it has none that can be read."""
    try:
        message = json.loads(sent)
    except (ValueError, RecursionError):
        return None
    id = message.get("id") if isinstance(message, dict) else None
    fits = (type(id) is int and abs(id) < 2**63) or (type(id) is str and len(id) <= 128)
    return id if fits else None


def check(answer: Any) -> None:
    """An answer says what it should and nothing about the server."""
    assert {"id", "status", "body"} <= set(answer) <= {"id", "status", "body", "retry_after"}
    assert answer["status"] in (200, 201, 204, 403, 404, 409, 413, 422, 429, 501), answer
    if answer["status"] >= 400:
        assert set(answer["body"]) == {"type", "title", "status", "code", "detail"}
    assert "Traceback" not in str(answer)
    assert 'File "' not in str(answer)


@settings(ENOUGH, max_examples=150)
@given(sent=st.lists(data, min_size=1, max_size=8), parts=st.integers(1, 3))
def test_every_message_has_one_answer_and_the_connection_stays(
    url: str, sent: list[tuple[int, bytes]], parts: int
) -> None:
    with frames(url) as line:
        control = Control(line)
        control.step()
        whole = b"".join(frame(LAST | code, payload) for code, payload in sent)
        for piece in range(parts):  # however the network cuts it
            line.send(whole[len(whole) * piece // parts : len(whole) * (piece + 1) // parts])
        answers = [line.answer() for _ in sent]
        for answer in answers:
            check(answer)
        wanted = Counter(repr(id_in(payload)) for _, payload in sent)
        got = Counter(repr(answer["id"]) for answer in answers)
        # a stricter reader of JSON may refuse what Python's takes; then it must say so
        for lost in wanted - got:
            assert wanted[lost] - got[lost] <= sum(a["id"] is None and a["status"] == 422 for a in answers)
        assert not got - wanted - Counter({repr(None): len(sent)})
        control.step()  # its answer is the next: nothing had two


@pytest.mark.parametrize("sent", RAW, ids=[ascii(text)[:60] for text in RAW])
def test_text_that_is_no_message_is_answered(url: str, sent: bytes) -> None:
    with frames(url) as line:
        control = Control(line)
        line.send(frame(LAST | TEXT, sent))
        check(line.answer())
        line.send(frame(LAST | BYTES, sent))
        check(line.answer())
        control.step()


def test_the_same_id_many_times(url: str) -> None:
    with frames(url) as line:
        control = Control(line)
        message = json.dumps({"id": 1, "op": "get", "episode_id": "nobody"}).encode()
        line.send(frame(LAST | TEXT, message) * 2000)
        assert [line.answer()["id"] for _ in range(2000)] == [1] * 2000
        control.step()


# -- frames -------------------------------------------------------------------------------------------------------------

MESSAGE = json.dumps({"id": 5, "op": "get", "episode_id": "nobody"}).encode()
RSV1, RSV2, RSV3 = 0x40, 0x20, 0x10
BROKEN: dict[str, tuple[bytes, tuple[int | None, ...]]] = {
    **{f"opcode {code:x}": (frame(LAST | code, b"x"), (1002,)) for code in (3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF)},
    **{f"reserved bit {bit:x}": (frame(LAST | TEXT | bit, MESSAGE), (1002,)) for bit in (RSV1, RSV2, RSV3)},
    "not masked": (frame(LAST | TEXT, MESSAGE, masked=False), (1002,)),
    "not masked and long": (frame(LAST | TEXT, b" " * 70_000, masked=False), (1002,)),
    "not masked ping": (frame(LAST | PING, b"x", masked=False), (1002,)),
    "a ping in parts": (frame(PING, b"x"), (1002,)),
    "a long ping": (frame(LAST | PING, b"x" * 126), (1002,)),
    "a long end": (frame(LAST | CLOSE, b"\x03\xe8" + b"x" * 124), (1002,)),
    "more of nothing": (frame(LAST | MORE, b"x"), (1002,)),
    "more of nothing, in parts": (frame(MORE, b"x"), (1002,)),
    "a message in another": (frame(TEXT, b"{") + frame(LAST | TEXT, MESSAGE), (1002,)),
    "parts in parts": (frame(TEXT, b"{") + frame(TEXT, MESSAGE), (1002,)),
    "no UTF-8": (frame(LAST | TEXT, b"\xff"), (1007,)),
    "half a character": (frame(LAST | TEXT, '{"id": "é"}'.encode()[:-3]), (1007,)),
    "a surrogate": (frame(LAST | TEXT, b"\xed\xa0\x80"), (1007,)),
    "no UTF-8 in parts": (frame(TEXT, b"{") + frame(LAST | MORE, b"\xff"), (1007,)),
    "too long": (frame(LAST | TEXT, b"", size=16 * 2**20 + 1), (1009,)),
    "much too long": (frame(LAST | TEXT, b"", size=2**62), (1009, 1002)),
    "longer than can be": (frame(LAST | TEXT, b"", size=2**64 - 1), (1002, 1009)),
    "too long in parts": (frame(TEXT, b" " * 2**20) + frame(MORE, b" " * 2**20) * 16, (1009,)),
    "an end of one byte": (frame(LAST | CLOSE, b"\x03"), (1002,)),
    "an end for no reason there is": (frame(LAST | CLOSE, b"\x00\x01"), (1002,)),
    "an end with a reason that is no text": (frame(LAST | CLOSE, b"\x03\xe8\xff"), (1007, 1002)),
    "an end": (frame(LAST | CLOSE, b"\x03\xe8"), (1000,)),
    "an end without a reason": (frame(LAST | CLOSE), (1000, 1005)),
    "two ends": (frame(LAST | CLOSE, b"\x03\xe8") * 2, (1000,)),
    "no frame": (b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n", (1002, 1009)),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("apart", [False, True], ids=["at once", "byte by byte"])
def test_frames_that_are_none_end_their_connection_with_a_reason(url: str, name: str, apart: bool) -> None:
    sent, codes = BROKEN[name]
    with frames(url) as line, frames(url) as other:
        neighbour, control = Control(other), Control(line)
        control.step()
        for piece in [sent] if not apart or len(sent) > 1000 else [sent[at : at + 1] for at in range(len(sent))]:
            line.send(piece)
        assert line.end() in codes
        line.send(frame(LAST | TEXT, MESSAGE))  # nobody listens any more
        line.no_more()
        assert line.next() is None
        neighbour.step()
    usable(url)


def test_a_message_in_many_parts_with_pings_between(url: str) -> None:
    with frames(url) as line:
        control = Control(line)
        for cut in (1, 2, 7, len(MESSAGE)):
            parts = [MESSAGE[at : at + cut] for at in range(0, len(MESSAGE), cut)]
            sent = b""
            for place, part in enumerate(parts):
                last = LAST if place == len(parts) - 1 else 0
                sent += frame(LAST | PING, b"%d" % place) + frame(last | (MORE if place else TEXT), part)
            line.send(sent)
            pongs, answers = [], []
            while len(pongs) < len(parts) or not answers:
                found = line.next()
                assert found is not None
                (pongs if found[0] == PONG else answers).append(found)
            assert [payload for _, payload in pongs] == [b"%d" % place for place in range(len(parts))]
            assert [json.loads(payload)["id"] for _, payload in answers] == [5]
            control.step()


def test_parts_of_nothing_make_a_message_of_nothing(url: str) -> None:
    with frames(url) as line:
        control = Control(line)
        line.send(frame(TEXT) + frame(MORE) * 5000 + frame(LAST | MORE))
        assert line.answer()["status"] == 422
        control.step()


def test_many_pings_are_answered_and_hold_up_nobody(url: str) -> None:
    with frames(url) as line, frames(url) as other:
        control, neighbour = Control(line), Control(other)
        line.send(frame(LAST | PING, b"x" * 125) * 200 + frame(LAST | PONG, b"never asked for") * 2000)
        assert [line.next() for _ in range(200)] == [(PONG, b"x" * 125)] * 200
        neighbour.step()
        control.step()


@pytest.mark.parametrize(
    "sent",
    [b"", b"\x81", frame(LAST | TEXT, MESSAGE)[:-1], frame(TEXT, b"{"), b"\x81\xff\0\0"],
    ids=["nothing", "an opcode", "half a message", "a fragment", "half a length"],
)
def test_who_says_nothing_more_is_let_go(url: str, sent: bytes) -> None:
    """Half a connection: nothing comes any more, in the middle of a frame or between two."""
    with frames(url) as line:
        control = Control(line)
        control.step()
        line.send(sent)
        line.no_more()
        line.end()
        assert line.next() is None
    usable(url)


def test_what_was_asked_for_before_the_end_was_done(url: str) -> None:
    with frames(url) as line, frames(url) as other:
        id = f"left-{next(NUMBERS)}"
        line.say({"id": 1, "op": "create", "body": {"env_id": GUESS, "episode_id": id, "difficulty": 1, "seed": SEED}})
        line.send(frame(LAST | CLOSE, b"\x03\xe8"))
        line.end()
        assert line.next() is None
        other.say({"id": 1, "op": "get", "episode_id": id})
        assert other.answer()["status"] == 200


@settings(ENOUGH, max_examples=150)
@given(
    pieces=st.lists(
        st.builds(
            lambda code, payload, masked, size: frame(code, payload, masked=masked, size=size),
            st.integers(0, 255),
            st.sampled_from([b"", MESSAGE, b"\xff", b"\x03\xe8", b"x" * 126, b" " * 70_000]),
            st.sampled_from([True, True, True, False]),
            st.sampled_from([None, None, None, 0, 125, 126, 65_536, 2**63]),
        )
        | st.binary(max_size=20),
        max_size=6,
    )
)
def test_any_bytes_come_to_an_end(url: str, pieces: list[bytes]) -> None:
    with frames(url) as line:
        line.send(b"".join(pieces))
        line.no_more()
        while (found := line.next()) is not None:  # a hang would be a failure of the socket's patience
            if found[0] == TEXT:
                check(json.loads(found[1]))
    if random.Random(len(pieces)).random() < 0.2:
        usable(url)


# -- handshakes ---------------------------------------------------------------------------------------------------------

GOOD = {
    "Host": "here",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("GET /v1/ws", {"Sec-WebSocket-Key": None}),
        ("GET /v1/ws", {"Sec-WebSocket-Key": "x"}),
        ("GET /v1/ws", {"Sec-WebSocket-Key": "x" * 5000}),
        ("GET /v1/ws", {"Sec-WebSocket-Key": "\xff"}),
        ("GET /v1/ws", {"Sec-WebSocket-Version": "12"}),
        ("GET /v1/ws", {"Sec-WebSocket-Version": None}),
        ("GET /v1/ws", {"Sec-WebSocket-Version": "x"}),
        ("GET /v1/ws", {"Sec-WebSocket-Protocol": ",,;"}),
        ("GET /v1/ws", {"Sec-WebSocket-Extensions": "permessage-deflate; server_max_window_bits=99, x;;"}),
        ("GET /v1/ws", {"Upgrade": "h2c"}),
        ("GET /v1/ws", {"Upgrade": "websocket, h2c"}),
        ("GET /v1/ws", {"Connection": "close"}),
        ("GET /v1/ws", {"Origin": "http://["}),
        ("GET /v1/ws", {"Content-Length": "5"}),
        ("POST /v1/ws", {}),
        ("POST /v1/ws", {"Content-Length": "5"}),
        ("GET /v1/ws/", {}),
        ("GET /health", {}),
        ("GET /v1/episodes/e", {}),
        ("GET /nothing", {}),
        ("GET /v1/ws?key=envhub_x", {}),
        ("GET /%00", {}),
        ("GET /v1/ws%00", {}),
        ("GET //v1//ws", {}),
    ],
)
def test_no_handshake_makes_the_server_fail(url: str, line: str, changes: dict[str, str | None]) -> None:
    headers = {name: value for name, value in {**GOOD, **changes}.items() if value is not None}
    head = f"{line} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
    with wire(url) as connection:
        connection.send(head.encode("latin-1"))
        connection.no_more()
        answer = connection.rest()
    assert b"Traceback" not in answer
    assert not answer or 100 < int(answer.split(b" ", 2)[1]) < 500, answer
    usable(url)
