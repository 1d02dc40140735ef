"""The document that describes the API: it can be built, and leaves nothing out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import envhub
from tests.server.serving import Api

GUIDE = Path(__file__).parents[2] / "docs" / "api.md"
ROUTES = {
    ("get", "/health"),
    ("get", "/ready"),
    ("get", "/metrics"),
    ("get", "/v1/environments"),
    ("get", "/v1/environments/{env_id}"),
    ("post", "/v1/episodes"),
    ("post", "/v1/episodes/{episode_id}/step"),
    ("post", "/v1/episodes/{episode_id}/fork"),
    ("get", "/v1/episodes/{episode_id}"),
    ("delete", "/v1/episodes/{episode_id}"),
    ("post", "/v1/batch"),
    ("post", "/v1/tasks"),
    ("post", "/v1/verify"),
}


def document(api: Api) -> Any:
    response = api.get("/openapi.json")
    assert response.status_code == 200
    return response.json()


def operations(api: Api) -> dict[tuple[str, str], Any]:
    paths = document(api)["paths"].items()
    return {(method, path.replace(":path", "")): what for path, methods in paths for method, what in methods.items()}


def test_the_document_says_what_it_is_of(api: Api) -> None:
    assert document(api)["info"] == {"title": "envhub", "version": envhub.__version__}


def test_every_route_is_documented(api: Api) -> None:
    found = operations(api)
    assert set(found) >= ROUTES
    for (method, path), operation in found.items():
        assert operation.get("description"), f"{method} {path} has no docstring"
        assert operation.get("tags"), f"{method} {path} stands under no heading"
        assert operation["operationId"]
    assert len({operation["operationId"] for operation in found.values()}) == len(found)


def test_every_field_of_a_request_says_what_it_is(api: Api) -> None:
    schemas = document(api)["components"]["schemas"]
    for name in ("CreateEpisode", "StepEpisode", "ForkEpisode", "EpisodeOptions", "Verify", "VerifyItem", "DrawTasks"):
        for field, schema in schemas[name]["properties"].items():
            plain = {"env_id", "options", "items", "params", "split", "answer_format"}
            assert "description" in schema or field in plain, f"{name}.{field}"
        assert schemas[name]["additionalProperties"] is False


def test_errors_are_documented_as_they_are(api: Api) -> None:
    """FastAPI would promise its own form, which this server never sends."""
    assert "HTTPValidationError" not in api.get("/openapi.json").text


def test_the_pages_for_people(api: Api) -> None:
    assert "text/html" in api.get("/docs").headers["content-type"]


def test_the_guide_names_every_route() -> None:
    text = GUIDE.read_text()
    for method, path in ROUTES:
        assert f"{method.upper()} {path}" in text, f"docs/api.md says nothing about {method.upper()} {path}"


def test_the_guide_shows_real_answers(api: Api) -> None:
    """Every curl line of the guide is asked here again; the answer that stands below it is the answer."""
    shown = 0
    for commands, answer in re.findall(
        r"```sh\n(curl .*?)```\n\n```(?:json)?\n(.*?)\n```", GUIDE.read_text(), re.DOTALL
    ):
        for command in re.split(r"^(?=curl)", commands, flags=re.MULTILINE)[1:]:
            body = re.search(r"-d '(.*?)'", command, re.DOTALL)
            method = "DELETE" if "-X DELETE" in command else "POST" if body else "GET"
            path = re.search(r"localhost:8420(\S+)", command)
            assert path is not None
            response = api.send(method, path[1], json.loads(body[1]) if body else None)
        expected = json.loads(answer)
        assert (response.status_code if method == "DELETE" else response.json()) == expected
        shown += 1
    assert shown >= len(ROUTES)
