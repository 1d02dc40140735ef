"""A language model as solver: an OpenAI-compatible endpoint, one request per attempt.

Each reply is an outcome in the journal, so a replay asks nobody. A failed request is an ``error`` of the episode. A reply
without content (cut off or refused) is a wrong attempt; if all are, the endpoint is at fault and the episode an ``error``::

    replies = yield from attempts("solver", url, text, 8)
"""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, Final

from envhub.core.effects import Ask, Effect, Live, Outcome, Resource
from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.types import JSON
from envhub.envs.code.proposer.judging import Unusable
from envhub.envs.code.proposer.questions import ANSWERS, asked, solved
from envhub.verifiers.judge.endpoint import Endpoint, Prompt, Reply

KEY_VARIABLE: Final = "ENVHUB_OPPONENT_KEY"
_MOST: Final = 20_000
_SYSTEM: Final = "You solve tasks about Python functions. Think step by step, then answer in the requested format."


def check_solver(name: str) -> None:
    """Reject a solver that does not exist.

    Raises:
        ValueError: It is neither ``rules`` nor ``self`` nor the URL of a model.
    """
    if name in ("rules", "self"):
        return
    if not name.startswith(("http://", "https://")):
        raise ValueError(f"must be rules, self, or the URL of a model (http://host/v1#model), got {name[:80]!r}")
    _endpoint(name, None)


def _endpoint(url: str, key_variable: str | None) -> Endpoint:
    base, _, model = url.partition("#")
    return Endpoint(base, model or "default", key_variable, structured=False)


class ModelSolvers(Resource):
    """Endpoints of language models, named by each request. Stateless."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Connections are opened per request."""
        return _Asking()


class _Asking(Live):
    def perform(self, effect: Effect) -> Outcome:
        """Ask for one attempt. The outcome is the reply."""
        endpoint, prompt = _request(effect)
        with endpoint.connect() as connection:
            return _outcome(connection.ask(prompt))

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` on an event loop."""
        endpoint, prompt = _request(effect)
        async with endpoint.aconnect() as connection:
            return _outcome(await connection.ask(prompt))


def _request(effect: Effect) -> tuple[Endpoint, Prompt]:
    wanted = effect.payload
    try:
        endpoint = _endpoint(wanted["url"], KEY_VARIABLE if os.environ.get(KEY_VARIABLE) else None)
    except InvalidParameters as error:
        raise ResourceError(str(error)) from None
    sampled = replace(endpoint, max_tokens=4096, extra={"temperature": 1.0, "seed": wanted["attempt"]})
    return sampled, Prompt(_SYSTEM, wanted["question"], None)


def _outcome(reply: Reply) -> Outcome:
    return Outcome("" if reply.content is None else reply.content[-_MOST:], reply.content is not None)


def attempts(resource: str, url: str, question: str, count: int) -> Generator[Effect, Outcome, list[str]]:
    """The replies of a model to a question, asked several times.

    Raises:
        Unusable: No reply has content.
    """
    replies, usable = [], False
    for attempt in range(count):
        outcome = yield Ask(resource, {"url": url, "question": question, "attempt": attempt})
        replies.append(outcome.text)
        usable = usable or bool(outcome.data)
    if not usable:
        raise Unusable("no reply of the solver has content")
    return replies


def model_rate(solver: str, jobs: str, problem: JSON, state: Mapping[str, Any]) -> Generator[Effect, Outcome, float]:
    """The share of a model's attempts that are right.

    Args:
        solver: The name of the ``ModelSolvers``.
        jobs: The name of the ``Jobs``.
        problem: The problem of the proposer.
        state: The challenge and the values of its calls.

    Raises:
        Unusable: We failed, or the endpoint.
    """
    challenge, values = state["challenge"], state["values"]
    answer, right = ANSWERS[problem["kind"]], 0
    replies = yield from attempts(solver, problem["opponent"], asked(challenge, values), problem["attempts"])
    for reply in replies:
        reading = answer.read(reply)
        if reading.reason is None:
            judged = yield from solved(jobs, challenge, values, reading.value)
            if judged is None:
                raise Unusable("the sandbox failed")
            right += judged
    return float(right / problem["attempts"])
