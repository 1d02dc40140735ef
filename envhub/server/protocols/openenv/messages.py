"""OpenEnv's messages: what a reset, an action and a task look like, and how our answers are written as its observations.

An action is ``{"message": text}``; where an environment has tools, ``{"type": "call_tool", "tool_name": ..., "arguments":
{...}}`` as OpenEnv's clients of tools send it, or the call as text. Everything that :func:`envhub.make` takes can be said
in a reset. An observation has the text as ``message``; nothing in it, nor in ``metadata``, names the seed, for some
trainers show it all to the policy.

Source: openenv 0.10.0 ``core/env_server/types.py``, ``mcp_types.py``, ``serialization.py``, ``http_server.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from envhub.core.types import JSON
from envhub.server.episodes.operations import validated
from envhub.server.http.problems import InvalidRequest
from envhub.server.http.requests import AnyObject, CreateEpisode, Difficulty, EpisodeId, Form, Seed, Split, Wire
from envhub.server.http.responses import Answer
from envhub.server.protocols.rows import Row, tool_call_action

_TASK: Final = ("difficulty", "split", "seed", "params")


class Reset(Wire):
    """Which episode to begin; what may be left out is as in ``POST /v1/episodes``."""

    seed: Seed | None = Field(None, description="which task; null for a random one")
    episode_id: Annotated[str, StringConstraints(max_length=255)] | None = Field(
        None, description="over HTTP the id of the episode; in a session a name for it, which is only repeated"
    )
    difficulty: Difficulty = Field(3, description="1..10, or [low, high]; null starts from the parameters' defaults")
    split: Split = Field("train", description="train, validation or test")
    params: AnyObject = Field(default_factory=dict, description="parameters set by name")
    ground_truth: str | None = Field(
        None, description="of a row of envhub generate: its task, instead of the four above"
    )
    answer_format: Form | None = Field(None, description="the form the prompt asks for")
    reward: dict[str, float] | None = Field(
        None, description="weights by part of the verdict; accuracy alone by default"
    )
    turn_seed: Seed = Field(0, description="seed of per-turn randomness")

    def creation(self, env_id: str) -> tuple[CreateEpisode, Row | None]:
        """The request that begins the episode, and the row that it is of, where one was given.

        Raises:
            InvalidRequest: A task is named twice.
            InvalidParameters: The ground truth is none, or of another environment.
        """
        if self.ground_truth is None:
            options = {"answer_format": self.answer_format, "reward": self.reward}
            said = {name: getattr(self, name) for name in (*_TASK, "turn_seed")}
            return validated(CreateEpisode, {"env_id": env_id, **said, "options": options}), None
        if twice := [name for name in _TASK if name in self.model_fields_set]:
            raise InvalidRequest(f"A ground truth names the whole task; leave out {', '.join(twice)}.")
        row = Row.read(self.ground_truth, self.answer_format)
        row.check_env(env_id)
        return row.creation(self.reward).model_copy(update={"turn_seed": self.turn_seed}), row


class HttpReset(Reset):
    """Begin an episode over HTTP, where steps name it."""

    episode_id: EpisodeId | None = Field(None, description="of the episode, chosen by the client")


class Message(Wire):
    """What the policy wrote."""

    message: str = Field(description="the text, whole")
    metadata: AnyObject = Field(default_factory=dict, description="is not read")


class CallTool(Wire):
    """A call of one of the environment's tools."""

    type: Literal["call_tool"]
    tool_name: str = Field(description="which tool")
    arguments: AnyObject = Field(default_factory=dict, description="its arguments by name")
    metadata: AnyObject = Field(default_factory=dict, description="is not read")


class ListTools(Wire):
    """Which tools there are; takes no turn."""

    type: Literal["list_tools"]
    metadata: AnyObject = Field(default_factory=dict, description="is not read")


class HttpStep(Wire):
    """A turn over HTTP."""

    action: AnyObject = Field(description="an action, such as {message: ...}")
    episode_id: str = Field(description="of the answer to the reset")
    turn: int | None = Field(None, ge=0, description="how many turns were taken before; whichever is next by default")
    timeout_s: float | None = Field(None, gt=0, description="is not read: an environment has limits of its own")
    request_id: str | None = Field(None, max_length=255, description="is not read")


class SplitRequest(Wire):
    """A split."""

    split: Split


class TaskRequest(SplitRequest):
    """A task of a split, by its number."""

    index: Seed = Field(description="the task's seed")
    difficulty: Difficulty = Field(3, description="1..10")


class TaskRangeRequest(SplitRequest):
    """Tasks of a split, by their numbers."""

    start: Seed | None = Field(None, description="the first; 0 by default")
    stop: Annotated[int, Field(ge=0)] | None = Field(None, description="the one after the last")
    difficulty: Difficulty = Field(3, description="1..10")


class Observation(Answer):
    """What the policy sees."""

    model_config = ConfigDict(extra="allow")

    message: str = Field(description="what the environment says")
    metadata: dict[str, Any] = Field(description="about the episode, for the trainer")


class ObservationResponse(Answer):
    """The answer to a reset or a step."""

    observation: Observation
    reward: float | None = Field(description="null in the answer to a reset")
    done: bool
    metadata: dict[str, Any] = Field(description="the same as in the observation")


class State(Answer):
    """How far an episode is; no seed."""

    model_config = ConfigDict(extra="allow")

    episode_id: str | None
    step_count: int = Field(ge=0)


class Action(NamedTuple):
    """What a policy does.

    Attributes:
        text: As the environment reads it.
        tool: The tool that is called; None for a message.
    """

    text: str
    tool: str | None


def action_of(action: Any) -> Action | None:
    """What an action says; None for one that asks which tools there are.

    Raises:
        InvalidRequest: It is no action.
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
    """What is raised where a tool is called and there are none."""
    return InvalidRequest(f"type: {env_id} has no tools; an action is an object with message.")


def reset_response(opening: JSON, name: str | None = None) -> JSON:
    """The observation after a reset."""
    episode = opening["episode_id"] if name is None else name
    return _observed(opening["observation"], None, False, {"episode_id": episode, "turn": 0, **opening["info"]})


def step_response(answer: JSON, name: str | None = None, tool: str | None = None) -> JSON:
    """The observation after a turn that has a reward."""
    ended = {part: answer[part] for part in ("turn", "terminated", "truncated", "info")}
    metadata = {"episode_id": answer["episode_id"] if name is None else name, **ended}
    over = answer["terminated"] or answer["truncated"]
    observed = _observed(answer["observation"], answer["reward"], over, metadata)
    if tool is not None:
        observed["observation"] |= {"tool_name": tool, "result": answer["observation"], "error": None}
    return observed


def tools_response(tools: Sequence[JSON]) -> JSON:
    """The observation that names the tools, of which the schemas are given as OpenAI has them."""
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
