"""One interface to a remote hub and to environments in this process.

::

    async with open_hub(url=None) as hub:
        for session in await hub.begin(task, turn_seeds=[0, 0, 1]):      # three episodes of one task
            observation, reward, terminated, truncated, info = await session.step(action)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol

import envhub
from envhub.core.types import Task
from envhub.scenes.picture import Pictures

if TYPE_CHECKING:
    from envhub.client.hub import AsyncHub

_log = logging.getLogger(__name__)
_RETRIES: Final = 8
"""Requests are repeated for some 16 seconds, in which a hub can be restarted."""
Step = tuple[str, float, bool, bool, dict[str, Any]]


class HubError(RuntimeError):
    """The hub cannot judge any episode, and the run stops."""


class Session(Protocol):
    """One episode."""

    async def step(self, action: str) -> Step:
        """Take a turn and return Gymnasium's five-tuple.

        If the action could not be judged, the reward is NaN and ``info`` has ``error``.
        """
        ...

    async def fork(self, turn_seed: int | None = None) -> Session:
        """Start another episode with the same past.

        Args:
            turn_seed: Turn seed of its later turns; None keeps this one's.

        Raises:
            EnvhubError: It cannot be forked.
        """
        ...

    async def close(self) -> None:
        """Close the episode."""
        ...


class Hub(Protocol):
    """Starts episodes."""

    async def begin(self, task: Task, turn_seeds: Sequence[int]) -> list[Session]:
        """Start episodes of a task.

        Args:
            task: The task; its prompt is the first observation.
            turn_seeds: The turn seed of each episode.

        Raises:
            EnvhubError: The episodes cannot be started.
        """
        ...


class LocalHub:
    """The environments of this process.

    A turn blocks the event loop: environments slower than a model's step belong on a server.

    Args:
        options: Options of :func:`envhub.begin`: ``answer_format``, ``reward``.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = dict(options)

    async def begin(self, task: Task, turn_seeds: Sequence[int]) -> list[Session]:
        """See :meth:`Hub.begin`."""
        first = envhub.begin(task, **self._options)
        return [_LocalSession(first.fork(turn_seed)) for turn_seed in turn_seeds]


class _LocalSession:
    def __init__(self, env: envhub.Env) -> None:
        self._env = env

    async def step(self, action: str) -> Step:
        return self._env.step(action)

    async def fork(self, turn_seed: int | None = None) -> Session:
        return _LocalSession(self._env.fork(turn_seed))

    async def close(self) -> None:
        self._env.close()


class RemoteHub:
    """A hub on a server.

    Args:
        hub: The connection to the server.
        options: As for :class:`LocalHub`; ``reward`` is a mapping of weights.
    """

    def __init__(self, hub: AsyncHub, options: Mapping[str, Any]) -> None:
        self._hub = hub
        self._options = dict(options)

    async def begin(self, task: Task, turn_seeds: Sequence[int]) -> list[Session]:
        """See :meth:`Hub.begin`."""
        first = await self._hub.begin(task, **self._options)
        others = await asyncio.gather(*(first.fork(turn_seed) for turn_seed in turn_seeds[1:]))
        if turn_seeds[0] == 0:  # the first session's turn seed
            return [first, *others]
        return [await first.fork(turn_seeds[0]), *others]


def pictures_of(session: Any) -> Pictures:
    """The pictures of the prompt of a newly started episode."""
    if isinstance(session, _LocalSession):
        return session._env.episode.pictures()
    opened = getattr(session, "session", None)  # the client's; it has the info of the start
    return () if opened is None else opened.info.get("images", ())


def environment_of(task: Task) -> Any:
    """The environment of a task, with its type of answers and limits."""
    return envhub.make(task.env_id, difficulty=None, split=task.split, **task.params).environment


def turn_limit(task: Task) -> int:
    """Number of messages that the policy has for a task."""
    limit: int = environment_of(task).messages(task.problem)
    return limit


@asynccontextmanager
async def open_hub(url: str | None, options: Mapping[str, Any], *, websocket: bool = True) -> AsyncIterator[Hub]:
    """Open the hub at a URL, or the environments of this process.

    Args:
        url: The hub's address; None for this process.
        options: Options of every episode; see :class:`LocalHub`.
        websocket: Use the WebSocket of a hub at ``http://``, which costs a fraction of the CPU. Falls back to HTTP, since a
            proxy may block WebSockets.

    Raises:
        InvalidParameters: The address is invalid.
    """
    if url is None:
        yield LocalHub(options)
        return
    async with await _connected(url, websocket) as connection:
        yield RemoteHub(connection, options)


async def _connected(url: str, websocket: bool) -> AsyncHub:
    over_http = envhub.aconnect(url, retries=_RETRIES)
    if not (websocket and url.startswith("http")):
        return over_http
    hub = envhub.aconnect(f"ws{url.removeprefix('http')}", retries=_RETRIES)
    try:
        await hub.connect()
    except envhub.EnvhubError as error:
        _log.warning("no WebSocket to the hub, so HTTP: %s", error)
        await hub.close()
        return over_http
    await over_http.close()
    return hub
