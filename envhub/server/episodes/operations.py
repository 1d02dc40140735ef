"""What a client can ask for, however it asks: a route, an item of a batch, a message of a WebSocket.

What was sent is checked once, here, on its way to the service::

    status, answer = await operations.perform(caller, "step", "e", {"turn": 0, "action": "..."})
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar, cast

from pydantic import ValidationError

from envhub.core.errors import UnknownEpisode, nearest
from envhub.core.types import JSON
from envhub.server.auth.access import Caller
from envhub.server.auth.ownership import OwnedEpisodes, episodes_of
from envhub.server.episodes.quick_answers import is_quick
from envhub.server.episodes.scheduling import Scheduler
from envhub.server.episodes.service import Episodes
from envhub.server.episodes.stateless import draw_tasks, verify_responses
from envhub.server.http.problems import Forbidden, InvalidRequest, invalid
from envhub.server.http.requests import CreateEpisode, DrawTasks, ForkEpisode, StepEpisode, Verify, Wire
from envhub.settings import ServerSettings

M = TypeVar("M", bound=Wire)
Answered = tuple[int, JSON]
NAMES: Final = ("create", "step", "fork", "get", "delete", "tasks", "verify")
"""What can be asked for."""
_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,200}")
"""An episode's id, with that of a key before it: nothing else reaches a journal, where it would fail others' requests too."""


class Operations:
    """What can be asked for.

    Args:
        service: All episodes.
        settings: Of the server.
        work: Where what takes long is done.
    """

    def __init__(self, service: Episodes, settings: ServerSettings, work: Scheduler) -> None:
        self._service, self._settings, self._work = service, settings, work
        self._others: dict[str, Callable[[Caller, Any, Any], Awaitable[Answered]]] = {
            "create": self._create,
            "fork": self._fork,
            "get": self._get,
            "delete": self._delete,
            "tasks": self._tasks,
            "verify": self._verify,
        }

    async def perform(self, caller: Caller, name: Any, episode_id: Any, body: Any) -> Answered:
        """Do what is asked for; its status and its answer, as the route of the same name gives them.

        Args:
            caller: Who asks.
            name: What for, one of :data:`NAMES`.
            episode_id: Of the episode that it is about; None where it is about none.
            body: As in the request of the route; None where that has none.

        Raises:
            InvalidRequest: That is not how it is asked for.
            Forbidden: The caller's key is not good for it.
            EnvhubError: As the service.
        """
        if name == "step" and type(episode_id) is str:
            return 200, await self.step(caller, episode_id, body)
        if type(episode_id) is str:
            _check_id(episode_id)
        if name == "step" and caller.has("play"):
            raise _no_episode(name)
        other = self._others.get(name) if isinstance(name, str) else None
        if other is None and name != "step":
            near = nearest(str(name)[:60], NAMES)
            raise InvalidRequest(f"op: no operation {str(name)[:60]!r}; there are {', '.join(NAMES)}.{near}")
        needed = "verify" if name == "verify" else "play"
        if not caller.has(needed) or other is None:
            raise _forbidden(needed)
        about = name in ("fork", "get", "delete")
        if about != (episode_id is not None) or (about and type(episode_id) is not str):
            raise _no_episode(name) if about else InvalidRequest(f"episode_id: {name} takes none beside its body.")
        if name in ("get", "delete") and body is not None:
            raise InvalidRequest(f"body: {name} takes none.")
        return await other(caller, episode_id, body)

    async def step(self, caller: Caller, episode_id: str, body: Any) -> JSON:
        """Take a turn; errors as of :meth:`perform`."""
        _check_id(episode_id)
        if not caller.has("play"):
            raise _forbidden("play")
        turn, action = turn_of(body)
        if caller.key is None:
            return await self._service.step(episode_id, turn, action)
        return await self.episodes(caller).step(episode_id, turn, action)

    def episodes(self, caller: Caller) -> Episodes | OwnedEpisodes:
        """The episodes that a caller may see."""
        return episodes_of(self._service, caller)

    async def create(self, caller: Caller, body: CreateEpisode) -> JSON:
        """Begin an episode."""
        return await self.episodes(caller).create(
            request=body.model_dump(mode="json"),
            episode_id=body.episode_id,
            env_id=body.env_id,
            difficulty=body.difficulty,
            split=body.split,
            seed=body.seed,
            params=body.params,
            options=body.options.model_dump(exclude_none=True),
            turn_seed=body.turn_seed,
        )

    async def fork(self, caller: Caller, episode_id: str, body: ForkEpisode) -> JSON:
        """Begin an episode with the past of another."""
        request = {"fork": episode_id, **body.model_dump(mode="json")}
        return await self.episodes(caller).fork(
            episode_id, request=request, new_id=body.episode_id, turn=body.turn, turn_seed=body.turn_seed
        )

    async def tasks(self, body: DrawTasks) -> JSON:
        """Draw tasks."""
        return await self._work.run(body.env_id, "tasks", lambda: draw_tasks(body, self._settings), blocks=True)

    async def verify(self, body: Verify) -> JSON:
        """Judge responses."""
        if is_quick(body):
            return verify_responses(body, self._settings)
        return await self._work.run("verify", "verify", lambda: verify_responses(body, self._settings), blocks=True)

    # -- as one of many ----------------------------------------------------------------------------------------------

    async def _create(self, caller: Caller, episode_id: None, body: Any) -> Answered:
        return 201, await self.create(caller, validated(CreateEpisode, body))

    async def _fork(self, caller: Caller, episode_id: str, body: Any) -> Answered:
        return 201, await self.fork(caller, episode_id, validated(ForkEpisode, body))

    async def _get(self, caller: Caller, episode_id: str, body: None) -> Answered:
        return 200, await self.episodes(caller).get(episode_id)

    async def _delete(self, caller: Caller, episode_id: str, body: None) -> Answered:
        await self.episodes(caller).delete(episode_id)
        return 204, None

    async def _tasks(self, caller: Caller, episode_id: None, body: Any) -> Answered:
        return 200, await self.tasks(validated(DrawTasks, body))

    async def _verify(self, caller: Caller, episode_id: None, body: Any) -> Answered:
        return 200, await self.verify(validated(Verify, body))


def plain_turn(body: Any) -> tuple[int, str] | None:
    """The turn and the action of a step that is as it should be, else None; a model would cost more than the turn itself."""
    if type(body) is dict and len(body) == 2:
        turn, action = body.get("turn"), body.get("action")
        if type(turn) is int and turn >= 0 and type(action) is str:
            return turn, action
    return None


def turn_of(body: Any) -> tuple[int, str]:
    """The turn and the action of a step.

    Raises:
        InvalidRequest: It is not a step.
    """
    plain = plain_turn(body)
    if plain is not None:
        return plain
    step = validated(StepEpisode, body)
    return step.turn, step.action


def validated(model: type[M], body: Any) -> M:
    """What was sent, as its model.

    Raises:
        InvalidRequest: It is none.
    """
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise invalid(cast(Any, error.errors())) from None


def _check_id(episode_id: str) -> None:
    if not _ID.fullmatch(episode_id):
        raise UnknownEpisode(f"No episode {episode_id[:60]!r}; an id is 1 to 200 letters, digits and . _ : -.")


def _forbidden(scope: str) -> Forbidden:
    return Forbidden(f"This needs a key with the scope {scope}.")


def _no_episode(name: str) -> InvalidRequest:
    return InvalidRequest(f"episode_id: {name} is about an episode; name it, as text.")
