"""OpenEnv's sessions: a connection with one episode at a time.

Over ``/openenv/{env_id}/ws``, or ``/mcp`` for JSON-RPC only.

::

    {"type": "reset", "data": {"seed": 7, "difficulty": 2}}
    {"type": "observation", "data": {"observation": {"message": "..."}, "reward": null, "done": false, ...}}
    {"type": "step", "data": {"message": "<answer>42</answer>"}}

Messages are answered in order. A turn that could not be judged is an ``error`` with the code ``EXECUTION_ERROR``, which
OpenEnv's client raises; it is never a number. The end of a connection deletes its unfinished episode, and so does the next
reset. A connection opened with the ``session_id`` of :mod:`envhub.server.protocols.openenv.mcp` joins that session, whose
episode outlives it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from envhub.core.errors import (
    EnvhubError,
    InvalidParameters,
    JournalUnavailable,
    MissingExtra,
    TooBusy,
    UnknownEnvironment,
)
from envhub.core.types import JSON
from envhub.registry.registry import load, spec
from envhub.server.auth.access import Caller
from envhub.server.episodes.operations import Operations, validated
from envhub.server.http.json_text import loads
from envhub.server.http.problems import InvalidRequest, Unauthorized, problem_of
from envhub.server.protocols.openenv.episode import SessionEpisode
from envhub.server.protocols.openenv.mcp import Mcp, SessionParams, failed
from envhub.server.protocols.openenv.messages import (
    Reset,
    action_of,
    no_tools,
    reset_response,
    step_response,
    tools_response,
)
from envhub.server.protocols.tooling import has_tools, tools_of
from envhub.server.telemetry.request_log import RequestLog

KINDS: Final = ("reset", "step", "state", "mcp", "close")
_ROUTES: Final = {kind: f"/openenv/ws {kind}" for kind in KINDS}
_CODES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (InvalidRequest, "VALIDATION_ERROR"),
    (InvalidParameters, "VALIDATION_ERROR"),
    (JournalUnavailable, "EXECUTION_ERROR"),
    (TooBusy, "CAPACITY_REACHED"),
    (UnknownEnvironment, "FACTORY_ERROR"),
    (MissingExtra, "FACTORY_ERROR"),
    (Unauthorized, "SESSION_ERROR"),
)
_NORMAL, _REVOKED = 1000, 1008


class _Connection:
    """Base of the sessions of both paths.

    Args:
        operations: The server's operations.
        caller: The owner of the session.
        env_id: The environment of its path.
        request_log: Logs every message.
        named: Id of a shared session to join; None for a private one.

    Attributes:
        ended: The WebSocket close code, once the session has ended.
    """

    _route: str
    """The route that messages are logged under."""

    def __init__(
        self, operations: Operations, caller: Caller, env_id: str, request_log: RequestLog, named: str | None = None
    ) -> None:
        self._operations, self._caller, self._env_id, self._request_log = operations, caller, env_id, request_log
        self._is_guest = named is not None
        self._playing = SessionEpisode(operations, caller, env_id, named)
        self._rpc = Mcp(operations, caller, env_id, self._playing)
        self.ended: int | None = None

    def refused(self) -> JSON | None:
        """The error if the session is not possible, else None."""
        try:
            load(spec(self._env_id))
            validated(SessionParams, {"session_id": self._playing.session_id})
        except EnvhubError as error:
            self.ended = _NORMAL
            with self._request_log.message(self._route):
                return self._failed(error)
        return None

    async def end(self) -> None:
        """Delete the episode, unless it is finished or the session shared."""
        if not self._is_guest:
            with suppress(EnvhubError):  # expired, or it will expire
                await self._playing.close()

    def _admit(self) -> None:
        """Check the key and rate before a message.

        Raises:
            Unauthorized: The key is no longer valid.
            TooBusy: The rate is exceeded.
        """
        if not self._caller.alive():
            self.ended = _REVOKED
            raise Unauthorized("The API key of this session is no longer valid.")
        self._caller.charge()

    def _failed(self, error: Exception) -> JSON:
        """An error in the client's format."""
        raise NotImplementedError


class RpcSession(_Connection):
    """A session in which every message is a JSON-RPC request."""

    _route = "/openenv/mcp"

    async def answer(self, data: str | bytes) -> JSON:
        """Answer a message."""
        with self._request_log.message(self._route):
            try:
                self._admit()
            except EnvhubError as error:
                return self._failed(error)
            return await self._rpc.answer(data)

    def _failed(self, error: Exception) -> JSON:
        return failed(error)


class Session(_Connection):
    """A session of OpenEnv's own messages."""

    _route = "/openenv/ws"

    def __init__(
        self, operations: Operations, caller: Caller, env_id: str, request_log: RequestLog, named: str | None = None
    ) -> None:
        super().__init__(operations, caller, env_id, request_log, named)
        self._asked: dict[str, Callable[[JSON], Awaitable[JSON]]] = {
            "reset": self._reset,
            "step": self._step,
            "state": self._state,
            "mcp": self._mcp,
        }
        self._name: str | None = None

    async def answer(self, data: str | bytes) -> JSON | None:
        """Answer a message; None for the message that ends the session."""
        try:
            message = loads(data)
        except InvalidRequest as error:
            with self._request_log.message(self._route):
                return _error(error, "INVALID_JSON")
        kind = message.get("type") if isinstance(message, dict) else None
        with self._request_log.message(_ROUTES.get(kind, self._route) if isinstance(kind, str) else self._route):
            try:
                return await self._answered(kind, message)
            except Exception as error:
                return _error(error)

    async def _answered(self, kind: Any, message: Any) -> JSON | None:
        self._admit()
        if not isinstance(message, dict):
            raise InvalidRequest("A message must be an object with type and data.")
        if kind == "close":
            self.ended = _NORMAL
            return None
        work = self._asked.get(kind) if isinstance(kind, str) else None
        if work is None:
            detail = f"type: unknown message {str(kind)[:60]!r}. Available: {', '.join(KINDS)}."
            return _error(InvalidRequest(detail), "UNKNOWN_TYPE")
        if not message.keys() <= {"type", "data"}:
            raise InvalidRequest("A message must have only the fields type and data.")
        data = message.get("data", {})
        if not isinstance(data, dict):
            raise InvalidRequest("data: must be an object.")
        return await work(data)

    async def _reset(self, data: JSON) -> JSON:
        reset = validated(Reset, data)
        creation, row = reset.creation(self._env_id)
        opening = await self._playing.begin(creation, row)
        self._name = reset.episode_id
        return {"type": "observation", "data": reset_response(opening, self._name)}

    async def _step(self, data: JSON) -> JSON:
        action, episode_id = action_of(data), self._playing.episode_id
        if action is None:
            tools = await tools_of(self._operations, self._caller, self._env_id, episode_id)
            return {"type": "observation", "data": tools_response(tools)}
        if action.tool is not None and episode_id is not None:
            await self._playing.check()
            if not await has_tools(self._operations, self._caller, self._env_id, episode_id):
                raise no_tools(self._env_id)
        answer = await self._playing.step(action.text)
        return {"type": "observation", "data": step_response(answer, self._name, action.tool)}

    async def _state(self, data: JSON) -> JSON:
        state = await self._playing.state()
        episode = self._playing.episode_id if self._name is None else self._name
        return {"type": "state", "data": {"episode_id": episode, "env_id": self._env_id, **state}}

    async def _mcp(self, data: JSON) -> JSON:
        return {"type": "mcp", "data": await self._rpc.of(data)}

    def _failed(self, error: Exception) -> JSON:
        return _error(error)


def _error(error: Exception, code: str | None = None) -> JSON:
    """An error in OpenEnv's format; internal errors have no details."""
    problem = problem_of(error)
    found = code or next((name for cls, name in _CODES if isinstance(error, cls)), "EXECUTION_ERROR")
    data: JSON = {"message": problem.body()["detail"], "code": found, "problem": problem.code}
    if problem.retry_after is not None:
        data["retry_after"] = problem.retry_after
    return {"type": "error", "data": data}
