"""``/v1/tasks``: problems without their answer keys."""

from __future__ import annotations

from fastapi import APIRouter, Response

from envhub.server.http.requests import DrawTasks
from envhub.server.http.responses import Tasks
from envhub.server.routers.replies import OperationsDep, reply

router = APIRouter(prefix="/v1/tasks", tags=["tasks"])


@router.post("", responses={200: {"model": Tasks}})
async def draw(body: DrawTasks, operations: OperationsDep) -> Response:
    """One task for each seed, in order."""
    return reply(await operations.tasks(body))
