"""``/health``, ``/ready`` and ``/metrics``, for operators."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

import envhub
from envhub.server.auth.access import caller_of
from envhub.server.http.responses import Health, Ready
from envhub.server.processes.readiness import Readiness
from envhub.server.processes.sandbox_status import SandboxStatus
from envhub.server.routers.replies import reply
from envhub.server.telemetry.metrics import Metrics

router = APIRouter(tags=["health"])


@router.get("/health", responses={200: {"model": Health}})
async def health() -> Response:
    """The process is running; checks nothing else."""
    return reply({"status": "ok", "version": envhub.__version__})


@router.get(
    "/ready", responses={200: {"model": Ready}, 503: {"model": Ready, "description": "Not ready, with the reasons"}}
)
async def ready(request: Request) -> Response:
    """Whether episodes can be played: 200 or 503.

    Details need a key on a server with keys.
    """
    readiness: Readiness = request.app.state.readiness
    report = await readiness.check()
    status = 200 if report.ready else 503
    if not caller_of(request.scope).scopes:
        return reply(report.summary(), status)
    episodes = await readiness.episodes() if report.journal is None else None
    return reply({**report.to_json(), "episodes": episodes}, status)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """Metrics of all workers in the text format of Prometheus."""
    found: Metrics = request.app.state.metrics
    sandbox: SandboxStatus = request.app.state.sandbox
    text, media_type = found.exposition()
    return Response(text + await sandbox.exposition(), headers={"content-type": media_type})
