"""Requests that need no episode, and what their answers mean: the list of environments, tasks, verdicts.

A :class:`Gold` stands for a question of one's own, an :class:`Asked` for the row of a dataset;
:mod:`envhub.client.requests` has what is asked of episodes. ::

    tasks = tasks_in(hub.call(tasks_call("sudoku-v0", [1, 2], 3, "train", None, {})))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from envhub.client.requests import Call, Difficulty, error_named, field_of
from envhub.core.errors import RemoteError
from envhub.core.seeding import TaskKey
from envhub.core.types import JSON, Task


def list_call(category: str | None) -> Call:
    """The request for the list of environments."""
    query = f"?{httpx.QueryParams({'category': category})}" if category is not None else ""
    return "GET", f"/v1/environments{query}", None


def ids_in(answer: JSON) -> list[str]:
    """The ids in the answer to :func:`list_call`."""
    return [environment["id"] for environment in field_of(answer, "environments")]


def tasks_call(
    id: str,
    seeds: Sequence[int],
    difficulty: Difficulty,
    split: str,
    answer_format: str | None,
    params: Mapping[str, Any],
) -> Call:
    """The request for one task a seed."""
    body = {"env_id": id, "seeds": list(seeds), "difficulty": difficulty, "split": split, "params": dict(params)}
    return "POST", "/v1/tasks", {**body, "answer_format": answer_format}


def tasks_in(answer: JSON) -> list[Task]:
    """The tasks in the answer to :func:`tasks_call`."""
    return [Task.from_json(task) for task in field_of(answer, "tasks")]


@dataclass(frozen=True)
class Gold:
    """A right answer to a question of your own, to have responses judged against without a task.

    Attributes:
        answer: The right answer.
        kind: What it is, one of :data:`envhub.verifiers.math.KINDS`.
        options: Of the kind.
    """

    answer: str
    kind: str = "auto"
    options: Mapping[str, JSON] = field(default_factory=dict)

    def to_json(self) -> dict[str, JSON]:
        """What an item of ``/v1/verify`` says of it."""
        return {"gold": self.answer, "kind": self.kind, "options": dict(self.options)}


@dataclass(frozen=True)
class Asked:
    """A task as the row of a dataset knows it.

    Attributes:
        key: What it is drawn from.
        fingerprint: Of the problem that was asked; a key that draws another one is refused.
        answer_format: Which form counts as well formatted, where the row says it.
    """

    key: TaskKey
    fingerprint: str | None = None
    answer_format: str | None = None

    def to_json(self) -> dict[str, JSON]:
        """What an item of ``/v1/verify`` says of it."""
        form = {} if self.answer_format is None else {"answer_format": self.answer_format}
        return {"task": self.key.to_json(), "fingerprint": self.fingerprint, **form}


Judged = Task | TaskKey | Asked | Gold
"""What a response may be judged by."""


def verify_call(
    items: Sequence[tuple[Judged, Sequence[str | Sequence[str]]]],
    reward: Mapping[str, float] | None,
    answer_format: str | None,
) -> Call:
    """The request for verdicts on responses."""
    bodies = [
        {"answer_format": answer_format, **_judged_by(task), "responses": list(responses)} for task, responses in items
    ]
    return "POST", "/v1/verify", {"items": bodies, "reward": None if reward is None else dict(reward)}


def _judged_by(task: Judged) -> dict[str, JSON]:
    if isinstance(task, Gold | Asked):
        return task.to_json()
    return {"task": (task.key if isinstance(task, Task) else task).to_json()}


def verdicts_in(answer: JSON) -> list[list[JSON]]:
    """The verdicts in the answer to :func:`verify_call`.

    Raises:
        EnvhubError: A task could not be rebuilt.
    """
    results = field_of(answer, "results")
    for result in results:
        if result["verdicts"] is None:
            error = result["error"]
            raise error_named(error["code"], error["detail"]) or RemoteError(error["detail"])
    return [result["verdicts"] for result in results]
