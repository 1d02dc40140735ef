"""The OpenAPI document: FastAPI's, completed with scopes, errors, headers and links.

The server is tested against it. ``/v1/ws`` is missing because OpenAPI cannot describe messages; docs/api.md does. ::

    document.install(app)             # app.openapi() and /openapi.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from envhub.server.auth.access import PLAY_OR_VERIFY, scope_needed
from envhub.server.http.problems import MEDIA_TYPE
from envhub.server.http.requests import Batch, CreateEpisode, DrawTasks, ForkEpisode, StepEpisode, Verify
from envhub.server.http.responses import Problem
from envhub.server.protocols.nemo_gym.messages import REQUESTS as NEMO
from envhub.server.protocols.openenv.mcp import Rpc
from envhub.server.protocols.openenv.messages import HttpReset, HttpStep, SplitRequest, TaskRangeRequest, TaskRequest
from envhub.server.protocols.remote_rewards import Queries, SlimeSample

_ABOUT: Final = (
    "Environments and verifiers for reinforcement learning of language models. Every error has one form, `Problem`. "
    "The WebSocket `/v1/ws` takes the items of `/v1/batch` as messages; the guide of the API describes it."
)
_KEY: Final = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "envhub_...",
    "description": "An API key; `envhub keys create` makes one. A server without keys asks for none.",
}
_ANYWHERE: Final = (400, 401, 403, 413, 500, 503)
_OPERATIONS: Final[Mapping[tuple[str, str], tuple[str, tuple[int, ...]]]] = {
    ("get", "/health"): ("health", ()),
    ("get", "/ready"): ("ready", ()),
    ("get", "/metrics"): ("metrics", (429,)),
    ("get", "/v1/environments"): ("list_environments", (422, 429)),
    ("get", "/v1/environments/{env_id}"): ("get_environment", (404, 422, 429, 501)),
    ("post", "/v1/episodes"): ("create_episode", (404, 409, 422, 429, 501)),
    ("post", "/v1/episodes/{episode_id}/step"): ("step_episode", (404, 409, 422, 429, 501)),
    ("post", "/v1/episodes/{episode_id}/fork"): ("fork_episode", (404, 409, 422, 429, 501)),
    ("get", "/v1/episodes/{episode_id}"): ("get_episode", (404, 409, 422, 429, 501)),
    ("get", "/v1/episodes/{episode_id}/images/{turn}"): ("get_image", (404, 409, 422, 429, 501)),
    ("delete", "/v1/episodes/{episode_id}"): ("delete_episode", (404, 422, 429)),
    ("post", "/v1/batch"): ("batch", (422, 429)),
    ("post", "/v1/tasks"): ("draw_tasks", (404, 422, 429, 501)),
    ("post", "/v1/verify"): ("verify", (422, 429)),
    ("post", "/rewards/openrlhf"): ("openrlhf_rewards", (404, 422, 429, 501)),
    ("post", "/rewards/slime"): ("slime_rewards", (404, 422, 429, 501)),
    ("get", "/openenv/{env_id}/health"): ("openenv_health", (404, 422, 429, 501)),
    ("get", "/openenv/{env_id}/metadata"): ("openenv_metadata", (404, 422, 429, 501)),
    ("get", "/openenv/{env_id}/schema"): ("openenv_schema", (404, 422, 429, 501)),
    ("get", "/openenv/{env_id}/state"): ("openenv_state", (404, 409, 422, 429, 501)),
    ("post", "/openenv/{env_id}/reset"): ("openenv_reset", (404, 409, 422, 429, 501)),
    ("post", "/openenv/{env_id}/step"): ("openenv_step", (404, 409, 422, 429, 501)),
    ("post", "/openenv/{env_id}/mcp"): ("openenv_mcp", (404, 422, 429, 501)),
    ("get", "/openenv/{env_id}/list_environments"): ("openenv_environments", (404, 422, 429, 501)),
    ("get", "/openenv/{env_id}/{env_name}/splits"): ("openenv_splits", (404, 422, 429, 501)),
    ("post", "/openenv/{env_id}/{env_name}/num_tasks"): ("openenv_num_tasks", (404, 422, 429, 501)),
    ("post", "/openenv/{env_id}/{env_name}/tasks"): ("openenv_tasks", (404, 422, 429, 501)),
    ("post", "/openenv/{env_id}/{env_name}/task"): ("openenv_task", (404, 422, 429, 501)),
    ("post", "/openenv/{env_id}/{env_name}/task_range"): ("openenv_task_range", (404, 422, 429, 501)),
    ("post", "/nemo/{env_id}/seed_session"): ("nemo_seed_session", (404, 409, 422, 429, 501)),
    ("post", "/nemo/{env_id}/verify"): ("nemo_verify", (404, 409, 422, 429, 501)),
    ("post", "/nemo/{env_id}/close_session"): ("nemo_close_session", (404, 409, 422, 429, 501)),
    ("post", "/nemo/{env_id}/aggregate_metrics"): ("nemo_aggregate_metrics", (404, 422, 429, 501)),
    ("get", "/nemo/{env_id}/reverify_mode"): ("nemo_reverify_mode", (404, 422, 429, 501)),
    ("post", "/nemo/{env_id}/reset"): ("nemo_reset", (404, 409, 422, 429, 501)),
    ("post", "/nemo/{env_id}/step"): ("nemo_step", (404, 409, 422, 429, 501)),
    ("post", "/nemo/{env_id}/close"): ("nemo_close", (404, 409, 422, 429, 501)),
    ("post", "/nemo/{env_id}/{tool}"): ("nemo_tool", (404, 409, 422, 429, 501)),
}
"""Name of each operation and its specific errors; a missing operation makes the document fail."""
_WHY: Final[Mapping[int, str]] = {
    400: "A key in the URL, or two keys",
    401: "No key where one is needed, or one that may not be used",
    403: "A key without the scope, or a web page of elsewhere on a server without keys",
    404: "No such environment or episode",
    409: "The id or the turn is taken, the episode is over or cannot be forked",
    413: "The body is too long",
    422: "Not JSON, or not what is taken here",
    429: "A limit is reached; send the same again later",
    500: "The server failed; its log says where",
    501: "An extra is not installed",
    503: "The journal or the file of keys cannot be read now; send the same again later",
}
_RETRIED: Final = (429, 503)
_FOLLOWING: Final = ("step_episode", "fork_episode", "get_episode", "delete_episode")
_EPISODE: Final = {"schema": {"type": "string", "pattern": r"^[A-Za-z0-9._:-]{1,200}$"}, "description": "which episode"}


def install(app: FastAPI) -> None:
    """Replace the document of an application with the completed one."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _completed(
                get_openapi(title=app.title, version=app.version, description=_ABOUT, routes=app.routes)
            )
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    components = document.setdefault("components", {})
    components["securitySchemes"] = {"key": _KEY}
    components["headers"] = {
        "Request": _header("The request's id: its own if it had a plain one, else one of the server's", "string"),
        "Retry": _header("Seconds after which the same may be sent again", "integer", minimum=0),
        "Challenge": _header("How to come in", "string"),
    }
    components["responses"] = {f"Problem{status}": _problem(status) for status in _WHY}
    components["schemas"] = {
        name: schema
        for name, schema in {**components.get("schemas", {}), **_models()}.items()
        if name not in ("HTTPValidationError", "ValidationError")  # FastAPI's own form, which is never sent
    }
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            _complete(operation, method, path)
    return document


def _complete(operation: dict[str, Any], method: str, path: str) -> None:
    """Complete one operation: name, scope, errors and links."""
    operation["operationId"], errors = _OPERATIONS[method, path]
    needed = scope_needed(path)
    if needed is not None:
        operation["security"] = [
            {"key": [scope]} for scope in (needed.split(" or ") if needed == PLAY_OR_VERIFY else [needed])
        ]
        operation["description"] += f"\n\nWhere keys are needed: one with the scope {needed}."
    else:
        operation["security"] = [{}, {"key": []}] if path == "/ready" else []
    responses = {
        status: response
        for status, response in operation["responses"].items()
        if status != "422"  # FastAPI's
    }
    for response in responses.values():
        response["headers"] = {"X-Request-ID": {"$ref": "#/components/headers/Request"}}
    for status in sorted((*_ANYWHERE, *errors)):
        if str(status) in responses:  # not ready, with the reason
            responses[str(status)]["content"][MEDIA_TYPE] = _problem(status)["content"][MEDIA_TYPE]
        else:
            responses[str(status)] = {"$ref": f"#/components/responses/Problem{status}"}
    if "201" in responses:
        responses["201"]["links"] = {name: _link(name) for name in _FOLLOWING}
    operation["responses"] = responses
    for parameter in operation.get("parameters", ()):
        if parameter["name"] == "episode_id":
            parameter.update(_EPISODE)


def _models() -> dict[str, Any]:
    """Schemas of requests as pydantic writes them.

    FastAPI turns limits into floats, and 2^63 - 1 into 2^63.
    """
    ours = (Batch, CreateEpisode, DrawTasks, ForkEpisode, StepEpisode, Verify, Problem)
    models = (*ours, Rpc, HttpReset, HttpStep, SplitRequest, TaskRequest, TaskRangeRequest, *NEMO, Queries, SlimeSample)
    _, found = models_json_schema(
        [(model, "validation") for model in models], ref_template="#/components/schemas/{model}"
    )
    defined: dict[str, Any] = found["$defs"]
    return defined


def _problem(status: int) -> dict[str, Any]:
    headers = {"X-Request-ID": {"$ref": "#/components/headers/Request"}}
    if status in _RETRIED:
        headers["Retry-After"] = {"$ref": "#/components/headers/Retry"}
    if status == 401:
        headers["WWW-Authenticate"] = {"$ref": "#/components/headers/Challenge"}
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": _WHY[status], "headers": headers, "content": content}


def _header(description: str, type: str, **limits: int) -> dict[str, Any]:
    return {"description": description, "required": True, "schema": {"type": type, **limits}}


def _link(name: str) -> dict[str, Any]:
    return {"operationId": name, "parameters": {"episode_id": "$response.body#/episode_id"}}
