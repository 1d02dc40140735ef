"""``/v1/ws``: who may connect, what a key is good for, and when its connections end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envhub.server.auth.keys import KeyFile, Keyring
from tests.server.http.websocket.talking import GUESS_100, Keyed, Talk, create, step, talking
from tests.server.serving import Api


def test_every_message_needs_its_scope(keyed: Keyed) -> None:
    verify = {"id": 1, "op": "verify", "body": {"items": []}}

    async def ask(name: str) -> list[int]:
        async with talking(keyed.api.app, **keyed.headers(name)) as talk:
            return [(await talk.ask(message))["status"] for message in (create(), step(0, ""), verify)]

    assert keyed.api.run(ask("play")) == [201, 200, 403]


def test_a_key_for_verdicts_alone_begins_no_episode(keyed: Keyed) -> None:
    async def ask() -> list[Any]:
        async with talking(keyed.api.app, **keyed.headers("verify")) as talk:
            return [await talk.ask(message) for message in (step(0, ""), create())]

    answers = keyed.api.run(ask())
    assert [(answer["status"], answer["body"]["code"]) for answer in answers] == [(403, "Forbidden")] * 2


def test_the_rate_of_a_key_counts_the_connection_and_its_messages(keyed: Keyed) -> None:
    async def ask() -> Any:
        async with talking(keyed.api.app, **keyed.headers("rare")) as talk:  # one request in a thousand seconds
            return await talk.ask(create())

    answer = keyed.api.run(ask())
    assert answer["status"] == 429
    assert answer["retry_after"] >= 1


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer nonsense"}, {"solutions": ""}], ids=str)
def test_who_may_nothing_does_not_connect(keyed: Keyed, headers: dict[str, str]) -> None:
    async def knock() -> Any:
        talk = Talk(keyed.api.app, **(keyed.headers("solutions") if "solutions" in headers else headers))
        answer = await talk.begin()
        await talk._task
        return answer

    answer = keyed.api.run(knock())
    assert answer["type"] == "websocket.http.response.start"
    assert answer["status"] in (401, 403)


def test_a_page_of_elsewhere_does_not_connect(api: Api) -> None:
    async def knock(origin: str) -> Any:
        talk = Talk(api.app, origin=origin)
        answer = await talk.begin()
        talk.leave()
        await talk._task
        return answer["type"]

    assert api.run(knock("https://evil.example")) == "websocket.http.response.start"
    assert api.run(knock("http://localhost:3000")) == "websocket.accept"


def test_a_key_that_is_revoked_ends_its_connections(keyed: Keyed) -> None:
    async def ask() -> tuple[Any, Any, Any]:
        talk = Talk(keyed.api.app, **keyed.headers("play"))
        await talk.begin()
        before = await talk.ask(create())
        keyed.file.revoke("play")
        keyed.now += 1.0
        after = await talk.ask(step(0, GUESS_100))
        closed = await talk.next()
        talk.put(step(0, GUESS_100))
        await talk.end()
        return before, after, closed

    before, after, closed = keyed.api.run(ask())
    assert before["status"] == 201
    assert (after["status"], after["body"]["code"]) == (401, "Unauthorized")
    assert (closed["type"], closed["code"]) == ("websocket.close", 1008)


def test_a_first_key_ends_the_connections_that_had_none(tmp_path: Path, make_api: Callable[..., Api]) -> None:
    now = [1000.0]
    api = make_api(keyring=Keyring(tmp_path / "keys.json", ticks=lambda: now[0]))

    async def ask() -> list[int]:
        talk = Talk(api.app)
        await talk.begin()
        statuses = [(await talk.ask(create()))["status"]]
        KeyFile(tmp_path / "keys.json").create("first", ["play"])
        now[0] += 1.0
        statuses.append((await talk.ask(step(0, GUESS_100)))["status"])
        await talk.end()
        return statuses

    assert api.run(ask()) == [201, 401]
