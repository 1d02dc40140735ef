"""The episode of an OpenEnv session, one at a time.

Private to a connection or shared by session id. The id of a shared session is an episode id, under which its episode is
in the journal. So any worker can answer a request that names the session, also after a restart. When the next episode
starts, a finished one is moved to an id of its own. ::

    session = SessionEpisode(operations, caller, "browse-v0", session_id)
    opening = await session.begin(creation, row)
    answer = await session.step(text)
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Final

from envhub.core.errors import EnvhubError, EpisodeOver, UnknownEpisode
from envhub.core.types import JSON
from envhub.server.auth.access import Caller
from envhub.server.episodes.operations import Operations
from envhub.server.http.requests import CreateEpisode
from envhub.server.protocols.rows import Row, create_episode, require_reward
from envhub.server.protocols.tooling import check_env

_NONE: Final = "There is no episode yet: send a reset before the first step."


class SessionEpisode:
    """The episode of a session.

    Args:
        operations: The server's operations.
        caller: The owner of the session.
        env_id: The environment of its path.
        session_id: Id of a shared session; None for a private one.

    Attributes:
        session_id: As above; :meth:`share` assigns an id to a private session.
    """

    def __init__(self, operations: Operations, caller: Caller, env_id: str, session_id: str | None = None) -> None:
        self._operations, self._caller, self._env_id = operations, caller, env_id
        self.session_id = session_id
        self._id = session_id
        self._turn = 0
        self._over = False
        self._about: JSON = {}
        self._checked = False

    @property
    def episode_id(self) -> str | None:
        """Id of the episode; None before the first.

        In a shared session the episode may not exist.
        """
        return self._id

    def share(self) -> str:
        """Make the session shared and return its id."""
        if self.session_id is None:
            self._checked = self._id is not None
            self._id = self.session_id = self._id or secrets.token_hex(16)
        return self.session_id

    async def begin(self, creation: CreateEpisode, row: Row | None) -> JSON:
        """Start the next episode in place of the last. Raises like :func:`envhub.server.protocols.rows.create_episode`."""
        if self.session_id is None:
            await self._abandon()
        else:
            await self._operations.episodes(self._caller).release_id(self.session_id)
            creation = creation.model_copy(update={"episode_id": self.session_id})
        opening = await create_episode(self._operations, self._caller, creation, row)
        self._id, self._checked, self._about = opening["episode_id"], True, opening["info"]
        return opening

    async def step(self, text: str, turn: int | None = None) -> JSON:
        """Take a turn.

        Args:
            text: The message of the policy.
            turn: Number of turns taken before; the next turn by default.

        Raises:
            EpisodeOver: The episode has ended or has not begun.
            UnknownEpisode: The shared session has no episode.
            JudgementError: The turn could not be judged.
            EnvhubError: As :meth:`envhub.server.episodes.service.Episodes.step`.
        """
        if self._id is None:
            raise EpisodeOver(_NONE)
        await self.check()
        if self.session_id is None and turn is None:
            turn = self._turn  # also detects lost turns
        try:
            answer = await self._operations.episodes(self._caller).step(self._id, turn, text)
        except UnknownEpisode:
            raise self._no_episode() from None
        self._turn, self._over = answer["turn"], answer["terminated"] or answer["truncated"]
        return require_reward(answer)

    async def check(self) -> None:
        """Check that the episode is of the path's environment. Raises like :meth:`step`."""
        if self.session_id is None or self._checked:
            return
        check_env(self._env_id, await self._whole())
        self._checked = True

    async def state(self) -> JSON:
        """The episode's turns, whether it is over, and its reset info."""
        if self.session_id is None:
            return {"step_count": self._turn, "over": self._over, **self._about}
        try:
            whole = await self._whole()
        except UnknownEpisode:
            return {"step_count": 0, "over": False}
        about = {name: whole["task"][name] for name in ("difficulty", "split")}
        last = whole["steps"][-1]["reward"] if whole["steps"] else None
        return {"step_count": whole["turn"], "over": whole["over"], **about, "reward": last}

    async def close(self) -> None:
        """Delete the episode unless it is finished. Does nothing without an episode."""
        if self.session_id is None:
            await self._abandon()
            return
        with suppress(UnknownEpisode):
            if not (await self._whole())["over"]:
                await self._operations.episodes(self._caller).delete(self.session_id)

    async def _abandon(self) -> None:
        """Delete the episode of a private session unless it is finished."""
        episode_id, self._id = self._id, None
        self._turn, self._about = 0, {}
        if episode_id is not None and not self._over:
            with suppress(EnvhubError):  # expired, or it will expire
                await self._operations.episodes(self._caller).delete(episode_id)
        self._over = False

    async def _whole(self) -> JSON:
        """The whole episode of a shared session."""
        try:
            _, whole = await self._operations.perform(self._caller, "get", self.session_id, None)
        except UnknownEpisode:
            raise self._no_episode() from None
        return whole

    def _no_episode(self) -> UnknownEpisode:
        return UnknownEpisode(
            f"The session {self._id!r} has no episode: none has begun, or it has expired or been deleted. Send a reset."
        )
