"""Whose episodes: every key has its own, and only so many open, which the journal counts when it records a new one.

The episode ``e`` of the key ``abc`` is recorded as ``abc:e``, which is no id that a client can choose. So an id that somebody
else has taken is free, and nobody learns of it; what is not there and what is another's cannot be told apart. An admin names
another key's episode with its owner, ``abc:e``. On a server without keys ids are recorded as they are. ::

    episodes = episodes_of(service, caller_of(scope))
    await episodes.step("e", 0, "...")
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final

from envhub.core.errors import EnvhubError
from envhub.core.types import JSON
from envhub.server.auth.access import Caller
from envhub.server.episodes.service import Episodes

SEPARATOR: Final = ":"
"""Between owner and id; no id that a client chooses holds it."""


def episodes_of(service: Episodes, caller: Caller) -> Episodes | OwnedEpisodes:
    """The episodes that a caller may see."""
    return service if caller.key is None else OwnedEpisodes(service, caller)


class OwnedEpisodes:
    """The episodes of one key, under the ids that it chose; the methods are those of the service.

    Args:
        service: All episodes.
        caller: Who has a key.
    """

    __slots__ = ("_admin", "_limit", "_owner", "_service")

    def __init__(self, service: Episodes, caller: Caller) -> None:
        assert caller.key is not None
        self._service, self._limit = service, caller.key.episodes
        self._owner, self._admin = f"{caller.key.id}{SEPARATOR}", caller.has("admin")

    async def create(self, *, episode_id: str | None, **request: Any) -> JSON:
        """Begin an episode; see :meth:`envhub.server.episodes.service.Episodes.create`."""
        return await self._make(
            episode_id, lambda new_id: self._service.create(episode_id=new_id, max_open=self._limit, **request)
        )

    async def step(self, episode_id: str, turn: int | None, action: str) -> JSON:
        """Take a turn; see :meth:`envhub.server.episodes.service.Episodes.step`."""
        inner = self._inner(episode_id)
        try:
            return self._outer(await self._service.step(inner, turn, action))
        except EnvhubError as error:
            raise self._worded(error) from None

    async def fork(self, episode_id: str, *, new_id: str | None, **request: Any) -> JSON:
        """Begin an episode with the past of another; see :meth:`envhub.server.episodes.service.Episodes.fork`."""
        inner = self._inner(episode_id)
        return await self._make(
            new_id, lambda new: self._service.fork(inner, new_id=new, max_open=self._limit, **request)
        )

    async def get(self, episode_id: str) -> JSON:
        """Everything about an episode; see :meth:`envhub.server.episodes.service.Episodes.get`."""
        try:
            whole = self._outer(await self._service.get(self._inner(episode_id)))
            return {**whole, "steps": [self._outer(step) for step in whole["steps"]]}
        except EnvhubError as error:
            raise self._worded(error) from None

    async def delete(self, episode_id: str) -> None:
        """Forget an episode; see :meth:`envhub.server.episodes.service.Episodes.delete`."""
        try:
            await self._service.delete(self._inner(episode_id))
        except EnvhubError as error:
            raise self._worded(error) from None

    async def release_id(self, episode_id: str) -> None:
        """Make an id free; see :meth:`envhub.server.episodes.service.Episodes.release_id`."""
        await self._service.release_id(self._inner(episode_id))

    async def _make(self, episode_id: str | None, make: Callable[[str], Awaitable[JSON]]) -> JSON:
        new_id = f"{self._owner}{episode_id or secrets.token_hex(16)}"
        try:
            return self._outer(await make(new_id))
        except EnvhubError as error:
            raise self._worded(error) from None

    def _inner(self, episode_id: str) -> str:
        """The id under which an episode is recorded."""
        if self._admin and SEPARATOR in episode_id:
            return episode_id.removeprefix(
                SEPARATOR
            )  # nobody's, of a time without keys, where there is nothing before it
        return f"{self._owner}{episode_id}"

    def _outer(self, answer: JSON) -> JSON:
        """An answer with the id that the client knows."""
        return {**answer, "episode_id": answer["episode_id"].removeprefix(self._owner)}

    def _worded(self, error: EnvhubError) -> EnvhubError:
        """The error with the id that the client knows."""
        error.args = tuple(part.replace(self._owner, "") if isinstance(part, str) else part for part in error.args)
        return error
