"""Limits of bodies, batch answers and parameters.

Parameters may name only what clients are allowed to use. A batch answer is cut while it is built, not after all of it
has been computed::

    room = ByteBudget(max_answer_bytes)
    if not room.takes(dumps(task)):
        ...                       # the client requests the rest again
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from envhub.core.errors import InvalidParameters
from envhub.registry.registry import load, spec
from envhub.server.http.problems import problem
from envhub.settings import ServerSettings


def check_files(env_id: str, allowed: bool) -> None:
    """Check that clients may use an environment.

    Its parameters may name files of this machine.

    Raises:
        InvalidParameters: The server does not allow it.
        UnknownEnvironment: There is no environment with this id.
        MissingExtra: It needs an extra that is not installed.
    """
    if not allowed and load(spec(env_id)).files:
        raise InvalidParameters(
            f"{env_id} reads files of the server's machine, which clients of this server may not name. Start it with "
            "ENVHUB_FILES=true, or send the gold answers to /v1/verify."
        )


def check_models(params: Mapping[str, Any], allowed: str) -> None:
    """Check that clients may name a model as opponent or user.

    Args:
        params: Parameters of the environment.
        allowed: Allowed addresses, separated by commas; each also allows what follows it after ``/`` or ``#``.

    Raises:
        InvalidParameters: The address is not allowed.
    """
    named = [address.strip().rstrip("/") for address in allowed.split(",")]
    for name in ("opponent", "user"):
        wanted = params.get(name)
        if not isinstance(wanted, str) or "://" not in wanted:
            continue
        if not any(
            address and (wanted == address or wanted.startswith((f"{address}/", f"{address}#"))) for address in named
        ):
            raise InvalidParameters(
                f"Clients of this server may not name that model as {'an opponent' if name == 'opponent' else 'a user'}. "
                "Start it with ENVHUB_OPPONENTS=http://host/v1."
            )


def check_limits(limits: Mapping[str, float], settings: ServerSettings) -> None:
    """Check the limits of a program against the maximum of the server.

    Raises:
        InvalidParameters: A limit is larger.
    """
    ceilings = {
        "wall_s": ("max_wall_s", settings.max_wall_s),
        "cpu_s": ("max_wall_s", settings.max_wall_s),
        "memory_mb": ("max_memory_mb", settings.max_memory_mb),
    }
    for name, (setting, most) in ceilings.items():
        if limits.get(name, 0) > most:
            raise InvalidParameters(
                f"limits.{name} must be at most {most:g} on this server, got {limits[name]:g}. The operator can raise "
                f"ENVHUB_{setting.upper()}."
            )


@dataclass(frozen=True, slots=True)
class Permissions:
    """What clients may name in parameters.

    Attributes:
        files: Whether they may name files of this machine.
        opponents: Addresses of the models that they may name as opponents or users, separated by commas.
    """

    files: bool = False
    opponents: str = ""

    def check(self, env_id: str, params: Mapping[str, Any]) -> None:
        """Check the parameters; raises as :func:`check_files` and :func:`check_models`."""
        check_files(env_id, self.files)
        check_models(params, self.opponents)


class ByteBudget:
    """Byte budget left for a batch answer.

    The first part always fits, so repeated requests make progress.

    Args:
        max_bytes: Maximum length of the answer.
    """

    __slots__ = ("_empty", "_left", "max_bytes")

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = self._left = max_bytes
        self._empty = True

    @property
    def full(self) -> bool:
        """Whether nothing more fits."""
        return self._left <= 0 and not self._empty

    def takes(self, part: bytes) -> bool:
        """Whether a part fits; if so, deduct it."""
        if len(part) > self._left and not self._empty:
            self._left = 0
            return False
        self._left -= len(part) + 1  # and a comma
        self._empty = False
        return True


class BodyLimit:
    """Answers 413 to a request whose body is too long.

    Declared or not.

    Args:
        app: The next ASGI application.
        max_bytes: Maximum length of a body.
    """

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body up to the limit, then pass it on whole."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        chunks: list[bytes] = []
        total, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            chunk = message.get("body", b"")
            total += len(chunk)
            if total > self._max_bytes or _announced(scope) > self._max_bytes:
                detail = f"The request body must have at most {self._max_bytes} bytes. Split the batch."
                await problem(413, "BodyTooLong", detail)(scope, receive, send)
                return
            chunks.append(chunk)
            more = message.get("more_body", False)
        whole: Message = {"type": "http.request", "body": b"".join(chunks), "more_body": False}
        sent = False

        async def replay() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return whole

        await self._app(scope, replay, send)


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
