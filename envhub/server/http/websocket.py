"""``/v1/ws``: many operations on one connection, each message answered on its own.

A message is a batch item with an id chosen by the client. Its answer has the same id; answers come in any order::

    {"id": 1, "op": "step", "episode_id": "e", "body": {"turn": 0, "action": "..."}}
    {"id": 1, "status": 200, "body": {...}}

A text can also be an array of messages, which costs both sides less. Each is answered when it is done, so that a slow one
delays no other; answers that are ready together come as an array. An invalid message is answered with an error and the
connection stays open. The number of messages in flight is limited, and no more are read meanwhile: a client that sends
too fast, or reads no answers, delays only itself.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Sequence
from contextvars import Context, copy_context
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from envhub.client.websocket import ARRAYS
from envhub.core.errors import TooBusy
from envhub.server.auth.access import Caller, caller_of
from envhub.server.episodes.operations import OPERATIONS, Operations
from envhub.server.http.batch import answer_to, one, one_now
from envhub.server.http.frames import EXTENSION, DirectWebSocket
from envhub.server.http.json_text import dumps, loads
from envhub.server.http.problems import InvalidRequest, Unauthorized
from envhub.server.telemetry.request_log import RequestLog

IN_FLIGHT: Final = 256
"""Maximum number of messages of a connection in flight."""
_MAX_ID: Final = 128
_REVOKED: Final = 1008
_ROUTES: Final = {name: f"/v1/ws {name}" for name in OPERATIONS}
_INVALID: Final = "/v1/ws"
_STEP: Final = _ROUTES["step"]


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
        await send({"type": "websocket.accept", "headers": [(ARRAYS.encode(), b"1")]})
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
        "_answers",
        "_caller",
        "_context",
        "_emptied",
        "_in_flight",
        "_line",
        "_loop",
        "_number",
        "_operations",
        "_request_log",
        "_send",
        "_together",
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
        self._under_way: dict[int, asyncio.Task[None] | None] = {}
        self._emptied: asyncio.Future[None] | None = None
        self._answers: list[bytes] = []
        self._together = False  # the client sends arrays, and so can read them
        self._number = 0
        self.ended = self.full = False

    def take(self, text: str | bytes) -> None:
        """Start answering a message, or an array of messages."""
        if self.ended:
            return
        try:
            messages = _read(text)
        except InvalidRequest as error:
            messages = [error]
        else:
            self._together |= len(messages) > 1
        self._context.copy().run(self._begin, messages)

    async def room(self) -> None:
        """Wait until a message in flight is answered."""
        tasks = [task for task in self._under_way.values() if task is not None]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)

    async def end(self) -> None:
        """Refuse further messages and finish those in flight."""
        self.ended = True
        if self._under_way:
            self._emptied = self._loop.create_future()
            await self._emptied

    def _begin(self, messages: Sequence[Any]) -> None:
        for message in messages:
            self._number += 1
            self._under_way[self._number] = None
            self.full = len(self._under_way) >= self._in_flight
            if self._line is not None and _is_step(message) and self._caller.alive():
                self._quickly(self._number, message)
            else:
                self._slowly(self._number, message)

    def _quickly(self, number: int, message: dict[str, Any]) -> None:
        """Take a turn without a task, if that is possible."""
        try:
            self._caller.charge()
        except TooBusy:
            self._slowly(number, message)  # is refused there
            return

        def answered(answer: dict[str, Any] | None) -> None:
            if answer is None:
                self._slowly(number, message, charged=True)
            else:
                log.record()
                self._say(id, answer)
                self._finish(number)

        id = message.pop("id")
        with self._request_log.message(_STEP) as log:
            log.later = True
            done = one_now(self._operations, self._caller, message, answered)
        message["id"] = id
        if not done:
            self._slowly(number, message, charged=True)

    def _slowly(self, number: int, message: Any, charged: bool = False) -> None:
        """Answer a message in a task of its own."""
        task = _begun(self._loop, self._answer(number, message, charged), self._context.copy())
        if number in self._under_way:  # not done yet
            self._under_way[number] = task

    async def _answer(self, number: int, message: Any, charged: bool) -> None:
        """Answer a message and make room for another."""
        try:
            id, answer = await self._performed(message, charged)
            if self._line is not None:
                self._say(id, answer)
            else:
                await self._send({"type": "websocket.send", "text": dumps({"id": id, **answer}).decode()})
            if self.ended and answer["status"] == 401:
                await self._send({"type": "websocket.close", "code": _REVOKED, "reason": "Unauthorized"})
        except Exception:  # the client has left; the result is recorded and returned when the request is repeated
            self.ended = True
        finally:  # a callback of the task would cost another iteration of the event loop
            self._finish(number)

    async def _performed(self, message: Any, charged: bool) -> tuple[Any, dict[str, Any]]:
        """The id of a message and its answer."""
        if not isinstance(message, InvalidRequest):
            message = _checked(message)
        if isinstance(message, InvalidRequest):
            with self._request_log.message(_INVALID):
                return None, answer_to(message)
        id, name = message.pop("id"), message.get("op")
        with self._request_log.message(_ROUTES.get(name, _INVALID) if isinstance(name, str) else _INVALID):
            if not self._caller.alive():
                self.ended = True
                return id, answer_to(Unauthorized("The API key of this connection can no longer be used."))
            try:
                if not charged:
                    self._caller.charge()
            except TooBusy as error:
                return id, answer_to(error)
            return id, await one(self._operations, self._caller, message)

    def _say(self, id: Any, answer: dict[str, Any]) -> None:
        """Send an answer, together with others of this iteration of the loop."""
        assert self._line is not None
        text = dumps({"id": id, **answer})
        if not self._together:
            self._line.answer(text)
            return
        self._answers.append(text)
        if len(self._answers) == 1:
            self._loop.call_soon(self._say_all)

    def _say_all(self) -> None:
        assert self._line is not None
        texts, self._answers = self._answers, []
        self._line.answer(texts[0] if len(texts) == 1 else b"[%s]" % b",".join(texts))

    def _finish(self, number: int) -> None:
        """Make room for another message."""
        del self._under_way[number]
        if self.full:
            self.full = False
            if self._line is not None:
                self._line.go_on()
        if not self._under_way and self._emptied is not None:
            self._emptied.set_result(None)


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


def _read(text: str | bytes) -> list[Any]:
    """The messages of a text.

    Raises:
        InvalidRequest: It is not JSON, or an array of no or too many messages.
    """
    value = loads(text)
    if type(value) is not list:
        return [value]
    if not 0 < len(value) <= IN_FLIGHT:
        raise InvalidRequest(f"An array must have 1 to {IN_FLIGHT} messages, got {len(value)}.")
    return value


def _is_step(message: Any) -> bool:
    """Whether a message takes a turn and has a valid id."""
    return type(message) is dict and message.get("op") == "step" and _is_id(message.get("id"))


def _is_id(id: Any) -> bool:
    return (type(id) is int and abs(id) < 2**63) or (type(id) is str and len(id) <= _MAX_ID)


def _checked(message: Any) -> dict[str, Any] | InvalidRequest:
    """A message that has an id, or what is wrong with it."""
    if type(message) is not dict:
        return InvalidRequest("A message must be an object with id, op, episode_id and body.")
    if not _is_id(message.get("id")):
        return InvalidRequest(f"id: must be an integer of 64 bits or a string of at most {_MAX_ID} characters.")
    return message
