"""OpenEnv's MCP: JSON-RPC 2.0 over three transports.

``POST /openenv/{env_id}/mcp``, a WebSocket at that path, or messages of type ``mcp``.

Methods: ``tools/list``, ``tools/call``, and OpenEnv's own ``openenv/session/create`` and ``openenv/session/close``. A call is a
    turn of
the session's episode. Its result is what the policy sees; the reward is in ``_meta``, which MCP hides from a policy. A turn
that could not be judged is an error, which OpenEnv's client raises; it is never a number. ::

    {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create", "params": {"seed": 7}}
    {"jsonrpc": "2.0", "id": 1, "result": {"session_id": "...", "observation": {"message": "..."}, ...}}
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"session_id": "...", "name": "back", "arguments": {}}}

OpenEnv's client creates a session, resets it over ``/ws?session_id=...``, and calls tools over HTTP. A client without that
connection names the task when it creates the session. The session id is an episode id, so any worker can serve it.

Source: openenv 0.10.0 ``core/mcp_client.py``, ``core/env_server/mcp_types.py``, ``http_server.py``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from envhub.core.errors import (
    EnvhubError,
    InvalidParameters,
    MissingExtra,
    UnknownEnvironment,
    UnknownEpisode,
    nearest,
)
from envhub.core.types import JSON
from envhub.registry.registry import load, spec
from envhub.server.auth.access import Caller
from envhub.server.episodes.operations import Operations, validated
from envhub.server.http.json_text import loads
from envhub.server.http.problems import InvalidRequest, problem_of
from envhub.server.http.requests import AnyObject, EpisodeId, Wire
from envhub.server.http.responses import Answer
from envhub.server.protocols.openenv.episode import SessionEpisode
from envhub.server.protocols.openenv.messages import Reset, reset_response, step_response
from envhub.server.protocols.rows import tool_call_action
from envhub.server.protocols.tooling import has_tools, tools_of
from envhub.server.telemetry.request_log import note_env

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
SERVER_ERROR: Final = -32000
_WRONG: Final = (InvalidRequest, InvalidParameters, UnknownEnvironment, UnknownEpisode, MissingExtra)
"""Errors of the client; all others are the server's, or temporary."""


class Rpc(Wire):
    """A JSON-RPC request."""

    jsonrpc: Literal["2.0"]
    method: str = Field(description="tools/list, tools/call, openenv/session/create or openenv/session/close")
    params: AnyObject = Field(default_factory=dict, description="parameters of the method, by name")
    id: str | int | None = Field(None, description="returned in the response")


class RpcFault(Answer):
    """A JSON-RPC error."""

    code: int = Field(description="JSON-RPC error code")
    message: str
    data: dict[str, Any] = Field(
        description="envhub's error code as problem, and retry_after if the request can be retried"
    )


class RpcAnswer(Answer):
    """A JSON-RPC response: a result or an error."""

    jsonrpc: Literal["2.0"]
    id: str | int | None
    result: dict[str, Any] | None = None
    error: RpcFault | None = None


class SessionParams(Wire):
    """Parameters that name a session."""

    session_id: EpisodeId | None = Field(None, description="from openenv/session/create, or the id of any episode")


class ToolCall(SessionParams):
    """A call of a tool."""

    name: str = Field(description="name of the tool")
    arguments: AnyObject = Field(default_factory=dict, description="its arguments by name")
    turn: Annotated[int, Field(ge=0)] | None = Field(
        None,
        description="number of turns taken before, which makes the call repeatable; the next turn by default",
    )


class CloseParams(Wire):
    """Parameters that name a session to close."""

    session_id: EpisodeId


class Mcp:
    """Answers the requests of one client to one environment.

    Args:
        operations: The server's operations.
        caller: The caller.
        env_id: The environment of the path.
        connection: Session of the connection; None over HTTP, where each request names its own.
    """

    def __init__(
        self, operations: Operations, caller: Caller, env_id: str, connection: SessionEpisode | None = None
    ) -> None:
        self._operations, self._caller, self._env_id, self._connection = operations, caller, env_id, connection
        self._methods: dict[str, Callable[[JSON], Awaitable[JSON]]] = {
            "tools/list": self._list,
            "tools/call": self._call,
            "openenv/session/create": self._create,
            "openenv/session/close": self._close,
        }

    async def answer(self, data: str | bytes) -> JSON:
        """Answer any data that was sent."""
        try:
            return await self.of(loads(data))
        except InvalidRequest as error:
            return failed(error, None, PARSE_ERROR)

    async def of(self, request: Any) -> JSON:
        """Answer any decoded request."""
        try:
            rpc = validated(Rpc, request)
        except InvalidRequest as error:
            found = request.get("id") if isinstance(request, dict) else None
            return failed(error, found if type(found) in (str, int) else None, INVALID_REQUEST)
        return await self.perform(rpc)

    async def perform(self, rpc: Rpc) -> JSON:
        """Answer a valid request."""
        try:
            load(spec(self._env_id))
            note_env(self._env_id)
            method = self._methods.get(rpc.method)
            if method is None:
                known = ", ".join(self._methods)
                detail = (
                    f"Unknown method {rpc.method[:60]!r}. Available: {known}.{nearest(rpc.method[:60], self._methods)}"
                )
                return failed(InvalidRequest(detail), rpc.id, METHOD_NOT_FOUND)
            params = {name: value for name, value in rpc.params.items() if name != "_meta"}  # MCP's own field
            return {"jsonrpc": "2.0", "id": rpc.id, "result": await method(params)}
        except Exception as error:
            return failed(error, rpc.id)

    # -- the methods -------------------------------------------------------------------------------------------------

    async def _list(self, params: JSON) -> JSON:
        session = self._playing(validated(SessionParams, params).session_id)
        episode_id = None if session is None else session.episode_id
        tools = await tools_of(self._operations, self._caller, self._env_id, episode_id)
        return {"tools": [_described(tool["function"]) for tool in tools]}

    async def _call(self, params: JSON) -> JSON:
        call = validated(ToolCall, params)
        session = self._playing(call.session_id)
        if session is None or session.episode_id is None:
            raise InvalidRequest(
                "session_id: a call needs an episode. Create one by openenv/session/create with a task, such as "
                '{"seed": 7}, or by a reset over /ws.'
            )
        await session.check()
        if not await has_tools(self._operations, self._caller, self._env_id, session.episode_id):
            raise InvalidRequest(f"name: {self._env_id} has no tools.")
        observed = step_response(await session.step(tool_call_action(call.name, call.arguments), call.turn))
        text = observed["observation"]["message"]
        meta = {name: observed[name] for name in ("reward", "done", "metadata")}
        return {"content": [{"type": "text", "text": text}], "data": text, "_meta": meta}

    async def _create(self, params: JSON) -> JSON:
        session = self._connection or SessionEpisode(self._operations, self._caller, self._env_id)
        reset = validated(Reset, params) if params else None
        creation = None if reset is None else reset.creation(self._env_id)
        session_id = session.share()
        if reset is None or creation is None:
            return {"session_id": session_id}
        return {"session_id": session_id, **reset_response(await session.begin(*creation), reset.episode_id)}

    async def _close(self, params: JSON) -> JSON:
        session_id = validated(CloseParams, params).session_id
        if self._connection is not None and session_id == self._connection.session_id:
            raise InvalidRequest("session_id: this is the session of this connection; close the connection.")
        await SessionEpisode(self._operations, self._caller, self._env_id, session_id).close()
        return {"session_id": session_id, "closed": True}

    def _playing(self, session_id: str | None) -> SessionEpisode | None:
        """The session of a request.

        Raises:
            InvalidRequest: It names another session than its connection's.
        """
        if self._connection is None:
            named = session_id is not None
            return SessionEpisode(self._operations, self._caller, self._env_id, session_id) if named else None
        if session_id not in (None, self._connection.session_id):
            raise InvalidRequest("session_id: it names another session than this connection's; leave it out.")
        return self._connection


def failed(error: Exception, request_id: str | int | None = None, code: int | None = None) -> JSON:
    """An error as a JSON-RPC response; internal errors have no details."""
    problem = problem_of(error)
    data: JSON = {"problem": problem.code}
    if problem.retry_after is not None:
        data["retry_after"] = problem.retry_after
    if code is None:
        code = INVALID_PARAMS if isinstance(error, _WRONG) else SERVER_ERROR
        code = code if isinstance(error, EnvhubError) else INTERNAL_ERROR
    fault = {"code": code, "message": problem.body()["detail"], "data": data}
    return {"jsonrpc": "2.0", "id": request_id, "error": fault}


def _described(function: JSON) -> JSON:
    return {"name": function["name"], "description": function["description"], "inputSchema": function["parameters"]}
