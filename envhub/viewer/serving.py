"""Serves the viewer on loopback until Ctrl-C."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette

from envhub.core.errors import EnvhubError


def serve(app: Starlette, port: int, ready: Callable[[str], None]) -> None:
    """Serve an application on 127.0.0.1.

    Args:
        app: The application.
        port: The port; 0 selects a free one.
        ready: Called with the URL when it can be opened.

    Raises:
        EnvhubError: The port is in use.
    """
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(("127.0.0.1", port))
        except OSError as error:
            raise EnvhubError(f"Cannot bind port {port}: {error.strerror}. --port 0 selects a free port.") from None
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        server = _Server(uvicorn.Config(app, log_level="warning", access_log=False), lambda: ready(url))
        server.run(sockets=[bound])


class _Server(uvicorn.Server):
    """A server that calls back when it accepts connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, then call ``ready``."""
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()
