"""Whatever frame or handshake is sent to ``/v1/ws`` is answered, or ends its own connection with a reason."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings, strategies as st

from tests.server.http.fuzzing.control import ENOUGH, NUMBERS, SEED, Control, check, usable
from tests.server.raw import CLOSE, LAST, MORE, PING, PONG, TEXT, frame, frames, wire
from tests.server.serving import GUESS

# -- frames ------------------------------------------------------------------------------------------------------------

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


# -- handshakes --------------------------------------------------------------------------------------------------------

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
