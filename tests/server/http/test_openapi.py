"""The document that describes the API: it can be built, and leaves nothing out."""

from __future__ import annotations

import html
import re
import runpy
from typing import Any

import envhub
from tests.server.serving import Api
from tests.support.places import ROOT

GUIDE = ROOT / "docs" / "api.md"
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


OPEN = {"/health", "/ready"}


def document(api: Api) -> Any:
    response = api.get("/openapi.json")
    assert response.status_code == 200
    return response.json()


def operations(api: Api) -> dict[tuple[str, str], Any]:
    paths = document(api)["paths"].items()
    return {(method, path.replace(":path", "")): what for path, methods in paths for method, what in methods.items()}


def test_the_document_says_what_it_is_of(api: Api) -> None:
    info = document(api)["info"]
    assert (info["title"], info["version"]) == ("envhub", envhub.__version__)
    assert "/v1/ws" in info["description"]  # which OpenAPI has no words for


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
    """All of one form. FastAPI would promise its own, which this server never sends."""
    found = document(api)
    assert "ValidationError" not in found["components"]["schemas"]
    for (_method, path), operation in operations(api).items():
        errors = {status: what for status, what in operation["responses"].items() if status >= "400"}
        assert {"400", "401", "403", "413", "500", "503"} <= set(errors)
        assert path in OPEN or "429" in errors
        for status, what in errors.items():
            if (path, status) == ("/ready", "503"):  # not ready, and why not
                assert set(what["content"]) == {"application/json", "application/problem+json"}
                continue
            assert what == {"$ref": f"#/components/responses/Problem{status}"}
            answer = found["components"]["responses"][f"Problem{status}"]
            (media_type,) = answer["content"]
            assert media_type == "application/problem+json"
            assert answer["content"][media_type]["schema"] == {"$ref": "#/components/schemas/Problem"}
            assert ("Retry-After" in answer["headers"]) == (status in ("429", "503"))


def test_every_answer_has_a_schema(api: Api) -> None:
    for (method, path), operation in operations(api).items():
        for status in ("200", "201"):
            for media_type, content in operation["responses"].get(status, {}).get("content", {}).items():
                assert content["schema"], f"{method} {path} {status} {media_type}"


def test_keys_and_scopes_are_documented(api: Api) -> None:
    assert document(api)["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    wanted = {
        "/health": [],
        "/ready": [{}, {"key": []}],
        "/metrics": [{"key": ["admin"]}],
        "/v1/environments": [{"key": ["play"]}],
        "/v1/batch": [{"key": ["play"]}, {"key": ["verify"]}],
        "/v1/verify": [{"key": ["verify"]}],
    }
    found = {path: operation["security"] for (_, path), operation in operations(api).items()}
    assert {path: found[path] for path in wanted} == wanted


def test_answers_lead_to_requests_that_there_are(api: Api) -> None:
    names = {operation["operationId"] for operation in operations(api).values()}
    links = [
        link
        for operation in operations(api).values()
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert {link["operationId"] for link in links} == {f"{what}_episode" for what in ("step", "fork", "get", "delete")}
    assert {link["operationId"] for link in links} <= names


def test_the_greatest_seed_is_documented_exactly(api: Api) -> None:
    """FastAPI would make a float of it, which is one more."""
    seeds = document(api)["components"]["schemas"]["DrawTasks"]["properties"]["seeds"]
    assert seeds["items"]["maximum"] == 2**63 - 1
    for seed, status in [(2**63 - 1, 200), (2**63, 422)]:
        response = api.post("/v1/tasks", {"env_id": "arithmetic-v0", "seeds": [seed]})
        assert response.status_code == status


def test_all_that_is_allowed_at_a_path_is_told(api: Api) -> None:
    for path, allowed in [("/v1/episodes/e", "DELETE, GET"), ("/v1/episodes", "POST"), ("/health", "GET")]:
        response = api.send("PUT", path)
        assert (response.status_code, response.headers["allow"]) == (405, allowed)


def test_the_pages_for_people(api: Api) -> None:
    shown = api.get("/docs")
    assert "text/html" in shown.headers["content-type"]
    assert "default-src 'none'" in shown.text
    assert not re.search(r"<script|<link|(?:src|href)=.(?:https?:)?//", shown.text)
    assert all(html.escape(path) in shown.text for path in api.get("/openapi.json").json()["paths"])
    assert api.get("/redoc").status_code == 404


def test_the_address_of_the_server_says_where_to_go_on(api: Api) -> None:
    index = api.get("/").json()
    assert index["name"] == "envhub"
    for name in ("docs", "openapi", "health", "ready", "environments"):
        assert api.get(index[name]).status_code == 200, name


def test_the_guide_names_every_route() -> None:
    text = GUIDE.read_text()
    for method, path in ROUTES:
        assert f"{method.upper()} {path}" in text, f"docs/api.md says nothing about {method.upper()} {path}"


def test_the_guide_shows_real_answers(api: Api) -> None:
    """Every curl line of the guide is asked here again; the answer that stands below it is the answer."""
    asked: list[str] = []

    def ask(method: str, path: str, body: Any) -> Any:
        asked.append(path)
        return api.send(method, path, body)

    text = GUIDE.read_text()
    assert runpy.run_path(str(GUIDE.with_suffix(".py")))["filled"](text, ask) == text, "python docs/api.py"
    assert len(asked) >= len(ROUTES)


def test_every_model_has_its_own_name(api: Api) -> None:
    named_by_module = [name for name in document(api)["components"]["schemas"] if "__" in name]
    assert named_by_module == []
