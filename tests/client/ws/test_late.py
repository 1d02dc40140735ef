"""The client over WebSockets: who is busy, who is late, and who goes away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

import envhub
from envhub.client import lines
from envhub.client.hub import AsyncHub
from envhub.core.errors import RemoteError, TooBusy
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.client.ws.talking import MISSES, TASKS, Clock, Waits, at_home, away, key, run, seen
from tests.server.http.websocket.talking import Stopping
from tests.server.serving import serving
from tests.support.wires import Forwarder, Odd, answer, problem

# -- who is busy, who is late ------------------------------------------------------------------------------------------


def test_answers_come_in_any_order() -> None:
    held: list[dict[str, Any]] = []

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        held.append(message)
        if len(held) == 10:
            for one in reversed(held):
                await socket.send(answer(one, {"of": one["body"]}))

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url) as hub:
            found = await asyncio.gather(*(hub.call(("POST", "/v1/tasks", {"n": n})) for n in range(10)))
            assert found == [{"of": {"n": n}} for n in range(10)]

    run(ask())


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    waits = Waits()

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        replies = [
            problem(message, 429, "TooBusy", retry_after=7),
            problem(message, 503, "JournalUnavailable", retry_after=2),
        ]
        await socket.send((replies + [answer(message, {"tasks": []})] * 9)[len(odd.seen) - 1])

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=waits) as hub:
            assert await hub.call(TASKS) == {"tasks": []}
            assert len({message["id"] for message in odd.seen}) == 3
            assert odd.connections == 1

    run(ask())
    assert waits == [7.0, 2.0]


def test_a_server_that_is_busy_for_ever() -> None:
    waits = Waits()

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.send(problem(message, 429, "TooBusy", retry_after=3))

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=waits, retries=2) as hub:
            with pytest.raises(TooBusy) as refused:
                await hub.call(TASKS)
            assert refused.value.retry_after == 3

    run(ask())
    assert waits == [3.0, 3.0]


def test_one_answer_that_does_not_come_costs_the_others_nothing() -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        if len(odd.seen) > 1:
            await socket.send(answer(message, {"of": message["body"]}))

    async def ask() -> None:
        clock = Clock()
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=Waits(), retries=1) as hub:
            late = asyncio.create_task(hub.call(("POST", "/v1/tasks", "late")))
            await seen(odd, 1)
            assert await hub.call(("POST", "/v1/tasks", "other")) == {"of": "other"}
            clock.ahead += 61.0
            assert await late == {"of": "late"}
            assert odd.connections == 1

    asyncio.run(ask())


def test_a_line_that_is_silent_is_given_up() -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        if odd.connections == 2:
            await socket.send(answer(message, {}))

    async def ask() -> None:
        clock = Clock()
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=Waits(), retries=1) as hub:
            both = asyncio.gather(hub.call(TASKS), hub.call(TASKS))
            await seen(odd, 2)
            clock.ahead += 61.0
            assert await both == [{}, {}]
            assert odd.connections == 2
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, timeout_s=30, retries=0) as hub:
            one = asyncio.create_task(hub.call(TASKS))
            await seen(odd, 1)
            clock.ahead += 31.0
            with pytest.raises(RemoteError, match=r"no answer within 30 s"):
                await one

    asyncio.run(ask())


def test_only_so_many_are_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_LINES", 1)
    held: list[tuple[dict[str, Any], ServerConnection]] = []

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        held.append((message, socket))

    async def answer_them() -> None:
        for message, socket in held:
            await socket.send(answer(message, {"of": message["body"]}))
        held.clear()

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url) as hub:
            asking = [asyncio.create_task(hub.call(("POST", "/v1/tasks", {"n": n}))) for n in range(300)]
            while len(odd.seen) < 256:
                await asyncio.sleep(0)
            for _ in range(200):  # it has had every chance to send more
                await asyncio.sleep(0)
            assert len(odd.seen) == 256
            await answer_them()
            while len(odd.seen) < 300:
                await asyncio.sleep(0)
            await answer_them()
            assert await asyncio.gather(*asking) == [{"of": {"n": n}} for n in range(300)]

    run(ask())


# -- who goes away -----------------------------------------------------------------------------------------------------


def test_a_wait_that_is_cancelled_harms_nobody(url: str) -> None:
    journal = Stopping()

    async def play(address: str) -> None:
        async with envhub.aconnect(address.replace("http", "ws")) as hub:
            envs = [await hub.begin(key(seed)) for seed in range(3)]
            steps = [asyncio.create_task(env.step(MISSES[0])) for env in envs]
            while journal.waiting < 3:
                await asyncio.sleep(0)
            steps[1].cancel()
            await asyncio.gather(steps[1], return_exceptions=True)
            loop.call_soon_threadsafe(journal.go.set)
            assert [await steps[0], await steps[2]] == [at_home(seed)[0] for seed in (0, 2)]
            assert steps[1].cancelled()
            # it was taken, and is answered again; another action in its place would be a conflict
            assert [await envs[1].step(action) for action in MISSES] == at_home(1)

    app = create_app(ServerSettings(), journal)
    loops: list[asyncio.AbstractEventLoop] = []

    async def with_loop(scope: Any, receive: Any, send: Any) -> None:
        loops[:] = [asyncio.get_running_loop()]
        await app(scope, receive, send)

    class Later:
        def call_soon_threadsafe(self, act: Any) -> None:
            loops[0].call_soon_threadsafe(act)

    loop = Later()
    with serving(with_loop) as address:
        run(play(address))


def test_who_is_cancelled_while_it_connects_leaves_the_others_their_connection(url: str) -> None:
    async def play() -> int:
        async with Forwarder(url).listening() as line, AsyncHub(line.url) as hub:
            first, second = (asyncio.create_task(away(hub, seed)) for seed in (1, 2))
            while not line.connections:
                await asyncio.sleep(0)
            first.cancel()
            assert await second == at_home(2)
            assert first.cancelled()
            return line.connections

    assert run(play()) == 1


def test_closing_ends_what_is_under_way() -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        pass

    async def ask() -> None:
        async with Odd(behave).listening() as odd:
            hub = AsyncHub(odd.url, sleep=Waits())
            asking = asyncio.create_task(hub.call(TASKS))
            while not odd.seen:
                await asyncio.sleep(0)
            await hub.close()
            await hub.close()
            for work in (asking, hub.call(TASKS)):
                with pytest.raises(RemoteError, match=r"This hub is closed\."):
                    await work
            unused = AsyncHub(odd.url)
            await unused.close()

    run(ask())


def test_closing_while_it_connects() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        knocked.set()
        await reader.read()
        writer.close()
        await reader.read()

    async def ask() -> None:
        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        hub = AsyncHub(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", sleep=Waits())
        asking = asyncio.create_task(hub.call(TASKS))
        await knocked.wait()
        await hub.close()
        with pytest.raises(RemoteError, match=r"This hub is closed\."):
            await asking
        server.close()
        await server.wait_closed()

    knocked = asyncio.Event()
    run(ask())
