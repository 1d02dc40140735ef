"""The client over WebSockets: the same as over HTTP."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

import envhub
from envhub.client import lines
from envhub.client.hub import AsyncRemoteEnv
from envhub.core.errors import Conflict, EnvhubError, InvalidParameters, UnknownEnvironment
from envhub.core.seeding import TaskKey
from tests.client.ws.talking import MISSES, at_home, away, key, run
from tests.server.serving import GUESS
from tests.support.wires import Forwarder


def test_hundreds_of_episodes_share_a_few_connections(url: str) -> None:
    async def play() -> int:
        async with Forwarder(url).listening() as line, envhub.aconnect(line.url) as hub:
            assert await away(hub, 0) == at_home(0)
            assert line.connections == 1
            played = await asyncio.gather(*(away(hub, seed) for seed in range(300)))
            assert played == [at_home(seed) for seed in range(300)]
            return line.connections

    assert run(play()) == lines.MOST_LINES


def test_what_is_wrong_is_the_same_error_as_over_http(url: str) -> None:
    async def errors(address: str) -> list[tuple[type, str]]:
        found = []

        async def note(work: Any) -> None:
            with pytest.raises(EnvhubError) as caught:
                await work
            found.append((type(caught.value), re.sub("[0-9a-f]{32}", "...", str(caught.value))))

        async with envhub.aconnect(address) as hub:
            await note(hub.begin(TaskKey("gess-number-v0", {}, "train", 1)))
            await note(hub.begin(TaskKey(GUESS, {"hgih": 1}, "train", 1)))
            await note(hub.make(GUESS, low=float("nan")))
            await note(hub.verify([(TaskKey("gess-number-v0", {}, "train", 1), ["1"])]))
            await note(hub.info("sudko-v0"))
            env = await hub.begin(key(1))
            path = env.session.step("")[1]
            await hub.call(("POST", path, {"turn": 0, "action": "somebody else's"}))
            await note(env.step("1"))
            await env.close()
            await note(hub.call(("POST", path, {"turn": 1, "action": "1"})))
            await env.close()
            return found

    over_ws, over_http = run(errors(url)), run(errors(url.replace("ws", "http")))
    assert over_ws == over_http
    assert [
        UnknownEnvironment,
        InvalidParameters,
        InvalidParameters,
        UnknownEnvironment,
        UnknownEnvironment,
        Conflict,
    ] == [kind for kind, _ in over_ws[:6]]


def test_many_at_once_and_what_has_no_message_go_over_http(url: str) -> None:
    async def play() -> None:
        async with envhub.aconnect(url) as hub:
            envs = [
                env
                for env in await hub.begin_many([key(seed) for seed in range(40)])
                if isinstance(env, AsyncRemoteEnv)
            ]
            assert len(envs) == 40
            for action, *expected in zip(MISSES, *(at_home(seed) for seed in range(40)), strict=True):
                assert await hub.step_many(envs, [action] * 40) == expected
            assert await hub.list_envs() == envhub.list_envs()
            assert (await hub.info(GUESS))["id"] == GUESS

    run(play())


@pytest.mark.parametrize("address", ["ftp://x", "ws://", "x", "ws:/x"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(InvalidParameters, match=r"like http://127.0.0.1:8420 or ws://"):
        envhub.aconnect(address)
