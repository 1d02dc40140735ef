"""The FastAPI application of the server.

::

    app = create_app(ServerSettings(port=8420))
    uvicorn.run(app, host="127.0.0.1", port=8420)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import WebSocketRoute

import envhub
from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.core.loopback import is_loopback
from envhub.server.auth.access import AccessControl
from envhub.server.auth.keys import Keyring
from envhub.server.episodes.operations import Operations
from envhub.server.episodes.prefill import Prefill
from envhub.server.episodes.scheduling import Scheduler
from envhub.server.episodes.service import IDLE_S, Episodes
from envhub.server.http import document, problems
from envhub.server.http.fast_routes import FastRoutes
from envhub.server.http.limits import BodyLimit, Permissions
from envhub.server.http.websocket import WebSocket
from envhub.server.journal import Journal, open_journal
from envhub.server.processes.readiness import Readiness
from envhub.server.processes.sandbox_broker import BrokerStatus
from envhub.server.processes.sandbox_status import SandboxStatus
from envhub.server.processes.worker_status import WorkerStatus
from envhub.server.protocols import remote_rewards
from envhub.server.protocols.nemo_gym import router as nemo_gym
from envhub.server.protocols.openenv import router as openenv
from envhub.server.protocols.openenv.session import RpcSession, Session
from envhub.server.protocols.openenv.socket import OpenEnvSocket
from envhub.server.routers import environments, episodes, health, home, pages, tasks, verify
from envhub.server.telemetry.journal import InstrumentedJournal
from envhub.server.telemetry.metrics import Metrics
from envhub.server.telemetry.request_log import RequestLog
from envhub.server.telemetry.tracing import start_spans
from envhub.settings import ServerSettings, beyond_loopback

_SWEEP_EVERY_S: Final = 5.0
# FastAPI's traces and logs contain requests and exception messages, and with them seeds and solutions
_NOT_FASTAPIS: Final[Any] = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
_log = logging.getLogger(__name__)


def create_app(
    settings: ServerSettings | None = None,
    journal: Journal | None = None,
    keyring: Keyring | None = None,
    workers: Callable[[], WorkerStatus] | None = None,
    broker: Callable[[], BrokerStatus] | None = None,
) -> FastAPI:
    """The application of one worker.

    Args:
        settings: Defaults to the environment variables and ``envhub.toml``.
        journal: Where episodes are recorded. Defaults to the journal of the settings, closed at shutdown.
        keyring: The API keys. Defaults to the key file of the settings.
        workers: Returns the status of all workers, if there are several.
        broker: Returns the status of the sandbox broker, if this server has one.

    Raises:
        InvalidParameters: The address is not loopback and there is no usable key.
        KeysUnavailable: The key file cannot be read.
        JournalUnavailable: The journal cannot be opened.
        MissingExtra: Tracing needs OpenTelemetry, or a Redis journal needs redis, and it is not installed.
    """
    settings = ServerSettings() if settings is None else settings
    if keyring is None:
        keyring = Keyring(settings.keys_file, required=not is_loopback(settings.host))
    if not keyring.usable() and not is_loopback(settings.host):
        raise InvalidParameters(f"{beyond_loopback(settings.host, settings.keys_file)}.")
    opened = journal is None  # an empty journal is falsy
    if journal is None:
        journal = open_journal(settings.journal_url, settings.episode_ttl_s, settings.max_episodes)
    metrics = Metrics()
    observed: Journal = cast(Journal, InstrumentedJournal(journal, metrics))
    scheduler = Scheduler(settings.draw_threads, settings.draw_queue)
    prefill = Prefill(settings.prefill, settings.prefill_processes)
    service = Episodes(
        observed,
        settings.max_live,
        prefill,
        Permissions(settings.files, settings.opponents),
        idle_s=min(IDLE_S, settings.episode_ttl_s),
        scheduler=scheduler,
    )
    operations = Operations(service, settings, scheduler)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(_sweep(service, metrics))
        yield
        sweeping.cancel()
        metrics.refresh()
        service.close()
        scheduler.close()
        if opened:
            observed.close()

    app = FastAPI(
        title="envhub",
        version=envhub.__version__,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's pages load scripts from other sites; ours are in routers/home.py
        redoc_url=None,
        telemetry=_NOT_FASTAPIS,
    )
    app.state.settings = settings
    app.state.episodes = service
    app.state.prefill = prefill
    app.state.metrics = metrics
    app.state.keyring = keyring
    app.state.operations = operations
    app.state.sandbox = sandbox = SandboxStatus(broker)
    app.state.readiness = Readiness(observed, settings.files, workers=workers, sandbox=sandbox)
    metrics.gauge("waiting", "Requests that wait for a thread", lambda: scheduler.waiting)
    metrics.gauge("episodes", "Episodes in the journal", lambda: len(observed), "livemax")
    _wrap(app, operations, settings, keyring, metrics)
    _route(app, operations)
    return app


def _wrap(app: FastAPI, operations: Operations, settings: ServerSettings, keyring: Keyring, metrics: Metrics) -> None:
    """Add the middleware, innermost first.

    Access is checked before the body is read, and every request is logged.
    """
    app.add_middleware(FastRoutes, operations=operations, settings=settings)
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes)
    app.add_middleware(AccessControl, keyring=keyring, origins=settings.origins, solutions=settings.solutions)
    if settings.origins:
        headers = ["Authorization", "Content-Type", "X-Request-ID"]
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=headers,
            expose_headers=["Retry-After", "X-Request-ID"],
        )
    problems.install(app)
    app.add_middleware(RequestLog, metrics=metrics, spans=start_spans() if settings.otel else None)


def _route(app: FastAPI, operations: Operations) -> None:
    """Add the routes."""
    app.state.nemo_closed = {}
    if app.state.settings.pages:
        app.state.samples = {}
        app.include_router(pages.router)
    for part in (home, health, environments, episodes, tasks, verify, remote_rewards, openenv, nemo_gym):
        app.include_router(part.router)
    document.install(app)
    app.router.routes.append(WebSocketRoute("/v1/ws", WebSocket(operations)))
    app.router.routes.append(WebSocketRoute("/openenv/{env_id:path}/ws", OpenEnvSocket(operations, Session)))
    app.router.routes.append(WebSocketRoute("/openenv/{env_id:path}/mcp", OpenEnvSocket(operations, RpcSession)))


async def _sweep(service: Episodes, metrics: Metrics) -> None:
    """Delete idle episodes and refresh the metrics periodically, even without requests."""
    while True:
        await asyncio.sleep(_SWEEP_EVERY_S)
        metrics.refresh()
        try:
            await service.sweep()
        except EnvhubError as error:
            _log.warning("sweeping failed: %s", error)
