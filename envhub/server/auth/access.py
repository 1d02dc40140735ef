"""Middleware that authenticates requests by API key, and enforces scopes and rates.

Every path except :data:`PUBLIC_PATHS` and the files of the web pages needs a key. Paths without a declared scope need
``admin``, so a forgotten route is closed, not open. A server without keys allows everything, except requests from web pages of
other sites: its owner did not send those. Routes get the caller by::

    caller = caller_of(scope)
    caller.has("solutions")
    caller.charge()                      # count another request, for connections that carry many, such as a WebSocket

A key is read only from the header ``Authorization``: as ``Bearer``, or as the password of ``Basic`` for trainers that can only
be given an address (``http://key:envhub_...@host``). Keys in the URL of a request would end up in logs and histories, so they
are rejected.
"""

from __future__ import annotations

import math
import re
import time
from base64 import b64decode
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from envhub.core.errors import TooBusy
from envhub.core.loopback import is_loopback
from envhub.sandbox.tenant import TENANT
from envhub.server.auth.keys import SCOPES, TOKEN, Key, Keyring, KeysUnavailable
from envhub.server.http.problems import problem
from envhub.server.telemetry.request_log import note_key

PUBLIC_PATHS: Final = frozenset({"/", "/health", "/ready", "/docs", "/openapi.json"})
"""Paths that need no key."""
PUBLIC_FOLDER: Final = "/web/"
"""Files and data of the web pages, which need no key, except :data:`PLAYED_PAGES` and :data:`OPERATED_PAGE`."""
PLAYED_PAGES: Final = "/web/episodes/"
OPERATED_PAGE: Final = "/web/server"
PLAY_OR_VERIFY: Final = "play or verify"
"""The scope of paths that carry both kinds of items; each item is checked by itself."""
RESOURCE_SCOPES: Final[Mapping[str, str]] = {
    "batch": PLAY_OR_VERIFY,
    "environments": "play",
    "episodes": "play",
    "tasks": "play",
    "verify": "verify",
    "ws": PLAY_OR_VERIFY,
}
"""The scope needed for each resource under /v1."""
PROTOCOL_SCOPES: Final[Mapping[str, str]] = {"openenv": "play", "nemo": "play", "rewards": "verify"}
"""The scope needed for each foreign protocol, by the first segment of the path."""
NEMO_VERIFY_PATHS: Final = ("/verify", "/aggregate_metrics", "/reverify_mode")
"""Endings of NeMo Gym's paths that judge instead of play."""
_PLAY_AND_VERIFY: Final = frozenset({"play", "verify"})
_IMPLIED: Final = frozenset({"play", "verify", "admin"})  # by admin; reading answer keys needs the scope solutions
_MAX_HEADER: Final = 256
_SECRET_NAMES: Final = re.compile(
    rb"(?:^|[&;])(?:api[_-]?key|key|token|access[_-]?token|auth|authorization|bearer|password|secret)=", re.IGNORECASE
)
_CHALLENGE: Final = 'Bearer realm="envhub"'
_NO_KEY: Final = "This server needs an API key, in the header Authorization: Bearer envhub_...; see envhub keys create."


@dataclass(slots=True)
class _Bucket:
    """Token bucket of a key's rate, with a capacity of one second."""

    rate: float
    left: float
    at: float

    def take(self, now: float) -> float:
        """Take a token. Returns 0, or the seconds until one is available."""
        self.left = min(max(1.0, self.rate), self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1.0:
            return (1.0 - self.left) / self.rate
        self.left -= 1.0
        return 0.0


class Caller:
    """The caller of a request.

    Args:
        key: Its API key; None without one.
        scopes: Its scopes.
        charge: Counts a request against the rate of a key.
        alive: Whether a key is still valid.
    """

    __slots__ = ("_alive", "_charge", "key", "scopes")

    def __init__(
        self,
        key: Key | None,
        scopes: frozenset[str],
        charge: Callable[[Key], None] | None = None,
        alive: Callable[[Key | None], bool] = lambda key: True,
    ) -> None:
        self.key, self.scopes, self._charge, self._alive = key, scopes, charge, alive

    def has(self, scope: str) -> bool:
        """Whether the caller has a scope."""
        return scope in self.scopes

    def alive(self) -> bool:
        """Whether the caller is still allowed in.

        For connections that outlive their request.
        """
        return self._alive(self.key)

    def charge(self) -> None:
        """Count one more request against the key's rate.

        Raises:
            TooBusy: The rate is exceeded.
        """
        if self.key is not None and self._charge is not None:
            self._charge(self.key)


_NOBODY: Final = Caller(None, frozenset())  # without a key where one is needed


def caller_of(scope: Scope) -> Caller:
    """The caller of a request.

    One without scopes if the middleware did not see the request.
    """
    caller: Caller = scope.get("envhub.caller", _NOBODY)
    return caller


def scope_needed(path: str) -> str | None:
    """The scope that a path needs; None for a public path."""
    if path.startswith("/v1/"):
        end = path.find("/", 4)
        return RESOURCE_SCOPES.get(path[4:] if end < 0 else path[4:end], "admin")
    if path in PUBLIC_PATHS:
        return None
    if path.startswith(PUBLIC_FOLDER):
        return "play" if path.startswith(PLAYED_PAGES) else "admin" if path == OPERATED_PAGE else None
    first, _, rest = path[1:].partition("/")
    protocol = PROTOCOL_SCOPES.get(first, "admin") if rest else "admin"
    return "verify" if protocol == "play" and first == "nemo" and rest.endswith(NEMO_VERIFY_PATHS) else protocol


class _Refused(Exception):
    """The request is rejected."""

    def __init__(self, status: int, code: str, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.headers = status, code, detail, headers


class AccessControl:
    """The middleware.

    Args:
        app: The wrapped application.
        keyring: The keys.
        origins: Origins of web pages that may call a server without keys, besides loopback ones.
        solutions: Whether everybody may read solutions on a server without keys.
        ticks: A monotonic clock, in seconds.
    """

    def __init__(
        self,
        app: ASGIApp,
        keyring: Keyring,
        origins: Collection[str] = (),
        solutions: bool = False,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app, self._keyring, self._origins, self._ticks = app, keyring, frozenset(origins), ticks
        granted = _IMPLIED | {"solutions"} if solutions else _IMPLIED  # on a server without keys
        self._everybody = Caller(None, granted, alive=self._alive)
        self._buckets: dict[str, _Bucket] = {}  # by key id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or reject it."""
        if scope["type"] in ("http", "websocket"):
            try:
                caller = scope["envhub.caller"] = self._admitted(scope)
                TENANT.set("" if caller.key is None else caller.key.id)
            except _Refused as refused:
                await _refuse(refused, scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _admitted(self, scope: Scope) -> Caller:
        if scope.get("query_string"):
            _check_query(scope["query_string"])
        presented: bytes | None = None
        origin: bytes | None = None
        for name, value in scope["headers"]:
            if name == b"authorization":
                if presented is not None:
                    raise _Refused(400, "InvalidRequest", "The request has two Authorization headers; send one.")
                presented = value
            elif name == b"origin":
                origin = value
        path: str = scope["path"]
        root = scope.get("root_path", "")
        needed = scope_needed(path.removeprefix(root) if root else path)
        if not self._keyring.required:
            self._check_origin(origin)
            return self._everybody
        if presented is None:
            if needed is None:
                return _NOBODY
            raise _Refused(401, "Unauthorized", _NO_KEY, {"WWW-Authenticate": _CHALLENGE})
        caller = self._known(presented)
        if needed is not None:
            if needed not in caller.scopes:
                raise _forbidden(needed, caller)
            try:
                caller.charge()
            except TooBusy as busy:
                raise _Refused(429, "TooBusy", str(busy), {"Retry-After": str(busy.retry_after)}) from None
        return caller

    def _known(self, header: bytes) -> Caller:
        """The caller identified by a header."""
        presented = _presented(header)
        if presented is None:
            raise _unauthorized("The header must be Authorization: Bearer envhub_... with one key.")
        try:
            key = self._keyring.find(presented)
        except KeysUnavailable:  # its message, which is logged, contains a path of this machine
            detail = "The server cannot read its key file, so it rejects every request; its log says why."
            raise _Refused(503, "KeysUnavailable", detail, {"Retry-After": "5"}) from None
        if key is None:
            raise _unauthorized("No such API key.")
        note_key(key.id)
        state = self._keyring.state(key)
        if state != "active":
            raise _unauthorized(f"The API key {key.name!r} ({key.id}) has {'been ' * (state == 'revoked')}{state}.")
        scopes = key.scopes | _IMPLIED if "admin" in key.scopes else key.scopes
        return Caller(
            key, scopes if scopes.isdisjoint(_PLAY_AND_VERIFY) else scopes | {PLAY_OR_VERIFY}, self._charge, self._alive
        )

    def _alive(self, key: Key | None) -> bool:
        return not self._keyring.required if key is None else self._keyring.holds(key)

    def _charge(self, key: Key) -> None:
        if key.rate is None:
            return
        now = self._ticks()
        bucket = self._buckets.get(key.id)
        if bucket is None:
            bucket = self._buckets[key.id] = _Bucket(key.rate, max(1.0, key.rate), now)
        wait = bucket.take(now)
        if wait:
            detail = f"The key {key.name!r} may send {key.rate:g} requests a second to each worker; try again later."
            raise TooBusy(detail, retry_after=max(1, math.ceil(wait)))

    def _check_origin(self, origin: bytes | None) -> None:
        """Reject web pages of other machines, as a browser reports them.

        Programs send no origin.
        """
        if origin is None:
            return
        text = str(origin, "latin-1")
        if text in self._origins or "*" in self._origins or _local(text):
            return
        detail = "Web pages of other machines may not use a server without keys; see the setting cors_origins."
        raise _Refused(403, "Forbidden", detail)


def _presented(header: bytes) -> bytes | None:
    """The key in a header; None if the header is malformed."""
    scheme, _, rest = header.partition(b" ")
    rest = rest.strip(b" ")
    if len(header) > _MAX_HEADER:
        return None
    if scheme.lower() == b"bearer":
        return rest
    if scheme.lower() != b"basic":
        return None
    try:
        return b64decode(rest, validate=True).partition(b":")[2]
    except ValueError:
        return None


def _local(origin: str) -> bool:
    try:
        host = urlsplit(origin).hostname
    except ValueError:
        return False
    return host is not None and is_loopback(host)


def _check_query(query: bytes) -> None:
    if _SECRET_NAMES.search(query) or TOKEN.search(query):
        detail = (
            "Do not put a key into a URL: URLs end up in logs and histories. Send it in the header Authorization: Bearer, "
            "and revoke the key that was sent."
        )
        raise _Refused(400, "InvalidRequest", detail)


def _unauthorized(detail: str) -> _Refused:
    return _Refused(401, "Unauthorized", detail, {"WWW-Authenticate": f'{_CHALLENGE}, error="invalid_token"'})


def _forbidden(needed: str, caller: Caller) -> _Refused:
    has = ", ".join(scope for scope in SCOPES if scope in caller.scopes)
    detail = f"This path needs a key with the scope {needed}, or does not exist; your key has {has}."
    challenge = f'{_CHALLENGE}, error="insufficient_scope", scope="{needed}"'
    return _Refused(403, "Forbidden", detail, {"WWW-Authenticate": challenge})


async def _refuse(refused: _Refused, scope: Scope, receive: Receive, send: Send) -> None:
    response = problem(refused.status, refused.code, refused.detail, refused.headers)
    if scope["type"] == "websocket":
        await receive()  # websocket.connect
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": 1008, "reason": refused.code})
            return
    await response(scope, receive, send)
