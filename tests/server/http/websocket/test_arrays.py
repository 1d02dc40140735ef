"""``/v1/ws``: arrays of messages, each answered on its own."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import websockets

from envhub.client.websocket import ARRAYS
from envhub.server.http.app import create_app
from envhub.server.http.websocket import IN_FLIGHT
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.server.http.websocket.talking import GUESS_100, Stopping, create, step
from tests.server.serving import patiently, serving


async def answers(socket: Any, count: int) -> tuple[dict[Any, Any], list[int]]:
    """The answers to come by their ids, and how many came in each text."""
    found: dict[Any, Any] = {}
    sizes = []
    while len(found) < count:
        told = json.loads(await socket.recv())
        told = told if isinstance(told, list) else [told]
        sizes.append(len(told))
        found |= {one["id"]: one for one in told}
    return found, sizes


def talk(journal: MemoryJournal, conversation: Any) -> Any:
    async def whole(url: str) -> Any:
        async with websockets.connect(f"{url.replace('http', 'ws')}/v1/ws", proxy=None) as socket:
            assert socket.response.headers[ARRAYS] == "1"
            return await conversation(socket)

    with serving(create_app(ServerSettings(), journal)) as url:
        return asyncio.run(patiently(whole(url)))


def test_the_messages_of_an_array_are_answered_each_and_together() -> None:
    async def play(socket: Any) -> None:
        ids = [f"e{number}" for number in range(20)]
        await socket.send(json.dumps([create(id, episode_id=id) for id in ids]))
        begun, _ = await answers(socket, 20)
        assert {one["status"] for one in begun.values()} == {201}
        await socket.send(json.dumps([7, *(step(0, GUESS_100, id, id) for id in ids), step(3, "x", "far", "e1")]))
        taken, sizes = await answers(socket, 22)
        assert {id: taken[id]["status"] for id in ids} == dict.fromkeys(ids, 200)
        assert {taken[id]["body"]["turn"] for id in ids} == {1}
        assert (taken[None]["status"], taken["far"]["status"]) == (422, 409)
        assert max(sizes) >= 20
        await socket.send(json.dumps(step(0, GUESS_100, "again", "e3")))  # recorded, and answered alike
        again, _ = await answers(socket, 1)
        assert again["again"]["body"] == taken["e3"]["body"]

    talk(MemoryJournal(3600, 100), play)


def test_a_slow_message_delays_no_other() -> None:
    journal = Stopping()

    async def play(socket: Any) -> None:
        await socket.send(json.dumps([create(1), create(2, episode_id="f")]))
        await answers(socket, 2)
        await socket.send(json.dumps([step(0, GUESS_100, "slow"), {"id": "quick", "op": "get", "episode_id": "f"}]))
        found, _ = await answers(socket, 1)
        assert set(found) == {"quick"}
        await socket.send(json.dumps(step(0, GUESS_100, "twice")))  # the same turn waits for the first
        journal.loop.call_soon_threadsafe(journal.go.set)
        found, _ = await answers(socket, 2)
        assert found["slow"]["body"] == found["twice"]["body"]
        assert journal.waiting == 1

    talk(journal, play)


def test_an_array_has_a_limit() -> None:
    async def ask(socket: Any) -> Any:
        await socket.send(json.dumps([{"id": 1, "op": "get", "episode_id": "e"}] * (IN_FLIGHT + 1)))
        return json.loads(await socket.recv())

    answer = talk(MemoryJournal(3600, 100), ask)
    assert (answer["id"], answer["status"]) == (None, 422)
    assert "1 to 256 messages, got 257" in answer["body"]["detail"]
