"""``/health``: whether the process answers."""

from __future__ import annotations

from fastapi import APIRouter, Response

import envhub
from envhub.server.routers.replies import EpisodesDep, reply

router = APIRouter(tags=["health"])


@router.get("/health")
async def health(episodes: EpisodesDep) -> Response:
    """The server's version and how many episodes it holds."""
    return reply({"status": "ok", "version": envhub.__version__, "episodes": len(episodes)})
