"""``/`` and ``/docs``: what a person finds who opens the server's address."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

import envhub
from envhub.server.http.reference import page
from envhub.server.routers.replies import reply

router = APIRouter(include_in_schema=False)


@router.get("/")
async def index() -> Response:
    """What this server is, and where to go on."""
    return reply(
        {
            "name": "envhub",
            "version": envhub.__version__,
            "docs": "/docs",
            "openapi": "/openapi.json",
            "health": "/health",
            "ready": "/ready",
            "environments": "/v1/environments",
        }
    )


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    """The API as a page."""
    found: str | None = getattr(request.app.state, "reference", None)
    if found is None:
        found = request.app.state.reference = page(request.app.openapi())
    return HTMLResponse(found)
