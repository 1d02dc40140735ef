"""Answers the most frequent requests before routing: create, step, batch and verify.

FastAPI documents these four routes (OpenAPI, ``/docs``); this middleware answers them without the cost of its routing. ::

    app.add_middleware(FastRoutes, operations=operations, settings=settings)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from envhub.core.errors import EnvhubError
from envhub.server.auth.access import Caller, caller_of
from envhub.server.episodes.operations import OPERATIONS, Operation, Operations
from envhub.server.http.batch import answered
from envhub.server.http.json_text import check_keys, dumps, loads
from envhub.server.http.problems import InvalidRequest, problem_of, wrong_type
from envhub.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class _Batch:
    """The route of batches, which is not an operation itself."""

    path: str = "/v1/batch"


_STEP: Final = OPERATIONS["step"]
_STEP_START, _STEP_END = _STEP.path.split("{episode_id}")
_ROUTES: Final[Mapping[str, Operation | _Batch]] = {
    route.path: route for route in (OPERATIONS["create"], OPERATIONS["verify"], _Batch())
}
_JSON: Final = (b"content-type", b"application/json")


class FastRoutes:
    """The innermost middleware; everything it does not answer goes to FastAPI.

    Args:
        app: The next ASGI application.
        operations: Performs the requests.
        settings: Settings of the server.
    """

    def __init__(self, app: ASGIApp, operations: Operations, settings: ServerSettings) -> None:
        self._app, self._operations, self._settings = app, operations, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request or pass it on."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        if scope["method"] != "POST":
            await self._pass_on(scope, receive, send)
            return
        path: str = scope["path"]
        if root := scope.get("root_path", ""):
            path = path.removeprefix(root)
        route: Operation | _Batch | None
        episode_id = ""
        if path.startswith(_STEP_START) and path.endswith(_STEP_END):
            episode_id = path[len(_STEP_START) : -len(_STEP_END)]
            route = _STEP if episode_id and "/" not in episode_id else None
        else:
            route = _ROUTES.get(path)
        if route is None:
            await self._pass_on(scope, receive, send)
            return
        scope["route"] = route
        message = await receive()  # the whole body: BodyLimit has collected it
        if message["type"] != "http.request":
            return
        try:
            status, answer = await self._perform(caller_of(scope), route, episode_id, scope, message["body"])
        except EnvhubError as error:
            await problem_of(error).response()(scope, receive, send)
            return
        data = dumps(answer)
        headers = [_JSON, (b"content-length", b"%d" % len(data))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": data})

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to FastAPI, unless its body repeats a key.

        FastAPI ignores repeated keys.
        """
        message = await receive()  # the whole body, as above
        body = message.get("body", b"")
        try:
            if b":" in body:
                check_keys(body)
        except EnvhubError as error:
            await problem_of(error).response()(scope, receive, send)
            return
        waiting = [message]

        async def again() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, again, send)

    async def _perform(
        self, caller: Caller, route: Operation | _Batch, episode_id: str, scope: Scope, data: bytes
    ) -> tuple[int, Any]:
        _check_type(scope)
        body = loads(data)
        if route is _STEP:
            return 200, await self._operations.step(caller, episode_id, body)
        if isinstance(route, Operation):
            return route.status, await route.run(self._operations, caller, None, body)
        return 200, await answered(self._operations, caller, body, self._settings)


def _check_type(scope: Scope) -> None:
    sent = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    if b"json" not in sent:
        raise InvalidRequest(wrong_type(sent.decode("latin-1")))
