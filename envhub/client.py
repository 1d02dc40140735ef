"""The same environment, far away: a hub over HTTP, sync and async.

::

    hub = envhub.connect("http://127.0.0.1:8420")
    env = hub.make("countdown-v0", difficulty=4)      # a gymnasium.Env, the same five-tuple as envhub.make
    observation, info = env.reset(seed=1)

    async with envhub.aconnect("http://127.0.0.1:8420") as hub:
        env = await hub.make("countdown-v0", difficulty=4)
        observation, info = await env.reset(seed=1)

Every request names the episode and the turn it is about, so one whose answer was lost is simply sent again. What differs
from a local environment: there is no ``solve``, and ``reward`` is a mapping of weights.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

import httpx

from envhub import errors
from envhub.difficulty import DEFAULT_LEVEL
from envhub.env import BaseEnv
from envhub.episode import Step
from envhub.errors import (
    TooBusy,
)
from envhub.remote import (
    HEADERS,
    Call,
    Difficulty,
    Gold,
    Plan,
    Session,
    begun,
    checked_url,
    decoded,
    encoded,
    field_of,
    ids_in,
    list_call,
    proxied,
    tasks_call,
    tasks_in,
    verdicts_in,
    verify_call,
    wait_s,
)
from envhub.seeding import MAX_SEED, TaskKey, check_seed
from envhub.types import JSON, Task

_RETRIES: Final = 4


def connect(url: str, *, timeout_s: float = 60.0, retries: int = _RETRIES) -> Hub:
    """A hub over HTTP.

    Args:
        url: Where the server is, ``http://127.0.0.1:8420``.
        timeout_s: Seconds one request may take.
        retries: How often a request whose answer was lost is sent again.
    """
    return Hub(url, timeout_s=timeout_s, retries=retries)


def aconnect(url: str, *, timeout_s: float = 60.0, retries: int = _RETRIES) -> AsyncHub:
    """:func:`connect` for an event loop."""
    return AsyncHub(url, timeout_s=timeout_s, retries=retries)


class Hub:
    """A hub over HTTP; made by :func:`connect`. Close it, or use it as a context manager."""

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float = 60.0,
        retries: int = _RETRIES,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = httpx.Client(
            base_url=checked_url(url), timeout=timeout_s, transport=transport, trust_env=proxied(url)
        )
        self._retries = retries
        self._sleep = sleep

    def call(self, call: Call) -> JSON:
        """Send a request; again if its answer was lost or the server was busy.

        Raises:
            EnvhubError: What the server answered, as the error it would have been here.
            RemoteError: The server cannot be reached.
        """
        for attempt in range(self._retries + 1):
            try:
                return decoded(self._http.request(*call[:2], content=encoded(call), headers=HEADERS))
            except (httpx.TransportError, TooBusy) as error:
                self._sleep(wait_s(error, attempt, self._retries))
        raise AssertionError("unreachable: the last attempt raises")

    def make(
        self, id: str, *, difficulty: Difficulty = DEFAULT_LEVEL, split: str = "train", **settings: Any
    ) -> RemoteEnv:
        """An environment on the server; arguments as for :func:`envhub.make`.

        Raises:
            UnknownEnvironment: The server has none of this id.
            InvalidParameters: A setting does not fit.
        """
        plan = Plan(id, difficulty, split, settings)
        self.call(plan.probe())
        about = self.info(id)
        return RemoteEnv(self, plan, field_of(about, "max_action_chars"), field_of(about, "max_observation_chars"))

    def begin(self, task: Task | TaskKey, **options: Any) -> RemoteEnv:
        """An environment on the server that stands at the beginning of a task; see :func:`envhub.begin`.

        Raises:
            UnknownEnvironment: The server has none of this id.
            InvalidParameters: The task's key or an option does not fit.
        """
        key = task.key if isinstance(task, Task) else task
        env = self.make(key.env_id, difficulty=None, split=key.split, **{**key.params, **options})
        env.reset(seed=key.seed)
        return env

    def list_envs(self, category: str | None = None) -> list[str]:
        """The ids of the server's environments."""
        return ids_in(self.call(list_call(category)))

    def info(self, id: str) -> JSON:
        """Rules, parameters and difficulties of an environment."""
        return self.call(("GET", f"/v1/environments/{id}", None))

    def tasks(
        self,
        id: str,
        seeds: Sequence[int],
        *,
        difficulty: Difficulty = DEFAULT_LEVEL,
        split: str = "train",
        answer_format: str | None = None,
        **params: Any,
    ) -> list[Task]:
        """One task for every seed."""
        return tasks_in(self.call(tasks_call(id, seeds, difficulty, split, answer_format, params)))

    def verify(
        self,
        items: Sequence[tuple[Task | TaskKey | Gold, Sequence[str | Sequence[str]]]],
        *,
        reward: Mapping[str, float] | None = None,
        answer_format: str | None = None,
    ) -> list[list[JSON]]:
        """Verdicts (with ``reward``) on responses, many tasks at once; for a question of your own, a :class:`Gold` is the task.

        Raises:
            EnvhubError: A task could not be rebuilt, or a gold answer not be read.
        """
        return verdicts_in(self.call(verify_call(items, reward, answer_format)))

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
        timeout_s: float = 60.0,
        retries: int = _RETRIES,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._http = httpx.AsyncClient(
            base_url=checked_url(url), timeout=timeout_s, transport=transport, trust_env=proxied(url)
        )
        self._retries = retries
        self._sleep = sleep

    async def call(self, call: Call) -> JSON:
        """Send a request; see :meth:`Hub.call`."""
        for attempt in range(self._retries + 1):
            try:
                return decoded(await self._http.request(*call[:2], content=encoded(call), headers=HEADERS))
            except (httpx.TransportError, TooBusy) as error:
                await self._sleep(wait_s(error, attempt, self._retries))
        raise AssertionError("unreachable: the last attempt raises")

    async def make(
        self, id: str, *, difficulty: Difficulty = DEFAULT_LEVEL, split: str = "train", **settings: Any
    ) -> AsyncRemoteEnv:
        """An environment on the server; see :meth:`Hub.make`."""
        plan = Plan(id, difficulty, split, settings)
        await self.call(plan.probe())
        return AsyncRemoteEnv(self, plan)

    async def begin(self, task: Task | TaskKey, **options: Any) -> AsyncRemoteEnv:
        """An environment on the server that stands at the beginning of a task; see :meth:`Hub.begin`."""
        key = task.key if isinstance(task, Task) else task
        env = AsyncRemoteEnv(self, Plan(key.env_id, None, key.split, {**key.params, **options}))
        await env.reset(seed=key.seed)
        return env

    async def list_envs(self, category: str | None = None) -> list[str]:
        """The ids of the server's environments."""
        return ids_in(await self.call(list_call(category)))

    async def info(self, id: str) -> JSON:
        """Rules, parameters and difficulties of an environment."""
        return await self.call(("GET", f"/v1/environments/{id}", None))

    async def tasks(
        self,
        id: str,
        seeds: Sequence[int],
        *,
        difficulty: Difficulty = DEFAULT_LEVEL,
        split: str = "train",
        answer_format: str | None = None,
        **params: Any,
    ) -> list[Task]:
        """One task for every seed."""
        return tasks_in(await self.call(tasks_call(id, seeds, difficulty, split, answer_format, params)))

    async def verify(
        self,
        items: Sequence[tuple[Task | TaskKey | Gold, Sequence[str | Sequence[str]]]],
        *,
        reward: Mapping[str, float] | None = None,
        answer_format: str | None = None,
    ) -> list[list[JSON]]:
        """Verdicts on responses; see :meth:`Hub.verify`."""
        return verdicts_in(await self.call(verify_call(items, reward, answer_format)))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()


class RemoteEnv(BaseEnv):
    """An environment on a server, as a ``gymnasium.Env``; made by :meth:`Hub.make`."""

    def __init__(
        self,
        hub: Hub,
        plan: Plan,
        max_action_chars: int,
        max_observation_chars: int,
        session: Session | None = None,
    ) -> None:
        super().__init__(plan.options, max_action_chars, max_observation_chars)
        self._limits = (max_action_chars, max_observation_chars)
        self._hub = hub
        self._plan = plan
        self._held = session

    @property
    def _session(self) -> Session:
        return begun(self._held)

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self._session.task

    @property
    def messages(self) -> list[dict[str, str]]:
        """The conversation so far as chat messages."""
        messages: list[dict[str, str]] = self._hub.call(self._session.get())["messages"]
        return messages

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode on the server; see :meth:`envhub.Env.reset`. One that was not finished is forgotten there."""
        if self._held is not None and not self._held.over:
            self.close()
        opening = self._hub.call(self._plan.create(self._next_seed(seed), options))
        self._held = Session(opening, self._plan.options)
        return opening["observation"], opening["info"]

    def step(self, action: str) -> Step:
        """Take a turn on the server; see :meth:`envhub.Env.step`."""
        session = self._session
        return session.take(self._hub.call(session.step(action)))

    def render(self) -> str:
        """The conversation so far as text."""
        return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in self.messages)

    def snapshot(self) -> dict[str, JSON]:
        """The episode as JSON values; :func:`envhub.restore` goes on with it locally."""
        snapshot: dict[str, JSON] = self._hub.call(self._session.get())["snapshot"]
        return snapshot

    def fork(self, chance: int | None = None) -> RemoteEnv:
        """A second episode on the server with the same past; see :meth:`envhub.Env.fork`."""
        opening = self._hub.call(self._session.fork(chance))
        return RemoteEnv(self._hub, self._plan, *self._limits, Session(opening, self._plan.options))

    def close(self) -> None:
        """Have the server forget the episode."""
        if self._held is not None:
            with suppress(errors.UnknownEpisode):  # it has expired, or a request whose answer was lost deleted it
                self._hub.call(self._held.delete())
            self._held = None


class AsyncRemoteEnv:
    """:class:`RemoteEnv` for an event loop; made by :meth:`AsyncHub.make`."""

    def __init__(self, hub: AsyncHub, plan: Plan, session: Session | None = None) -> None:
        self._hub = hub
        self._plan = plan
        self._held = session

    @property
    def _session(self) -> Session:
        return begun(self._held)

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self._session.task

    async def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode on the server; without a seed, any task. One that was not finished is forgotten there."""
        if self._held is not None and not self._held.over:
            await self.close()
        seed = secrets.randbelow(MAX_SEED + 1) if seed is None else check_seed(seed)
        opening = await self._hub.call(self._plan.create(seed, options))
        self._held = Session(opening, self._plan.options)
        return opening["observation"], opening["info"]

    async def step(self, action: str) -> Step:
        """Take a turn on the server; see :meth:`envhub.Env.step`."""
        session = self._session
        return session.take(await self._hub.call(session.step(action)))

    async def messages(self) -> list[dict[str, str]]:
        """The conversation so far as chat messages."""
        messages: list[dict[str, str]] = (await self._hub.call(self._session.get()))["messages"]
        return messages

    async def snapshot(self) -> dict[str, JSON]:
        """The episode as JSON values."""
        snapshot: dict[str, JSON] = (await self._hub.call(self._session.get()))["snapshot"]
        return snapshot

    async def fork(self, chance: int | None = None) -> AsyncRemoteEnv:
        """A second episode on the server with the same past."""
        opening = await self._hub.call(self._session.fork(chance))
        return AsyncRemoteEnv(self._hub, self._plan, Session(opening, self._plan.options))

    async def close(self) -> None:
        """Have the server forget the episode."""
        if self._held is not None:
            with suppress(errors.UnknownEpisode):
                await self._hub.call(self._held.delete())
            self._held = None
