"""Errors on the wire: RFC 9457 ``application/problem+json``.

``code`` is the class name of the error in :mod:`envhub.core.errors`, which our client raises again. ``detail`` says what is
wrong and what was expected, and suggests the closest valid value.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from envhub.core import errors
from envhub.core.errors import EnvhubError, nearest
from envhub.core.types import encodable
from envhub.server.telemetry.request_log import note_code

MEDIA_TYPE: Final = "application/problem+json"
STATUS: Final[dict[type[EnvhubError], int]] = {
    errors.UnknownEnvironment: 404,
    errors.UnknownEpisode: 404,
    errors.InvalidParameters: 422,
    errors.InvalidAction: 422,
    errors.SplitExhausted: 422,
    errors.SamplingFailed: 422,
    errors.SnapshotMismatch: 409,
    errors.Conflict: 409,
    errors.EpisodeOver: 409,
    errors.ForkRefused: 409,
    errors.TooBusy: 429,
    errors.JournalUnavailable: 503,
    errors.MissingExtra: 501,
}
_BUG: Final = "Internal server error; see the log of the server."
_MAX_DETAIL: Final = 2000
_log = logging.getLogger(__name__)


class InvalidRequest(EnvhubError, ValueError):
    """The request is not JSON, or a field is invalid.

    A field is unknown, missing or of the wrong type.
    """


class Forbidden(EnvhubError, PermissionError):
    """The API key lacks the required scope."""


class Unauthorized(EnvhubError, PermissionError):
    """The API key can no longer be used."""


class NotJudged(errors.JudgementError):
    """A response could not be judged.

    For protocols that cannot report this in their answers.
    """

    retry_after = 1


_OURS: Final[dict[type[EnvhubError], int]] = {
    InvalidRequest: 422,
    Forbidden: 403,
    Unauthorized: 401,
    NotJudged: 503,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """An error before it is serialized."""

    status: int
    code: str
    detail: str
    retry_after: int | None = None

    def body(self) -> dict[str, Any]:
        """The problem document of RFC 9457."""
        return {
            "type": f"/problems/{self.code}",
            "title": _title(self.code),
            "status": self.status,
            "code": self.code,
            "detail": _cut(self.detail),
        }

    def response(self) -> Response:
        """The HTTP response."""
        headers = None if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return problem(self.status, self.code, self.detail, headers)


def problem_of(error: Exception) -> Problem:
    """The problem that reports an error.

    A bug is logged and its message withheld; the request log notes every code.
    """
    if not isinstance(error, EnvhubError):
        _log_bug(error, "one of many")
        found = Problem(500, "InternalError", _BUG)
    else:
        statuses = {**STATUS, **_OURS}
        status = next((statuses[cls] for cls in type(error).__mro__ if cls in statuses), 500)
        found = Problem(status, type(error).__name__, str(error), getattr(error, "retry_after", None))
    note_code(found.code)
    return found


def invalid(errors: Sequence[dict[str, Any]]) -> InvalidRequest:
    """Validation errors of pydantic about a request, as sentences.

    Args:
        errors: The list that pydantic gives.
    """
    return InvalidRequest(" ".join(map(_explained, errors[:10])))


def problem(status: int, code: str, detail: str, headers: dict[str, str] | None = None) -> Response:
    """A response with a problem document."""
    note_code(code)
    body = Problem(status, code, detail).body()
    return Response(orjson.dumps(body), status_code=status, media_type=MEDIA_TYPE, headers=headers)


def describe(error: Exception) -> dict[str, Any]:
    """The error of one item in an answer to many."""
    if isinstance(error, EnvhubError):
        return {"code": type(error).__name__, "detail": _cut(str(error))}
    _log_bug(error, "a batch")
    return {"code": "InternalError", "detail": _BUG}


def wrong_type(sent: str) -> str:
    """The error for a body not declared as JSON.

    ``curl -d`` declares a form by default.
    """
    got = f"'{sent[:60]}'" if sent else "none"
    return f"The body must be JSON with the header 'content-type: application/json' (curl: -H '...'); got {got}."


def install(app: FastAPI) -> None:
    """Make an application answer every error with a problem document."""
    app.add_middleware(Guard)

    @app.exception_handler(EnvhubError)
    async def envhub_error(request: Request, error: EnvhubError) -> Response:
        return problem_of(error).response()

    @app.exception_handler(RequestValidationError)
    async def invalid_request(request: Request, error: RequestValidationError) -> Response:
        if "json" not in request.headers.get("content-type", ""):
            return problem(422, "InvalidRequest", wrong_type(request.headers.get("content-type", "")))
        return problem_of(invalid([{**one, "loc": one["loc"][1:]} for one in error.errors()])).response()

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            allowed = _methods(app, request.url.path) or (error.headers or {}).get("Allow", "")
            detail = f"{request.method[:20]} is not allowed for {request.url.path[:200]}. Allowed: {allowed}."
            return problem(405, "MethodNotAllowed", detail, {"Allow": allowed})
        if error.status_code != 404:
            return problem(error.status_code, "HTTPError", str(error.detail), dict(error.headers or {}))
        hint = nearest(request.url.path, list(app.openapi()["paths"]))
        return problem(404, "UnknownPath", f"Unknown path {request.url.path[:200]}.{hint} See /docs for all paths.")


def _methods(app: FastAPI, path: str) -> str:
    """The methods allowed at a path.

    Starlette names those of one route, but several can match.
    """
    paths = app.openapi()["paths"].items()
    at = [(template.count("{"), methods) for template, methods in paths if compile_path(template)[0].match(path)]
    plainest = min((holes for holes, _ in at), default=0)  # a literal path takes precedence over a template
    return ", ".join(sorted({method.upper() for holes, methods in at if holes == plainest for method in methods}))


class Guard:
    """Answers bugs with 500.

    Logs their class and location, but not the message, which may contain a solution.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or report only that it failed."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            _log_bug(error, scope.get("path", ""))
            if scope["type"] == "http" and not started:
                await problem(500, "InternalError", _BUG)(scope, receive, send)


def _explained(error: dict[str, Any]) -> str:
    """One of pydantic's errors as a sentence."""
    if error["type"] == "json_invalid":
        return f"body: not JSON: {error.get('ctx', {}).get('error', 'it cannot be read')}."
    where = ".".join(map(str, error["loc"])) or "body"
    said = error["msg"].removeprefix("Value error, ").rstrip()
    return f"{where}: {said}" if said.endswith((".", "?")) else f"{where}: {said}."


def _cut(detail: str) -> str:
    return encodable(detail if len(detail) <= _MAX_DETAIL else f"{detail[:_MAX_DETAIL]} [cut]")


def _log_bug(error: Exception, where: str) -> None:
    at = traceback.extract_tb(error.__traceback__)[-1]
    _log.error("unhandled %s in %s at %s:%s", type(error).__name__, where[:200], at.filename, at.lineno)


def _title(code: str) -> str:
    return "".join(f" {c.lower()}" if c.isupper() else c for c in code).strip().capitalize()
