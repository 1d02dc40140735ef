"""OpenEnv's messages: resets, actions, tasks and observations.

An action is ``{"message": text}``. In an environment with tools it may be ``{"type": "call_tool", "tool_name": ...,
"arguments": {...}}``, as OpenEnv's tool clients send it, or the call as text. A reset accepts all arguments of
:func:`envhub.make`. An observation has the text as ``message``. Neither it nor ``metadata`` contains the seed, because some
trainers show both to the policy.

Source: openenv 0.10.0 ``core/env_server/types.py``, ``mcp_types.py``, ``serialization.py``, ``http_server.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from envhub.core.types import JSON
from envhub.server.episodes.operations import validated
from envhub.server.http.problems import InvalidRequest
from envhub.server.http.requests import (
    AnyObject,
    CreateEpisode,
    Difficulty,
    EpisodeId,
    Form,
    Seed,
    Split,
    Wire,
    WordingNumber,
)
from envhub.server.http.responses import Answer
from envhub.server.protocols.rows import Row, tool_call_action

_TASK: Final = ("difficulty", "split", "seed", "params")


class Reset(Wire):
    """The episode to start; defaults are those of ``POST /v1/episodes``."""

    seed: Seed | None = Field(None, description="seed of the task; null for a random one")
    episode_id: Annotated[str, StringConstraints(max_length=255)] | None = Field(
        None, description="over HTTP the id of the episode; in a session a name for it, which is only echoed"
    )
    difficulty: Difficulty = Field(3, description="1..10, or [low, high]; null starts from the parameters' defaults")
    split: Split = Field("train", description="train, validation or test")
    params: AnyObject = Field(default_factory=dict, description="parameters set by name")
    ground_truth: str | None = Field(
        None, description="ground truth of a row of envhub generate, instead of seed, difficulty, split and params"
    )
    answer_format: Form | None = Field(None, description="answer format of the prompt")
    wording: WordingNumber | None = Field(None, description="a wording's number, or held-out; null: the task's own")
    reward: dict[str, float] | None = Field(
        None, description="weights by part of the verdict; accuracy alone by default"
    )
    turn_seed: Seed = Field(0, description="seed of per-turn randomness")

    def creation(self, env_id: str) -> tuple[CreateEpisode, Row | None]:
        """The request that creates the episode, and its row if any.

        Raises:
            InvalidRequest: The task is specified twice.
            InvalidParameters: The ground truth is not valid, or of another environment.
        """
        if self.ground_truth is None:
            options = {"answer_format": self.answer_format, "wording": self.wording, "reward": self.reward}
            said = {name: getattr(self, name) for name in (*_TASK, "turn_seed")}
            return validated(CreateEpisode, {"env_id": env_id, **said, "options": options}), None
        if twice := [name for name in _TASK if name in self.model_fields_set]:
            raise InvalidRequest(f"ground_truth specifies the whole task; leave out {', '.join(twice)}.")
        row = Row.read(
            self.ground_truth, self.answer_format, wording=None if self.wording is None else str(self.wording)
        )
        row.check_env(env_id)
        return row.creation(self.reward).model_copy(update={"turn_seed": self.turn_seed}), row


class HttpReset(Reset):
    """A reset over HTTP, where steps name the episode."""

    episode_id: EpisodeId | None = Field(None, description="id of the episode, chosen by the client")


class Message(Wire):
    """A message of the policy."""

    message: str = Field(description="the whole text")
    metadata: AnyObject = Field(default_factory=dict, description="not read")


class CallTool(Wire):
    """A call of a tool of the environment."""

    type: Literal["call_tool"]
    tool_name: str = Field(description="name of the tool")
    arguments: AnyObject = Field(default_factory=dict, description="its arguments by name")
    metadata: AnyObject = Field(default_factory=dict, description="not read")


class ListTools(Wire):
    """A request for the list of tools; it takes no turn."""

    type: Literal["list_tools"]
    metadata: AnyObject = Field(default_factory=dict, description="not read")


class HttpStep(Wire):
    """A turn over HTTP."""

    action: AnyObject = Field(description="an action, such as {message: ...}")
    episode_id: str = Field(description="id from the response to the reset")
    turn: int | None = Field(None, ge=0, description="number of turns taken before; the next turn by default")
    timeout_s: float | None = Field(None, gt=0, description="not read: environments have limits of their own")
    request_id: str | None = Field(None, max_length=255, description="not read")


class SplitRequest(Wire):
    """A request about a split."""

    split: Split


class TaskRequest(SplitRequest):
    """A request for a task of a split by index."""

    index: Seed = Field(description="the task's seed")
    difficulty: Difficulty = Field(3, description="1..10")


class TaskRangeRequest(SplitRequest):
    """A request for a range of tasks of a split."""

    start: Seed | None = Field(None, description="the first; 0 by default")
    stop: Annotated[int, Field(ge=0)] | None = Field(None, description="one past the last")
    difficulty: Difficulty = Field(3, description="1..10")


class Observation(Answer):
    """An observation of the policy."""

    model_config = ConfigDict(extra="allow")

    message: str = Field(description="text of the environment")
    metadata: dict[str, Any] = Field(description="about the episode, for the trainer")


class ObservationResponse(Answer):
    """The response to a reset or a step."""

    observation: Observation
    reward: float | None = Field(description="null in the response to a reset")
    done: bool
    metadata: dict[str, Any] = Field(description="the same as in the observation")


class State(Answer):
    """Progress of an episode, without its seed."""

    model_config = ConfigDict(extra="allow")

    episode_id: str | None
    step_count: int = Field(ge=0)


class Action(NamedTuple):
    """An action of a policy.

    Attributes:
        text: The action as the environment reads it.
        tool: Name of the called tool; None for a message.
    """

    text: str
    tool: str | None


def action_of(action: Any) -> Action | None:
    """Parse an action; None for a request for the list of tools.

    Raises:
        InvalidRequest: It is not an action.
    """
    kind = action.get("type") if isinstance(action, dict) else None
    if kind == "list_tools":
        validated(ListTools, action)
        return None
    if kind != "call_tool":
        return Action(validated(Message, action).message, None)
    call = validated(CallTool, action)
    return Action(tool_call_action(call.tool_name, call.arguments), call.tool_name)


def no_tools(env_id: str) -> InvalidRequest:
    """The error for a tool call in an environment without tools."""
    return InvalidRequest(f"type: {env_id} has no tools; an action is an object with message.")


def reset_response(opening: JSON, name: str | None = None) -> JSON:
    """The observation after a reset."""
    episode = opening["episode_id"] if name is None else name
    return _observed(opening["observation"], None, False, {"episode_id": episode, "turn": 0, **opening["info"]})


def step_response(answer: JSON, name: str | None = None, tool: str | None = None) -> JSON:
    """The observation after a judged turn."""
    ended = {part: answer[part] for part in ("turn", "terminated", "truncated", "info")}
    metadata = {"episode_id": answer["episode_id"] if name is None else name, **ended}
    over = answer["terminated"] or answer["truncated"]
    observed = _observed(answer["observation"], answer["reward"], over, metadata)
    if tool is not None:
        observed["observation"] |= {"tool_name": tool, "result": answer["observation"], "error": None}
    return observed


def tools_response(tools: Sequence[JSON]) -> JSON:
    """The observation that lists the tools, given by their OpenAI schemas."""
    functions = [tool["function"] for tool in tools]
    named = [{"name": f["name"], "description": f["description"], "input_schema": f["parameters"]} for f in functions]
    return {"observation": {"tools": named, "metadata": {}}, "reward": None, "done": False, "metadata": {}}


def _observed(message: str, reward: float | None, done: bool, metadata: Mapping[str, JSON]) -> JSON:
    return {
        "observation": {"message": message, "metadata": dict(metadata)},
        "reward": reward,
        "done": done,
        "metadata": dict(metadata),
    }


def schemas() -> JSON:
    """The JSON schemas of actions, observations and states."""

    def of(*models: type[BaseModel]) -> JSON:
        found = [model.model_json_schema() for model in models]
        return found[0] if len(found) == 1 else {"anyOf": found}

    return {
        "action": of(Message, CallTool, ListTools),
        "observation": of(Observation),
        "reset_observation": of(Observation),
        "state": of(State),
    }
