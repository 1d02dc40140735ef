"""ASGI application for OpenEnv's WebSockets, ``/openenv/{env_id}/ws`` and ``/openenv/{env_id}/mcp``.

Messages are answered in order, by a session that lasts as long as the connection. ::

    WebSocketRoute("/openenv/{env_id:path}/ws", OpenEnvSocket(operations, Session))
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from starlette.datastructures import QueryParams
from starlette.types import Receive, Scope, Send

from envhub.core.types import JSON
from envhub.server.auth.access import caller_of
from envhub.server.episodes.operations import Operations
from envhub.server.http.json_text import dumps
from envhub.server.protocols.openenv.session import RpcSession, Session

_NORMAL: Final = 1000


class OpenEnvSocket:
    """The endpoint.

    Args:
        operations: The server's operations.
        kind: Class of its sessions.
    """

    def __init__(self, operations: Operations, kind: type[Session | RpcSession]) -> None:
        self._operations, self._kind = operations, kind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one session until the client disconnects."""
        await receive()  # websocket.connect; authorized by the middleware
        await send({"type": "websocket.accept"})
        env_id, named = scope["path_params"]["env_id"], QueryParams(scope["query_string"]).get("session_id")
        session = self._kind(self._operations, caller_of(scope), env_id, scope["envhub.request_log"], named or None)
        try:
            answer = session.refused()
            while answer is None or await _sent(send, answer):
                if session.ended is not None:
                    break
                message = await receive()
                if message["type"] != "websocket.receive":
                    return
                answer = await session.answer(message.get("text") or message.get("bytes") or "")
        finally:
            await session.end()
        with suppress(Exception):  # the client has disconnected
            await send({"type": "websocket.close", "code": session.ended or _NORMAL})


async def _sent(send: Send, answer: JSON) -> bool:
    """Send an answer. Returns False if the client has disconnected."""
    try:
        await send({"type": "websocket.send", "text": dumps(answer).decode()})
    except Exception:  # the client has disconnected
        return False
    return True
