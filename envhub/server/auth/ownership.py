"""Episode ownership: every key has its own episodes.

The journal enforces a limit of open ones. The episode ``e`` of the key ``abc`` is recorded as ``abc:e``, an id that no
client can choose. So keys do not collide, and cannot find out which ids others use: a missing episode and another key's
episode look the same. An admin can name another key's episode by its full id, ``abc:e``. On a server without keys, ids
are recorded as they are. ::

    episodes = episodes_of(service, caller_of(scope))
    await episodes.step("e", 0, "...")
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final

from envhub.core.errors import EnvhubError
from envhub.core.types import JSON
from envhub.scenes import Scene
from envhub.scenes.picture import Pictures
from envhub.server.auth.access import Caller
from envhub.server.episodes.quick_turns import Answered
from envhub.server.episodes.service import Episodes

SEPARATOR: Final = ":"
"""Separates owner and id; ids chosen by clients cannot contain it."""


def episodes_of(service: Episodes, caller: Caller) -> Episodes | OwnedEpisodes:
    """The episodes that a caller can access."""
    return service if caller.key is None else OwnedEpisodes(service, caller)


class OwnedEpisodes:
    """The episodes of one key, under the ids it chose.

    Has the methods of the service.

    Args:
        service: All episodes.
        caller: A caller with a key.
    """

    __slots__ = ("_admin", "_limit", "_owner", "_service")

    def __init__(self, service: Episodes, caller: Caller) -> None:
        assert caller.key is not None
        self._service, self._limit = service, caller.key.episodes
        self._owner, self._admin = f"{caller.key.id}{SEPARATOR}", caller.has("admin")

    async def create(self, *, episode_id: str | None, **request: Any) -> JSON:
        """Create an episode; see :meth:`envhub.server.episodes.service.Episodes.create`."""
        return await self._make(
            episode_id, lambda new_id: self._service.create(episode_id=new_id, max_open=self._limit, **request)
        )

    async def step(self, episode_id: str, turn: int | None, action: str) -> JSON:
        """Take a turn; see :meth:`envhub.server.episodes.service.Episodes.step`."""
        inner = self._inner(episode_id)
        try:
            return self._outer(await self._service.step(inner, turn, action))
        except EnvhubError as error:
            raise self._with_client_id(error) from None

    def step_now(self, episode_id: str, turn: int, action: str, answered: Answered) -> bool:
        """Take a turn without a coroutine; see :meth:`envhub.server.episodes.service.Episodes.step_now`."""

        def with_client_id(result: JSON | BaseException) -> None:
            if isinstance(result, EnvhubError):
                result = self._with_client_id(result)
            answered(self._outer(result) if isinstance(result, dict) else result)

        return self._service.step_now(self._inner(episode_id), turn, action, with_client_id)

    async def fork(self, episode_id: str, *, new_id: str | None, **request: Any) -> JSON:
        """Fork an episode; see :meth:`envhub.server.episodes.service.Episodes.fork`."""
        inner = self._inner(episode_id)
        return await self._make(
            new_id, lambda new: self._service.fork(inner, new_id=new, max_open=self._limit, **request)
        )

    async def get(self, episode_id: str) -> JSON:
        """Get an episode; see :meth:`envhub.server.episodes.service.Episodes.get`."""
        try:
            whole = self._outer(await self._service.get(self._inner(episode_id)))
            return {**whole, "steps": [self._outer(step) for step in whole["steps"]]}
        except EnvhubError as error:
            raise self._with_client_id(error) from None

    async def scene(self, episode_id: str) -> Scene | None:
        """What there is to see; see :meth:`envhub.server.episodes.service.Episodes.scene`."""
        try:
            return await self._service.scene(self._inner(episode_id))
        except EnvhubError as error:
            raise self._with_client_id(error) from None

    async def oracle(self, episode_id: str) -> str:
        """The oracle's next action; see :meth:`envhub.server.episodes.service.Episodes.oracle`."""
        try:
            return await self._service.oracle(self._inner(episode_id))
        except EnvhubError as error:
            raise self._with_client_id(error) from None

    async def pictures(self, episode_id: str, turn: int) -> Pictures:
        """The pictures of a turn; see :meth:`envhub.server.episodes.service.Episodes.pictures`."""
        try:
            return await self._service.pictures(self._inner(episode_id), turn)
        except EnvhubError as error:
            raise self._with_client_id(error) from None

    async def delete(self, episode_id: str) -> None:
        """Delete an episode; see :meth:`envhub.server.episodes.service.Episodes.delete`."""
        try:
            await self._service.delete(self._inner(episode_id))
        except EnvhubError as error:
            raise self._with_client_id(error) from None

    async def release_id(self, episode_id: str) -> None:
        """Free an id; see :meth:`envhub.server.episodes.service.Episodes.release_id`."""
        await self._service.release_id(self._inner(episode_id))

    async def _make(self, episode_id: str | None, make: Callable[[str], Awaitable[JSON]]) -> JSON:
        new_id = f"{self._owner}{episode_id or secrets.token_hex(16)}"
        try:
            return self._outer(await make(new_id))
        except EnvhubError as error:
            raise self._with_client_id(error) from None

    def _inner(self, episode_id: str) -> str:
        """The id under which an episode is recorded."""
        if self._admin and SEPARATOR in episode_id:
            return episode_id.removeprefix(SEPARATOR)  # without an owner: recorded while the server had no keys
        return f"{self._owner}{episode_id}"

    def _outer(self, answer: JSON) -> JSON:
        """The answer with the client's id."""
        return {**answer, "episode_id": answer["episode_id"].removeprefix(self._owner)}

    def _with_client_id(self, error: EnvhubError) -> EnvhubError:
        """The error with the client's id."""
        error.args = tuple(part.replace(self._owner, "") if isinstance(part, str) else part for part in error.args)
        return error
