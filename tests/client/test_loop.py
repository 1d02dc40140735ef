"""The client's twin for an event loop."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

import envhub
from envhub.authoring import write_call
from envhub.client.hub import AsyncHub
from envhub.core.errors import EpisodeOver, InvalidParameters, JudgementError, RemoteError
from tests.client.playing import ADD_3, GUESS, Register, answering, on_a_loop, part_of, past_of, same
from tests.support.toys import adder


@pytest.mark.parametrize("scheme", ["http", "ws"])
def test_the_twin_for_an_event_loop(url: str, env_id: str, scheme: str) -> None:
    async def scenario() -> None:
        async with envhub.aconnect(url.replace("http", scheme)) as hub:
            local = envhub.make(env_id, difficulty=4, split="test", system="Be brief.", reward={part_of(env_id): 2.0})
            remote = await hub.make(
                env_id, difficulty=4, split="test", system="Be brief.", reward={part_of(env_id): 2.0}
            )
            options = {"turn_seed": 3}
            assert same(local.reset(seed=9, options=options), await remote.reset(seed=9, options=options))
            assert local.task == remote.task
            twin = await remote.fork(turn_seed=1)
            over = False
            while not over:
                action = local.solve()
                here = local.step(action)
                assert same(here, await remote.step(action))
                over = here[2] or here[3]
            assert await remote.messages() == local.messages
            assert past_of(await remote.snapshot()) == past_of(local.snapshot())
            assert len(await twin.messages()) == 2
            with pytest.raises(EpisodeOver):
                await remote.step("x")
            await remote.close()
            await remote.close()
            await twin.close()
            assert await hub.list_envs() == envhub.list_envs()
            assert (await hub.info(env_id))["id"] == env_id
            (task,) = await hub.tasks(env_id, [9], difficulty=4, split="test")
            assert task == local.task
            assert await hub.verify([(task, [""])]) == [[{**envhub.verify(task, "").to_json(), "reward": 0.0}]]

    on_a_loop(scenario())


def test_a_hundred_episodes_at_once(url: str) -> None:
    async def episode(hub: AsyncHub, seed: int) -> list[Any]:
        env = await hub.make(GUESS, difficulty=1)
        await env.reset(seed=seed)
        seen = [await env.step(f"<answer>{guess}</answer>") for guess in (100, 50, 150)]
        await env.close()
        return seen

    def at_home(seed: int) -> list[Any]:
        env = envhub.make(GUESS, difficulty=1)
        env.reset(seed=seed)
        return [env.step(f"<answer>{guess}</answer>") for guess in (100, 50, 150)]

    async def all_of_them() -> list[list[Any]]:
        async with envhub.aconnect(url) as hub:
            return await asyncio.gather(*(episode(hub, seed) for seed in seeds))

    played = {seed: at_home(seed) for seed in range(200, 100, -1) if not _found(seed)}
    seeds = list(played)
    assert len(seeds) > 90
    assert on_a_loop(all_of_them()) == list(played.values())


def _found(seed: int) -> bool:
    """Whether one of the guesses below hits, after which there is no next."""
    env = envhub.make(GUESS, difficulty=1)
    env.reset(seed=seed)
    return any(env.episode.over or env.step(f"<answer>{guess}</answer>")[2] for guess in (100, 50))


class AsyncFlaky(httpx.AsyncBaseTransport):
    def __init__(self) -> None:
        self.lost = 0
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        await response.aread()
        if self.lost:
            self.lost -= 1
            await response.aclose()
            raise httpx.ReadError("the line is dead")
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


def test_a_lost_answer_on_an_event_loop(url: str, register: Register) -> None:
    environment, tally = adder()
    register("adder-v0", type(environment))
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    async def scenario() -> None:
        transport = AsyncFlaky()
        async with AsyncHub(url, transport=transport, sleep=note) as hub:
            env = await hub.make("adder-v0", on_error="raise")
            await env.reset(seed=1)
            transport.lost = 2
            assert (await env.step(ADD_3))[0] == "total 3"
            assert tally.performed == [3]
            with pytest.raises(JudgementError):
                await env.step(write_call("explode"))
            transport.lost = 1
            await env.close()
            transport.lost = 100
            with pytest.raises(RemoteError, match="cannot be reached"):
                await hub.list_envs()

    on_a_loop(scenario())
    assert waits == [0.1, 0.2, 0.1, 0.1, 0.2, 0.4, 0.8]


def test_errors_on_an_event_loop() -> None:
    async def scenario() -> None:
        async def never(seconds: float) -> None:
            raise AssertionError

        async with AsyncHub("http://hub", transport=answering(httpx.Response(200, text="hi")), sleep=never) as hub:
            with pytest.raises(RemoteError, match="Not an envhub server"):
                await hub.make(GUESS)
            with pytest.raises(InvalidParameters, match="mapping of weights"):
                await hub.make(GUESS, reward=len)

    on_a_loop(scenario())


def test_a_reset_leaves_no_unfinished_episode_behind(url: str) -> None:
    with envhub.connect(url) as hub:
        before = hub.call(("GET", "/ready", None))["episodes"]
        env = hub.make(GUESS)
        for seed in range(5):
            env.reset(seed=seed)
        assert hub.call(("GET", "/ready", None))["episodes"] == before + 1
        env.close()
        assert hub.call(("GET", "/ready", None))["episodes"] == before
