"""``/nemo/{env_id}``: NeMo Gym's resources server and Gymnasium server.

The id ``any`` accepts rows of every environment.

``/verify`` judges a single question from its row alone. In environments with tools, ``/seed_session`` starts an episode, each
``POST /{tool}`` is a turn, and ``/verify`` returns the reward; a message without a call is the last turn. Other multi-turn
environments are played through ``/reset`` and ``/step``. A session is a cookie with the episode and its turn. ::

    {"responses_create_params": {...}, "response": {...}, "ground_truth": "..."}
    {..., "reward": 1.0, "mask_sample": false, ...}

The protocol of ``/step`` cannot express a turn that could not be judged. It is a 500 ``JudgementError``, which fails the
rollout.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Depends, Path, Request, Response
from fastapi.responses import PlainTextResponse

from envhub.core.errors import Conflict, EpisodeOver, InvalidParameters, UnknownEpisode
from envhub.core.types import JSON, Fault
from envhub.registry.registry import load, spec
from envhub.server.auth.access import Caller
from envhub.server.episodes.operations import Operations
from envhub.server.http.problems import InvalidRequest, NotJudged
from envhub.server.protocols.nemo_gym.calls import action_of, closed_by_policy, lost_call
from envhub.server.protocols.nemo_gym.messages import (
    ANY,
    NemoAnswered,
    NemoClose,
    NemoRollouts,
    NemoRow,
    NemoSeed,
    NemoStepAnswer,
    PolicyOutput,
    ResetAnswer,
    Session,
    Verified,
    masked_response,
    policy_output,
    row_of,
    verdict_response,
)
from envhub.server.protocols.nemo_gym.metrics import aggregate_metrics
from envhub.server.protocols.rows import Row, create_episode, require_reward, tool_calls_action, verify_rows
from envhub.server.protocols.tooling import check_env
from envhub.server.routers.replies import CallerDep, OperationsDep, reply

router = APIRouter(prefix="/nemo/{env_id:path}", tags=["NeMo Gym"])

_OVER: Final = "The episode is over; nothing more is done."
_LOST: Final = Fault("session_lost", "no episode is known by the session of this request")
_TRACED: Final = re.compile(r"/ng-rollout/[^/]+(?:/training-token-capture)?$")
_ELSEWHERE: Final = "The result stands with the last of these calls."


async def _env_id(env_id: str) -> str:
    """The environment of a path, without the rollout suffix.

    NeMo Gym appends it when tracing.
    """
    return _TRACED.sub("", env_id)


EnvId = Annotated[str, Depends(_env_id)]

# -- a resources server --------------------------------------------------------------------------------------------------


@router.post("/seed_session", responses={200: {"model": dict[str, Any]}})
async def nemo_seed_session(
    env_id: EnvId, body: NemoSeed, request: Request, caller: CallerDep, operations: OperationsDep
) -> Response:
    """Start the episode of a row; a single question needs none."""
    if body.task_data is not None and body.resources_session_id is None:
        raise InvalidRequest("task_data: needs resources_session_id, the name of the session.")
    data = body.model_dump() if body.task_data is None else body.task_data
    row = row_of(data, env_id)
    answer = {} if body.resources_session_id is None else {"resources_session_id": body.resources_session_id}
    if row.max_turns == 1:
        return reply(answer)
    creation = row.creation()
    if body.resources_session_id is not None:
        if body.resources_session_id in _closed(request, caller):
            raise Conflict("This session has been closed; choose another resources_session_id.")
        creation = creation.model_copy(update={"episode_id": _episode_id(body.resources_session_id)})
    opening = await create_episode(operations, caller, creation, row)
    return _with_session(answer, Session(opening["episode_id"], 0))


@router.post("/verify", responses={200: {"model": Verified}})
async def nemo_verify(
    env_id: EnvId, body: NemoAnswered, request: Request, caller: CallerDep, operations: OperationsDep
) -> Response:
    """The request with the reward of the response.

    Masked if it could not be judged or a call was lost.
    """
    row, output = body.row(env_id), policy_output(body.response)
    if row.max_turns > 1:
        return reply(await _of_session(row, body, output, request, caller, operations))
    try:
        (verdict,) = await verify_rows(operations, [row], [output.text])
    except NotJudged as error:
        return reply(masked_response(body, "verifier_error", Fault("not_judged", str(error))))
    return reply(verdict_response(body, verdict))


@router.post("/close_session", responses={200: {"model": dict[str, Any]}})
async def nemo_close_session(
    env_id: EnvId, body: NemoClose, request: Request, caller: CallerDep, operations: OperationsDep
) -> Response:
    """Close a session.

    Also one that is closed already or was never started.
    """
    _known(env_id)
    if body.resources_session_id is None:
        session = Session.of(request)
        if session is not None:
            await _abandon(operations, caller, session.episode_id)
        return reply({})
    closed = _closed(request, caller)
    closed[body.resources_session_id] = None
    if len(closed) > _max_closed(request):
        closed.popitem(last=False)
    await _abandon(operations, caller, _episode_id(body.resources_session_id))
    return reply({"resources_session_id": body.resources_session_id})


@router.post("/aggregate_metrics", responses={200: {"model": dict[str, Any]}})
async def nemo_aggregate_metrics(env_id: EnvId, body: NemoRollouts) -> Response:
    """Metrics of rollouts, overall and per task.

    Masked ones are excluded and counted.
    """
    _known(env_id)
    return reply(aggregate_metrics(body.verify_responses))


@router.get("/reverify_mode", responses={200: {"model": str}})
async def nemo_reverify_mode(env_id: EnvId) -> Response:
    """``stateless`` if ``/verify`` needs only a row and its response, else ``unsupported``."""
    _known(env_id)
    stateless = env_id != ANY and load(spec(env_id)).max_turns == 1
    return reply("stateless" if stateless else "unsupported")


# -- its Gymnasium form --------------------------------------------------------------------------------------------------


@router.post("/reset", responses={200: {"model": ResetAnswer}})
async def nemo_reset(env_id: EnvId, body: NemoRow, caller: CallerDep, operations: OperationsDep) -> Response:
    """Start the episode of a row."""
    row = body.row(env_id)
    opening = await create_episode(operations, caller, row.creation(), row)
    shown = None if _contains_prompt(opening["observation"], body.responses_create_params) else opening["observation"]
    info = {**opening["info"], "supports_explicit_close": True}
    return _with_session({"observation": shown, "info": info}, Session(opening["episode_id"], 0))


@router.post("/step", responses={200: {"model": NemoStepAnswer}})
async def nemo_step(
    env_id: EnvId, body: NemoAnswered, request: Request, caller: CallerDep, operations: OperationsDep
) -> Response:
    """Take a turn: the model's messages and calls in its response."""
    row, output = body.row(env_id), policy_output(body.response)
    session = _needed(request)
    _, whole = await operations.perform(caller, "get", session.episode_id, None)
    _check_row(row, whole)
    action = output.text
    if output.calls and whole["task"]["tools"]:
        action = tool_calls_action([(call.name, call.arguments) for call in output.calls])
    answer = require_reward(await operations.step(caller, session.episode_id, {"turn": session.turn, "action": action}))
    observation, info = answer["observation"], dict(answer["info"])
    if output.calls:
        outputs = [_ELSEWHERE] * (len(output.calls) - 1) + [observation]
        info["tool_outputs"] = [
            {"call_id": call.call_id, "output": output} for call, output in zip(output.calls, outputs, strict=True)
        ]
        observation = None
    told = {name: answer[name] for name in ("reward", "terminated", "truncated")}
    return _with_session(
        {"observation": observation, **told, "info": info}, Session(session.episode_id, answer["turn"])
    )


@router.post("/close", responses={200: {"model": dict[str, Any]}})
async def nemo_close(env_id: EnvId, request: Request, caller: CallerDep, operations: OperationsDep) -> Response:
    """Delete the session's episode unless it is finished."""
    _known(env_id)
    session = Session.of(request)
    if session is not None:
        await _abandon(operations, caller, session.episode_id)
    return reply({})


# -- tools: last, because this path matches all of the above ----------------------------------------------------------------


@router.post("/{tool}", response_class=PlainTextResponse)
async def nemo_tool(
    env_id: EnvId,
    tool: Annotated[str, Path(description="name of a tool; the other paths have precedence")],
    request: Request,
    caller: CallerDep,
    operations: OperationsDep,
    arguments: Annotated[Any, Body(description="arguments of the tool, by name")] = None,
) -> Response:
    """Call a tool: a turn of the session's episode.

    The response is the observation of the policy.
    """
    _known(env_id)
    session = _needed(request)
    _, whole = await operations.perform(caller, "get", session.episode_id, None)
    if env_id != ANY:
        check_env(env_id, whole)
    if not whole["task"]["tools"]:
        raise InvalidRequest(f"No tool {tool[:60]!r}: {whole['task']['env_id']} has no tools. Send turns to /step.")
    body = {"turn": session.turn, "action": action_of(tool, arguments)}
    try:
        answer = await operations.step(caller, session.episode_id, body)
    except EpisodeOver:
        return PlainTextResponse(_OVER)
    after = Session(session.episode_id, answer["turn"])
    return PlainTextResponse(answer["observation"].encode(), headers=after.cookie())


async def _of_session(
    row: Row, body: NemoAnswered, output: PolicyOutput, request: Request, caller: Caller, operations: Operations
) -> JSON:
    """The reward of a session's episode.

    Messages after the last call are its last turn.
    """
    session = Session.of(request)
    if session is None:
        return masked_response(body, "session_lost", _LOST)
    try:
        _, whole = await operations.perform(caller, "get", session.episode_id, None)
        _check_row(row, whole)
        missed = lost_call(output, whole)
        if missed is not None:
            return masked_response(
                body, "transport_peer_drop", Fault("call_lost", f"a call of {missed.name} never became a turn")
            )
        if not whole["over"] and output.last:
            await operations.step(caller, session.episode_id, {"turn": session.turn, "action": output.last})
            _, whole = await operations.perform(caller, "get", session.episode_id, None)
    except UnknownEpisode:
        return (
            verdict_response(body, _UNFINISHED)
            if closed_by_policy(output)
            else masked_response(body, "session_lost", _LOST)
        )
    if not whole["over"]:
        return verdict_response(body, _UNFINISHED)
    last = whole["steps"][-1]
    verdict = last["info"]["verdict"]
    return verdict_response(body, {**verdict, "reward": last["reward"]})


_UNFINISHED: Final[JSON] = {
    "status": "no_answer",
    "reward": 0.0,
    "solved": False,
    "error": None,
    "components": {},
}


async def _abandon(operations: Operations, caller: Caller, episode_id: str) -> None:
    """Delete an episode unless it is finished."""
    try:
        _, whole = await operations.perform(caller, "get", episode_id, None)
        if not whole["over"]:
            await operations.perform(caller, "delete", episode_id, None)
    except UnknownEpisode:
        pass


def _check_row(row: Row, whole: JSON) -> None:
    """Check that a session plays this row.

    Two rollouts may have mixed up their cookies.

    Raises:
        InvalidParameters: It plays another row.
    """
    if any(whole["task"][part] != asked for part, asked in row.key.to_json().items() if part != "draw"):
        raise InvalidParameters("The session's episode is of another row.")


def _contains_prompt(prompt: str, asked: dict[str, Any]) -> bool:
    """Whether the input of the model contains the prompt."""
    messages = asked.get("input")
    if isinstance(messages, str):
        return prompt in messages
    parts = [message.get("content") for message in messages or () if isinstance(message, dict)]
    return any(isinstance(part, str) and prompt in part for part in parts)


def _needed(request: Request) -> Session:
    session = Session.of(request)
    if session is None:
        raise UnknownEpisode("The request has no session: send the cookie from /seed_session or /reset.")
    return session


def _with_session(body: JSON, session: Session) -> Response:
    response = reply(body)
    response.headers.update(session.cookie())
    return response


def _known(env_id: str) -> None:
    if env_id != ANY:
        load(spec(env_id))


def _episode_id(session_id: str) -> str:
    """The episode id for a session id, which may be any text."""
    return f"nemo-{hashlib.blake2b(session_id.encode(errors='surrogatepass'), digest_size=16).hexdigest()}"


def _closed(request: Request, caller: Caller) -> OrderedDict[str, None]:
    """The sessions that the caller's key closed most recently.

    They cannot be started again.
    """
    by_key: dict[str, OrderedDict[str, None]] = request.app.state.nemo_closed
    return by_key.setdefault(caller.key.id if caller.key else "", OrderedDict())


def _max_closed(request: Request) -> int:
    most: int = request.app.state.settings.max_episodes
    return most
