"""NeMo Gym's messages: rows, what a model said in an OpenAI ``Response``, the session in a cookie, and what a verdict becomes.

Of a response only what the policy itself wrote is read: messages of the assistant, and calls of functions. The user's
messages that its agents put among them are what an environment said. ::

    row = NemoRow.model_validate(body)
    output = policy_output(row.response)
    verdict_response(row, verdict)                            # the request again, with reward, mask_sample, failure_kind ...

What could not be judged is masked: its ``reward`` must be a number there, and is 0.0, but ``mask_sample`` keeps it out of
scores and ``_ng_failure_class`` out of the rollouts, exactly as NeMo Gym does where a judge of its own fails.

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
from envhub.server.http.responses import Answer
from envhub.server.protocols.rows import Row

COOKIE: Final = "envhub_session"
ANY: Final = "any"
"""Instead of an environment's id: rows of any."""
_SESSION: Final = re.compile(r"([A-Za-z0-9._-]{1,128}):([0-9]{1,9})")
_MAX_LEVELS: Final = 64


class NemoBody(BaseModel):
    """A request of NeMo Gym; whatever else it holds is the trainer's, and comes back."""

    model_config = ConfigDict(extra="allow", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: Any) -> Any:
        level = [data]
        for _ in range(_MAX_LEVELS):
            if any(isinstance(value, float) and not math.isfinite(value) for value in level):
                raise ValueError("NaN and infinities are no JSON")
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
    """A row of ``envhub generate --format nemo-gym``, with what the model answered once it has."""

    responses_create_params: dict[str, Any] = Field(description="what the model is asked")
    ground_truth: str = Field(description="a task key as text")
    answer_format: str | None = Field(None, description="the form that the prompt asks for")
    fingerprint: str | None = Field(None, description="of the problem that was asked")

    def row(self, env_id: str) -> Row:
        """The task that was asked.

        Args:
            env_id: Of the path; ``any`` takes rows of every environment.

        Raises:
            InvalidParameters: The ground truth is none, or of another environment.
        """
        return row_of({"ground_truth": self.ground_truth, **self.facts()}, env_id)

    def facts(self) -> dict[str, str | None]:
        """What is read of a row besides its ground truth."""
        return {"answer_format": self.answer_format, "fingerprint": self.fingerprint}


class NemoAnswered(NemoRow):
    """A row and the response to it."""

    response: dict[str, Any] = Field(description="an OpenAI response object")


class NemoSeed(NemoBody):
    """A session to begin: a row, or what an Environment Server sends, with the row as ``task_data``."""

    resources_session_id: str | None = Field(None, min_length=1, max_length=1024, description="chosen by the caller")
    episode_id: str | None = None
    task_id: str | None = None
    task_data: dict[str, Any] | None = Field(None, description="a row")
    ground_truth: str | None = None
    answer_format: str | None = None
    fingerprint: str | None = None


class NemoClose(NemoBody):
    """A session to end."""

    resources_session_id: str | None = Field(None, max_length=1024)
    episode_id: str | None = None


class NemoRollouts(NemoBody):
    """Rollouts to be summed up."""

    verify_responses: list[dict[str, Any]] = Field(description="each the answer of /verify")


REQUESTS: Final = (NemoRow, NemoAnswered, NemoSeed, NemoClose, NemoRollouts)
"""All of them, for the document of the API."""


class Verified(Answer):
    """The request again, and how good it was."""

    model_config = ConfigDict(extra="allow")

    reward: float
    mask_sample: bool = Field(description="the reward is no measure of the policy")
    failure_kind: str | None
    failure_reason: str | None


class ResetAnswer(Answer):
    """What Gymnasium's reset gives."""

    observation: str | None = Field(description="null where the row's prompt has said it")
    info: dict[str, Any]


class StepAnswer(Answer):
    """What Gymnasium's step gives."""

    observation: str | None
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class FunctionCall(NamedTuple):
    """A call of a function, with its arguments as the model wrote them."""

    call_id: str
    name: str
    arguments: str


class PolicyOutput(NamedTuple):
    """What a model said.

    Attributes:
        text: Its messages.
        calls: The functions it called.
        last: Its messages after the last call.
    """

    text: str
    calls: tuple[FunctionCall, ...]
    last: str


def row_of(data: Mapping[str, Any], env_id: str) -> Row:
    """The task of a row; errors as of :meth:`NemoRow.row`."""
    if env_id != ANY:
        load(spec(env_id))
    row = Row.read(data.get("ground_truth"), data.get("answer_format"), data.get("fingerprint"))
    if env_id != ANY:
        row.check_env(env_id)
    return row


def policy_output(response: Mapping[str, Any]) -> PolicyOutput:
    """What the policy itself wrote in a response.

    Raises:
        InvalidRequest: It is no response.
    """
    output = response.get("output")
    if not isinstance(output, list) or not all(isinstance(item, dict) for item in output):
        raise InvalidRequest("response.output: a list of items.")
    texts: list[str] = []
    last: list[str] = []
    calls: list[FunctionCall] = []
    for item in output:
        if item.get("type") == "function_call":
            parts = (item.get("call_id"), item.get("name"), item.get("arguments"))
            if not all(isinstance(part, str) for part in parts):
                raise InvalidRequest("response.output: a function_call has call_id, name and arguments, all text.")
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
        raise InvalidRequest("response.output: the content of a message is text, or a list of parts with text.")
    return "".join(map(str, texts))


class Session(NamedTuple):
    """The episode of a rollout, and how many turns of it its client has seen.

    The turn makes a request repeatable: sent again, it brings the cookie of before, and is answered from the record.
    """

    episode_id: str
    turn: int

    @classmethod
    def of(cls, request: Request) -> Session | None:
        """The session that a request belongs to; None where there is none."""
        found = _SESSION.fullmatch(request.cookies.get(COOKIE, ""))
        return None if found is None else cls(found[1], int(found[2]))

    def cookie(self) -> dict[str, str]:
        """The header that has a client remember it."""
        return {"set-cookie": f"{COOKIE}={self.episode_id}:{self.turn}; Path=/; HttpOnly; SameSite=Lax"}


def verdict_response(row: NemoRow, verdict: JSON) -> JSON:
    """The answer to a request for a verdict."""
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
    """The answer where there is no reward.

    Args:
        row: The request.
        kind: Of NeMo Gym's vocabulary of failures.
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
