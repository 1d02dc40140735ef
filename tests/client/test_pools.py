"""The client's small pools: as many as are needed, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest

import envhub
from envhub.client.http import Pools
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.server.serving import GUESS, patiently, serving
from tests.support.wires import Forwarder


class Held(httpx.AsyncBaseTransport):
    """Answers nothing before it may, and tells how many wait."""

    def __init__(self) -> None:
        self.waiting = 0
        self.closed = False
        self.go = asyncio.Event()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.waiting += 1
        await self.go.wait()
        self.waiting -= 1
        return httpx.Response(200, text=request.url.path)

    async def aclose(self) -> None:
        self.closed = True


class Kept:
    """The pools of a test."""

    def __init__(self, most: int) -> None:
        self.transports: list[Held] = []
        self.pools = Pools(self._made, most)

    def _made(self) -> httpx.AsyncClient:
        self.transports.append(Held())
        return httpx.AsyncClient(transport=self.transports[-1], base_url="http://held")

    @property
    def waiting(self) -> list[int]:
        return [transport.waiting for transport in self.transports]

    async def ask(self, count: int) -> list[asyncio.Task[httpx.Response]]:
        tasks = [asyncio.create_task(self.pools.request("GET", f"/{n}", None)) for n in range(count)]
        before = sum(self.waiting)
        while sum(self.waiting) < before + count:
            await asyncio.sleep(0)
        return tasks


def test_one_more_is_made_when_all_are_busy_and_the_first_with_room_is_used() -> None:
    async def play() -> None:
        kept = Kept(most=3)
        asked = await kept.ask(5)
        assert kept.waiting == [4, 1]
        asked += await kept.ask(2)
        assert kept.waiting == [4, 3]
        asked[0].cancel()
        await asyncio.gather(asked[0], return_exceptions=True)
        kept.transports[0].waiting -= 1
        asked += await kept.ask(1)
        assert kept.waiting == [4, 3]
        asked += await kept.ask(8)
        assert kept.waiting == [5, 5, 5]  # beyond what there may be, each takes more
        for transport in kept.transports:
            transport.go.set()
        assert {(await task).status_code for task in asked[1:]} == {200}
        await kept.pools.aclose()
        assert all(transport.closed for transport in kept.transports)

    asyncio.run(patiently(play()))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 1000))) as address:
        yield address


def test_who_asks_one_thing_after_another_keeps_one_connection(url: str) -> None:
    async def play() -> int:
        async with Forwarder(url).listening() as line, envhub.aconnect(line.url.replace("ws", "http")) as hub:
            env = await hub.make(GUESS, difficulty=1)
            for seed in range(10):
                await env.reset(seed=seed)
            return line.connections

    assert asyncio.run(patiently(play())) == 1
