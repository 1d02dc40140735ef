"""Middleware that logs, counts and traces each request.

:class:`RequestLog` is the outermost middleware. Code anywhere below it notes facts about the current request; outside a request
the notes do nothing::

    note_env(spec.id)                          # a registered id, never text of a client
    note_verdict(spec.id, "graded")
    note_code("Conflict")

A short, plain ``X-Request-ID`` is adopted and returned in the response. Neither bodies, seeds, solutions nor observations are
noted, and of a path only the template of its route.
"""

from __future__ import annotations

import itertools
import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from envhub.server.telemetry.metrics import Metrics

if TYPE_CHECKING:
    from envhub.server.telemetry.tracing import Spans

UNMATCHED: Final = "unmatched"
"""The route of a path that matches none."""
MIXED: Final = "mixed"
"""The environment of a request about several environments."""
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CUT_OFF: Final = 499  # as in nginx: the client left before the answer

_log = logging.getLogger("envhub.access")


@dataclass(slots=True)
class RequestInfo:
    """Facts noted about a request.

    Attributes:
        request_id: Its id, from the client or generated.
        env_id: Its environment.
        key_id: Public part of its API key.
        code: Code of the error it was answered with.
        verdicts: Environment and status of each verdict.
    """

    request_id: str
    env_id: str = ""
    key_id: str = ""
    code: str = ""
    verdicts: list[tuple[str, str]] = field(default_factory=list)


_current: ContextVar[RequestInfo | None] = ContextVar("envhub_request", default=None)


def note_env(env_id: str) -> None:
    """Note the environment of the current request.

    Pass registered ids only: they label metrics.
    """
    info = _current.get()
    if info is not None and info.env_id != env_id:
        info.env_id = MIXED if info.env_id else env_id


def note_key(key_id: str) -> None:
    """Note the public part of the request's API key."""
    info = _current.get()
    if info is not None:
        info.key_id = key_id


def note_code(code: str) -> None:
    """Note the code of the error that the request is answered with."""
    info = _current.get()
    if info is not None:
        info.code = code


def note_verdict(env_id: str, status: str) -> None:
    """Note a new verdict, not one of a repeated answer.

    ``env_id`` is registered, or empty.
    """
    info = _current.get()
    if info is not None:
        info.verdicts.append((env_id, status))


class RequestLog:
    """The outermost middleware of the application.

    Args:
        app: The wrapped application.
        metrics: Where to count requests.
        spans: Where to trace requests; None disables tracing.
        clock: A monotonic clock, in seconds.
    """

    def __init__(
        self, app: ASGIApp, metrics: Metrics, spans: Spans | None = None, clock: Callable[[], float] = perf_counter
    ) -> None:
        self._app, self._metrics, self._spans, self._clock = app, metrics, spans, clock
        self._prefix = secrets.token_hex(5)  # unique per worker and start; a counter follows
        self._count = itertools.count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, then record it."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        info = RequestInfo(self._request_id(scope["headers"]))
        header = (b"x-request-id", info.request_id.encode())
        status = 0

        async def observe(message: Message) -> None:
            nonlocal status
            step = message["type"]
            if step in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), header]
            elif step == "websocket.accept":
                status = 101
                message["headers"] = [*message.get("headers", ()), header]
            elif step == "websocket.close" and not status:
                status = 403  # the status of a connection closed before it was accepted
            await send(message)

        if kind == "websocket":
            scope["envhub.request_log"] = self  # so that each message can be recorded
        token, begun = _current.set(info), self._clock()
        span = self._spans.begin(scope["headers"]) if self._spans is not None else None
        try:
            await self._app(scope, receive, observe)
        finally:
            _current.reset(token)
            method = scope.get("method", "WEBSOCKET")
            method = method if method in _METHODS else "WEBSOCKET" if kind == "websocket" else "OTHER"
            route, status = route_of(scope), status or _CUT_OFF
            if self._spans is not None:
                self._spans.end(span, method, route, status, info)
            seconds = self._clock() - begun
            self._record(method, route, status, seconds, info, f" HTTP/{scope.get('http_version', '1.1')}")

    def message(self, route: str) -> _Message:
        """Record one WebSocket message like a request.

        With the facts noted meanwhile. The request log of a WebSocket is ``scope["envhub.request_log"]``.

        Args:
            route: The operation of the message; from a fixed set, never text of a client.
        """
        return _Message(self, route)

    def begin(self) -> tuple[RequestInfo, Token[RequestInfo | None], float]:
        """Begin to log a message of the current connection."""
        info = RequestInfo("")  # its id is generated when it is logged
        outer = _current.get()
        info.key_id = outer.key_id if outer is not None else ""
        return info, _current.set(info), self._clock()

    def end(self, route: str, info: RequestInfo, begun: float) -> None:
        """Record a message."""
        self._record("MESSAGE", route, 200 if not info.code else 400, self._clock() - begun, info)

    def _record(
        self, method: str, route: str, status: int, seconds: float, info: RequestInfo, protocol: str = ""
    ) -> None:
        self._metrics.record_request(method, route, status, seconds, info.env_id, info.code, info.verdicts)
        if _log.isEnabledFor(logging.INFO):
            fields: dict[str, Any] = {
                "request_id": info.request_id or self._request_id(()),
                "method": method,
                "route": route,
                "status": status,
                "ms": round(seconds * 1e3, 3),
            }
            more = {"env": info.env_id, "key": info.key_id, "code": info.code}
            fields |= {name: value for name, value in more.items() if value}
            _log.info('"%s %s%s" %s', method, route, protocol, status, extra={"fields": fields})

    def _request_id(self, headers: Any) -> str:
        for name, value in headers:
            if name == b"x-request-id":
                if _REQUEST_ID.fullmatch(value) and b"envhub_" not in value:  # an API key starts like this
                    return str(value, "ascii")
                break
        return f"{self._prefix}-{next(self._count):x}"


class _Message:
    """Context manager of :meth:`RequestLog.message`; a class, because a generator is slower.

    Attributes:
        info: The facts noted about the message.
        later: Whether the message is answered after the block; :meth:`record` it then. Callbacks that the block adds to futures
            note their facts about this message.
    """

    __slots__ = ("_begun", "_request_log", "_route", "_token", "info", "later")
    info: RequestInfo
    _token: Token[RequestInfo | None]
    _begun: float

    def __init__(self, request_log: RequestLog, route: str) -> None:
        self._request_log, self._route, self.later = request_log, route, False

    def __enter__(self) -> _Message:
        self.info, self._token, self._begun = self._request_log.begin()
        return self

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)
        if not self.later:
            self.record()

    def record(self) -> None:
        """Record the message now."""
        self._request_log.end(self._route, self.info, self._begun)


def route_of(scope: Scope) -> str:
    """The template of the route of a request.

    Never its path, which is text of the client.
    """
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else UNMATCHED
