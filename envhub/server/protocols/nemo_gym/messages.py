"""NeMo Gym's messages.

Rows, the policy's output in an OpenAI ``Response``, the session cookie, and responses with verdicts. Only the policy's
own output is read from a response: assistant messages and function calls. The user messages that NeMo Gym's agents
insert are observations. ::

    row = NemoRow.model_validate(body)
    output = policy_output(row.response)
    verdict_response(row, verdict)                            # the request again, with reward, mask_sample, failure_kind ...

A response that could not be judged is masked: its ``reward`` must be a number and is 0.0, but ``mask_sample`` excludes it from
scores and ``_ng_failure_class`` from the rollouts, exactly as NeMo Gym does when one of its own judges fails.

Source: nemo-gym 0.7.0 ``base_resources_server.py``, ``judge.py``, ``failure_kinds.py``,
``resources_servers/gymnasium/base.py``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, model_validator

from envhub.core.types import JSON, Fault
from envhub.registry.registry import load, spec
from envhub.server.http.problems import InvalidRequest
from envhub.server.http.requests import WordingText
from envhub.server.http.responses import Answer
from envhub.server.protocols.rows import Row

COOKIE: Final = "envhub_session"
ANY: Final = "any"
"""In place of an environment id: rows of any environment."""
_SESSION: Final = re.compile(r"([A-Za-z0-9._-]{1,128}):([0-9]{1,9})")
_MAX_LEVELS: Final = 64


class NemoBody(BaseModel):
    """A request of NeMo Gym.

    Unknown fields belong to the trainer and are returned.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: Any) -> Any:
        level = [data]
        for _ in range(_MAX_LEVELS):
            if any(isinstance(value, float) and not math.isfinite(value) for value in level):
                raise ValueError("NaN and infinities are not JSON")
            level = [
                inner
                for outer in level
                if isinstance(outer, (dict, list))
                for inner in (outer.values() if isinstance(outer, dict) else outer)
            ]
            if not level:
                return data
        raise ValueError(f"nested more than {_MAX_LEVELS} levels deep")


class NemoRow(NemoBody):
    """A row of ``envhub generate --format nemo-gym``."""

    responses_create_params: dict[str, Any] = Field(description="input of the model")
    ground_truth: str = Field(description="a task key as text")
    answer_format: str | None = Field(None, description="answer format of the prompt")
    wording: WordingText | None = Field(None, description="wording of the prompt, as text")
    fingerprint: str | None = Field(None, description="fingerprint of the problem")

    def row(self, env_id: str) -> Row:
        """The task of the row.

        Args:
            env_id: Environment of the path; ``any`` accepts every environment.

        Raises:
            InvalidParameters: The ground truth is not valid, or of another environment.
        """
        return row_of({"ground_truth": self.ground_truth, **self.facts()}, env_id)

    def facts(self) -> dict[str, str | None]:
        """The fields read besides the ground truth."""
        return {"answer_format": self.answer_format, "wording": self.wording, "fingerprint": self.fingerprint}


class NemoAnswered(NemoRow):
    """A row and the model's response."""

    response: dict[str, Any] = Field(description="an OpenAI response object")


class NemoSeed(NemoBody):
    """NeMo Gym's request to start a session.

    A row, or the request of an Environment Server with the row as ``task_data``.
    """

    resources_session_id: str | None = Field(None, min_length=1, max_length=1024, description="chosen by the caller")
    episode_id: str | None = None
    task_id: str | None = None
    task_data: dict[str, Any] | None = Field(None, description="a row")
    ground_truth: str | None = None
    answer_format: str | None = None
    wording: WordingText | None = None
    fingerprint: str | None = None


class NemoClose(NemoBody):
    """A session to end."""

    resources_session_id: str | None = Field(None, max_length=1024)
    episode_id: str | None = None


class NemoRollouts(NemoBody):
    """Rollouts to aggregate."""

    verify_responses: list[dict[str, Any]] = Field(description="responses of /verify")


REQUESTS: Final = (NemoRow, NemoAnswered, NemoSeed, NemoClose, NemoRollouts)
"""All requests, for the OpenAPI document."""


class Verified(Answer):
    """The request with its reward."""

    model_config = ConfigDict(extra="allow")

    reward: float
    mask_sample: bool = Field(description="whether the reward must not be used")
    failure_kind: str | None
    failure_reason: str | None


class ResetAnswer(Answer):
    """The result of Gymnasium's reset."""

    observation: str | None = Field(description="null if the row's prompt contains it")
    info: dict[str, Any]


class NemoStepAnswer(Answer):
    """The result of Gymnasium's step."""

    observation: str | None
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class FunctionCall(NamedTuple):
    """A function call, with its arguments as text of the model."""

    call_id: str
    name: str
    arguments: str


class PolicyOutput(NamedTuple):
    """The output of a policy.

    Attributes:
        text: Its messages.
        calls: Its function calls.
        last: Its messages after the last call.
    """

    text: str
    calls: tuple[FunctionCall, ...]
    last: str


def row_of(data: Mapping[str, Any], env_id: str) -> Row:
    """The task of a row. Raises like :meth:`NemoRow.row`."""
    if env_id != ANY:
        load(spec(env_id))
    facts = ("ground_truth", "answer_format", "fingerprint", "wording")
    row = Row.read(*(data.get(name) for name in facts))
    if env_id != ANY:
        row.check_env(env_id)
    return row


def policy_output(response: Mapping[str, Any]) -> PolicyOutput:
    """The policy's own output in a response.

    Raises:
        InvalidRequest: It is not a valid response.
    """
    output = response.get("output")
    if not isinstance(output, list) or not all(isinstance(item, dict) for item in output):
        raise InvalidRequest("response.output: must be a list of objects.")
    texts: list[str] = []
    last: list[str] = []
    calls: list[FunctionCall] = []
    for item in output:
        if item.get("type") == "function_call":
            parts = (item.get("call_id"), item.get("name"), item.get("arguments"))
            if not all(isinstance(part, str) for part in parts):
                raise InvalidRequest(
                    "response.output: a function_call must have call_id, name and arguments, all strings."
                )
            calls.append(FunctionCall(*parts))
            last = []
        elif item.get("type") == "message" and item.get("role") == "assistant":
            text = _text(item.get("content"))
            texts.append(text)
            last.append(text)
    return PolicyOutput("\n".join(texts), tuple(calls), "\n".join(last))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "output_text"]
    if not isinstance(content, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidRequest("response.output: the content of a message must be a string or a list of text parts.")
    return "".join(map(str, texts))


class Session(NamedTuple):
    """The episode of a rollout, and its client's number of turns.

    The client has seen that many. The turn makes a request repeatable: a retry sends the same cookie and is answered
    from the record.
    """

    episode_id: str
    turn: int

    @classmethod
    def of(cls, request: Request) -> Session | None:
        """The session in a request's cookie; None without one."""
        found = _SESSION.fullmatch(request.cookies.get(COOKIE, ""))
        return None if found is None else cls(found[1], int(found[2]))

    def cookie(self) -> dict[str, str]:
        """The header that sets the session cookie."""
        return {"set-cookie": f"{COOKIE}={self.episode_id}:{self.turn}; Path=/; HttpOnly; SameSite=Lax"}


def verdict_response(row: NemoRow, verdict: JSON) -> JSON:
    """The response with a verdict, masked if it is an error."""
    if verdict["error"] is not None:
        return masked_response(row, "verifier_error", Fault(verdict["error"]["code"], verdict["error"]["reason"]))
    shares = {"solved": float(bool(verdict["solved"])), "no_answer": float(verdict["status"] == "no_answer")}
    return {
        **row.model_dump(exclude_unset=True),
        "reward": verdict["reward"],
        "mask_sample": False,
        "failure_kind": None,
        "failure_reason": None,
        **shares,
        "format": verdict["components"].get("format", 0.0),
    }


def masked_response(row: NemoRow, kind: str, fault: Fault) -> JSON:
    """The response without a reward.

    Args:
        row: The request.
        kind: One of NeMo Gym's failure kinds.
        fault: What failed.
    """
    asked = row.model_dump(exclude_unset=True)
    config = asked.get("instance_config")
    return {
        **asked,
        "reward": 0.0,
        "mask_sample": True,
        "failure_kind": kind,
        "failure_reason": f"{fault.code}: {fault.reason}",
        "instance_config": {**(config if isinstance(config, dict) else {}), "mask_sample": True},
        "_ng_failure_class": kind,
    }
