"""``/openenv/{env_id}``: OpenEnv's HTTP routes and its Task API; :mod:`envhub.server.protocols.openenv.session` is its session.

Over HTTP OpenEnv forgets an environment after each request. Here a reset begins an episode, and a step names it as
``episode_id``; it may name its ``turn`` too, and can then be sent again. What could not be judged is a 500
``JudgementError``. A task is what a reset takes: its split, seed and difficulty. The Task API shows as many tasks of a
split as fit in one answer; any other seed can be asked for. ::

    client = GenericEnvClient(base_url="http://127.0.0.1:8420/openenv/sudoku-v0")
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request, Response

import envhub
from envhub.core.difficulty import check_difficulty
from envhub.core.errors import InvalidParameters, UnknownEnvironment
from envhub.core.seeding import MAX_SEED, SPLITS, check_split
from envhub.core.types import JSON
from envhub.registry.describe import describe
from envhub.registry.registry import load, spec
from envhub.server.http.responses import Answer
from envhub.server.protocols.openenv.mcp import Mcp, Rpc, RpcAnswer
from envhub.server.protocols.openenv.messages import (
    HttpReset,
    HttpStep,
    ObservationResponse,
    SplitRequest,
    State,
    TaskRangeRequest,
    TaskRequest,
    action_of,
    no_tools,
    reset_response,
    schemas,
    step_response,
    tools_response,
)
from envhub.server.protocols.rows import create_episode, require_reward
from envhub.server.protocols.tooling import check_env, tools_of
from envhub.server.routers.replies import CallerDep, OperationsDep, reply
from envhub.server.telemetry.request_log import note_env
from envhub.settings import ServerSettings

router = APIRouter(prefix="/openenv/{env_id:path}", tags=["OpenEnv"])


class HealthResponse(Answer):
    """Health of an environment: it exists."""

    status: Literal["healthy"]


class Metadata(Answer):
    """Metadata of the environment."""

    name: str
    description: str
    readme_content: str
    version: str
    author: str | None
    documentation_url: str | None


class Schemas(Answer):
    """The JSON schemas of actions, observations and states."""

    action: dict[str, Any]
    observation: dict[str, Any]
    reset_observation: dict[str, Any]
    state: dict[str, Any]


class SplitAnswer(Answer):
    """A split."""

    name: str
    type: Literal["train", "validation", "test"]


class TaskSpec(Answer):
    """Parameters of a reset."""

    split: str
    seed: int
    difficulty: int | list[int] | None


class TaskResponse(Answer):
    """A task."""

    task: TaskSpec


class TasksResponse(Answer):
    """Tasks."""

    tasks: list[TaskSpec]


class SplitTasksResponse(TasksResponse):
    """The tasks of a split."""

    env_name: str


class CountResponse(Answer):
    """Number of listed tasks."""

    num_tasks: int


@router.get("/health", responses={200: {"model": HealthResponse}})
async def openenv_health(env_id: str) -> Response:
    """Check that the environment can be played."""
    _known(env_id)
    return reply({"status": "healthy"})


@router.get("/metadata", responses={200: {"model": Metadata}})
async def openenv_metadata(env_id: str) -> Response:
    """Description of the environment, with its rules."""
    _known(env_id)
    about = describe(env_id)
    told = {"name": env_id, "description": about["description"], "readme_content": about["rules"]}
    return reply({**told, "version": envhub.__version__, "author": None, "documentation_url": None})


@router.get("/schema", responses={200: {"model": Schemas}})
async def openenv_schema(env_id: str) -> Response:
    """The JSON schemas of actions, observations and states."""
    _known(env_id)
    return reply(schemas())


@router.get("/state", responses={200: {"model": State}})
async def openenv_state(
    env_id: str, caller: CallerDep, operations: OperationsDep, episode_id: str | None = None
) -> Response:
    """Progress of an episode; without an id, the state before one."""
    _known(env_id)
    if episode_id is None:
        return reply({"episode_id": None, "step_count": 0})
    whole = await operations.perform(caller, "get", episode_id, None)
    check_env(env_id, whole[1])
    found = {"episode_id": episode_id, "step_count": whole[1]["turn"], "env_id": env_id, "over": whole[1]["over"]}
    return reply(found)


@router.post("/reset", responses={200: {"model": ObservationResponse}})
async def openenv_reset(
    env_id: str,
    caller: CallerDep,
    operations: OperationsDep,
    body: Annotated[HttpReset, Body(default_factory=HttpReset)],
) -> Response:
    """Begin an episode.

    Repeating the request with the same ``episode_id`` gives the same answer.
    """
    creation, row = body.creation(env_id)
    opening = await create_episode(operations, caller, creation.model_copy(update={"episode_id": body.episode_id}), row)
    return reply(reset_response(opening))


@router.post("/step", responses={200: {"model": ObservationResponse}})
async def openenv_step(env_id: str, body: HttpStep, caller: CallerDep, operations: OperationsDep) -> Response:
    """Take a turn of an episode.

    One that could not be judged is a 500 ``JudgementError``.
    """
    _known(env_id)
    action = action_of(body.action)
    if action is None:
        return reply(tools_response(await tools_of(operations, caller, env_id, body.episode_id)))
    _, whole = await operations.perform(caller, "get", body.episode_id, None)
    check_env(env_id, whole)
    if action.tool is not None and not whole["task"]["tools"]:
        raise no_tools(env_id)
    answer = require_reward(await operations.episodes(caller).step(body.episode_id, body.turn, action.text))
    return reply(step_response(answer, tool=action.tool))


@router.post("/mcp", responses={200: {"model": RpcAnswer}})
async def openenv_mcp(env_id: str, body: Rpc, caller: CallerDep, operations: OperationsDep) -> Response:
    """List and call tools by JSON-RPC.

    Errors of JSON-RPC are in its response.
    """
    _known(env_id)
    return reply(await Mcp(operations, caller, env_id).perform(body))


@router.get("/list_environments", responses={200: {"model": list[str]}})
async def openenv_environments(env_id: str) -> Response:
    """The environment of this path."""
    _known(env_id)
    return reply([env_id])


@router.get("/{env_name}/splits", responses={200: {"model": list[SplitAnswer]}})
async def openenv_splits(env_id: str, env_name: str) -> Response:
    """The available splits."""
    _env_named_twice(env_id, env_name)
    return reply([{"name": split, "type": split} for split in SPLITS])


@router.post("/{env_name}/num_tasks", responses={200: {"model": CountResponse}})
async def openenv_num_tasks(env_id: str, env_name: str, body: SplitRequest, request: Request) -> Response:
    """Number of listed tasks of a split.

    There are as many tasks as seeds.
    """
    _env_named_twice(env_id, env_name)
    check_split(body.split)
    return reply({"num_tasks": _listed_at_once(request)})


@router.post("/{env_name}/tasks", responses={200: {"model": SplitTasksResponse}})
async def openenv_tasks(env_id: str, env_name: str, body: SplitRequest, request: Request) -> Response:
    """The listed tasks of a split."""
    found = _env_named_twice(env_id, env_name)
    tasks = [_task(body.split, seed, 3) for seed in range(_listed_at_once(request))]
    return reply({"tasks": tasks, "env_name": found})


@router.post("/{env_name}/task", responses={200: {"model": TaskResponse}})
async def openenv_task(env_id: str, env_name: str, body: TaskRequest) -> Response:
    """A task of a split: the parameters of a reset."""
    _env_named_twice(env_id, env_name)
    return reply({"task": _task(body.split, body.index, body.difficulty)})


@router.post("/{env_name}/task_range", responses={200: {"model": TasksResponse}})
async def openenv_task_range(env_id: str, env_name: str, body: TaskRangeRequest, request: Request) -> Response:
    """Tasks of a split, from ``start`` up to, and without, ``stop``."""
    _env_named_twice(env_id, env_name)
    most = _listed_at_once(request)
    start = body.start or 0
    stop = most if body.stop is None else min(body.stop, MAX_SEED + 1)
    if stop - start > most:
        raise InvalidParameters(f"At most {most} tasks fit in one request, got {stop - start}.")
    return reply({"tasks": [_task(body.split, seed, body.difficulty) for seed in range(start, stop)]})


def _task(split: str, seed: int, difficulty: Any) -> JSON:
    check_split(split)
    if difficulty is not None:
        check_difficulty(difficulty)
    return {"split": split, "seed": seed, "difficulty": difficulty}


def _listed_at_once(request: Request) -> int:
    settings: ServerSettings = request.app.state.settings
    return settings.max_batch


def _known(env_id: str) -> None:
    """Reject an environment that cannot be played; raises as :func:`envhub.registry.registry.load`."""
    load(spec(env_id))
    note_env(env_id)


def _env_named_twice(env_id: str, env_name: str) -> str:
    """The environment that a Task API path names twice.

    Its id may contain slashes.
    """
    whole = f"{env_id}/{env_name}"
    middle = len(whole) // 2
    if whole[middle] != "/" or whole[:middle].lower() != whole[middle + 1 :].lower():
        raise UnknownEnvironment(
            f"The path names two environments, {env_id[:60]!r} and {env_name[:60]!r}; name one twice."
        )
    _known(whole[:middle])
    return whole[:middle]
