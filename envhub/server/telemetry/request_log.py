"""What is known of a request while it is answered, and what becomes of it: a line of the log, metrics, a span.

:class:`RequestLog` is the outermost layer. Whoever learns something on the way says so, wherever it is, and pays nothing where
nobody watches::

    note_env(spec.id)                          # a registered id, never text of a client
    note_verdict(spec.id, "graded")
    note_code("Conflict")

A request id is taken over from ``X-Request-ID`` where that is short and plain, and comes back in the answer. Nothing that is
noted is a body, a seed, a solution or an observation, and of a path only the template of its route.
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
"""The route of a path that has none."""
MIXED: Final = "mixed"
"""The environment of a request about several."""
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_SANE: Final = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CUT_OFF: Final = 499  # what nginx calls a request whose client left before the answer

_log = logging.getLogger("envhub.access")


@dataclass(slots=True)
class RequestInfo:
    """What is known of a request so far.

    Attributes:
        request_id: Its id, of the client or ours.
        env_id: The environment it is about.
        key_id: The public part of the key it came with.
        code: The error it was answered with.
        verdicts: Environment and status of every verdict that it gave.
    """

    request_id: str
    env_id: str = ""
    key_id: str = ""
    code: str = ""
    verdicts: list[tuple[str, str]] = field(default_factory=list)


_current: ContextVar[RequestInfo | None] = ContextVar("envhub_seen", default=None)


def note_env(env_id: str) -> None:
    """The request that is being answered is about this environment. Only ids that are registered: they label metrics."""
    seen = _current.get()
    if seen is not None and seen.env_id != env_id:
        seen.env_id = MIXED if seen.env_id else env_id


def note_key(key_id: str) -> None:
    """The request came with this key, by its public part."""
    seen = _current.get()
    if seen is not None:
        seen.key_id = key_id


def note_code(code: str) -> None:
    """The request is answered with this error."""
    seen = _current.get()
    if seen is not None:
        seen.code = code


def note_verdict(env_id: str, status: str) -> None:
    """A verdict was given; once for each, not when a record is answered again. ``env_id`` is registered, or empty."""
    seen = _current.get()
    if seen is not None:
        seen.verdicts.append((env_id, status))


class RequestLog:
    """The outermost layer of the application.

    Args:
        app: What comes after.
        metrics: What counts.
        spans: What traces; None for no traces.
        clock: Seconds that only grow.
    """

    def __init__(
        self, app: ASGIApp, metrics: Metrics, spans: Spans | None = None, clock: Callable[[], float] = perf_counter
    ) -> None:
        self._app, self._metrics, self._spans, self._clock = app, metrics, spans, clock
        self._prefix = secrets.token_hex(5)  # tells workers and restarts apart; the rest is counted
        self._count = itertools.count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the request answered, then tell of it."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        seen = RequestInfo(self._request_id(scope["headers"]))
        header = (b"x-request-id", seen.request_id.encode())
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            step = message["type"]
            if step in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), header]
            elif step == "websocket.accept":
                status = 101
                message["headers"] = [*message.get("headers", ()), header]
            elif step == "websocket.close" and not status:
                status = 403  # which is what a server makes of a connection that is closed before it is accepted
            await send(message)

        if kind == "websocket":
            scope["envhub.request_log"] = self  # whoever reads its messages has each of them watched
        token, begun = _current.set(seen), self._clock()
        span = self._spans.begin(scope["headers"]) if self._spans is not None else None
        try:
            await self._app(scope, receive, watched)
        finally:
            _current.reset(token)
            method = scope.get("method", "WEBSOCKET")
            method = method if method in _METHODS else "WEBSOCKET" if kind == "websocket" else "OTHER"
            route, status = route_of(scope), status or _CUT_OFF
            if self._spans is not None:
                self._spans.end(span, method, route, status, seen)
            seconds = self._clock() - begun
            self._tell(method, route, status, seconds, seen, f" HTTP/{scope.get('http_version', '1.1')}")

    def message(self, route: str) -> _Message:
        """Log one message of a WebSocket, as if it were a request; its errors are those that are noted meanwhile.

        The request log of a WebSocket is ``scope["envhub.request_log"]``.

        Args:
            route: What the message asks for; one of few, never text of a client.
        """
        return _Message(self, route)

    def begin(self) -> tuple[RequestInfo, Token[RequestInfo | None], float]:
        """Begin to log a message of the current connection."""
        seen = RequestInfo("")  # it has an id once there is a line of the log to be written
        outer = _current.get()
        seen.key_id = outer.key_id if outer is not None else ""
        return seen, _current.set(seen), self._clock()

    def end(self, route: str, seen: RequestInfo, token: Token[RequestInfo | None], begun: float) -> None:
        """Tell of a message."""
        _current.reset(token)
        self._tell("MESSAGE", route, 200 if not seen.code else 400, self._clock() - begun, seen)

    def _tell(
        self, method: str, route: str, status: int, seconds: float, seen: RequestInfo, protocol: str = ""
    ) -> None:
        self._metrics.answered(method, route, status, seconds, seen.env_id, seen.code, seen.verdicts)
        if _log.isEnabledFor(logging.INFO):
            fields: dict[str, Any] = {
                "request_id": seen.request_id or self._request_id(()),
                "method": method,
                "route": route,
                "status": status,
                "ms": round(seconds * 1e3, 3),
            }
            more = {"env": seen.env_id, "key": seen.key_id, "code": seen.code}
            fields |= {name: value for name, value in more.items() if value}
            _log.info('"%s %s%s" %s', method, route, protocol, status, extra={"fields": fields})

    def _request_id(self, headers: Any) -> str:
        for name, value in headers:
            if name == b"x-request-id":
                if _SANE.fullmatch(value) and b"envhub_" not in value:  # which is how a key begins
                    return str(value, "ascii")
                break
        return f"{self._prefix}-{next(self._count):x}"


class _Message:
    """What :meth:`RequestLog.message` gives; a class, for a generator costs more than all it has to do."""

    __slots__ = ("_begun", "_request_log", "_route", "_seen", "_token")
    _seen: RequestInfo
    _token: Token[RequestInfo | None]
    _begun: float

    def __init__(self, request_log: RequestLog, route: str) -> None:
        self._request_log, self._route = request_log, route

    def __enter__(self) -> RequestInfo:
        self._seen, self._token, self._begun = self._request_log.begin()
        return self._seen

    def __exit__(self, *_: object) -> None:
        self._request_log.end(self._route, self._seen, self._token, self._begun)


def route_of(scope: Scope) -> str:
    """The template of the route that a request went to; never the path itself, which is text of the client."""
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else UNMATCHED
