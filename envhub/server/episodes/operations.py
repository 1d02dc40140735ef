"""The operations of the API in one table.

Routes, batch items and WebSocket messages use it. A request is validated here, then passed to the service::

    status, answer = await operations.perform(caller, "step", "e", {"turn": 0, "action": "..."})
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

from pydantic import ValidationError

from envhub.core.errors import UnknownEpisode, nearest
from envhub.core.types import JSON
from envhub.scenes.picture import Picture
from envhub.server.auth.access import Caller
from envhub.server.auth.ownership import OwnedEpisodes, episodes_of
from envhub.server.episodes.quick_answers import is_quick
from envhub.server.episodes.quick_turns import Answered
from envhub.server.episodes.scheduling import Scheduler
from envhub.server.episodes.service import Episodes
from envhub.server.episodes.stateless import draw_tasks, verify_responses
from envhub.server.episodes.warm_judges import WarmJudges
from envhub.server.http.problems import Forbidden, InvalidRequest, invalid
from envhub.server.http.requests import CreateEpisode, DrawTasks, ForkEpisode, StepEpisode, Verify, Wire
from envhub.settings import ServerSettings

M = TypeVar("M", bound=Wire)
_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,200}")
"""An episode id, including the prefix of its key."""
_WARM: Final = 256
"""Maximum number of tasks kept for further responses; each is a problem in memory."""


class Operations:
    """Performs the operations of the API.

    Args:
        service: All episodes.
        settings: Settings of the server.
        work: Runs slow operations.
    """

    def __init__(self, service: Episodes, settings: ServerSettings, work: Scheduler) -> None:
        self._service, self._settings, self._work = service, settings, work
        self._judges = WarmJudges(_WARM)

    async def perform(self, caller: Caller, name: Any, episode_id: Any, body: Any) -> tuple[int, JSON]:
        """Perform an operation by name.

        Returns the status and the answer that its route would give.

        Args:
            caller: Sender of the request.
            name: A key of :data:`OPERATIONS`.
            episode_id: The episode; None for operations without one.
            body: The body of the route's request; None for operations without one.

        Raises:
            InvalidRequest: The name, the id or the body is invalid.
            Forbidden: The caller's key lacks the scope.
            EnvhubError: As the service.
        """
        if name == "step" and type(episode_id) is str:  # by far the most frequent: skip the general checks
            return 200, await self.step(caller, episode_id, body)
        if type(episode_id) is str:
            _check_id(episode_id)
        operation = OPERATIONS.get(name) if isinstance(name, str) else None
        if operation is None:
            near = nearest(str(name)[:60], OPERATIONS)
            raise InvalidRequest(f"op: unknown operation {str(name)[:60]!r}.{near} Available: {', '.join(OPERATIONS)}.")
        if not caller.has(operation.scope):
            raise _forbidden(operation.scope)
        if operation.names_episode:
            if type(episode_id) is not str:
                raise InvalidRequest(f"episode_id: {name} needs the id of an episode (a string).")
        elif episode_id is not None:
            raise InvalidRequest(f"episode_id: {name} does not take an episode_id beside its body.")
        if body is not None and not operation.has_body:
            raise InvalidRequest(f"body: {name} does not take a body.")
        return operation.status, await operation.run(self, caller, episode_id, body)

    async def step(self, caller: Caller, episode_id: str, body: Any) -> JSON:
        """Take a turn; raises as :meth:`perform`."""
        _check_id(episode_id)
        if not caller.has("play"):
            raise _forbidden("play")
        turn, action, images = turn_of(body)
        if caller.key is None and not images:
            return await self._service.step(episode_id, turn, action)
        return await self._shown(caller, images, await self.episodes(caller).step(episode_id, turn, action))

    def step_now(self, caller: Caller, episode_id: Any, body: Any, answered: Answered) -> bool:
        """Take a valid turn without a coroutine, if that is possible.

        See :meth:`envhub.server.episodes.quick_turns.QuickTurns.take`.
        """
        plain = plain_turn(body)
        if plain is None or type(episode_id) is not str or not _ID.fullmatch(episode_id) or not caller.has("play"):
            return False
        episodes = self._service if caller.key is None else self.episodes(caller)
        return episodes.step_now(episode_id, *plain, answered)

    def episodes(self, caller: Caller) -> Episodes | OwnedEpisodes:
        """The episodes that a caller may see."""
        return episodes_of(self._service, caller)

    async def create(self, caller: Caller, body: CreateEpisode) -> JSON:
        """Begin an episode."""
        opening = await self.episodes(caller).create(
            request=_identity(body),
            episode_id=body.episode_id,
            env_id=body.env_id,
            difficulty=body.difficulty,
            split=body.split,
            seed=body.seed,
            params=body.params,
            options=body.options.model_dump(exclude_none=True),
            turn_seed=body.turn_seed,
        )
        return await self._shown(caller, body.images, opening)

    async def fork(self, caller: Caller, episode_id: str, body: ForkEpisode) -> JSON:
        """Begin an episode with the past of another."""
        request = {"fork": episode_id, **_identity(body)}
        opening = await self.episodes(caller).fork(
            episode_id, request=request, new_id=body.episode_id, turn=body.turn, turn_seed=body.turn_seed
        )
        return await self._shown(caller, body.images, opening)

    async def pictures(self, caller: Caller, episode_id: str, turn: int) -> list[Picture]:
        """The pictures of an observation, drawn in a thread.

        Of the observation after a number of turns.

        Raises:
            UnknownEpisode: There is no such episode.
            InvalidParameters: The episode has fewer turns.
        """
        _check_id(episode_id)
        found = await self.episodes(caller).pictures(episode_id, turn)
        await asyncio.to_thread(lambda: [picture.png() for picture in found])
        return [*found]

    async def _shown(self, caller: Caller, images: bool, answer: JSON) -> JSON:
        """An answer with the pictures of its observation, if they were requested.

        They are added after the turn has been recorded.
        """
        if not images:
            return answer
        found = await self.pictures(caller, answer["episode_id"], answer["turn"])
        return {**answer, "images": [picture.base64() for picture in found]}

    async def oracle(self, caller: Caller, episode_id: str) -> str:
        """The oracle's next action; the caller has been checked."""
        return await self.episodes(caller).oracle(episode_id)

    async def tasks(self, body: DrawTasks) -> JSON:
        """Draw tasks."""
        return await self._work.run(body.env_id, "tasks", lambda: draw_tasks(body, self._settings), blocks=True)

    async def verify(self, body: Verify) -> JSON:
        """Judge responses."""
        if is_quick(body):
            return verify_responses(body, self._settings, self._judges)
        return await self._work.run(
            "verify", "verify", lambda: verify_responses(body, self._settings, self._judges), blocks=True
        )


# -- the table -----------------------------------------------------------------------------------------------------------

Run: TypeAlias = Callable[[Operations, Caller, Any, Any], Awaitable[JSON]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation, the same by route, batch and WebSocket.

    Attributes:
        path: Template of its route.
        run: Validates a body and performs the operation, given the episode id and the body.
        status: HTTP status of its answer.
        scope: Scope that the caller's key needs.
        names_episode: Whether it takes the id of an existing episode.
        has_body: Whether it takes a body.
        repeatable: Whether sending it again gives the same answer; ``named``: if its body has an ``episode_id``.
        size: Number of items that a body counts as in a batch.
    """

    path: str
    run: Run
    status: int = 200
    scope: Literal["play", "verify"] = "play"
    names_episode: bool = False
    has_body: bool = True
    repeatable: Literal["always", "named", "never"] = "always"
    size: Callable[[dict[str, Any]], int] | None = None


async def _create(operations: Operations, caller: Caller, episode_id: None, body: Any) -> JSON:
    return await operations.create(caller, validated(CreateEpisode, body))


async def _fork(operations: Operations, caller: Caller, episode_id: str, body: Any) -> JSON:
    return await operations.fork(caller, episode_id, validated(ForkEpisode, body))


async def _get(operations: Operations, caller: Caller, episode_id: str, body: None) -> JSON:
    return await operations.episodes(caller).get(episode_id)


async def _delete(operations: Operations, caller: Caller, episode_id: str, body: None) -> JSON:
    await operations.episodes(caller).delete(episode_id)
    return None


async def _tasks(operations: Operations, caller: Caller, episode_id: None, body: Any) -> JSON:
    return await operations.tasks(validated(DrawTasks, body))


async def _verify(operations: Operations, caller: Caller, episode_id: None, body: Any) -> JSON:
    return await operations.verify(validated(Verify, body))


def _seeds(body: dict[str, Any]) -> int:
    return _at_least_one(body.get("seeds"))


def _responses(body: dict[str, Any]) -> int:
    if type(items := body.get("items")) is not list:
        return 1
    return max(1, sum(_at_least_one(item.get("responses")) if type(item) is dict else 1 for item in items))


def _at_least_one(value: Any) -> int:
    return max(1, len(value)) if type(value) is list else 1


_EPISODE: Final = "/v1/episodes/{episode_id}"
OPERATIONS: Final[Mapping[str, Operation]] = {
    "create": Operation("/v1/episodes", _create, status=201, repeatable="named"),
    "step": Operation(f"{_EPISODE}/step", Operations.step, names_episode=True),
    "fork": Operation(f"{_EPISODE}/fork", _fork, status=201, names_episode=True, repeatable="named"),
    "get": Operation(_EPISODE, _get, names_episode=True, has_body=False),
    "delete": Operation(_EPISODE, _delete, status=204, names_episode=True, has_body=False, repeatable="never"),
    "tasks": Operation("/v1/tasks", _tasks, size=_seeds),
    "verify": Operation("/v1/verify", _verify, scope="verify", size=_responses),
}
"""The operations by name: the ``op`` of a batch item or a WebSocket message."""


# -- bodies --------------------------------------------------------------------------------------------------------------


def plain_turn(body: Any) -> tuple[int, str] | None:
    """The turn and action of a well-formed step, else None.

    A pydantic model would cost more than the turn itself.
    """
    if type(body) is dict and len(body) == 2:
        turn, action = body.get("turn"), body.get("action")
        if type(turn) is int and turn >= 0 and type(action) is str:
            return turn, action
    return None


def turn_of(body: Any) -> tuple[int, str, bool]:
    """The turn and action of a step.

    Also whether it asks for pictures.

    Raises:
        InvalidRequest: The body is not a step.
    """
    plain = plain_turn(body)
    if plain is not None:
        return *plain, False
    step = validated(StepEpisode, body)
    return step.turn, step.action, step.images


def _identity(body: Wire) -> JSON:
    """The part of a request that a repeated one must equal."""
    return body.model_dump(mode="json", exclude={"images"})


def validated(model: type[M], body: Any) -> M:
    """The body as an instance of its model.

    Raises:
        InvalidRequest: The body does not fit the model.
    """
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise invalid(cast(Any, error.errors())) from None


def _check_id(episode_id: str) -> None:
    if not _ID.fullmatch(episode_id):
        raise UnknownEpisode(
            f"No episode {episode_id[:60]!r}. An episode id has 1 to 200 characters: letters, digits and . _ : -"
        )


def _forbidden(scope: str) -> Forbidden:
    return Forbidden(f"This operation needs an API key with the scope {scope}.")
