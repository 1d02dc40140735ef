"""The catalogue over HTTP."""

from __future__ import annotations

from collections.abc import Callable

import envhub
from envhub.registry.describe import describe, summary
from tests.server.serving import Api, problem
from tests.support.toys import Adder, Dice, adder


def test_the_list_holds_every_environment(api: Api) -> None:
    response = api.get("/v1/environments")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json() == {"environments": [{**summary(id), "error": None} for id in envhub.list_envs()]}
    assert all(line["description"] for line in response.json()["environments"])


def test_the_list_by_category(api: Api) -> None:
    listed = api.get("/v1/environments?category=games").json()["environments"]
    assert [line["id"] for line in listed] == envhub.list_envs("games")
    status, code, detail = problem(api.get("/v1/environments?category=gamse"))
    assert (status, code) == (422, "InvalidParameters")
    assert "Did you mean 'games'?" in detail


def test_one_environment(api: Api, env_id: str) -> None:
    response = api.get(f"/v1/environments/{env_id}")
    assert response.status_code == 200
    body = response.json()
    assert body == describe(env_id)
    assert set(body["difficulties"]) == {str(level) for level in range(1, 11)}
    for level, params in body["difficulties"].items():
        assert set(params) == {param["name"] for param in body["params"]}
        env = envhub.make(env_id, difficulty=int(level))
        env.reset(seed=1)
        assert env.task.params == params


def test_what_is_registered_is_served(api: Api, register: Callable[..., str]) -> None:
    environment, _ = adder()
    register("adder-v0", type(environment))
    body = api.get("/v1/environments/adder-v0").json()
    assert body["source"] == "registered"
    assert [tool["function"]["name"] for tool in body["tools"]] == list(Adder.tools)
    assert "adder-v0" in [line["id"] for line in api.get("/v1/environments").json()["environments"]]


def test_an_id_with_a_namespace(api: Api, register: Callable[..., str]) -> None:
    register("toys/dice-v0", Dice)
    assert api.get("/v1/environments/toys/dice-v0").json()["id"] == "toys/dice-v0"


def test_the_nearest_is_named(api: Api) -> None:
    for wrong, right in [("sudko-v0", "sudoku-v0"), ("sudoku-v9", "sudoku-v0"), ("sudoku", "sudoku-v0")]:
        status, code, detail = problem(api.get(f"/v1/environments/{wrong}"))
        assert (status, code) == (404, "UnknownEnvironment")
        assert f"No environment {wrong!r}. Did you mean {right!r}?" in detail


def test_health(api: Api) -> None:
    assert api.get("/health").json() == {"status": "ok", "version": envhub.__version__}
