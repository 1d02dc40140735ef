"""``/v1/ws``: many operations on one connection, each message answered on its own.

A message is a batch item with an id chosen by the client. Its answer has the same id; answers come in any order::

    {"id": 1, "op": "step", "episode_id": "e", "body": {"turn": 0, "action": "..."}}
    {"id": 1, "status": 200, "body": {...}}

An invalid message is answered with an error and the connection stays open. The number of messages in flight is limited, and no
more are read meanwhile: a client that sends too fast, or reads no answers, delays only itself.
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
from envhub.server.telemetry.request_log import RequestLog

IN_FLIGHT: Final = 256
"""Maximum number of messages of a connection in flight."""
_MAX_ID: Final = 128
_REVOKED: Final = 1008
_ROUTES: Final = {name: f"/v1/ws {name}" for name in OPERATIONS}
_INVALID: Final = "/v1/ws"
_EXACT: Final = (int, str)


class WebSocket:
    """The endpoint, an ASGI application.

    Args:
        operations: Performs the messages.
        in_flight: Maximum number of messages of a connection in flight.
    """

    def __init__(self, operations: Operations, in_flight: int = IN_FLIGHT) -> None:
        self._operations, self._in_flight = operations, in_flight

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection until its client leaves.

        Messages in flight are then finished and recorded.
        """
        await receive()  # websocket.connect; Access has admitted the client
        line: DirectWebSocket | None = scope.get("extensions", {}).pop(EXTENSION, None)
        await send({"type": "websocket.accept"})
        connection = _Connection(
            self._operations, caller_of(scope), scope["envhub.request_log"], send, line, self._in_flight
        )
        try:
            if line is not None:
                line.lend(connection)
                await receive()  # websocket.disconnect
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
    """One connection and its messages in flight.

    Attributes:
        ended: No more messages are answered.
        full: The maximum number of messages is in flight.
    """

    __slots__ = (
        "_caller",
        "_context",
        "_in_flight",
        "_line",
        "_loop",
        "_number",
        "_operations",
        "_request_log",
        "_send",
        "_under_way",
        "ended",
        "full",
    )

    def __init__(
        self,
        operations: Operations,
        caller: Caller,
        request_log: RequestLog,
        send: Send,
        line: DirectWebSocket | None,
        in_flight: int,
    ) -> None:
        self._operations, self._caller, self._request_log, self._send, self._line = (
            operations,
            caller,
            request_log,
            send,
            line,
        )
        self._in_flight, self._loop, self._context = in_flight, asyncio.get_running_loop(), copy_context()
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._number = 0
        self.ended = self.full = False

    def take(self, message: str | bytes) -> None:
        """Start answering a message."""
        if self.ended:
            return
        self._number += 1
        task = _begun(self._loop, self._answer(self._number, message), self._context.copy())
        if not task.done():
            self._under_way[self._number] = task
            self.full = len(self._under_way) >= self._in_flight

    async def room(self) -> None:
        """Wait until a message in flight is answered."""
        await asyncio.wait(self._under_way.values(), return_when=asyncio.FIRST_COMPLETED)

    async def end(self) -> None:
        """Refuse further messages and finish those in flight."""
        self.ended = True
        if self._under_way:
            await asyncio.gather(*self._under_way.values())

    async def _answer(self, number: int, data: str | bytes) -> None:
        """Answer a message and make room for another."""
        try:
            await self._answered(data)
        finally:  # a callback of the task would cost another iteration of the event loop
            self._under_way.pop(number, None)
            if self.full:
                self.full = False
                if self._line is not None:
                    self._line.go_on()

    async def _answered(self, data: str | bytes) -> None:
        """Perform a message and send its answer."""
        id, answer = await self._performed(data)
        try:
            text = dumps({"id": id, **answer})
            if self._line is not None:
                self._line.answer(text)
            else:
                await self._send({"type": "websocket.send", "text": text.decode()})
            if self.ended and answer["status"] == 401:
                await self._send({"type": "websocket.close", "code": _REVOKED, "reason": "Unauthorized"})
        except Exception:  # the client has left; the result is recorded and returned when the request is repeated
            self.ended = True

    async def _performed(self, data: str | bytes) -> tuple[Any, dict[str, Any]]:
        """The id of a message and its answer."""
        id: Any = None
        try:
            id, message = _read(data)
        except InvalidRequest as error:
            with self._request_log.message(_INVALID):
                return None, _of(error)
        name = message.get("op")
        with self._request_log.message(_ROUTES.get(name, _INVALID) if isinstance(name, str) else _INVALID):
            if self._caller.alive():
                return id, await one(self._operations, self._caller, message)
            self.ended = True
            return id, _of(Unauthorized("The API key of this connection can no longer be used."))


if sys.version_info >= (3, 12):

    def _begun(
        loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None], context: Context
    ) -> asyncio.Task[None]:
        """An eagerly started task.

        It is done at once if it never waits.
        """
        return asyncio.Task(work, loop=loop, context=context, eager_start=True)

else:

    def _begun(
        loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None], context: Context
    ) -> asyncio.Task[None]:
        """A task that starts in the next iteration of the event loop."""
        return loop.create_task(work, context=context)


def _read(data: str | bytes) -> tuple[Any, dict[str, Any]]:
    """The id of a message and its other fields."""
    message = loads_plain(data)
    # a step has only strings and short integers, which are read exactly; anything else needs the exact parser
    if type(message) is not dict or type(message.get("id")) not in _EXACT or plain_turn(message.get("body")) is None:
        message = loads(data)
    if type(message) is not dict:
        raise InvalidRequest("A message must be an object with id, op, episode_id and body.")
    id = message.pop("id", None)
    if not (type(id) is int and abs(id) < 2**63) and not (type(id) is str and len(id) <= _MAX_ID):
        raise InvalidRequest(f"id: must be an integer of 64 bits or a string of at most {_MAX_ID} characters.")
    return id, message


def _of(error: Exception) -> dict[str, Any]:
    problem = problem_of(error)
    return {"status": problem.status, "body": problem.body()}
