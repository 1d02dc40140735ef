"""A language model as solver: an OpenAI-compatible endpoint, one request per attempt.

Each reply is an outcome in the journal, so a replay asks nobody. A failed request is an ``error`` of the episode. A reply
without content (cut off or refused) is a wrong attempt; if all are, the endpoint is at fault and the episode an ``error``::

    replies = yield from attempts("solver", url, text, 8)
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final

from envhub.authoring.model_requests import Models, endpoint_of
from envhub.core.effects import Ask, Effect, Outcome
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
    endpoint_of(name)


class ModelSolvers(Models):
    """Endpoints of models that solve tasks."""

    def asked(self, effect: Effect) -> tuple[Endpoint, Prompt]:
        """One attempt, with a seed of its own."""
        wanted = effect.payload
        extra = {"temperature": 1.0, "seed": wanted["attempt"]}
        endpoint = endpoint_of(wanted["url"], KEY_VARIABLE, structured=False, max_tokens=4096, extra=extra)
        return endpoint, Prompt(_SYSTEM, wanted["question"], None)

    def kept(self, reply: Reply) -> Outcome:
        """The end of the reply, and whether there was one."""
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
