"""How much a key may ask: its rate, and its open episodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message, Scope

from envhub.server.auth.access import AccessControl
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.journal import Entry, Header, MemoryJournal, StoredEpisode
from tests.server.auth.access.asking import CREATE, Clock, Keyed
from tests.server.serving import GUESS, Api, problem


@pytest.fixture
def timed(tmp_path: Path) -> tuple[Callable[[str], list[Message]], KeyFile, Clock]:
    """A layer alone, with a clock: what it answers to a key."""
    path, clock = tmp_path / "keys.json", Clock()
    file = KeyFile(path)

    async def app(scope: Scope, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    access = AccessControl(app, Keyring(path), ticks=clock)

    def ask(text: str) -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        headers = [(b"authorization", f"Bearer {text}".encode())]
        scope = {"type": "http", "path": "/v1/episodes", "query_string": b"", "headers": headers}
        asyncio.run(access(scope, None, send))  # type: ignore[arg-type]
        return sent

    return ask, file, clock


def test_a_rate_is_kept_and_refills(timed: tuple[Callable[[str], list[Message]], KeyFile, Clock]) -> None:
    ask, file, clock = timed
    limited, _ = file.create("limited", ["play"], rate=4)
    slow, _ = file.create("slow", ["play"], rate=0.1)
    free, _ = file.create("free", ["play"])

    def statuses(text: str, count: int) -> list[int]:
        return [ask(text)[0]["status"] for _ in range(count)]

    assert statuses(limited, 6) == [200] * 4 + [429] * 2
    assert statuses(free, 20) == [200] * 20  # one key's requests are not another's
    clock.now += 0.5
    assert statuses(limited, 3) == [200, 200, 429]
    clock.now += 3600
    assert statuses(limited, 6) == [200] * 4 + [429] * 2  # a second's worth is saved, not an hour's
    assert statuses(slow, 2) == [200, 429]
    assert dict(ask(slow)[0]["headers"])[b"retry-after"] == b"10"
    clock.now += 10
    assert statuses(slow, 2) == [200, 429]


def test_a_rate_is_answered_as_a_problem(keyed: Keyed) -> None:
    keyed.key("slow", "play", rate=0.001)
    assert keyed.ask("slow", "GET", f"/v1/environments/{GUESS}").status_code == 200
    response = keyed.ask("slow", "GET", f"/v1/environments/{GUESS}")
    assert problem(response)[:2] == (429, "TooBusy")
    assert int(response.headers["retry-after"]) > 900


def test_open_episodes_are_counted(keyed: Keyed) -> None:
    keyed.key("one", "play", episodes=2)
    keyed.key("two", "play", episodes=2)

    def create(id: str | None, who: str = "one") -> httpx.Response:
        return keyed.ask(who, "POST", "/v1/episodes", {**CREATE, "env_id": "arithmetic-v0", "episode_id": id})

    assert [create(id).status_code for id in "ab"] == [201, 201]
    response = create("c")
    assert problem(response)[:2] == (429, "TooBusy")
    assert "2 open episodes" in problem(response)[2]
    assert int(response.headers["retry-after"]) >= 1
    assert create("a").status_code == 201  # a repeat of what is there already
    assert keyed.ask("one", "POST", "/v1/episodes/a/fork", {"episode_id": "f"}).status_code == 429
    assert create("a", "two").status_code == 201  # another's are not counted
    keyed.answer("one", "POST", "/v1/episodes/a/step", {"turn": 0, "action": "<answer>1</answer>"})
    assert create("c").status_code == 201  # one has ended
    assert create("d").status_code == 429
    keyed.answer("one", "DELETE", "/v1/episodes/b")
    assert keyed.ask("one", "POST", "/v1/episodes/c/fork", {"episode_id": "f"}).status_code == 201
    assert create(None).status_code == 429


def test_a_request_that_fails_takes_no_place(keyed: Keyed) -> None:
    keyed.key("one", "play", episodes=1)
    for _ in range(3):
        assert keyed.ask("one", "POST", "/v1/episodes", {**CREATE, "difficulty": 99}).status_code == 422
    assert keyed.ask("one", "POST", "/v1/episodes", CREATE).status_code == 201


def test_those_that_come_at_once_are_counted_too(keyed: Keyed) -> None:
    text = keyed.key("one", "play", episodes=5)
    headers = {"authorization": f"Bearer {text}"}

    async def all_of_them() -> list[int]:
        bodies = [{**CREATE, "episode_id": f"e{n}"} for n in range(20)]
        asked = [keyed.api.asend("POST", "/v1/episodes", body, headers=headers) for body in bodies]
        return [response.status_code for response in await asyncio.gather(*asked)]

    statuses = keyed.api.run(all_of_them())
    assert (statuses.count(201), statuses.count(429)) == (5, 15)
    again = keyed.api.run(all_of_them())
    assert again == statuses  # a repeat needs no room
    assert keyed.api.run(keyed.api.app.state.episodes.journal.count_open(f"{keyed.ids['one']}:")) == 5


class Slow(MemoryJournal):
    """A journal in which what is recorded takes a while to be told of."""

    def __init__(self) -> None:
        super().__init__(3600, 100)
        self.recorded, self.told = asyncio.Event(), asyncio.Event()

    async def create(self, header: Header, entries: list[Entry], max_open: int | None = None) -> StoredEpisode | None:
        stands = await super().create(header, entries, max_open)
        self.recorded.set()
        if header.episode_id.endswith(":slow"):
            await self.told.wait()
        return stands


def test_one_that_is_recorded_but_not_told_of_yet_is_not_counted_twice(
    tmp_path: Path, make_api: Callable[..., Api]
) -> None:
    journal = Slow()
    text, _ = KeyFile(tmp_path / "keys.json").create("k", ["play"], episodes=2)
    api = make_api(journal, keyring=Keyring(tmp_path / "keys.json"))
    headers = {"authorization": f"Bearer {text}"}

    def create(id: str) -> Any:
        return api.asend("POST", "/v1/episodes", {**CREATE, "episode_id": id}, headers=headers)

    async def meanwhile() -> list[int]:
        slow = asyncio.create_task(create("slow"))
        await journal.recorded.wait()
        others = [(await create(id)).status_code for id in ("second", "third")]
        journal.told.set()
        return [(await slow).status_code, *others]

    assert api.run(meanwhile()) == [201, 201, 429]
