"""Files and data of the web pages at ``/``.

``/web`` needs no key: it serves files, one card per environment, and one sample per environment and level, drawn once. Drawing
more and playing use ``/v1``, with its keys and rates, and so does ``/web/episodes``. ``/web/server`` needs the scope admin.
"""

from __future__ import annotations

import asyncio
import time
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

import envhub
from envhub.registry.registry import load, spec
from envhub.scenes.svg import svg
from envhub.server.auth.access import caller_of
from envhub.server.auth.keys import SCOPES
from envhub.server.http.json_text import dumps
from envhub.server.http.problems import Forbidden
from envhub.server.routers.replies import CallerDep, OperationsDep, reply
from envhub.server.telemetry.overview import overview
from envhub.web.assets import Asset, asset, respond, send
from envhub.web.cards import cards
from envhub.web.samples import Sample, draw, picture

Level = Annotated[int, Path(ge=1, le=10)]

router = APIRouter(include_in_schema=False)


@router.get("/web/catalogue")
def catalogue(request: Request) -> Response:
    """Every environment's card."""
    return send(_catalogue(), request.headers)


@cache
def _catalogue() -> Asset:
    return asset(dumps({"environments": cards()}), "application/json")


@router.get("/web/session")
async def session(request: Request) -> Response:
    """What the sender may do here.

    ``pages`` are the pages that exist here, and ``scopes`` those of the sender's key.
    """
    scopes = sorted(caller_of(request.scope).scopes.intersection(SCOPES))
    return reply({"version": envhub.__version__, "pages": ["gallery"], "scopes": scopes})


@router.get("/web/samples/{level}/{env_id:path}")
async def sample(level: Level, env_id: str, request: Request) -> Response:
    """The sample task of an environment at a level.

    Always the same one, of the split train.
    """
    found = await _sample(request, env_id, level)
    return reply({"prompt": found.prompt, "params": found.params})


@router.get("/web/pictures/{level}/{env_id:path}")
async def sample_picture(level: Level, env_id: str, request: Request) -> Response:
    """The picture of the sample, as SVG; 404 without one."""
    return picture((await _sample(request, env_id, level)).scene, f"A task of {spec(env_id).id} at level {level}")


@router.get("/web/server")
async def server(request: Request) -> Response:
    """The state of the server, for its operator.

    Keys are shown by name.
    """
    state = request.app.state
    keys = [
        {"name": key.name, "scopes": sorted(key.scopes), "state": state.keyring.state(key)}
        for key in state.keyring.listed()
    ]
    ready = await state.readiness.check()
    return reply({"at": time.time(), "ready": ready.to_json(), "keys": keys, **overview(state.metrics.families())})


@router.get("/web/episodes/{episode_id}/board")
async def board(episode_id: str, caller: CallerDep, operations: OperationsDep) -> Response:
    """The grid that an answer fills in; null without one."""
    _, whole = await operations.perform(caller, "get", episode_id, None)
    task = whole["task"]
    shown = load(spec(task["env_id"]))().board(task["problem"])
    return reply(None if shown is None else shown.to_json())


@router.get("/web/episodes/{episode_id}/oracle")
async def oracle(episode_id: str, caller: CallerDep, operations: OperationsDep) -> Response:
    """The oracle's next action; needs the scope solutions."""
    if not caller.has("solutions"):
        raise Forbidden("The oracle's moves need an API key with the scope solutions.")
    return reply(await operations.oracle(caller, episode_id))


@router.get("/web/episodes/{episode_id}/picture")
async def episode_picture(episode_id: str, caller: CallerDep, operations: OperationsDep) -> Response:
    """An episode's latest state as SVG text; null without a picture."""
    scene = await operations.episodes(caller).scene(episode_id)
    return reply(None if scene is None else svg(scene))


@router.get("/web/{name:path}")
async def file(name: str, request: Request) -> Response:
    """A file of the pages."""
    return respond(name, request.headers)


async def _sample(request: Request, env_id: str, level: int) -> Sample:
    """The sample of an environment, drawn once.

    Strangers cannot keep the server busy with it.
    """
    found: dict[tuple[str, int], Sample] = request.app.state.samples
    key = (spec(env_id).id, level)
    if key not in found:
        found[key] = await asyncio.to_thread(draw, *key)
    return found[key]
