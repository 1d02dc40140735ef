"""Environments on a server, made by :meth:`Hub.make` and :meth:`AsyncHub.make`.

They have the interface of a local environment and send the requests of a hub (:mod:`envhub.client.hub`). ::

    env = envhub.connect(url).make("countdown-v0")
    observation, info = env.reset(seed=1)
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from envhub.client.exchange import AsyncSender, Exchange, Sender, run, run_async
from envhub.client.requests import EpisodeTemplate, Session, check_drawn
from envhub.core.errors import EnvhubError, EpisodeOver, InvalidParameters, UnknownEpisode
from envhub.core.seeding import MAX_SEED, TaskKey, check_seed
from envhub.core.types import JSON, Task
from envhub.episodes.outcomes import Step
from envhub.gymnasium.env import BaseEnv
from envhub.scenes.picture import plain


class RemoteEpisode:
    """The current episode of a remote environment.

    It holds what both clients do, as exchanges.

    Args:
        template: Makes the requests for new episodes.
        session: The current episode; None before the first reset.
    """

    def __init__(self, template: EpisodeTemplate, session: Session | None = None) -> None:
        self.template, self._session = template, session

    @property
    def session(self) -> Session:
        """The current episode.

        Raises:
            EpisodeOver: No episode has begun.
        """
        if self._session is None:
            raise EpisodeOver("No episode has begun. Call reset() first.")
        return self._session

    def reset(self, seed: Callable[[], int], options: Mapping[str, Any] | None) -> Exchange[tuple[str, dict[str, Any]]]:
        """Choose a seed and begin another episode.

        An unfinished episode is deleted first.
        """
        if self._session is not None and not self._session.over:
            yield from self.close()
        opening = yield self.template.create(seed(), options)
        self._session = Session(opening, self.template.options)
        return opening["observation"], self._session.info

    def step(self, action: str) -> Exchange[Step]:
        """Take a turn."""
        session = self.session
        return session.take((yield session.step(action)))

    def messages(self) -> Exchange[list[dict[str, JSON]]]:
        """The conversation so far as chat messages."""
        messages: list[dict[str, JSON]] = (yield self.session.get())["messages"]
        return messages

    def snapshot(self) -> Exchange[dict[str, JSON]]:
        """The episode as JSON values."""
        snapshot: dict[str, JSON] = (yield self.session.get())["snapshot"]
        return snapshot

    def fork(self, turn_seed: int | None) -> Exchange[Session]:
        """Begin another episode with the same past."""
        return Session((yield self.session.fork(turn_seed)), self.template.options)

    def close(self) -> Exchange[None]:
        """Delete the episode."""
        if self._session is not None:
            with suppress(UnknownEpisode):  # expired, or deleted by a request whose answer was lost
                yield self._session.delete()
            self._session = None

    def check(self, task: Task | TaskKey) -> Exchange[None]:
        """Delete the episode if its task is not the requested one.

        Raises:
            InvalidParameters: The server drew another problem.
        """
        try:
            check_drawn(task, self.session.task)
        except InvalidParameters:
            with suppress(EnvhubError):  # if the server cannot be reached, the episode expires
                yield from self.close()
            raise


class RemoteEnv(BaseEnv):
    """An environment on a server, as a ``gymnasium.Env``; made by :meth:`Hub.make`."""

    def __init__(
        self,
        hub: Sender,
        template: EpisodeTemplate,
        max_action_chars: int,
        max_observation_chars: int,
        session: Session | None = None,
    ) -> None:
        super().__init__(template.options, max_action_chars, max_observation_chars)
        self._limits = (max_action_chars, max_observation_chars)
        self._hub = hub
        self._episode = RemoteEpisode(template, session)

    @property
    def session(self) -> Session:
        """The current episode as requests.

        Raises:
            EpisodeOver: No episode has begun.
        """
        return self._episode.session

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self.session.task

    @property
    def messages(self) -> list[dict[str, JSON]]:
        """The conversation so far as chat messages."""
        return run(self._hub.call, self._episode.messages())

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode on the server; see :meth:`envhub.Env.reset`.

        An unfinished episode is deleted.
        """
        return run(self._hub.call, self._episode.reset(lambda: self._next_seed(seed), options))

    def step(self, action: str) -> Step:
        """Take a turn on the server; see :meth:`envhub.Env.step`."""
        return run(self._hub.call, self._episode.step(action))

    def render(self) -> str:
        """The conversation so far as text."""
        return "\n\n".join(f"[{message['role']}]\n{plain(message['content'])}" for message in self.messages)

    def snapshot(self) -> dict[str, JSON]:
        """The episode as JSON values; :func:`envhub.restore` resumes it locally."""
        return run(self._hub.call, self._episode.snapshot())

    def fork(self, turn_seed: int | None = None) -> RemoteEnv:
        """A second episode on the server with the same past; see :meth:`envhub.Env.fork`."""
        session = run(self._hub.call, self._episode.fork(turn_seed))
        return RemoteEnv(self._hub, self._episode.template, *self._limits, session)

    def close(self) -> None:
        """Delete the episode on the server."""
        run(self._hub.call, self._episode.close())

    def check(self, task: Task | TaskKey) -> None:
        """Close the environment if its episode's task is not the requested one.

        Raises:
            InvalidParameters: The server drew another problem.
        """
        run(self._hub.call, self._episode.check(task))


class AsyncRemoteEnv:
    """:class:`RemoteEnv` for an event loop; made by :meth:`AsyncHub.make`."""

    def __init__(self, hub: AsyncSender, template: EpisodeTemplate, session: Session | None = None) -> None:
        self._hub = hub
        self._episode = RemoteEpisode(template, session)

    @property
    def session(self) -> Session:
        """The current episode as requests, for :meth:`AsyncHub.step_many`."""
        return self._episode.session

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self.session.task

    async def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode on the server; a random task without a seed.

        An unfinished episode is deleted.
        """

        def chosen() -> int:
            return secrets.randbelow(MAX_SEED + 1) if seed is None else check_seed(seed)

        return await run_async(self._hub.call, self._episode.reset(chosen, options))

    async def step(self, action: str) -> Step:
        """Take a turn on the server; see :meth:`envhub.Env.step`."""
        return await run_async(self._hub.call, self._episode.step(action))

    async def messages(self) -> list[dict[str, JSON]]:
        """The conversation so far as chat messages."""
        return await run_async(self._hub.call, self._episode.messages())

    async def snapshot(self) -> dict[str, JSON]:
        """The episode as JSON values; :func:`envhub.restore` resumes it locally."""
        return await run_async(self._hub.call, self._episode.snapshot())

    async def fork(self, turn_seed: int | None = None) -> AsyncRemoteEnv:
        """A second episode on the server with the same past; see :meth:`envhub.Env.fork`."""
        session = await run_async(self._hub.call, self._episode.fork(turn_seed))
        return AsyncRemoteEnv(self._hub, self._episode.template, session)

    async def close(self) -> None:
        """Delete the episode on the server."""
        await run_async(self._hub.call, self._episode.close())

    async def check(self, task: Task | TaskKey) -> None:
        """Close the environment if its task is unexpected.

        See :meth:`RemoteEnv.check`.
        """
        await run_async(self._hub.call, self._episode.check(task))
