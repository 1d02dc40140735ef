"""The tools of a task that a policy may call.

An environment may draw tools with each task. Before a task is drawn, only tools shared by all tasks of an environment
are known::

    await tools_of(operations, caller, "browse-v0", None)                      # schemas in OpenAI's form
    await tools_of(operations, caller, "function-call-v0", episode_id)         # looked up: each task brings its own
"""

from __future__ import annotations

from collections.abc import Sequence

from envhub.authoring import Environment
from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON
from envhub.registry.registry import load, spec
from envhub.server.auth.access import Caller
from envhub.server.episodes.operations import Operations
from envhub.server.http.problems import InvalidRequest


async def tools_of(operations: Operations, caller: Caller, env_id: str, episode_id: str | None) -> Sequence[JSON]:
    """The schemas of the tools that may be called.

    Args:
        operations: The server's operations.
        caller: The caller.
        env_id: Environment of the request.
        episode_id: Id of its episode; None before the first.

    Raises:
        InvalidRequest: There is no episode yet, and the tools come with its task.
        InvalidParameters: The episode is of another environment.
        UnknownEpisode: There is no such episode.
        EnvhubError: As :func:`envhub.registry.registry.load`.
    """
    cls = _class(env_id)
    if _are_shared(cls):
        return tuple(tool.schema() for tool in cls.tools.values())
    if episode_id is None:
        raise InvalidRequest(
            f"The tools of {env_id} come with its tasks, but there is no episode yet: send a reset first."
        )
    _, whole = await operations.perform(caller, "get", episode_id, None)
    check_env(env_id, whole)
    tools: Sequence[JSON] = whole["task"]["tools"]
    return tools


async def has_tools(operations: Operations, caller: Caller, env_id: str, episode_id: str) -> bool:
    """Whether there is a tool to call.

    Raises like :func:`tools_of`, but is cheaper for shared tools.
    """
    cls = _class(env_id)
    return bool(cls.tools if _are_shared(cls) else await tools_of(operations, caller, env_id, episode_id))


def check_env(env_id: str, whole: JSON) -> None:
    """Check that an episode is of the environment that the path names.

    Raises:
        InvalidParameters: It is not.
    """
    found = whole["task"]["env_id"]
    if found != env_id:
        raise InvalidParameters(f"The episode is of {found}, but this path of {env_id}.")


def _class(env_id: str) -> type[Environment]:
    return load(spec(env_id))


def _are_shared(cls: type[Environment]) -> bool:
    """Whether all tasks have the same tools.

    The class then does not override ``tools_for``.
    """
    return cls.tools_for is Environment.tools_for
