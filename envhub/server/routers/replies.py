"""Replies and dependencies of the routes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request, Response

from envhub.server.auth.access import Caller, caller_of
from envhub.server.episodes.operations import Operations
from envhub.server.http.json_text import dumps


def reply(body: Any, status: int = 200) -> Response:
    """A JSON response."""
    return Response(dumps(body), status_code=status, media_type="application/json")


async def _caller(request: Request) -> Caller:
    """The sender of the request."""
    return caller_of(request.scope)


async def _operations(request: Request) -> Operations:
    operations: Operations = request.app.state.operations
    return operations


CallerDep = Annotated[Caller, Depends(_caller)]
OperationsDep = Annotated[Operations, Depends(_operations)]
