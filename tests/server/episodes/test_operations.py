"""The table of operations: it agrees with the routes, however an operation is requested."""

from __future__ import annotations

from envhub.server.episodes.operations import OPERATIONS
from envhub.server.http.requests import Batch
from tests.server.serving import Api

METHODS = {"get": "get", "delete": "delete"}


def test_every_operation_has_the_route_and_the_status_of_the_table(api: Api) -> None:
    paths = api.get("/openapi.json").json()["paths"]
    for name, operation in OPERATIONS.items():
        route = paths[operation.path][METHODS.get(name, "post")]
        assert str(operation.status) in route["responses"], name
        assert ("requestBody" in route) == operation.has_body, name
        assert ("{episode_id}" in operation.path) == operation.names_episode, name


def test_the_document_of_batches_names_every_operation() -> None:
    described = Batch.model_fields["items"].description or ""
    assert f"({', '.join(OPERATIONS)})" in described
