"""``/v1/environments``: the available environments."""

from __future__ import annotations

from fastapi import APIRouter, Response

from envhub.registry.describe import describe, summaries
from envhub.server.http.responses import About, Summaries
from envhub.server.routers.replies import reply
from envhub.server.telemetry.request_log import note_env

router = APIRouter(prefix="/v1/environments", tags=["environments"])


@router.get("", responses={200: {"model": Summaries}})
def list_environments(category: str | None = None) -> Response:
    """Every environment with its category and a one-line description.

    ``error`` says why one cannot be used here.
    """
    return reply({"environments": summaries(category)})


@router.get("/{env_id:path}", responses={200: {"model": About}})
def get_environment(env_id: str) -> Response:
    """Rules, parameters and difficulty levels of one environment."""
    about = describe(env_id)
    note_env(env_id)
    return reply(about)
