"""Running the server in this process: settings from everywhere, one socket, a line when it is ready, a quiet end."""

from __future__ import annotations

import os
import signal
import socket
import threading
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import typer
import uvicorn
from pydantic import ValidationError

from envhub.errors import EnvhubError, InvalidParameters, nearest
from envhub.server.app import create_app
from envhub.settings import ServerSettings

_BACKLOG: Final = 2048
_GRACE_S: Final = 10


def read_settings(flags: Mapping[str, Any]) -> ServerSettings:
    """The settings of the server: flags, ``ENVHUB_*``, ``envhub.toml``, defaults.

    Raises:
        InvalidParameters: One is not what it should be; the message says where it came from.
    """
    try:
        return ServerSettings(**flags)
    except ValidationError as error:
        problems = [_explain(dict(problem), flags) for problem in error.errors(include_url=False)]
        raise InvalidParameters(" ".join(problems)) from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidParameters(f"envhub.toml is not TOML: {error}.") from None


def _explain(problem: Mapping[str, Any], flags: Mapping[str, Any]) -> str:
    said = str(problem["msg"]).removeprefix("Value error, ")
    if not problem["loc"]:
        return f"{said}."
    name = str(problem["loc"][0])
    if problem["type"] == "extra_forbidden":
        known = ", ".join(ServerSettings.model_fields)
        return f"envhub.toml: no setting {name!r}; there are {known}.{nearest(name, ServerSettings.model_fields)}"
    variable = f"ENVHUB_{name.upper()}"
    where = variable if variable in map(str.upper, os.environ) else f"{name} in envhub.toml"
    if name in flags:
        where = f"--{name.replace('_', '-')}"
    return f"{where}: {said}, got {problem['input']!r}."


def run(
    settings: ServerSettings, *, access_log: bool = False, ready_file: Path | None = None, stop_on_eof: bool = False
) -> None:
    """Serve until SIGINT or SIGTERM (or, if wanted, until standard input closes); then finish what is being answered.

    Raises:
        EnvhubError: The address cannot be bound, or the ready file cannot be written.
    """
    bound = _bind(settings)
    host, port = bound.getsockname()[:2]
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def ready() -> None:
        if ready_file is not None:
            _write(ready_file, url)
        typer.echo(f"listening on {url}")
        typer.echo(f"docs at {url}/docs (Ctrl-C stops)")

    config = uvicorn.Config(
        create_app(settings),
        access_log=access_log,
        log_level="info" if access_log else "warning",
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_GRACE_S,
    )
    server = _Server(config, ready)
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn raises what it caught once more after it has stopped; met by its own handler that is the end of it
        signal.signal(number, server.handle_exit)
    if stop_on_eof:
        threading.Thread(target=_await_eof, args=(server,), daemon=True).start()
    try:
        if ready_file is not None:
            ready_file.unlink(missing_ok=True)  # of a server that was killed
        server.run(sockets=[bound])
    except OSError as error:
        raise EnvhubError(f"The server failed: {error}.") from None
    finally:
        if ready_file is not None:
            ready_file.unlink(missing_ok=True)


class _Server(uvicorn.Server):
    """uvicorn's server that tells when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()


def _bind(settings: ServerSettings) -> socket.socket:
    """A listening socket.

    It names its protocol, which ``socket.create_server`` does not: asyncio switches Nagle's algorithm off only where it does,
    and with Nagle every answer of a kept connection waits 40 ms for the client's delayed acknowledgement.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a restart need not wait for old connections
        bound.bind((settings.host, settings.port))
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        raise EnvhubError(
            f"Port {settings.port} of {settings.host} cannot be bound: {error.strerror}. "
            "Choose another with --port; --port 0 takes a free one."
        ) from None
    return bound


def _write(path: Path, url: str) -> None:
    """Write the file in one piece, so that nobody reads half a URL."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(f"{url}\n")
    partial.replace(path)


def _await_eof(server: uvicorn.Server) -> None:
    # not through sys.stdin: a thread that waits in there holds a lock that the interpreter needs to end
    while os.read(0, 65_536):
        pass
    server.should_exit = True
