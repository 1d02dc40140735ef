"""``/v1/ws``: no more is read than is under way, and what was under way is recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from envhub.server.auth.access import Caller
from envhub.server.http.websocket import IN_FLIGHT, WebSocket
from envhub.server.telemetry.request_log import RequestLog
from tests.server.http.websocket.talking import CREATE, GUESS_100, Stopping, Talk, create, step
from tests.server.serving import Api


def test_no_more_is_read_than_is_under_way(make_api: Callable[..., Api]) -> None:
    journal = Stopping()
    api = make_api(journal)
    few = WebSocket(api.app.state.operations, in_flight=3)

    async def flood() -> tuple[int, int, list[Any]]:
        for number in range(10):
            body = {**CREATE, "episode_id": f"e{number}"}
            assert (await api.asend("POST", "/v1/episodes", body)).status_code == 201
        talk = Talk(few)
        talk._scope |= {
            "envhub.request_log": RequestLog(api.app, api.app.state.metrics),
            "envhub.caller": Caller(None, frozenset({"play"})),
        }
        await talk.begin()
        for number in range(10):
            talk.put(step(0, GUESS_100, number, f"e{number}"))
        while journal.waiting < 3:
            await asyncio.sleep(0)
        for _ in range(100):  # it has had every chance to read on
            await asyncio.sleep(0)
        taken, waiting = talk.taken, journal.waiting
        journal.go.set()
        answers = [await talk.next() for _ in range(10)]
        await talk.end()
        return taken, waiting, answers

    taken, waiting, answers = api.run(flood())
    assert (taken, waiting) == (3, 3)
    assert {answer["status"] for answer in answers} == {200}
    assert sorted(answer["id"] for answer in answers) == list(range(10))
    assert IN_FLIGHT >= 64


def test_who_reads_no_answers_is_not_read_on_either(make_api: Callable[..., Api]) -> None:
    api = make_api()
    few = WebSocket(api.app.state.operations, in_flight=3)

    async def flood() -> int:
        talk = Talk(few)
        talk._scope |= {
            "envhub.request_log": RequestLog(api.app, api.app.state.metrics),
            "envhub.caller": Caller(None, frozenset({"play"})),
        }
        await talk.begin()
        talk.stuck = asyncio.Event()  # the connection takes no more
        for number in range(10):
            talk.put({"id": number, "op": "get", "episode_id": "nobody"})
        for _ in range(200):
            await asyncio.sleep(0)
        taken = talk.taken
        talk.stuck.set()
        for _ in range(10):
            await talk.next()
        await talk.end()
        return taken

    assert api.run(flood()) == 3


def test_what_was_under_way_when_the_client_left_is_recorded(make_api: Callable[..., Api]) -> None:
    journal = Stopping()
    api = make_api(journal)

    async def leave() -> Any:
        talk = Talk(api.app)
        await talk.begin()
        await talk.ask(create())
        talk.put(step(0, GUESS_100))
        while not journal.waiting:
            await asyncio.sleep(0)
        talk.leave()
        journal.go.set()
        await talk.end()
        return (await api.asend("GET", "/v1/episodes/e")).json()

    assert api.run(leave())["turn"] == 1
