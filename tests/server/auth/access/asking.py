"""What the tests of access share: a server with keys and a clock, and one who asks it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.journal import MemoryJournal
from tests.server.serving import GUESS, Api

CREATE = {"env_id": GUESS, "episode_id": "e", "seed": 1}
STEP = {"turn": 0, "action": "<answer>1</answer>"}
VERIFY = {"items": [{"gold": "1", "responses": ["<answer>1</answer>"]}]}


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Keyed:
    """A server with keys, and one who asks it."""

    def __init__(self, path: Path, make_api: Callable[..., Api], **settings: Any) -> None:
        self.file = KeyFile(path)
        self.clock = Clock()
        self.texts: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        self.key("admin", "admin")
        self.api = make_api(MemoryJournal(3600, 1000), keyring=Keyring(path, ticks=self.clock), **settings)

    def key(self, name: str, *scopes: str, **limits: Any) -> str:
        text, key = self.file.create(name, scopes, **limits)
        self.texts[name], self.ids[name] = text, key.id
        if hasattr(self, "api"):
            self.clock.now += 1.0
        return text

    def ask(self, who: str | None, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        if who is not None:
            headers["authorization"] = f"Bearer {self.texts[who]}"
        return self.api.send(method, path, body, headers=headers)

    def answer(self, who: str | None, method: str, path: str, body: Any = None) -> Any:
        response = self.ask(who, method, path, body)
        assert response.status_code < 300, response.text
        return response.json() if response.content else None


PLAY = {("POST", "/v1/episodes"), ("GET", f"/v1/environments/{GUESS}"), ("POST", "/v1/tasks")}
JUDGE = {("POST", "/v1/verify")}
ADMIN = {("GET", "/metrics"), ("GET", "/web/server")}
BODIES = {
    "/v1/episodes": CREATE,
    "/v1/tasks": {"env_id": GUESS, "seeds": [1]},
    "/v1/verify": VERIFY,
}
