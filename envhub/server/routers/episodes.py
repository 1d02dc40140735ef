"""``/v1/episodes``: create, step, fork, get, delete; and ``/v1/batch``.

Create, step and batch are documented here and answered by :mod:`envhub.server.http.fast_routes`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Response

from envhub.core.errors import InvalidParameters
from envhub.scenes.picture import MEDIA_TYPE
from envhub.server.http.requests import Batch, CreateEpisode, ForkEpisode, StepEpisode
from envhub.server.http.responses import Opening, Results, StepAnswer, Whole
from envhub.server.routers.replies import CallerDep, OperationsDep, reply

router = APIRouter(prefix="/v1", tags=["episodes"])

Turn = Annotated[int, Path(ge=0, description="number of turns taken; 0 is the prompt")]
_PNG: Final[dict[str, Any]] = {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}


@router.post("/episodes", status_code=201, responses={201: {"model": Opening}})
async def create(body: CreateEpisode) -> Response:
    """Begin an episode.

    Repeating the request with the same ``episode_id`` returns the same answer.
    """
    raise AssertionError("unreachable: answered by FastRoutes")


@router.post("/episodes/{episode_id}/step", responses={200: {"model": StepAnswer}})
async def step(episode_id: str, body: StepEpisode) -> Response:
    """Take a turn. Repeating the request returns the recorded answer."""
    raise AssertionError("unreachable: answered by FastRoutes")


@router.post("/batch", responses={200: {"model": Results}})
async def batch(body: Batch) -> Response:
    """Perform many operations at once.

    The answers are in the order of the items.
    """
    raise AssertionError("unreachable: answered by FastRoutes")


@router.post("/episodes/{episode_id}/fork", status_code=201, responses={201: {"model": Opening}})
async def fork(episode_id: str, body: ForkEpisode, caller: CallerDep, operations: OperationsDep) -> Response:
    """Begin a new episode with the past of this one."""
    status, answer = await operations.perform(caller, "fork", episode_id, body)
    return reply(answer, status)


@router.get("/episodes/{episode_id}", responses={200: {"model": Whole}})
async def get(episode_id: str, caller: CallerDep, operations: OperationsDep) -> Response:
    """Task, messages, steps and snapshot of an episode."""
    status, answer = await operations.perform(caller, "get", episode_id, None)
    return reply(answer, status)


@router.get("/episodes/{episode_id}/images/{turn}", response_class=Response, responses={200: _PNG})
async def image(episode_id: str, turn: Turn, caller: CallerDep, operations: OperationsDep) -> Response:
    """The picture of an observation as a PNG file.

    Of the observation after ``turn`` turns; 0 is the prompt.
    """
    found = await operations.pictures(caller, episode_id, turn)
    if not found:
        raise InvalidParameters(f"The observation after turn {turn} of {episode_id!r} has no picture.")
    return Response(found[0].png(), media_type=MEDIA_TYPE, headers={"cache-control": "private, no-store"})


@router.delete("/episodes/{episode_id}", status_code=204)
async def delete(episode_id: str, caller: CallerDep, operations: OperationsDep) -> Response:
    """Delete an episode."""
    status, _ = await operations.perform(caller, "delete", episode_id, None)
    return Response(status_code=status)
