"""Errors on the wire: RFC 9457 ``application/problem+json``.

``code`` is the name of the error's class in :mod:`envhub.errors`, from which our client raises the same error again; ``detail``
says what was wrong, what was expected and the nearest valid thing.
"""

from __future__ import annotations

import logging
from typing import Any, Final

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from envhub import errors
from envhub.errors import EnvhubError, TooBusy, nearest

MEDIA_TYPE: Final = "application/problem+json"
STATUS: Final[dict[type[EnvhubError], int]] = {
    errors.UnknownEnvironment: 404,
    errors.UnknownEpisode: 404,
    errors.InvalidParameters: 422,
    errors.InvalidAction: 422,
    errors.SplitExhausted: 422,
    errors.SnapshotMismatch: 409,
    errors.Conflict: 409,
    errors.EpisodeOver: 409,
    errors.ForkRefused: 409,
    errors.TooBusy: 429,
    errors.MissingExtra: 501,
}
_log = logging.getLogger(__name__)


def problem(status: int, code: str, detail: str, headers: dict[str, str] | None = None) -> Response:
    """A response that says what was wrong."""
    body = {"type": f"/problems/{code}", "title": _title(code), "status": status, "code": code, "detail": detail}
    return Response(orjson.dumps(body), status_code=status, media_type=MEDIA_TYPE, headers=headers)


def describe(error: EnvhubError) -> dict[str, Any]:
    """An error inside a batch, where the rest of the answer stands beside it."""
    return {"code": type(error).__name__, "detail": str(error)}


def install(app: FastAPI) -> None:
    """Have every error of an application answered as a problem."""

    @app.exception_handler(EnvhubError)
    async def envhub_error(request: Request, error: EnvhubError) -> Response:
        status = next((STATUS[cls] for cls in type(error).__mro__ if cls in STATUS), 500)
        headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooBusy) else None
        return problem(status, type(error).__name__, str(error), headers)

    @app.exception_handler(RequestValidationError)
    async def invalid_request(request: Request, error: RequestValidationError) -> Response:
        lines = [
            f"{'.'.join(map(str, e['loc'][1:])) or 'body'}: {e['msg'].removeprefix('Value error, ')}"
            for e in error.errors()[:10]
        ]
        return problem(422, "InvalidRequest", "; ".join(lines) + ".")

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code != 404:
            return problem(error.status_code, "HTTPError", str(error.detail), dict(error.headers or {}))
        paths = list(app.openapi()["paths"])
        hint = nearest(request.url.path, paths)
        return problem(404, "UnknownPath", f"Nothing is at {request.url.path[:200]}.{hint} See /docs for all paths.")

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        _log.error("unhandled %s in %s", type(error).__name__, request.url.path)
        return problem(500, "InternalError", "The server failed; the reason is in its log.")


def _title(code: str) -> str:
    return "".join(f" {c.lower()}" if c.isupper() else c for c in code).strip().capitalize()
