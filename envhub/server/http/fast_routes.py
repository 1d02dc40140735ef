"""The routes that are asked most, answered before any route is looked up: create, step, batch, verify.

FastAPI takes several times as long to find and call a route as a turn takes. It describes these four (OpenAPI, ``/docs``), and
this layer answers them: one parse, one check, one write. ::

    app.add_middleware(Hot, operations=operations, settings=settings)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from envhub.core.errors import EnvhubError
from envhub.server.auth.access import Caller, caller_of
from envhub.server.episodes.operations import Operations, plain_turn, turn_of, validated
from envhub.server.http.batch import answered
from envhub.server.http.json_text import check_keys, dumps, loads, loads_plain
from envhub.server.http.problems import InvalidRequest, told, wrong_type
from envhub.server.http.requests import CreateEpisode, Verify
from envhub.settings import ServerSettings

_BEGIN: Final = "/v1/episodes/"
_END: Final = "/step"
_ROUTES: Final[Mapping[str, Any]] = {
    "create": SimpleNamespace(path="/v1/episodes"),
    "step": SimpleNamespace(path="/v1/episodes/{episode_id}/step"),
    "batch": SimpleNamespace(path="/v1/batch"),
    "verify": SimpleNamespace(path="/v1/verify"),
}
"""As the request log names them."""
_JSON: Final = (b"content-type", b"application/json")


class Hot:
    """The layer; the innermost, with nothing but FastAPI after it.

    Args:
        app: What comes after.
        operations: What can be asked for.
        settings: Of the server.
    """

    def __init__(self, app: ASGIApp, operations: Operations, settings: ServerSettings) -> None:
        self._app, self._operations, self._settings = app, operations, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or leave it to others."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        if scope["method"] != "POST":
            await self._others(scope, receive, send)
            return
        path: str = scope["path"]
        if root := scope.get("root_path", ""):
            path = path.removeprefix(root)
        name, episode_id = "", ""
        if path.startswith(_BEGIN) and path.endswith(_END):
            episode_id = path[len(_BEGIN) : -len(_END)]
            name = "step" if episode_id and "/" not in episode_id else ""
        elif path == "/v1/episodes":
            name = "create"
        elif path == "/v1/batch":
            name = "batch"
        elif path == "/v1/verify":
            name = "verify"
        if not name:
            await self._others(scope, receive, send)
            return
        scope["route"] = _ROUTES[name]
        message = await receive()  # whole: the limit of bodies has gathered it
        if message["type"] != "http.request":
            return
        try:
            status, answer = await self._perform(caller_of(scope), name, episode_id, scope, message["body"])
        except EnvhubError as error:
            await told(error).response()(scope, receive, send)
            return
        data = dumps(answer)
        headers = [_JSON, (b"content-length", b"%d" % len(data))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": data})

    async def _others(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Leave a request to FastAPI, unless its body holds a key twice, which FastAPI would not notice."""
        message = await receive()  # whole, as above
        body = message.get("body", b"")
        try:
            if b":" in body:
                check_keys(body)
        except EnvhubError as error:
            await told(error).response()(scope, receive, send)
            return
        waiting = [message]

        async def again() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, again, send)

    async def _perform(self, caller: Caller, name: str, episode_id: str, scope: Scope, data: bytes) -> tuple[int, Any]:
        _check_type(scope)
        if name == "step":
            turn, action = plain_turn(loads_plain(data)) or turn_of(loads(data))
            return 200, await self._operations.episodes(caller).step(episode_id, turn, action)
        body = loads(data)
        if name == "create":
            return 201, await self._operations.create(caller, validated(CreateEpisode, body))
        if name == "verify":
            return 200, await self._operations.verify(validated(Verify, body))
        return 200, await answered(self._operations, caller, body, self._settings)


def _check_type(scope: Scope) -> None:
    sent = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    if b"json" not in sent:
        raise InvalidRequest(wrong_type(sent.decode("latin-1")))
