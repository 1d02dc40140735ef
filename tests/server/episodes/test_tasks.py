"""Tasks over HTTP: those of a local environment, without their answer keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import envhub
from envhub.tasks.sampling import TaskSource
from tests.server.serving import Api, problem
from tests.support.toys import SECRET, Dice, Sum


def local(env_id: str, seed: int, **settings: Any) -> Any:
    env = envhub.make(env_id, **settings)
    env.reset(seed=seed)
    return env.task.to_json()


def drawn(api: Api, env_id: str, seeds: list[int], **fields: Any) -> list[Any]:
    response = api.post("/v1/tasks", {"env_id": env_id, "seeds": seeds, **fields})
    assert response.status_code == 200, response.text
    tasks: list[Any] = response.json()["tasks"]
    return tasks


def test_tasks_are_those_of_a_local_environment_in_the_order_of_the_seeds(api: Api, env_id: str) -> None:
    seeds = [9, 1, 2**63 - 1, 1, 0]
    for fields in ({}, {"difficulty": 1, "split": "test"}, {"difficulty": (1, 5)}, {"difficulty": None}):
        assert drawn(api, env_id, seeds, **fields) == [local(env_id, seed, **fields) for seed in seeds]


def test_parameters_and_wording(api: Api) -> None:
    fields = {"params": {"terms": 5}, "answer_format": "boxed"}
    (task,) = drawn(api, "arithmetic-v0", [4], **fields)
    assert task == local("arithmetic-v0", 4, terms=5, answer_format="boxed")
    assert task["difficulty"] is None
    assert "\\boxed" in task["prompt"]


def test_no_seeds_make_no_tasks(api: Api) -> None:
    assert drawn(api, "arithmetic-v0", []) == []


def test_the_key_stays_home(api: Api, register: Callable[..., str]) -> None:
    register("dice-v0", Dice)
    response = api.post("/v1/tasks", {"env_id": "dice-v0", "seeds": list(range(20))})
    assert str(SECRET) not in response.text


def test_a_batch_has_a_limit(make_api: Callable[..., Api]) -> None:
    api = make_api(max_batch=3)
    assert len(drawn(api, "arithmetic-v0", [1, 2, 3])) == 3
    status, code, detail = problem(api.post("/v1/tasks", {"env_id": "arithmetic-v0", "seeds": [1, 2, 3, 4]}))
    assert (status, code, detail) == (422, "InvalidParameters", "A request can have at most 3 seeds, got 4.")


def test_an_answer_has_a_length(make_api: Callable[..., Api], monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing stops where the answer is too long, and not after all of it."""
    drawn_by_it = []
    draw = TaskSource.draw
    monkeypatch.setattr(TaskSource, "draw", lambda *given: drawn_by_it.append(given) or draw(*given))
    api = make_api(max_answer_bytes=4096)
    status, code, detail = problem(api.post("/v1/tasks", {"env_id": "arithmetic-v0", "seeds": list(range(1000))}))
    assert (status, code) == (422, "InvalidParameters")
    assert "longer than 4096 bytes" in detail
    fit = len(drawn_by_it) - 1
    assert f"the first {fit} seeds fit" in detail
    assert len(drawn(api, "arithmetic-v0", list(range(fit)))) == fit
    api = make_api(max_answer_bytes=1024)
    (one,) = drawn(api, "maze-v0", [1])  # one that is longer alone
    assert len(json.dumps(one)) > 1024


def test_integers_of_any_size_travel_exactly(api: Api, register: Callable[..., str]) -> None:
    """Python's integers have no end, and a problem may hold any."""
    register("sum-v0", Sum)
    (task,) = drawn(api, "sum-v0", [1], params={"digits": 30})
    assert task == local("sum-v0", 1, digits=30)


@pytest.mark.parametrize("option", ["answer_format", "system", "reward", "on_error"])
def test_an_option_among_the_parameters_is_refused(api: Api, option: str) -> None:
    value: Any = {"format": 1.0} if option == "reward" else "boxed"
    body = {"env_id": "arithmetic-v0", "seeds": [1], "params": {option: value}}
    status, code, detail = problem(api.post("/v1/tasks", body))
    assert (status, code) == (422, "InvalidParameters")
    assert option in detail
