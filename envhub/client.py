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
import json
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Literal, Self

import httpx

from envhub import errors
from envhub.difficulty import DEFAULT_LEVEL
from envhub.env import BaseEnv
from envhub.episode import Step
from envhub.errors import (
    EnvhubError,
    EpisodeOver,
    InvalidAction,
    InvalidParameters,
    JudgementError,
    RemoteError,
    TooBusy,
)
from envhub.options import Options
from envhub.seeding import MAX_SEED, TaskKey, check_seed
from envhub.types import JSON, Task

_RETRIES: Final = 4
_FIRST_WAIT_S: Final = 0.1
_MAX_WAIT_S: Final = 5.0
_OPTION_NAMES: Final = ("answer_format", "system", "reward")

Call = tuple[str, str, JSON]
"""Method, path and body of a request."""
Difficulty = int | tuple[int, int] | None


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
        self._http = httpx.Client(base_url=url, timeout=timeout_s, transport=transport)
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
                return _read(self._http.request(*call[:2], content=_body(call), headers=_HEADERS))
            except (httpx.TransportError, TooBusy) as error:
                self._sleep(_wait_s(error, attempt, self._retries))
        raise AssertionError("unreachable: the last attempt raises")

    def make(
        self, id: str, *, difficulty: Difficulty = DEFAULT_LEVEL, split: str = "train", **settings: Any
    ) -> RemoteEnv:
        """An environment on the server; arguments as for :func:`envhub.make`.

        Raises:
            UnknownEnvironment: The server has none of this id.
            InvalidParameters: A setting does not fit.
        """
        plan = _Plan(id, difficulty, split, settings)
        self.call(plan.probe())
        return RemoteEnv(self, plan)

    def list_envs(self, category: str | None = None) -> list[str]:
        """The ids of the server's environments."""
        return _ids(self.call(_list_call(category)))

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
        return _tasks(self.call(_tasks_call(id, seeds, difficulty, split, answer_format, params)))

    def verify(
        self,
        items: Sequence[tuple[Task | TaskKey, Sequence[str | Sequence[str]]]],
        *,
        reward: Mapping[str, float] | None = None,
        answer_format: str | None = None,
    ) -> list[list[JSON]]:
        """Verdicts (with ``reward``) on responses, many tasks at once.

        Raises:
            EnvhubError: A task could not be rebuilt.
        """
        return _verdicts(self.call(_verify_call(items, reward, answer_format)))

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
        self._http = httpx.AsyncClient(base_url=url, timeout=timeout_s, transport=transport)
        self._retries = retries
        self._sleep = sleep

    async def call(self, call: Call) -> JSON:
        """Send a request; see :meth:`Hub.call`."""
        for attempt in range(self._retries + 1):
            try:
                return _read(await self._http.request(*call[:2], content=_body(call), headers=_HEADERS))
            except (httpx.TransportError, TooBusy) as error:
                await self._sleep(_wait_s(error, attempt, self._retries))
        raise AssertionError("unreachable: the last attempt raises")

    async def make(
        self, id: str, *, difficulty: Difficulty = DEFAULT_LEVEL, split: str = "train", **settings: Any
    ) -> AsyncRemoteEnv:
        """An environment on the server; see :meth:`Hub.make`."""
        plan = _Plan(id, difficulty, split, settings)
        await self.call(plan.probe())
        return AsyncRemoteEnv(self, plan)

    async def list_envs(self, category: str | None = None) -> list[str]:
        """The ids of the server's environments."""
        return _ids(await self.call(_list_call(category)))

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
        return _tasks(await self.call(_tasks_call(id, seeds, difficulty, split, answer_format, params)))

    async def verify(
        self,
        items: Sequence[tuple[Task | TaskKey, Sequence[str | Sequence[str]]]],
        *,
        reward: Mapping[str, float] | None = None,
        answer_format: str | None = None,
    ) -> list[list[JSON]]:
        """Verdicts on responses; see :meth:`Hub.verify`."""
        return _verdicts(await self.call(_verify_call(items, reward, answer_format)))

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

    def __init__(self, hub: Hub, plan: _Plan, session: _Session | None = None) -> None:
        super().__init__(plan.options, 65_536, 65_536)
        self._hub = hub
        self._plan = plan
        self._held = session

    @property
    def _session(self) -> _Session:
        return _begun(self._held)

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
        """Begin an episode on the server; see :meth:`envhub.Env.reset`."""
        opening = self._hub.call(self._plan.create(self._next_seed(seed), options))
        self._held = _Session(opening, self._plan.options)
        self._limit(opening["max_action_chars"], opening["max_observation_chars"])
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
        return RemoteEnv(self._hub, self._plan, _Session(opening, self._plan.options))

    def close(self) -> None:
        """Have the server forget the episode."""
        if self._held is not None:
            with suppress(errors.UnknownEpisode):  # it has expired, or a request whose answer was lost deleted it
                self._hub.call(self._held.delete())
            self._held = None


class AsyncRemoteEnv:
    """:class:`RemoteEnv` for an event loop; made by :meth:`AsyncHub.make`."""

    def __init__(self, hub: AsyncHub, plan: _Plan, session: _Session | None = None) -> None:
        self._hub = hub
        self._plan = plan
        self._held = session

    @property
    def _session(self) -> _Session:
        return _begun(self._held)

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self._session.task

    async def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode on the server; without a seed, any task."""
        seed = secrets.randbelow(MAX_SEED + 1) if seed is None else check_seed(seed)
        opening = await self._hub.call(self._plan.create(seed, options))
        self._held = _Session(opening, self._plan.options)
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
        return AsyncRemoteEnv(self._hub, self._plan, _Session(opening, self._plan.options))

    async def close(self) -> None:
        """Have the server forget the episode."""
        if self._held is not None:
            with suppress(errors.UnknownEpisode):
                await self._hub.call(self._held.delete())
            self._held = None


# -- what both share: requests and answers, without sending --------------------------------------------------------------


class _Plan:
    """What every episode of a remote environment is asked for with."""

    def __init__(self, id: str, difficulty: Difficulty, split: str, settings: Mapping[str, Any]) -> None:
        params = dict(settings)
        on_error: Literal["nan", "raise"] = params.pop("on_error", "nan")
        options = {name: params.pop(name) for name in _OPTION_NAMES if params.get(name) is not None}
        if not isinstance(options.get("reward", {}), Mapping):
            raise InvalidParameters("Over a network, reward is a mapping of weights: a callable cannot travel.")
        self.options = Options.read({**options, "on_error": on_error})
        self._request = {
            "env_id": id,
            "difficulty": difficulty,
            "split": split,
            "params": {name: value for name, value in params.items() if name not in _OPTION_NAMES},
            "options": options,
        }

    def probe(self) -> Call:
        """A request that fails where the plan does not fit, and leaves nothing behind."""
        request = self._request
        body = {name: request[name] for name in ("env_id", "difficulty", "split", "params")}
        return "POST", "/v1/tasks", {**body, "seeds": [], "answer_format": self.options.answer_format}

    def create(self, seed: int, options: Mapping[str, Any] | None) -> Call:
        """The request that begins an episode."""
        chance = dict(options or {})
        body = {**self._request, "episode_id": secrets.token_hex(16), "seed": seed, "chance": chance.pop("chance", 0)}
        if chance:
            raise InvalidParameters(f"reset() takes the option 'chance', got {next(iter(chance))!r}.")
        return "POST", "/v1/episodes", body


class _Session:
    """One episode on the server: its id, and the turn that comes next."""

    def __init__(self, opening: JSON, options: Options) -> None:
        self._path = f"/v1/episodes/{opening['episode_id']}"
        self._turn: int = opening["turn"]
        self._over: bool = opening["over"]
        self._options = options
        self.task = Task.from_json(opening["task"])

    def step(self, action: str) -> Call:
        if self._over:
            raise EpisodeOver("The episode has ended. Call reset() before the next step().")
        if not isinstance(action, str):
            raise InvalidAction(f"An action is a str, got {type(action).__name__}.")
        return "POST", f"{self._path}/step", {"turn": self._turn, "action": action}

    def take(self, answer: JSON) -> Step:
        """The five-tuple of an answer."""
        self._turn = answer["turn"]
        self._over = answer["terminated"] or answer["truncated"]
        error = answer["info"].get("error")
        if error is not None and self._options.on_error == "raise":
            raise JudgementError(f"{error['code']}: {error['reason']}")
        reward = math.nan if answer["reward"] is None else answer["reward"]
        return answer["observation"], reward, answer["terminated"], answer["truncated"], answer["info"]

    def get(self) -> Call:
        return "GET", self._path, None

    def fork(self, chance: int | None) -> Call:
        body = {"episode_id": secrets.token_hex(16), "turn": self._turn, "chance": chance}
        return "POST", f"{self._path}/fork", body

    def delete(self) -> Call:
        return "DELETE", self._path, None


_HEADERS: Final = {"content-type": "application/json"}


def _begun(session: _Session | None) -> _Session:
    if session is None:
        raise EpisodeOver("No episode has begun. Call reset() first.")
    return session


def _body(call: Call) -> bytes | None:
    if call[2] is None:
        return None
    try:
        return json.dumps(call[2], allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidParameters(f"A setting is not a JSON value: {error}.") from None


def _wait_s(error: Exception, attempt: int, retries: int) -> float:
    """Seconds before the next attempt; raises when there is none left."""
    if attempt >= retries:
        if isinstance(error, EnvhubError):
            raise error
        raise RemoteError(f"The server cannot be reached: {type(error).__name__}: {error}.") from error
    if isinstance(error, TooBusy):
        return float(error.retry_after)
    return min(_FIRST_WAIT_S * 2.0**attempt, _MAX_WAIT_S)


def _read(response: httpx.Response) -> JSON:
    """The JSON of an answer, or the error it tells of."""
    if response.status_code == 204:
        return None
    try:
        data = json.loads(response.content)  # exact for integers of any size, which orjson makes floats of
    except ValueError:
        text = response.text[:200]
        raise RemoteError(f"Not an envhub server: {response.status_code} {text!r}.", response.status_code) from None
    if response.status_code < 400:
        return data
    raise _error(data, response)


def _error(data: JSON, response: httpx.Response) -> EnvhubError:
    code = data.get("code") if isinstance(data, dict) else None
    detail = str(data.get("detail", "")) if isinstance(data, dict) else response.text[:200]
    if code == "InvalidRequest":
        return InvalidParameters(detail)
    if code == "TooBusy":
        return TooBusy(detail, int(response.headers.get("retry-after", "1")))
    return _by_name(code, detail) or RemoteError(f"{response.status_code}: {detail}", response.status_code)


def _by_name(code: Any, detail: str) -> EnvhubError | None:
    cls = getattr(errors, code, None) if isinstance(code, str) else None
    return cls(detail) if isinstance(cls, type) and issubclass(cls, EnvhubError) else None


def _list_call(category: str | None) -> Call:
    query = f"?{httpx.QueryParams({'category': category})}" if category is not None else ""
    return "GET", f"/v1/environments{query}", None


def _ids(answer: JSON) -> list[str]:
    return [environment["id"] for environment in answer["environments"]]


def _tasks_call(
    id: str,
    seeds: Sequence[int],
    difficulty: Difficulty,
    split: str,
    answer_format: str | None,
    params: Mapping[str, Any],
) -> Call:
    body = {"env_id": id, "seeds": list(seeds), "difficulty": difficulty, "split": split, "params": dict(params)}
    return "POST", "/v1/tasks", {**body, "answer_format": answer_format}


def _tasks(answer: JSON) -> list[Task]:
    return [Task.from_json(task) for task in answer["tasks"]]


def _verify_call(
    items: Sequence[tuple[Task | TaskKey, Sequence[str | Sequence[str]]]],
    reward: Mapping[str, float] | None,
    answer_format: str | None,
) -> Call:
    bodies = [
        {
            "task": (task.key if isinstance(task, Task) else task).to_json(),
            "responses": list(responses),
            "answer_format": answer_format,
        }
        for task, responses in items
    ]
    return "POST", "/v1/verify", {"items": bodies, "reward": None if reward is None else dict(reward)}


def _verdicts(answer: JSON) -> list[list[JSON]]:
    for result in answer["results"]:
        if result["verdicts"] is None:
            error = result["error"]
            raise _by_name(error["code"], error["detail"]) or RemoteError(error["detail"])
    return [result["verdicts"] for result in answer["results"]]
