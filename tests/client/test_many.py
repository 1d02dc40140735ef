"""The client among many: keys, connections, and hundreds of episodes in few requests."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import envhub
from envhub.client.hub import AsyncHub, AsyncRemoteEnv, Hub
from envhub.core.errors import (
    Conflict,
    EnvhubError,
    EpisodeOver,
    InvalidParameters,
    JudgementError,
    RemoteError,
    TooBusy,
    UnknownEnvironment,
)
from envhub.core.seeding import TaskKey
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.server.serving import GUESS, patiently

PARAMS = {"low": 1, "high": 200, "guesses": 10}
KEYS = [TaskKey(GUESS, PARAMS, "train", seed) for seed in range(700)]  # more than fit in one request


class Server(httpx.AsyncBaseTransport):
    """An application in this process that counts requests, and answers some of them otherwise."""

    def __init__(self, **settings: Any) -> None:
        self.journal = MemoryJournal(3600, 10_000)
        self.app = create_app(ServerSettings(**settings), self.journal)
        self._inner = httpx.ASGITransport(self.app)
        self.paths: list[str] = []
        self.before: list[Any] = []  # what to do with the requests to come; None lets one through

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.paths.append(request.url.path)
        act = self.before.pop(0) if self.before else None
        response = await self._inner.handle_async_request(request)
        return response if act is None else await act(response)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.app.state.episodes.close()


async def no_sleep(seconds: float) -> None:
    """Time is not what is tested."""


def hub_of(server: Server, **more: Any) -> AsyncHub:
    return AsyncHub("http://in-process", transport=server, sleep=no_sleep, **more)


def envs_in(found: list[AsyncRemoteEnv | EnvhubError]) -> list[AsyncRemoteEnv]:
    envs = [env for env in found if isinstance(env, AsyncRemoteEnv)]
    assert len(envs) == len(found), [error for error in found if isinstance(error, EnvhubError)][:1]
    return envs


def test_many_episodes_are_played_in_few_requests(server: Server) -> None:
    async def play() -> None:
        async with hub_of(server) as hub:
            envs = envs_in(await hub.begin_many(KEYS))
            assert server.paths == ["/v1/batch"] * 2
            steps = await hub.step_many(envs, ["<answer>100</answer>"] * len(envs))
            assert server.paths == ["/v1/batch"] * 4
            for seed in (0, 511, 512, 699):
                env = envhub.begin(KEYS[seed])
                assert envs[seed].task == env.task
                assert steps[seed] == env.step("<answer>100</answer>")
            # each goes on where it stands, alone as well
            env = envhub.begin(KEYS[3])
            env.step("<answer>100</answer>")
            assert await envs[3].step("<answer>7</answer>") == env.step("<answer>7</answer>")

    asyncio.run(patiently(play()))


def test_an_error_stands_in_its_place(server: Server) -> None:
    async def play() -> None:
        wrong = TaskKey("gess-number-v0", {}, "train", 1)
        async with hub_of(server) as hub:
            first, error, last = await hub.begin_many([KEYS[0], wrong, KEYS[1]])
            assert isinstance(error, UnknownEnvironment)
            assert isinstance(first, AsyncRemoteEnv)
            assert isinstance(last, AsyncRemoteEnv)
            path = first.session.step("")[1]
            await hub.call(("POST", path, {"turn": 0, "action": "somebody else's"}))
            conflict, step = await hub.step_many([first, last], ["<answer>100</answer>"] * 2)
            assert isinstance(conflict, Conflict)
            assert step == envhub.begin(KEYS[1]).step("<answer>100</answer>")

    asyncio.run(patiently(play()))


def test_another_problem_than_was_asked_is_refused_and_forgotten(server: Server) -> None:
    """As in this process: the key was altered, or the server has another version."""
    task = envhub.begin(KEYS[0]).task
    altered = [
        dataclasses.replace(task.key, draw=(task.key.draw or 0) + 1),
        dataclasses.replace(task, fingerprint="0" * 32),
    ]

    async def play() -> None:
        async with hub_of(server) as hub:
            first, *refused, last = await hub.begin_many([task, *altered, task.key])
            assert isinstance(first, AsyncRemoteEnv)
            assert isinstance(last, AsyncRemoteEnv)
            assert all(isinstance(each, InvalidParameters) for each in refused)
            for each in altered:
                with pytest.raises(InvalidParameters, match="another problem"):
                    await hub.begin(each)
            assert len(server.journal) == 2

    asyncio.run(patiently(play()))


def test_a_lost_answer_takes_no_turn_twice(server: Server) -> None:
    async def lost(response: httpx.Response) -> httpx.Response:
        raise httpx.ReadError("lost")

    async def play() -> None:
        async with hub_of(server) as hub:
            server.before = [lost]
            envs = envs_in(await hub.begin_many(KEYS[:5]))
            server.before = [lost, lost]
            steps = await hub.step_many(envs, ["<answer>100</answer>"] * 5)
            assert steps == [envhub.begin(key).step("<answer>100</answer>") for key in KEYS[:5]]
            assert server.paths == ["/v1/batch"] * 5

    asyncio.run(patiently(play()))


def test_what_the_server_was_too_busy_for_is_sent_again_alone(server: Server) -> None:
    waits: list[float] = []
    sent: list[int] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    def busy(places: set[int]) -> Any:
        async def act(response: httpx.Response) -> httpx.Response:
            results = json.loads(await response.aread())["results"]
            sent.append(len(results))
            problem = {"code": "TooBusy", "detail": "Later."}
            answers = [
                {"status": 429, "retry_after": 3 + i, "body": problem} if i in places else result
                for i, result in enumerate(results)
            ]
            return httpx.Response(200, json={"results": answers})

        return act

    async def play() -> None:
        async with AsyncHub("http://in-process", transport=server, sleep=sleep, retries=1) as hub:
            envs = envs_in(await hub.begin_many(KEYS[:4]))
            server.before = [busy({1, 2}), busy(set())]
            steps = await hub.step_many(envs, ["<answer>100</answer>"] * 4)
            assert steps == [envhub.begin(key).step("<answer>100</answer>") for key in KEYS[:4]]
            assert (waits, sent) == ([5.0], [4, 2])
            server.before = [busy({1}), busy({0})]
            steps = await hub.step_many(envs, ["<answer>50</answer>"] * 4)
            assert isinstance(steps[1], TooBusy)  # it was sent as often as it may be
            assert not any(isinstance(steps[i], EnvhubError) for i in (0, 2, 3))

    asyncio.run(patiently(play()))


def test_one_that_cannot_be_judged_costs_the_others_nothing(server: Server) -> None:
    async def broken(response: httpx.Response) -> httpx.Response:
        body = json.loads(await response.aread())
        error = {"code": "resource_failed", "reason": "on fire"}
        body["results"][0]["body"] |= {"reward": None, "truncated": True, "info": {"error": error}}
        return httpx.Response(200, json=body)

    async def play() -> None:
        async with hub_of(server) as hub:
            envs = envs_in(await hub.begin_many(KEYS[:2], on_error="raise"))
            server.before = [broken]
            first, second = await hub.step_many(envs, ["<answer>100</answer>"] * 2)
            assert isinstance(first, JudgementError)
            assert second == envhub.begin(KEYS[1]).step("<answer>100</answer>")

    asyncio.run(patiently(play()))


def test_what_cannot_be_a_batch(server: Server) -> None:
    async def short(response: httpx.Response) -> httpx.Response:
        return httpx.Response(200, json={"results": []})

    async def play() -> None:
        async with hub_of(server) as hub:
            envs = envs_in(await hub.begin_many(KEYS[:2]))
            for pairs in ((envs, ["1"]), ([envs[0]] * 2, ["1", "2"])):
                with pytest.raises(InvalidParameters, match="Each environment takes one action"):
                    await hub.step_many(*pairs)
            with pytest.raises(EpisodeOver):
                await hub.step_many([AsyncRemoteEnv(hub, envs[0]._episode.template)], ["1"])
            server.before = [short]
            with pytest.raises(RemoteError, match="2 requests have 0 answers"):
                await hub.step_many(envs, ["1", "2"])
            assert await hub.step_many([], []) == []

    asyncio.run(patiently(play()))


# -- keys ----------------------------------------------------------------------------------------------------------------


def answers_with_its_key(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"environments": [{"id": request.headers.get("authorization", "none")}]})


def told(**more: Any) -> str:
    with Hub("http://far.example", transport=httpx.MockTransport(answers_with_its_key), **more) as hub:
        return hub.list_envs()[0]


def test_the_key_is_sent_in_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENVHUB_API_KEY", raising=False)
    assert told() == "none"
    assert told(api_key="envhub_a_b") == "Bearer envhub_a_b"
    monkeypatch.setenv("ENVHUB_API_KEY", "envhub_of_the_environment")
    assert told() == "Bearer envhub_of_the_environment"
    assert told(api_key="envhub_a_b") == "Bearer envhub_a_b"
    assert told(api_key="") == "none"


@pytest.mark.parametrize("key", ["a b", "a\nb", "schlüssel", "a\x00"])
def test_what_cannot_be_a_key_is_not_repeated(key: str) -> None:
    with pytest.raises(InvalidParameters) as refused:
        envhub.connect("http://127.0.0.1:1", api_key=key)
    assert key not in str(refused.value)


def test_with_a_key_it_plays_and_without_it_does_not(tmp_path: Path) -> None:
    text, _ = KeyFile(tmp_path / "keys.json").create("trainer", ["play"])
    app = create_app(ServerSettings(), MemoryJournal(3600, 100), Keyring(tmp_path / "keys.json"))
    transport = httpx.ASGITransport(app)

    async def play() -> None:
        async with AsyncHub("http://in-process", transport=transport, api_key=text) as hub:
            assert len(envs_in(await hub.begin_many(KEYS[:3]))) == 3
        async with AsyncHub("http://in-process", transport=transport, api_key="") as hub:
            with pytest.raises(RemoteError, match="401"):
                await hub.list_envs()

    asyncio.run(patiently(play()))
    app.state.episodes.close()
