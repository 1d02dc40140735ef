"""Exchanges that need no episode.

The list of environments, their descriptions, tasks and verdicts. A :class:`Gold` stands for a question of your own, an
:class:`Asked` for the row of a dataset. Requests about episodes are in :mod:`envhub.client.requests`. ::

    tasks = run(hub.call, tasks("sudoku-v0", [1, 2], difficulty=3))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from envhub.client.exchange import Exchange
from envhub.client.requests import Difficulty, error_named, field_of
from envhub.core.difficulty import DEFAULT_LEVEL
from envhub.core.errors import RemoteError
from envhub.core.seeding import TaskKey
from envhub.core.types import JSON, Task


@dataclass(frozen=True)
class Gold:
    """The gold answer to your own question.

    With it, responses are judged without a task.

    Attributes:
        answer: The correct answer.
        kind: How answers are compared, one of :data:`envhub.verifiers.math.KINDS`.
        options: Options of the kind.
    """

    answer: str
    kind: str = "auto"
    options: Mapping[str, JSON] = field(default_factory=dict)

    def to_json(self) -> dict[str, JSON]:
        """Its fields of an item of ``/v1/verify``."""
        return {"gold": self.answer, "kind": self.kind, "options": dict(self.options)}


@dataclass(frozen=True)
class Asked:
    """A task as a dataset row stores it.

    Attributes:
        key: The key that it is drawn from.
        fingerprint: Fingerprint of its problem; a key that draws another problem is an error.
        answer_format: The form that counts as well formatted; None for that of the request.
    """

    key: TaskKey
    fingerprint: str | None = None
    answer_format: str | None = None

    def to_json(self) -> dict[str, JSON]:
        """Its fields of an item of ``/v1/verify``."""
        form = {} if self.answer_format is None else {"answer_format": self.answer_format}
        return {"task": self.key.to_json(), "fingerprint": self.fingerprint, **form}


Judged = Task | TaskKey | Asked | Gold
"""What a response can be judged against."""


def list_envs(category: str | None = None) -> Exchange[list[str]]:
    """The ids of the server's environments."""
    query = f"?{httpx.QueryParams({'category': category})}" if category is not None else ""
    answer = yield "GET", f"/v1/environments{query}", None
    return [environment["id"] for environment in field_of(answer, "environments")]


def info(id: str) -> Exchange[JSON]:
    """Rules, parameters and difficulties of an environment."""
    return (yield "GET", f"/v1/environments/{id}", None)


def tasks(
    id: str,
    seeds: Sequence[int],
    *,
    difficulty: Difficulty = DEFAULT_LEVEL,
    split: str = "train",
    answer_format: str | None = None,
    wording: int | str | None = None,
    observation: str | None = None,
    **params: Any,
) -> Exchange[list[Task]]:
    """One task for each seed."""
    body = {"env_id": id, "seeds": list(seeds), "difficulty": difficulty, "split": split, "params": params}
    asked = {"answer_format": answer_format, "wording": wording, "observation": observation}
    answer = yield "POST", "/v1/tasks", {**body, **asked}
    return [Task.from_json(task) for task in field_of(answer, "tasks")]


def verify(
    items: Sequence[tuple[Judged, Sequence[str | Sequence[str]]]],
    *,
    reward: Mapping[str, float] | None = None,
    answer_format: str | None = None,
) -> Exchange[list[list[JSON]]]:
    """Verdicts, each with its ``reward``, on responses to many tasks.

    For a question of your own, pass a :class:`Gold`.

    Raises:
        EnvhubError: A task could not be rebuilt, or a gold answer could not be read.
    """
    bodies = [
        {"answer_format": answer_format, **_judged_by(task), "responses": list(responses)} for task, responses in items
    ]
    weights = None if reward is None else dict(reward)
    results = field_of((yield "POST", "/v1/verify", {"items": bodies, "reward": weights}), "results")
    for result in results:
        if result["verdicts"] is None:
            error = result["error"]
            raise error_named(error["code"], error["detail"]) or RemoteError(error["detail"])
    return [result["verdicts"] for result in results]


def _judged_by(task: Judged) -> dict[str, JSON]:
    if isinstance(task, Gold | Asked):
        return task.to_json()
    return {"task": (task.key if isinstance(task, Task) else task).to_json()}
