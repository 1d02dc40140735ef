"""``/v1/ws``: many operations of many episodes on one connection, each message answered by itself.

A message is an item of a batch with an id of the client's own; its answer has the same id, and answers come in any order::

    {"id": 1, "op": "step", "episode_id": "e", "body": {"turn": 0, "action": "..."}}
    {"id": 1, "status": 200, "body": {...}}

What is wrong with a message is answered, and the connection stays. Only so many messages are under way at once, and no more are
read meanwhile; so whoever sends faster than it is answered, or reads no answers, holds up nobody but itself.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from envhub.server.access import Caller, caller_of
from envhub.server.batch import one
from envhub.server.jsontext import dumps, loads
from envhub.server.operations import NAMES, Operations
from envhub.server.problems import InvalidRequest, Unauthorized, told
from envhub.server.watch import Watch

IN_FLIGHT: Final = 256
"""How many messages of a connection are under way at once."""
_MAX_ID: Final = 128
_REVOKED: Final = 1008
_ROUTES: Final = {name: f"/v1/ws {name}" for name in NAMES}
_INVALID: Final = "/v1/ws"


class WebSocket:
    """The endpoint, an ASGI application.

    Args:
        operations: What can be asked for.
        in_flight: How many messages of a connection are under way at once.
    """

    def __init__(self, operations: Operations, in_flight: int = IN_FLIGHT) -> None:
        self._operations, self._in_flight = operations, in_flight

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection until its client leaves; what is under way then is finished, and recorded."""
        await receive()  # that somebody wants to connect, who was let in before
        await send({"type": "websocket.accept"})
        connection = _Connection(self._operations, caller_of(scope), scope["envhub.watch"], send)
        under_way: set[asyncio.Task[None]] = set()
        try:
            while not connection.ended:
                if len(under_way) >= self._in_flight:
                    await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                    continue
                message = await receive()
                if message["type"] != "websocket.receive":
                    break
                task = asyncio.create_task(connection.answer(message.get("text") or message.get("bytes") or ""))
                under_way.add(task)
                task.add_done_callback(under_way.discard)
        finally:
            if under_way:
                await asyncio.gather(*under_way)


class _Connection:
    """One connection: whose it is, and whether there is any sense in answering."""

    __slots__ = ("_caller", "_operations", "_send", "_watch", "ended")

    def __init__(self, operations: Operations, caller: Caller, watch: Watch, send: Send) -> None:
        self._operations, self._caller, self._watch, self._send = operations, caller, watch, send
        self.ended = False

    async def answer(self, data: str | bytes) -> None:
        """Do what a message asks for, and answer it."""
        id: Any = None
        try:
            id, message = _read(data)
        except InvalidRequest as error:
            with self._watch.message(_INVALID):
                answer = _of(error)
        else:
            name = message.get("op")
            with self._watch.message(_ROUTES.get(name, _INVALID) if isinstance(name, str) else _INVALID):
                if self._caller.alive():
                    answer = await one(self._operations, self._caller, message)
                else:
                    self.ended = True
                    answer = _of(Unauthorized("The API key of this connection may not be used any more."))
        try:
            await self._send({"type": "websocket.send", "text": dumps({"id": id, **answer}).decode()})
            if self.ended:
                await self._send({"type": "websocket.close", "code": _REVOKED, "reason": "Unauthorized"})
        except (
            Exception
        ):  # the client has left; what it asked for is recorded, and is answered again when it asks again
            self.ended = True


def _read(data: str | bytes) -> tuple[Any, dict[str, Any]]:
    """The id of a message, and what it asks for."""
    message = loads(data)
    if type(message) is not dict:
        raise InvalidRequest("A message is an object with id, op, episode_id and body.")
    id = message.pop("id", None)
    if not (type(id) is int and abs(id) < 2**63) and not (type(id) is str and len(id) <= _MAX_ID):
        raise InvalidRequest(f"id: a message has an id, an integer or at most {_MAX_ID} characters.")
    return id, message


def _of(error: Exception) -> dict[str, Any]:
    problem = told(error)
    return {"status": problem.status, "body": problem.body()}
