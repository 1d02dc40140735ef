"""Files of the server's machine: no client names one, unless the server was told to let them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.server.http.limits import check_files
from envhub.settings import ServerSettings
from tests.server.serving import Api, problem

SECRET = "the gold nobody was told"
REFUSED = "Start it with ENVHUB_FILES=true, or send the gold answers to /v1/verify"


@pytest.fixture
def path(tmp_path: Path) -> str:
    rows = [{"prompt": f"Question number {n}?", "answer": SECRET, "kind": "text"} for n in range(40)]
    (tmp_path / "q.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(tmp_path / "q.jsonl")


def requests(path: str) -> dict[str, tuple[str, dict[str, Any]]]:
    named = {"env_id": "dataset-v0", "params": {"path": path}}
    return {
        "create": ("/v1/episodes", {**named, "seed": 1}),
        "create with an id": ("/v1/episodes", {**named, "episode_id": "mine", "seed": 1}),
        "tasks": ("/v1/tasks", {**named, "seeds": [1]}),
        "probe": ("/v1/tasks", {**named, "seeds": []}),
    }


@pytest.mark.parametrize("name", requests(""))
@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_a_client_names_is_refused_whether_it_is_there_or_not(
    api: Api, path: str, name: str, there: bool
) -> None:
    where, body = requests(path if there else "/nothing/here.jsonl")[name]
    response = api.post(where, body)
    status, code, detail = problem(response)
    assert (status, code) == (422, "InvalidParameters")
    assert REFUSED in detail
    assert "Question number" not in response.text


def test_a_key_that_names_a_file_is_refused_in_its_place(api: Api, path: str) -> None:
    env, other = envhub.make("dataset-v0", path=path), envhub.make("arithmetic-v0")
    env.reset(seed=1)
    other.reset(seed=1)
    items = [{"task": e.task.key.to_json(), "responses": [e.solve()]} for e in (env, other)]
    file, plain = api.post("/v1/verify", {"items": items}).json()["results"]
    assert file["verdicts"] is None
    assert file["error"]["code"] == "InvalidParameters"
    assert REFUSED in file["error"]["detail"]
    assert plain["verdicts"][0]["reward"] == 1.0


def test_the_catalogue_still_has_it(api: Api) -> None:
    assert api.get("/v1/environments/dataset-v0").json()["id"] == "dataset-v0"


def test_a_server_that_was_told_to_reads_files_and_keeps_the_gold(make_api: Callable[..., Api], path: str) -> None:
    api = make_api(files=True)
    seen = []
    for where, body in requests(path).values():
        response = api.post(where, body)
        assert response.status_code in (200, 201), response.text
        seen.append(response.text)
    episode = json.loads(seen[0])["episode_id"]
    seen.append(api.post(f"/v1/episodes/{episode}/step", {"turn": 0, "action": "<answer>no idea</answer>"}).text)
    seen.append(api.get(f"/v1/episodes/{episode}").text)
    assert all(SECRET not in text for text in seen)
    env = envhub.make("dataset-v0", path=path)
    env.reset(seed=1)
    assert json.loads(seen[0])["task"] == env.task.to_json()
    item = {"task": env.task.key.to_json(), "responses": [env.solve(), "<answer>no idea</answer>"]}
    [result] = api.post("/v1/verify", {"items": [item]}).json()["results"]
    assert [verdict["reward"] for verdict in result["verdicts"]] == [1.0, 0.0]
    status, code, detail = problem(api.post("/v1/tasks", {"env_id": "dataset-v0", "seeds": [1]}))
    assert (status, code) == (422, "InvalidParameters")
    assert "path=" in detail


def test_it_is_off_unless_it_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ENVHUB_FILES", raising=False)
    assert ServerSettings().files is False
    monkeypatch.setenv("ENVHUB_FILES", "true")
    assert ServerSettings().files is True
    check_files("arithmetic-v0", False)
    check_files("dataset-v0", True)
    with pytest.raises(InvalidParameters, match="dataset-v0 reads files of the server's machine"):
        check_files("dataset-v0", False)
