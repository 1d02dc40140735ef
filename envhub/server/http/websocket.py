"""``/v1/ws``: many operations of many episodes on one connection, each message answered by itself.

A message is an item of a batch with an id of the client's own; its answer has the same id, and answers come in any order::

    {"id": 1, "op": "step", "episode_id": "e", "body": {"turn": 0, "action": "..."}}
    {"id": 1, "status": 200, "body": {...}}

What is wrong with a message is answered, and the connection stays. Only so many messages are under way at once, and no more are
read meanwhile; so whoever sends faster than it is answered, or reads no answers, holds up nobody but itself.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from contextvars import Context, copy_context
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from envhub.server.auth.access import Caller, caller_of
from envhub.server.episodes.operations import OPERATIONS, Operations, plain_turn
from envhub.server.http.batch import one
from envhub.server.http.frames import EXTENSION, DirectWebSocket
from envhub.server.http.json_text import dumps, loads, loads_plain
from envhub.server.http.problems import InvalidRequest, Unauthorized, problem_of
from envhub.server.telemetry.request_log import Watch

IN_FLIGHT: Final = 256
"""How many messages of a connection are under way at once."""
_MAX_ID: Final = 128
_REVOKED: Final = 1008
_ROUTES: Final = {name: f"/v1/ws {name}" for name in OPERATIONS}
_INVALID: Final = "/v1/ws"
_EXACT: Final = (int, str)


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
        line: DirectWebSocket | None = scope.get("extensions", {}).pop(EXTENSION, None)
        await send({"type": "websocket.accept"})
        connection = _Connection(self._operations, caller_of(scope), scope["envhub.watch"], send, line, self._in_flight)
        try:
            if line is not None:
                line.lend(connection)
                await receive()  # that it is at its end
            while line is None and not connection.ended:
                if connection.full:
                    await connection.room()
                    continue
                message = await receive()
                if message["type"] != "websocket.receive":
                    break
                connection.take(message.get("text") or message.get("bytes") or "")
        finally:
            await connection.end()


class _Connection:
    """One connection: whose it is, what is under way, and whether there is any sense in answering.

    Attributes:
        ended: Nothing more is answered.
        full: As much is under way as may be.
    """

    __slots__ = (
        "_caller",
        "_context",
        "_in_flight",
        "_line",
        "_loop",
        "_number",
        "_operations",
        "_send",
        "_under_way",
        "_watch",
        "ended",
        "full",
    )

    def __init__(
        self,
        operations: Operations,
        caller: Caller,
        watch: Watch,
        send: Send,
        line: DirectWebSocket | None,
        in_flight: int,
    ) -> None:
        self._operations, self._caller, self._watch, self._send, self._line = operations, caller, watch, send, line
        self._in_flight, self._loop, self._context = in_flight, asyncio.get_running_loop(), copy_context()
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._number = 0
        self.ended = self.full = False

    def take(self, message: str | bytes) -> None:
        """Begin to answer a message."""
        if self.ended:
            return
        self._number += 1
        task = _begun(self._loop, self._answer(self._number, message), self._context.copy())
        if not task.done():
            self._under_way[self._number] = task
            self.full = len(self._under_way) >= self._in_flight

    async def room(self) -> None:
        """Wait until less is under way."""
        await asyncio.wait(self._under_way.values(), return_when=asyncio.FIRST_COMPLETED)

    async def end(self) -> None:
        """Take nothing more, and finish what is under way."""
        self.ended = True
        if self._under_way:
            await asyncio.gather(*self._under_way.values())

    async def _answer(self, number: int, data: str | bytes) -> None:
        """Answer a message, and make room for another."""
        try:
            await self._answered(data)
        finally:  # a callback of the task would cost another turn of the event loop
            self._under_way.pop(number, None)
            if self.full:
                self.full = False
                if self._line is not None:
                    self._line.go_on()

    async def _answered(self, data: str | bytes) -> None:
        """Do what a message asks for, and answer it."""
        id, answer = await self._performed(data)
        try:
            text = dumps({"id": id, **answer})
            if self._line is not None:
                self._line.answer(text)
            else:
                await self._send({"type": "websocket.send", "text": text.decode()})
            if self.ended and answer["status"] == 401:
                await self._send({"type": "websocket.close", "code": _REVOKED, "reason": "Unauthorized"})
        except Exception:  # the client has left; what it asked for is recorded, and is answered when it asks again
            self.ended = True

    async def _performed(self, data: str | bytes) -> tuple[Any, dict[str, Any]]:
        """The id of a message and its answer."""
        id: Any = None
        try:
            id, message = _read(data)
        except InvalidRequest as error:
            with self._watch.message(_INVALID):
                return None, _of(error)
        name = message.get("op")
        with self._watch.message(_ROUTES.get(name, _INVALID) if isinstance(name, str) else _INVALID):
            if self._caller.alive():
                return id, await one(self._operations, self._caller, message)
            self.ended = True
            return id, _of(Unauthorized("The API key of this connection may not be used any more."))


if sys.version_info >= (3, 12):

    def _begun(
        loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None], context: Context
    ) -> asyncio.Task[None]:
        """A task that has begun, and ends at once where nothing is waited for."""
        return asyncio.Task(work, loop=loop, context=context, eager_start=True)

else:

    def _begun(
        loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None], context: Context
    ) -> asyncio.Task[None]:
        """A task that begins in the next turn of the event loop."""
        return loop.create_task(work, context=context)


def _read(data: str | bytes) -> tuple[Any, dict[str, Any]]:
    """The id of a message, and what it asks for."""
    message = loads_plain(data)
    # a step of texts and short integers was read exactly; of anything else a part could have been read as something else
    if type(message) is not dict or type(message.get("id")) not in _EXACT or plain_turn(message.get("body")) is None:
        message = loads(data)
    if type(message) is not dict:
        raise InvalidRequest("A message is an object with id, op, episode_id and body.")
    id = message.pop("id", None)
    if not (type(id) is int and abs(id) < 2**63) and not (type(id) is str and len(id) <= _MAX_ID):
        raise InvalidRequest(f"id: a message has an id, an integer or at most {_MAX_ID} characters.")
    return id, message


def _of(error: Exception) -> dict[str, Any]:
    problem = problem_of(error)
    return {"status": problem.status, "body": problem.body()}
