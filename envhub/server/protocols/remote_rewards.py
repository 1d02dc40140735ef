"""``/rewards``: verifiers as a remote reward model.

In the protocols of OpenRLHF and slime.

A label is the ground truth that ``envhub generate`` writes: a task key. The solution is drawn again from the key; no posted
answer is trusted. Neither protocol can express a response that could not be judged. It is tried once more, then the answer is a
503, which both trainers retry; after that OpenRLHF drops the reward (None) and slime raises. It is never a number.
::

    --reward.remote_url http://127.0.0.1:8420/rewards/openrlhf                    # OpenRLHF
    --rm-type remote_rm --rm-url http://127.0.0.1:8420/rewards/slime             # slime

Source: OpenRLHF ``utils/agent.py`` (``_fetch_rewards_via_http``) and ``utils/remote_rm_utils.py``; slime
``rollout/rm_hub``.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from envhub.core.errors import InvalidParameters
from envhub.server.http.problems import InvalidRequest
from envhub.server.http.requests import AnyObject, Form
from envhub.server.http.responses import Answer
from envhub.server.protocols.rows import Row, require_rewards, verify_rows
from envhub.server.routers.replies import OperationsDep, reply

router = APIRouter(prefix="/rewards", tags=["remote rewards"])

Label = str | AnyObject
"""A ground truth, or an object with a field ``ground_truth``."""
_WEIGHT: Final = r"[A-Za-z_][A-Za-z0-9_]{0,63}:-?[0-9]{1,9}(\.[0-9]{1,9})?"
# special tokens that a tokenizer may decode before a prompt
_SPECIAL: Final = re.compile(r"\s*(?:<[^<>\s]{1,40}>|\[[A-Z]{1,20}\])")
_MOST_SPECIAL: Final = 4

FormQuery = Annotated[Form | None, Query(description="answer format of the prompts, if not the environment's default")]
WeightsQuery = Annotated[
    str | None,
    Query(
        description="weights by part of the verdict, such as accuracy:1,format:0.1", pattern=f"^{_WEIGHT}(,{_WEIGHT})*$"
    ),
]


class Foreign(BaseModel):
    """A request of a foreign client.

    It may have more fields than are read.
    """

    model_config = ConfigDict(
        extra="ignore", strict=True, frozen=True, json_schema_extra={"additionalProperties": True}
    )


class Queries(Foreign):
    """OpenRLHF's request: three lists of the same length."""

    query: list[str] = Field(description="each a prompt and its response, decoded together")
    prompts: list[str] = Field(description="the prompt that each query starts with")
    labels: list[Label] = Field(description="the ground truth of each query")


class Rewards(Answer):
    """OpenRLHF's answer."""

    rewards: list[float]
    scores: list[float] = Field(description="between 0 and 1, without weights")
    extra_logs: dict[str, list[float]] = Field(description="solved, format, no_answer")


class SlimeSample(Foreign):
    """slime's request: one sample, or lists of the same length."""

    prompt: Any = Field(None, description="not read")
    response: str | list[str] = Field(description="what the policy wrote, without the prompt")
    label: Label | list[Label] = Field(description="the ground truth")


@router.post("/openrlhf", responses={200: {"model": Rewards}})
async def openrlhf_rewards(
    body: Queries, operations: OperationsDep, answer_format: FormQuery = None, reward: WeightsQuery = None
) -> Response:
    """The reward of each response; 503 if one could not be judged."""
    if not len(body.query) == len(body.prompts) == len(body.labels):
        lengths = f"{len(body.query)}, {len(body.prompts)} and {len(body.labels)}"
        raise InvalidRequest(f"query, prompts and labels must have the same length, got {lengths}.")
    responses = [response_in(query, prompt) for query, prompt in zip(body.query, body.prompts, strict=True)]
    rows = [Row.read(label, answer_format) for label in body.labels]
    verdicts = await verify_rows(operations, rows, responses, _weights(reward))
    logs = {
        "solved": [float(bool(verdict["solved"])) for verdict in verdicts],
        "format": [verdict["components"].get("format", 0.0) for verdict in verdicts],
        "no_answer": [float(verdict["status"] == "no_answer") for verdict in verdicts],
    }
    rewards = require_rewards(verdicts)
    return reply({"rewards": rewards, "scores": [verdict["score"] for verdict in verdicts], "extra_logs": logs})


@router.post("/slime", responses={200: {"model": float | list[float]}})
async def slime_rewards(
    body: SlimeSample, operations: OperationsDep, answer_format: FormQuery = None, reward: WeightsQuery = None
) -> Response:
    """The reward of a response, or a list of rewards for lists.

    503 if one could not be judged.
    """
    many = isinstance(body.response, list)
    if many != isinstance(body.label, list):
        raise InvalidRequest("response and label must both be lists, or neither.")
    responses = body.response if isinstance(body.response, list) else [body.response]
    labels = body.label if isinstance(body.label, list) else [body.label]
    if len(responses) != len(labels):
        raise InvalidRequest(f"response and label must have the same length, got {len(responses)} and {len(labels)}.")
    rows = [Row.read(label, answer_format) for label in labels]
    rewards = require_rewards(await verify_rows(operations, rows, responses, _weights(reward)))
    return reply(rewards if many else rewards[0])


def response_in(query: str, prompt: str) -> str:
    """The response in a query: the text after the prompt.

    Differences in white space are ignored. The prompt contains an example of an answer, which must never be judged as
    part of the response.

    Raises:
        InvalidRequest: The query does not start with the prompt, or the prompt is empty.
    """
    if not prompt.strip():
        raise InvalidRequest(
            "A prompt is empty, so the start of its response cannot be found. Send the prompt that the policy got."
        )
    if query.startswith(prompt):
        return query[len(prompt) :]
    start = 0
    for _ in range(_MOST_SPECIAL):
        end = _after(query, start, prompt)
        if end is not None:
            return query[end:]
        token = _SPECIAL.match(query, start)
        if token is None:
            break
        start = token.end()
    raise InvalidRequest(
        "A query must start with its prompt, but this one does not: the prompt was cut, so the policy got a different one."
    )


def _after(query: str, start: int, prompt: str) -> int | None:
    """The end of the prompt in a query, else None.

    It starts at ``start``, ignoring white space.
    """
    at = start
    for char in prompt:
        if char.isspace():
            continue
        while at < len(query) and query[at].isspace():
            at += 1
        if at >= len(query) or query[at] != char:
            return None
        at += 1
    return at


def _weights(text: str | None) -> dict[str, float] | None:
    """Parse weights from a URL.

    Raises:
        InvalidParameters: One is named twice.
    """
    if text is None:
        return None
    weights: dict[str, float] = {}
    for name, weight in (part.split(":") for part in text.split(",")):
        if name in weights:
            raise InvalidParameters(f"The weight {name} is given twice in reward.")
        weights[name] = float(weight)
    return weights
