"""A connection of ``/v1/ws`` as the transport sees it: frames that come in pieces, several at once, or not as they should."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from envhub.server.http.frames import DirectWebSocket
from envhub.server.http.protocol import options
from envhub.server.http.websocket import WebSocket
from tests.server.http.websocket.talking import GUESS_100, Stopping, create, step
from tests.server.serving import GUESS, Api

MAX_BYTES = 100_000


class Wire(asyncio.Transport):
    """The server's end of a connection, and a client that speaks the protocol but sends nothing by itself."""

    def __init__(self, app: Any) -> None:
        super().__init__()
        self.config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, **options(MAX_BYTES))
        self.config.load()
        self.state = ServerState()
        self.line = DirectWebSocket(config=self.config, server_state=self.state, app_state={})
        self.client = ClientProtocol(parse_uri("ws://hub/v1/ws"), max_size=None)
        self.writes: list[bytes] = []
        self.reading, self.closed = True, False
        self.line.connection_made(self)
        self.client.send_request(self.client.connect())

    # -- the transport -----------------------------------------------------------------------------------------------

    def write(self, data: Any) -> None:
        assert not self.closed, "written after the end"
        self.writes.append(bytes(data))
        self.client.receive_data(bytes(data))

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.line.connection_lost(None)

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    # -- the client --------------------------------------------------------------------------------------------------

    def made(self) -> bytes:
        """What the client has to send."""
        return b"".join(self.client.data_to_send())

    def text(self, message: Any) -> bytes:
        self.client.send_text(json.dumps(message).encode())
        return self.made()

    def put(self, data: bytes) -> None:
        assert self.reading, "read although it was to be paused"
        self.line.data_received(data)

    async def settle(self) -> None:
        """Give what is under way every chance to be done."""
        for _ in range(50):
            await asyncio.sleep(0)

    async def open(self) -> Wire:
        self.put(self.made())
        await self.settle()
        self.events()
        assert self.client.state.name == "OPEN"
        return self

    def events(self) -> list[Any]:
        """What has come to the client since the last time: answers, or frames of another kind."""
        found = []
        for event in self.client.events_received():
            if isinstance(event, Frame):
                found.append(json.loads(bytes(event.data)) if event.opcode is Opcode.TEXT else event.opcode)
        return found

    async def ask(self, data: bytes, answers: int = 0) -> list[Any]:
        """What comes after some data; so many answers are waited for."""
        self.put(data)
        await self.settle()
        found = self.events()
        while len(found) < answers:  # the first tasks are drawn in threads
            await asyncio.sleep(0)
            found += self.events()
        return found


@pytest.fixture
def on_the_wire(make_api: Callable[..., Api]) -> Callable[..., Any]:
    """Runs a test with a connection that is open; arguments as of ``Api``."""

    def run(test: Callable[[Wire], Any], journal: Any = None, in_flight: int | None = None) -> Any:
        api = make_api(journal)
        if in_flight is not None:
            for route in api.app.router.routes:
                if getattr(route, "path", "") == "/v1/ws":
                    route.app = WebSocket(api.app.state.operations, in_flight)  # type: ignore[attr-defined]

        async def go() -> Any:
            wire = await Wire(api.app).open()
            try:
                return await test(wire)
            finally:
                wire.close()
                await asyncio.gather(*wire.state.tasks)

        return api.run(go())

    return run


def test_messages_go_straight_to_the_endpoint(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        assert wire.line._sink is not None, (
            "uvicorn made a scope without our extension: every message takes the slow way"
        )

    on_the_wire(play)


def test_frames_cut_anywhere_are_the_same_frames(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        await wire.ask(wire.text(create()), 1)
        for turn, size in enumerate((1, 2, 3, 7, 64)):
            data = wire.text(step(turn, GUESS_100, turn)) + wire.text({"id": "medium", "op": "get", "x": "y" * 150})
            data += wire.text({"id": "long", "op": "get", "x": "y" * 70_000})
            answers = []
            for begin, end in pairwise([*range(0, 400, size), len(data) - 1, len(data)]):
                answers += await wire.ask(data[begin:end])
            assert [answer["id"] for answer in answers] == [turn, "medium", "long"]
            assert [answer["status"] for answer in answers] == [200, 422, 422]

    on_the_wire(play)


def test_many_messages_in_one_packet(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        await wire.ask(b"".join(wire.text(create(number, episode_id=f"e{number}")) for number in range(40)), 40)
        packet = b"".join(wire.text(step(0, GUESS_100, number, f"e{number}")) for number in range(40))
        answers = await wire.ask(packet + wire.text(step(0, GUESS_100, "half", "e0"))[:-9])
        assert sorted(answer["id"] for answer in answers) == list(range(40))
        assert {answer["status"] for answer in answers} == {200}

    on_the_wire(play)


def test_pieces_of_a_message_with_a_ping_between(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        text = json.dumps(create()).encode()
        wire.client.send_text(text[:10], fin=False)
        wire.client.send_ping(b"?")
        wire.client.send_continuation(text[10:20], fin=False)
        pieces = wire.made()
        wire.client.send_continuation(text[20:], fin=True)
        assert await wire.ask(pieces) == [Opcode.PONG]
        assert [answer["status"] for answer in await wire.ask(wire.made(), 1)] == [201]
        assert [answer["status"] for answer in await wire.ask(wire.text(step(0, GUESS_100)))] == [200]  # as before
        wire.client.send_binary(json.dumps(step(1, GUESS_100)).encode())
        assert [answer["status"] for answer in await wire.ask(wire.made())] == [200]

    on_the_wire(play)


GOOD = Frame(Opcode.TEXT, b'{"id": 1, "op": "get", "episode_id": "nobody"}')
WRONG = {
    "no mask": (Frame(Opcode.TEXT, b"{}").serialize(mask=False), 1002),
    "no mask and long": (Frame(Opcode.TEXT, b"x" * 200).serialize(mask=False), 1002),
    "not UTF-8": (Frame(Opcode.TEXT, b"\xff\xfe").serialize(mask=True), 1007),
    "too long": (Frame(Opcode.TEXT, b"x" * (MAX_BYTES + 1)).serialize(mask=True), 1009),
    "too long in pieces": (
        Frame(Opcode.TEXT, b"x" * MAX_BYTES, fin=False).serialize(mask=True)
        + Frame(Opcode.CONT, b"x").serialize(mask=True),
        1009,
    ),
    "a piece of nothing": (Frame(Opcode.CONT, b"x").serialize(mask=True), 1002),
    "a message amid the pieces of another": (
        Frame(Opcode.TEXT, b"x", fin=False).serialize(mask=True) + GOOD.serialize(mask=True),
        1002,
    ),
    "a bit that means nothing": (b"\xc1\x82\0\0\0\0{}", 1002),
}


@pytest.mark.parametrize(("data", "code"), WRONG.values(), ids=WRONG)
def test_what_is_no_websocket_ends_it(on_the_wire: Any, data: bytes, code: int) -> None:
    async def play(wire: Wire) -> None:
        before = GOOD.serialize(mask=True)
        await wire.ask(before + data[: len(data) // 2])
        if not wire.closed:
            wire.put(data[len(data) // 2 :])
            await wire.settle()
        assert wire.closed
        assert wire.client.close_rcvd is not None
        assert wire.client.close_rcvd.code == code
        wire.line.data_received(GOOD.serialize(mask=True))  # what the transport held already
        await wire.settle()
        assert [event for event in wire.events() if isinstance(event, dict) and event["status"] == 200] == []

    on_the_wire(play)


def test_nothing_is_a_frame_after_what_was_none(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        await wire.ask(b"\x81\x7e")  # no mask, and a length that is to come
        assert not [event for event in await wire.ask(GOOD.serialize(mask=True)) if isinstance(event, dict)]
        assert wire.closed

    on_the_wire(play)


def test_what_is_under_way_when_the_client_leaves_is_waited_for(on_the_wire: Any) -> None:
    journal = Stopping()

    async def play(wire: Wire) -> None:
        await wire.ask(wire.text(create()), 1)
        await wire.ask(wire.text(step(0, GUESS_100)))
        wire.close()
        await wire.settle()
        assert wire.state.tasks  # the server does not end meanwhile
        journal.go.set()
        await wire.settle()
        assert not wire.state.tasks

    on_the_wire(play, journal)


def test_only_the_announcement_of_what_is_too_long_is_waited_for(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        await wire.ask(WRONG["too long"][0][:14])
        assert wire.closed
        assert wire.client.close_rcvd is not None
        assert wire.client.close_rcvd.code == 1009

    on_the_wire(play)


def test_a_farewell_right_after_a_message(on_the_wire: Any, make_api: Callable[..., Api]) -> None:
    journal = Stopping()
    journal.go.set()

    async def play(wire: Wire) -> None:
        await wire.ask(wire.text(create()), 1)
        last = wire.text(step(0, GUESS_100))
        wire.client.send_close(1000)
        await wire.ask(last + wire.made())
        assert wire.closed

    on_the_wire(play, journal)
    assert make_api(journal).look()["turn"] == 1


def test_nothing_is_read_while_as_much_is_under_way_as_may_be(on_the_wire: Any) -> None:
    journal = Stopping()

    async def play(wire: Wire) -> None:
        for number in range(10):
            await wire.ask(wire.text(create(number, episode_id=f"e{number}")), 1)
        wire.put(b"".join(wire.text(step(0, GUESS_100, number, f"e{number}")) for number in range(10)))
        await wire.settle()
        assert (journal.waiting, wire.reading) == (3, False)
        journal.go.set()
        await wire.settle()
        assert sorted(answer["id"] for answer in wire.events()) == list(range(10))
        assert wire.reading
        assert [answer["status"] for answer in await wire.ask(wire.text(step(1, GUESS_100, 1, "e1")))] == [200]

    on_the_wire(play, journal, in_flight=3)


def test_nothing_is_taken_from_who_takes_no_answers(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        look = {"id": 1, "op": "get", "episode_id": "nobody"}
        wire.line.pause_writing()
        wire.client.send_ping(b"?")
        wire.put(wire.text(look) + wire.made() + wire.text(look))
        await wire.settle()
        assert wire.events() == []  # no pong either: they would pile up
        assert not wire.reading
        wire.line.resume_writing()
        await wire.settle()
        answers = wire.events()
        assert Opcode.PONG in answers
        assert len(answers) == 3
        assert wire.reading

    on_the_wire(play)


def test_a_server_that_ends_says_so(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        wire.line.shutdown()
        await wire.settle()
        assert wire.closed
        assert wire.client.close_rcvd is not None
        assert wire.client.close_rcvd.code == 1012

    on_the_wire(play)


def test_an_answer_may_be_long(on_the_wire: Any) -> None:
    async def play(wire: Wire) -> None:
        seeds = list(range(900))
        message = {"id": 1, "op": "tasks", "body": {"env_id": GUESS, "seeds": seeds}}
        answers = await wire.ask(wire.text(message), 1)
        assert len(answers[0]["body"]["tasks"]) == len(seeds)
        assert max(map(len, wire.writes)) > 65_535

    on_the_wire(play)
