"""``/v1/episodes``: create, step, fork, get, delete."""

from __future__ import annotations

from fastapi import APIRouter, Response

from envhub.server.routers.replies import EpisodesDep, reply
from envhub.server.wire import CreateEpisode, ForkEpisode, StepEpisode

router = APIRouter(prefix="/v1/episodes", tags=["episodes"])


@router.post("", status_code=201)
async def create(body: CreateEpisode, episodes: EpisodesDep) -> Response:
    """Begin an episode. Repeating the request with the same ``episode_id`` gives the same answer."""
    opening = await episodes.create(
        request=body.model_dump(mode="json"),
        episode_id=body.episode_id,
        env_id=body.env_id,
        difficulty=body.difficulty,
        split=body.split,
        seed=body.seed,
        params=body.params,
        options=body.options.model_dump(exclude_none=True),
        chance=body.chance,
    )
    return reply(opening, 201)


@router.post("/{episode_id}/step")
async def step(episode_id: str, body: StepEpisode, episodes: EpisodesDep) -> Response:
    """Take a turn. Repeating the request gives the recorded answer."""
    return reply(await episodes.step(episode_id, body.turn, body.action))


@router.post("/{episode_id}/fork", status_code=201)
async def fork(episode_id: str, body: ForkEpisode, episodes: EpisodesDep) -> Response:
    """Begin a new episode with the past of this one."""
    request = {"fork": episode_id, **body.model_dump(mode="json")}
    opening = await episodes.fork(
        episode_id, request=request, new_id=body.episode_id, turn=body.turn, chance=body.chance
    )
    return reply(opening, 201)


@router.get("/{episode_id}")
async def get(episode_id: str, episodes: EpisodesDep) -> Response:
    """Task, messages, answers and snapshot of an episode."""
    return reply(await episodes.get(episode_id))


@router.delete("/{episode_id}", status_code=204)
async def delete(episode_id: str, episodes: EpisodesDep) -> Response:
    """Forget an episode."""
    await episodes.delete(episode_id)
    return Response(status_code=204)
