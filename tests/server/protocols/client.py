"""Plain clients for tests of the protocols: HTTP with cookies, and messages of a WebSocket answered one by one."""

from __future__ import annotations

import json
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection

from tests.server.serving import PATIENCE_S


class Http:
    """A client of one server; what it posts must be answered.

    Attributes:
        ws: The address for WebSockets.
    """

    def __init__(self, url: str) -> None:
        self._client = httpx.Client(base_url=url, timeout=PATIENCE_S)
        self.ws = url.replace("http", "ws", 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Any answer. The body is ASCII, where text that has no UTF-8 form can stand as well."""
        if body is None:
            return self._client.request(method, path)
        return self._client.request(
            method, path, content=json.dumps(body), headers={"content-type": "application/json"}
        )

    def post(self, path: str, body: Any) -> Any:
        """An answer that is none of an error."""
        answer = self.ask("POST", path, body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def authorize(self, key: str) -> None:
        """Come with this key from now on."""
        self._client.headers["authorization"] = f"Bearer {key}"

    def cookie(self) -> str:
        """The session of NeMo Gym's protocol."""
        return self._client.cookies["envhub_session"]

    def remember(self, session: str | None) -> None:
        """Have this session, or none."""
        self.forget()
        if session is not None:
            self._client.cookies.set("envhub_session", session)

    def forget(self) -> None:
        """Have no cookies."""
        self._client.cookies.clear()


def spoken(socket: ClientConnection, message: Any) -> Any:
    """The answer to a message."""
    socket.send(json.dumps(message))
    return json.loads(socket.recv(PATIENCE_S))


def as_recorded(answer: Any, recorded: Any, name: str = "") -> bool:
    """Whether an answer is what was recorded; an environment may tell more in ``info`` than it did then."""
    if not isinstance(recorded, dict) or not isinstance(answer, dict):
        return bool(answer == recorded)
    more = answer.keys() - recorded.keys()
    return (name == "info" or not more) and all(
        key in answer and as_recorded(answer[key], value, key) for key, value in recorded.items()
    )
