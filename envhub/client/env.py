"""Environments on a server: what :meth:`Hub.make` and :meth:`AsyncHub.make` give.

They are the five-tuple of a local environment over a hub's requests; :mod:`envhub.client.hub` has the hubs. ::

    env = envhub.connect(url).make("countdown-v0")
    observation, info = env.reset(seed=1)
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from envhub.client.requests import Plan, Session, begun
from envhub.core import errors
from envhub.core.seeding import MAX_SEED, check_seed
from envhub.core.types import JSON, Task
from envhub.episodes.outcomes import Step
from envhub.gymnasium.env import BaseEnv

if TYPE_CHECKING:
    from envhub.client.hub import AsyncHub, Hub


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

    def fork(self, turn_seed: int | None = None) -> RemoteEnv:
        """A second episode on the server with the same past; see :meth:`envhub.Env.fork`."""
        opening = self._hub.call(self._session.fork(turn_seed))
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
    def session(self) -> Session:
        """The episode as requests; for :meth:`AsyncHub.step_many`."""
        return begun(self._held)

    def taken(self, answer: JSON) -> Step:
        """The five-tuple of a turn whose answer has come; for :meth:`AsyncHub.step_many`.

        Raises:
            JudgementError: It could not be judged, and ``on_error="raise"``.
        """
        return self.session.take(answer)

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self.session.task

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
        session = self.session
        return session.take(await self._hub.call(session.step(action)))

    async def messages(self) -> list[dict[str, str]]:
        """The conversation so far as chat messages."""
        messages: list[dict[str, str]] = (await self._hub.call(self.session.get()))["messages"]
        return messages

    async def snapshot(self) -> dict[str, JSON]:
        """The episode as JSON values."""
        snapshot: dict[str, JSON] = (await self._hub.call(self.session.get()))["snapshot"]
        return snapshot

    async def fork(self, turn_seed: int | None = None) -> AsyncRemoteEnv:
        """A second episode on the server with the same past."""
        opening = await self._hub.call(self.session.fork(turn_seed))
        return AsyncRemoteEnv(self._hub, self._plan, Session(opening, self._plan.options))

    async def close(self) -> None:
        """Have the server forget the episode."""
        if self._held is not None:
            with suppress(errors.UnknownEpisode):
                await self._hub.call(self._held.delete())
            self._held = None
