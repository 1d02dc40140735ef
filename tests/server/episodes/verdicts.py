"""Asks a server for verdicts: a task, an item of the request, and the request itself."""

from __future__ import annotations

from typing import Any

import envhub
from envhub.core.types import Task
from tests.server.serving import Api


def drawn(env_id: str, seed: int = 1, **settings: Any) -> tuple[Task, envhub.Env]:
    env = envhub.make(env_id, **settings)
    env.reset(seed=seed)
    return env.task, env


def item(task: Any, *responses: Any, **more: Any) -> dict[str, Any]:
    return {"task": task.to_json() if isinstance(task, Task) else task, "responses": list(responses), **more}


def judged(api: Api, *items: dict[str, Any], **more: Any) -> list[Any]:
    response = api.post("/v1/verify", {"items": list(items), **more})
    assert response.status_code == 200, response.text
    results: list[Any] = response.json()["results"]
    return results
