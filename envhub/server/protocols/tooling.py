"""Which tools a policy may call: those of the task, for an environment may draw them with it.

Before a task is drawn only such tools are known as all tasks of an environment share::

    await tools_of(operations, caller, "browse-v0", None)                      # schemas as OpenAI has them
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
        operations: What can be asked for.
        caller: Who asks.
        env_id: The environment that the request is about.
        episode_id: Of the episode that it is about; None where none has begun.

    Raises:
        InvalidRequest: No episode has begun, and the tools come with its task.
        InvalidParameters: The episode is of another environment.
        UnknownEpisode: There is no such episode.
        EnvhubError: As :func:`envhub.registry.registry.load`.
    """
    cls = _class(env_id)
    if _are_shared(cls):
        return tuple(tool.schema() for tool in cls.tools.values())
    if episode_id is None:
        raise InvalidRequest(f"The tools of {env_id} come with its tasks, and no episode has begun: reset first.")
    _, whole = await operations.perform(caller, "get", episode_id, None)
    check_env(env_id, whole)
    tools: Sequence[JSON] = whole["task"]["tools"]
    return tools


async def has_tools(operations: Operations, caller: Caller, env_id: str, episode_id: str) -> bool:
    """Whether there is any tool to be called; errors as of :func:`tools_of`, and cheaper where tools are shared."""
    cls = _class(env_id)
    return bool(cls.tools if _are_shared(cls) else await tools_of(operations, caller, env_id, episode_id))


def check_env(env_id: str, whole: JSON) -> None:
    """Refuse an episode of another environment than the path names.

    Raises:
        InvalidParameters: It is one.
    """
    found = whole["task"]["env_id"]
    if found != env_id:
        raise InvalidParameters(f"The episode is of {found}, and this path of {env_id}.")


def _class(env_id: str) -> type[Environment]:
    return load(spec(env_id))


def _are_shared(cls: type[Environment]) -> bool:
    """Whether all tasks have the same tools; an environment that says which a task has decides for each."""
    return cls.tools_for is Environment.tools_for
