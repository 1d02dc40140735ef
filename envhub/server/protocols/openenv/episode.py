"""The episode of one of OpenEnv's sessions: one at a time, known to one connection or to whoever has the session's id.

A session that is known to others is an episode id: its episode stands in the journal under it, so a request that names the
session is answered by any worker, and a server that was started anew still knows it. What was finished is kept under an id of
its own when the next one begins. ::

    played = SessionEpisode(operations, caller, "browse-v0", session_id)
    opening = await played.begin(creation, row)
    answer = await played.step(text)
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

_NONE: Final = "No episode has begun: send a reset before the first step."


class SessionEpisode:
    """The episode of a session.

    Args:
        operations: What can be asked for.
        caller: Whose it is.
        env_id: The environment of its path.
        session_id: Of a session that others may know; None for one of this connection alone.

    Attributes:
        session_id: As above; :meth:`share` gives one to a session without.
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
        """Of the episode; None where none has begun. Of a session that others know there may be none by this id."""
        return self._id

    def share(self) -> str:
        """Let others know of the session; its id."""
        if self.session_id is None:
            self._checked = self._id is not None
            self._id = self.session_id = self._id or secrets.token_hex(16)
        return self.session_id

    async def begin(self, creation: CreateEpisode, row: Row | None) -> JSON:
        """Begin the next episode, in place of the last; errors as of :func:`envhub.server.protocols.rows.begun`."""
        if self.session_id is None:
            await self._give_up()
        else:
            await self._operations.episodes(self._caller).release_id(self.session_id)
            creation = creation.model_copy(update={"episode_id": self.session_id})
        opening = await create_episode(self._operations, self._caller, creation, row)
        self._id, self._checked, self._about = opening["episode_id"], True, opening["info"]
        return opening

    async def step(self, text: str, turn: int | None = None) -> JSON:
        """Take a turn that has a reward.

        Args:
            text: What the policy wrote.
            turn: How many were taken before; whichever is next by default.

        Raises:
            EpisodeOver: The episode has ended, or none has begun.
            UnknownEpisode: Of a session that others know there is none.
            JudgementError: The turn could not be judged.
            EnvhubError: As :meth:`envhub.server.episodes.service.Episodes.step`.
        """
        if self._id is None:
            raise EpisodeOver(_NONE)
        await self.check()
        if self.session_id is None and turn is None:
            turn = self._turn  # which says, too, that the record has lost none
        try:
            answer = await self._operations.episodes(self._caller).step(self._id, turn, text)
        except UnknownEpisode:
            raise self._forgotten() from None
        self._turn, self._over = answer["turn"], answer["terminated"] or answer["truncated"]
        return require_reward(answer)

    async def check(self) -> None:
        """Refuse an episode of another environment than the path's; errors as of :meth:`step`."""
        if self.session_id is None or self._checked:
            return
        check_env(self._env_id, await self._whole())
        self._checked = True

    async def state(self) -> JSON:
        """How far it is: its turns, whether it is over, and what its reset told."""
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
        """Forget the episode, unless it is finished and so on record; nothing happens where there is none."""
        if self.session_id is None:
            await self._give_up()
            return
        with suppress(UnknownEpisode):
            if not (await self._whole())["over"]:
                await self._operations.episodes(self._caller).delete(self.session_id)

    async def _give_up(self) -> None:
        """Forget the episode of a session that nobody else knows, unless it is finished."""
        episode_id, self._id = self._id, None
        self._turn, self._about = 0, {}
        if episode_id is not None and not self._over:
            with suppress(EnvhubError):  # expired, or the journal is away: then it expires
                await self._operations.episodes(self._caller).delete(episode_id)
        self._over = False

    async def _whole(self) -> JSON:
        """Everything about the episode of a session that others know."""
        try:
            _, whole = await self._operations.perform(self._caller, "get", self.session_id, None)
        except UnknownEpisode:
            raise self._forgotten() from None
        return whole

    def _forgotten(self) -> UnknownEpisode:
        return UnknownEpisode(
            f"The session {self._id!r} has no episode: none has begun, or it has expired or been deleted. Send a reset."
        )
