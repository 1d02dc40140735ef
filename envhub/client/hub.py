"""Clients of a server: a blocking hub and an async hub.

The blocking one uses HTTP, the async one HTTP or WebSockets.

::

    hub = envhub.connect("http://127.0.0.1:8420")
    env = hub.make("countdown-v0", difficulty=4)      # a gymnasium.Env, the same five-tuple as envhub.make
    observation, info = env.reset(seed=1)

    async with envhub.aconnect("http://127.0.0.1:8420") as hub:
        env = await hub.make("countdown-v0", difficulty=4)
        observation, info = await env.reset(seed=1)

With a ``ws://`` address the async hub shares a few connections among all episodes, which takes far less CPU.

Each request names its episode and turn, so a request whose answer was lost is sent again safely. Unlike a local environment, a
remote one has no ``solve``, and its ``reward`` must be a mapping of weights.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import httpx

from envhub.client import task_requests
from envhub.client.env import AsyncRemoteEnv, RemoteEnv
from envhub.client.exchange import awaiting, blocking
from envhub.client.http import MAX_POOLS, Pools
from envhub.client.lines import Lines
from envhub.client.requests import (
    Call,
    Difficulty,
    EpisodeTemplate,
    Session,
    answers_in,
    backoff_s,
    batch_call,
    checked_url,
    decoded,
    encoded,
    field_of,
    headers_with,
    uses_proxies,
)
from envhub.client.task_requests import Asked, Gold
from envhub.client.websocket import ConnectionLost, OverHttp, message_of
from envhub.core.difficulty import DEFAULT_LEVEL
from envhub.core.errors import EnvhubError, InvalidParameters, RemoteError, TooBusy
from envhub.core.seeding import TaskKey
from envhub.core.types import JSON, Task
from envhub.episodes.outcomes import Step

__all__ = ["Asked", "AsyncHub", "AsyncRemoteEnv", "Gold", "Hub", "RemoteEnv", "aconnect", "connect"]

T = TypeVar("T")
_RETRIES: Final = 4
_AT_ONCE: Final = 512
_SCHEMES: Final = ("http", "https", "ws", "wss")
# as many connections as there are episodes under way; dropped a little sooner than the server drops them
_LIMITS: Final = httpx.Limits(max_connections=1024, max_keepalive_connections=1024, keepalive_expiry=4.0)


def connect(url: str, *, api_key: str | None = None, timeout_s: float = 60.0, retries: int = _RETRIES) -> Hub:
    """Connect to a server over HTTP.

    Args:
        url: Address of the server, such as ``http://127.0.0.1:8420``.
        api_key: API key. Defaults to the environment variable ``ENVHUB_API_KEY``.
        timeout_s: Timeout of one request in seconds.
        retries: Maximum number of times a request is sent again when its answer was lost or the server was busy.
    """
    return Hub(url, api_key=api_key, timeout_s=timeout_s, retries=retries)


def aconnect(url: str, *, api_key: str | None = None, timeout_s: float = 60.0, retries: int = _RETRIES) -> AsyncHub:
    """:func:`connect` for an event loop.

    Also over WebSockets, which take far less of the client's CPU time.

    Args:
        url: Address of the server: ``http://127.0.0.1:8420`` or ``ws://127.0.0.1:8420``.
        api_key: As for :func:`connect`.
        timeout_s: As for :func:`connect`.
        retries: As for :func:`connect`.
    """
    return AsyncHub(url, api_key=api_key, timeout_s=timeout_s, retries=retries)


class Hub:
    """Blocking client of a server, made by :func:`connect`.

    Close it, or use it as a context manager.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        retries: int = _RETRIES,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = httpx.Client(
            **_http_options(checked_url(url), headers_with(api_key), timeout_s, uses_proxies(url)), transport=transport
        )
        self._retries = retries
        self._sleep = sleep

    def call(self, call: Call) -> JSON:
        """Send a request.

        Send it again if its answer was lost or the server was busy.

        Raises:
            EnvhubError: The error that the server reported, as the class that a local environment raises.
            RemoteError: The server cannot be reached.
        """
        for attempt in range(self._retries + 1):
            try:
                return decoded(self._http.request(*call[:2], content=encoded(call)))
            except (httpx.TransportError, TooBusy) as error:
                self._sleep(backoff_s(error, attempt, self._retries))
        raise AssertionError("unreachable: the last attempt raises")

    def make(
        self, id: str, *, difficulty: Difficulty = DEFAULT_LEVEL, split: str = "train", **settings: Any
    ) -> RemoteEnv:
        """An environment on the server; arguments as for :func:`envhub.make`.

        Raises:
            UnknownEnvironment: The server has no environment with this id.
            InvalidParameters: A setting is invalid.
        """
        template = EpisodeTemplate(id, difficulty, split, settings)
        self.call(template.probe())
        about = self.info(id)
        return RemoteEnv(self, template, field_of(about, "max_action_chars"), field_of(about, "max_observation_chars"))

    def begin(self, task: Task | TaskKey, **options: Any) -> RemoteEnv:
        """An environment on the server, reset to a task; see :func:`envhub.begin`.

        Raises:
            UnknownEnvironment: The server has no environment with this id.
            InvalidParameters: The task key or an option is invalid, or the server draws another problem.
        """
        key = _key_of(task)
        env = self.make(key.env_id, difficulty=None, split=key.split, **{**key.params, **options})
        env.reset(seed=key.seed)
        env.check(task)
        return env

    list_envs = blocking(task_requests.list_envs)
    info = blocking(task_requests.info)
    tasks = blocking(task_requests.tasks)
    verify = blocking(task_requests.verify)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class AsyncHub:
    """:class:`Hub` for an event loop; made by :func:`aconnect`."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        retries: int = _RETRIES,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        address, headers = checked_url(url, _SCHEMES), headers_with(api_key)
        self._lines: Lines | None = None
        if address.scheme.startswith("ws"):
            self._lines = Lines(address, headers, timeout_s, uses_proxies(url))
            address = address.copy_with(scheme=address.scheme.replace("ws", "http"))
        proxies = uses_proxies(url)
        tls = transport is not None or httpx.create_ssl_context(trust_env=proxies)  # once: it takes milliseconds
        options = _http_options(address, headers, timeout_s, proxies)

        def pool() -> httpx.AsyncClient:
            return httpx.AsyncClient(**options, transport=transport, verify=tls)

        self._http = Pools(pool, 1 if transport is not None else MAX_POOLS)
        self._retries = retries
        self._sleep = sleep

    async def call(self, call: Call) -> JSON:
        """Send a request; see :meth:`Hub.call`."""
        message = None if self._lines is None else message_of(call)

        async def once() -> JSON:
            if self._lines is not None and message is not None:
                with suppress(OverHttp):
                    return await self._lines.ask(message)
            return decoded(await self._http.request(*call[:2], encoded(call)))

        return await self._repeated(once)

    async def connect(self) -> None:
        """Connect now, to check that the server can be reached.

        Otherwise the first request connects.

        Raises:
            RemoteError: It cannot be reached, or does not accept WebSockets.
        """
        health: Call = ("GET", "/health", None)
        await (self.call(health) if self._lines is None else self._repeated(self._lines.connect))

    async def _repeated(self, once: Callable[[], Awaitable[T]]) -> T:
        """The result of the first successful attempt.

        Attempts that are lost, or refused by a busy server, are repeated.
        """
        for attempt in range(self._retries + 1):
            try:
                return await once()
            except (httpx.TransportError, ConnectionLost, TooBusy) as error:
                await self._sleep(backoff_s(error, attempt, self._retries))
        raise AssertionError("unreachable: the last attempt raises")

    async def make(
        self, id: str, *, difficulty: Difficulty = DEFAULT_LEVEL, split: str = "train", **settings: Any
    ) -> AsyncRemoteEnv:
        """An environment on the server; see :meth:`Hub.make`."""
        template = EpisodeTemplate(id, difficulty, split, settings)
        await self.call(template.probe())
        return AsyncRemoteEnv(self, template)

    async def begin(self, task: Task | TaskKey, **options: Any) -> AsyncRemoteEnv:
        """An environment on the server, reset to a task; see :meth:`Hub.begin`."""
        key = _key_of(task)
        env = AsyncRemoteEnv(self, _template_of(key, options))
        await env.reset(seed=key.seed)
        await env.check(task)
        return env

    async def begin_many(self, tasks: Sequence[Task | TaskKey], **options: Any) -> list[AsyncRemoteEnv | EnvhubError]:
        """:meth:`begin` for many tasks, in few requests.

        A task that fails has its error in its place.
        """
        keys = [_key_of(task) for task in tasks]
        templates = [_template_of(key, options) for key in keys]
        openings = await self._many([one.create(key.seed, None) for one, key in zip(templates, keys, strict=True)])
        begun: list[AsyncRemoteEnv | EnvhubError] = []
        for task, one, opening in zip(tasks, templates, openings, strict=True):
            if isinstance(opening, EnvhubError):
                begun.append(opening)
                continue
            env = AsyncRemoteEnv(self, one, Session(opening, one.options))
            try:
                await env.check(task)
                begun.append(env)
            except InvalidParameters as error:
                begun.append(error)
        return begun

    async def step_many(self, envs: Sequence[AsyncRemoteEnv], actions: Sequence[str]) -> list[Step | EnvhubError]:
        """Take a turn in each of many environments, in few requests.

        A turn that fails has its error in its place. If it raises another error, call it again with the same actions:
        turns already taken return their recorded answers.

        Raises:
            InvalidParameters: There is not one action for each environment, or an environment occurs twice.
            EpisodeOver: One of the episodes has ended; no turn is taken.
        """
        if len(envs) != len(actions) or len(set(map(id, envs))) != len(envs):
            raise InvalidParameters(
                f"Each environment takes one action and may occur once, got {len(envs)} environments and "
                f"{len(actions)} actions."
            )
        calls = [env.session.step(action) for env, action in zip(envs, actions, strict=True)]
        answers = await self._many(calls)
        return [_step_of(env, answer) for env, answer in zip(envs, answers, strict=True)]

    async def _many(self, calls: Sequence[Call]) -> list[JSON | EnvhubError]:
        """The answer or the error of each request.

        Requests that the server was too busy for are sent again.
        """
        if self._lines is not None:  # sent together as they are
            return await asyncio.gather(*map(self._answer_or_error, calls))
        found: list[JSON | EnvhubError] = [None] * len(calls)
        pending = list(range(len(calls)))
        for attempt in range(self._retries + 1):
            chunks = [pending[start : start + _AT_ONCE] for start in range(0, len(pending), _AT_ONCE)]
            answers = await asyncio.gather(*(self.call(batch_call([calls[i] for i in chunk])) for chunk in chunks))
            for chunk, answer in zip(chunks, answers, strict=True):
                for place, one in zip(chunk, answers_in(answer, len(chunk)), strict=True):
                    found[place] = one
            busy = [error.retry_after for error in found if isinstance(error, TooBusy)]
            if not busy or attempt == self._retries:
                break
            pending = [place for place, one in enumerate(found) if isinstance(one, TooBusy)]
            await self._sleep(float(max(busy)))
        return found

    async def _answer_or_error(self, call: Call) -> JSON | EnvhubError:
        try:
            return await self.call(call)
        except RemoteError:
            raise
        except EnvhubError as error:
            return error

    list_envs = awaiting(task_requests.list_envs)
    info = awaiting(task_requests.info)
    tasks = awaiting(task_requests.tasks)
    verify = awaiting(task_requests.verify)

    async def close(self) -> None:
        """Close the connections."""
        if self._lines is not None:
            await self._lines.close()
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()


def _http_options(address: httpx.URL, headers: Mapping[str, str], timeout_s: float, proxies: bool) -> dict[str, Any]:
    """The arguments that both of httpx's clients take."""
    return {
        "base_url": address,
        "headers": headers,
        "timeout": httpx.Timeout(timeout_s, pool=None),  # waiting for a free connection does not count
        "limits": _LIMITS,
        "trust_env": proxies,
    }


def _key_of(task: Task | TaskKey) -> TaskKey:
    return task.key if isinstance(task, Task) else task


def _template_of(key: TaskKey, options: Mapping[str, Any]) -> EpisodeTemplate:
    return EpisodeTemplate(key.env_id, None, key.split, {**key.params, **options})


def _step_of(env: AsyncRemoteEnv, answer: JSON | EnvhubError) -> Step | EnvhubError:
    """The result of a turn, or its error.

    Raising it would lose the results of the other environments.
    """
    try:
        return answer if isinstance(answer, EnvhubError) else env.session.take(answer)
    except EnvhubError as error:
        return error
