"""``/`` and ``/docs``: where people and programs begin."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

import envhub
from envhub.server.http.reference import page
from envhub.server.routers.replies import reply
from envhub.web.assets import INDEX, respond

router = APIRouter(include_in_schema=False)


@router.get("/")
async def index(request: Request) -> Response:
    """The web pages for a browser; the entry points for a program."""
    if request.app.state.settings.pages and "text/html" in request.headers.get("accept", ""):
        return respond(INDEX, request.headers)
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
    """The API reference as a page."""
    found: str | None = getattr(request.app.state, "reference", None)
    if found is None:
        found = request.app.state.reference = page(request.app.openapi())
    return HTMLResponse(found)
