"""The client over WebSockets: lines that break, and no turn is taken twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

from envhub.authoring import write_call
from envhub.client.hub import AsyncHub
from envhub.core.errors import RemoteError
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.client.ws.talking import MISSES, TASKS, Register, Waits, at_home, key, run
from tests.server.serving import serving
from tests.support.toys import adder
from tests.support.wires import Forwarder, Odd, answer


def test_no_turn_is_taken_twice_on_a_line_that_is_cut_again_and_again(url: str, register: Register) -> None:
    environment, tally = adder()
    register("adder-v0", type(environment))
    waits = Waits()

    async def play() -> int:
        async with Forwarder(url).listening() as line:
            packets = 0

            def cut(direction: str, data: bytes) -> bool:
                nonlocal packets
                packets += 1
                return packets % 7 == 0  # of requests that never arrive as well as of answers to those that did

            async with AsyncHub(line.url, sleep=waits, retries=10) as hub:
                envs = [await hub.make("adder-v0") for _ in range(6)]
                line.cut = cut
                for amount in (1, 2, 3):
                    for seed, env in enumerate(envs):
                        if amount == 1:
                            await env.reset(seed=seed)
                        told = await env.step(write_call("add", amount=amount))
                        assert told[0] == f"total {sum(range(amount + 1))}"
                line.cut = lambda direction, data: False
            return line.connections

    assert run(play()) > 5
    assert sorted(tally.performed) == [1] * 6 + [2] * 6 + [3] * 6
    assert set(waits) == {0.1, 0.2} or set(waits) == {0.1}


def test_all_who_wait_when_it_ends_ask_again(url: str) -> None:
    async def play() -> int:
        async with Forwarder(url).listening() as line, AsyncHub(line.url, sleep=Waits()) as hub:
            envs = [await hub.begin(key(seed)) for seed in range(20)]
            cuts = iter([True])
            line.cut = lambda direction, data: direction == "from" and next(cuts, False)
            for place, action in enumerate(MISSES):
                steps = await asyncio.gather(*(env.step(action) for env in envs))
                assert steps == [at_home(seed)[place] for seed in range(20)]
            return line.connections

    assert run(play()) == 2


def test_another_server_with_the_same_journal_goes_on() -> None:
    journal = MemoryJournal(3600, 100)
    waits = Waits()

    async def play() -> list[Any]:
        with serving(create_app(ServerSettings(), journal)) as first:
            line = Forwarder(first)
            async with line.listening(), AsyncHub(line.url, sleep=waits) as hub:
                env = await hub.begin(key(3))
                steps = [await env.step(MISSES[0])]
                with serving(create_app(ServerSettings(), journal)) as second:
                    line.server = second
                    line.cut_all()
                    steps += [await env.step(action) for action in MISSES[1:]]
                return steps

    assert run(play()) == at_home(3)
    assert waits in ([], [0.1])  # whether the end was seen before the next request


def test_nobody_is_there() -> None:
    waits = Waits()

    async def ask() -> None:
        async with Forwarder("http://127.0.0.1:1").listening() as line:
            gone = line.url
        async with AsyncHub(gone, sleep=waits) as hub:
            found = await asyncio.gather(*(hub.begin(key(seed)) for seed in range(3)), return_exceptions=True)
        assert {type(error) for error in found} == {RemoteError}
        assert all("cannot be reached" in str(error) and "Connect" in str(error) for error in found)

    run(ask())
    assert sorted(waits) == sorted([0.1, 0.2, 0.4, 0.8] * 3)


def test_connecting_tells_whether_there_is_a_hub(url: str) -> None:
    async def ask() -> None:
        async with Forwarder(url).listening() as line:
            for address in (line.url, line.url.replace("ws", "http")):
                async with AsyncHub(address) as hub:
                    await hub.connect()
            assert line.connections == 2
        for address in (line.url, line.url.replace("ws", "http")):
            async with AsyncHub(address, sleep=Waits()) as hub:
                with pytest.raises(RemoteError, match="cannot be reached"):
                    await hub.connect()

    run(ask())


def test_an_end_between_two_requests_costs_nothing() -> None:
    ended = asyncio.Event()

    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.send(answer(message, {}))
        await socket.close(1012)
        ended.set()

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, retries=0) as hub:
            for _ in range(3):
                assert await hub.call(TASKS) == {}
                await ended.wait()  # the client has said that it has seen it
                ended.clear()
            assert odd.connections == 3

    run(ask())


def test_an_end_says_why(url: str) -> None:
    async def behave(message: dict[str, Any], odd: Odd, socket: ServerConnection) -> None:
        await socket.close(1012, "restarting")

    async def ask() -> None:
        async with Odd(behave).listening() as odd, AsyncHub(odd.url, sleep=Waits(), retries=2) as hub:
            with pytest.raises(
                RemoteError, match=r"cannot be reached: ConnectionLost: the connection ended \(1012 restarting\)"
            ):
                await hub.call(TASKS)
            assert odd.connections == 3

    run(ask())
