"""What the tests of the client over WebSockets share: episodes here and there, and waits that take no time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import envhub
from envhub.authoring import Environment
from envhub.client.hub import AsyncHub
from envhub.client.requests import Call
from envhub.core.seeding import TaskKey
from tests.server.serving import GUESS, patiently
from tests.support.wires import Odd

PARAMS = {"low": 1, "high": 200, "guesses": 10}
MISSES = ["<answer>201</answer>", "no idea", "<answer>300</answer>"]
Register = Callable[[str, type[Environment]], str]
TASKS: Call = ("POST", "/v1/tasks", {"env_id": GUESS, "seeds": []})


def key(seed: int) -> TaskKey:
    return TaskKey(GUESS, PARAMS, "train", seed)


def at_home(seed: int) -> list[Any]:
    env = envhub.begin(key(seed))
    return [env.step(action) for action in MISSES]


async def away(hub: AsyncHub, seed: int) -> list[Any]:
    env = await hub.begin(key(seed))
    return [await env.step(action) for action in MISSES]


class Waits(list[float]):
    """The sleeps of a client, which are noted and take no time."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def run(work: Any) -> Any:
    """What a coroutine returns; a client that leaves a task behind fails."""

    async def whole() -> Any:
        found = await work
        assert not [task for task in asyncio.all_tasks() if "envhub/client_ws" in repr(task)]
        return found

    return asyncio.run(patiently(whole()))


class Clock:
    """The loop's time, which can be put forward."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        real, self.ahead = loop.time, 0.0
        loop.time = lambda: real() + self.ahead  # type: ignore[method-assign]


async def seen(odd: Odd, count: int) -> None:
    while len(odd.seen) < count:
        await asyncio.sleep(0)
