"""Two ways to the server: the application in this process, and a real server on a loopback socket."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from json import dumps
from typing import Any, TypeVar

import httpx
import uvicorn
from fastapi import FastAPI

import envhub
from envhub.authoring import write_call
from envhub.server.auth.keys import Keyring
from envhub.server.http.app import create_app
from envhub.server.http.protocol import options
from envhub.server.journal import Journal
from envhub.server.processes.worker_status import WorkerStatus
from envhub.settings import ServerSettings

T = TypeVar("T")
GUESS = "guess-number-v0"
ADD_3, ADD_4 = write_call("add", amount=3), write_call("add", amount=4)
LOOK, DONE = write_call("look"), write_call("submit", total=10)
PATIENCE_S = 10.0
"""After so long a server that does not start or stop is a failure, not a hang."""


async def patiently(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns; one that hangs fails."""
    return await asyncio.wait_for(work, PATIENCE_S)


def local(env_id: str, seed: int, **settings: Any) -> envhub.Env:
    env = envhub.make(env_id, **settings)
    env.reset(seed=seed)
    return env


class Api:
    """The application without a socket, for tests that are not coroutines.

    Args:
        journal: Where it records; its own memory by default.
        keyring: Who may use it; without keys by default.
        workers: Reads the status of several workers.
        settings: Fields of the server's settings.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        *,
        keyring: Keyring | None = None,
        workers: Callable[[], WorkerStatus] | None = None,
        **settings: Any,
    ) -> None:
        self.app = create_app(ServerSettings(**settings), journal, keyring, workers)
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        self._http = httpx.AsyncClient(transport=transport, base_url="http://in-process")
        self._runner = asyncio.Runner()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(patiently(work))

    async def asend(self, method: str, path: str, json: Any = None, **more: Any) -> httpx.Response:
        if json is not None:  # ASCII, where text that has no UTF-8 form can stand as well
            headers = {"content-type": "application/json", **more.get("headers", {})}
            more |= {"content": dumps(json), "headers": headers}
        return await self._http.request(method, path, **more)

    def send(self, method: str, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return self.run(self.asend(method, path, json, **more))

    def post(self, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return self.send("POST", path, json, **more)

    def get(self, path: str) -> httpx.Response:
        return self.send("GET", path)

    def together(self, calls: Iterable[tuple[str, str, Any]]) -> list[httpx.Response]:
        """Every call at once."""

        async def all_of_them() -> list[httpx.Response]:
            return await asyncio.gather(*(self.asend(*call) for call in calls))

        return self.run(all_of_them())

    # -- what most tests do ------------------------------------------------------------------------------------------

    def create(self, env_id: str, episode_id: str | None = "e", **fields: Any) -> Any:
        response = self.post("/v1/episodes", {"env_id": env_id, "episode_id": episode_id, **fields})
        assert response.status_code == 201, response.text
        return response.json()

    def step(self, turn: int, action: str, episode_id: str = "e") -> Any:
        response = self.try_step(turn, action, episode_id)
        assert response.status_code == 200, response.text
        return response.json()

    def try_step(self, turn: int, action: str, episode_id: str = "e") -> httpx.Response:
        return self.post(f"/v1/episodes/{episode_id}/step", {"turn": turn, "action": action})

    def fork(self, episode_id: str, new_id: str | None, **fields: Any) -> Any:
        response = self.post(f"/v1/episodes/{episode_id}/fork", {"episode_id": new_id, **fields})
        assert response.status_code == 201, response.text
        return response.json()

    def look(self, episode_id: str = "e") -> Any:
        response = self.get(f"/v1/episodes/{episode_id}")
        assert response.status_code == 200, response.text
        return response.json()

    def close(self) -> None:
        self.run(self._http.aclose())
        self.app.state.episodes.close()
        self._runner.close()


class _Server(uvicorn.Server):
    """Tells when it has started, or has given up."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.settled = threading.Event()

    def run(self, sockets: Any = None) -> None:
        try:
            super().run(sockets)
        finally:
            self.settled.set()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.settled.set()


@contextmanager
def serving(app: FastAPI | Any) -> Iterator[str]:
    """A real server in a thread, on a free port of the loopback device; gives its address and stops at the end."""
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=0,
        **options(16 * 2**20),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=3,
    )
    server = _Server(config)
    thread = threading.Thread(target=server.run, name="server", daemon=True)
    thread.start()
    assert server.settled.wait(PATIENCE_S), "the server did not start"
    assert server.started, "the server gave up"
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the server did not stop"


def problem(response: httpx.Response) -> tuple[int, str, str]:
    """Status, code and detail of an error, after a look at its form."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    body = response.json()
    assert set(body) == {"type", "title", "status", "code", "detail"}
    assert body["status"] == response.status_code
    assert body["type"] == f"/problems/{body['code']}"
    assert body["title"]
    assert body["detail"]
    return body["status"], body["code"], body["detail"]
