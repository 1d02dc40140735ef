"""The solver's question about a proposal, and the judgement of its answer.

A question is made from a challenge, which is public, and the values of its calls, which are not::

    challenge = {"kind": "deduction", "argument": "int", "source": "def f(v1): ...", "calls": [[3]]}
    text = asked(challenge, values)
    right = yield from solved("jobs", challenge, values, ANSWERS["deduction"].read(reply).value)
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final

from envhub.core.effects import Effect, Outcome
from envhub.core.types import JSON
from envhub.envs.code.proposer.arguments import NAMES, SHOWN, domain
from envhub.envs.code.proposer.judging import values_of
from envhub.envs.code.proposer.solver_wording import statement
from envhub.verifiers.answers.literals import Literal, write_literal
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.code.comparing import exactly
from envhub.verifiers.code.judging import Case, judge_calls

ANSWERS: Final[Mapping[str, AnswerType]] = {
    "deduction": Literal(),
    "abduction": Literal(called="f"),
    "induction": Code(sample="def f(x):\n    return x"),
}


def shown(challenge: JSON, values: Sequence[Any]) -> dict[str, JSON]:
    """What a solver may know of a task.

    Args:
        challenge: The task.
        values: The values of its calls.
    """
    kind, calls = challenge["kind"], challenge["calls"]
    if kind == "deduction":
        return {"kind": kind, "source": challenge["source"], "call": calls[0]}
    written = list(map(write_literal, values))
    public = {"kind": kind, "argument": challenge["argument"]}
    if kind == "abduction":
        return {**public, "source": challenge["source"], "value": written[0]}
    return {**public, "pairs": [list(pair) for pair in zip(calls, written, strict=True)][:SHOWN]}


def answer_of(kind: str, answer_format: str | None = None) -> AnswerType:
    """The answer type of a kind of task."""
    return ANSWERS[kind] if answer_format is None else ANSWERS[kind].asking(answer_format)


def format_of(kind: str, answer_format: str | None = None) -> str:
    """The answer format, with an example that is wrong."""
    answer = answer_of(kind, answer_format)
    return answer.instruction() if kind == "induction" else answer.instruction(example="[9, 'x']")


def asked(challenge: JSON, values: Sequence[Any], answer_format: str | None = None) -> str:
    """The whole question in the plain wording."""
    return f"{statement(shown(challenge, values)).worded()}\n\n{format_of(challenge['kind'], answer_format)}"


def right_answer(challenge: JSON, values: Sequence[Any], source: str | None = None) -> str:
    """An answer that is right, without tags.

    Args:
        challenge: The task.
        values: The values of its calls.
        source: The function of an induction task, if it is not part of the challenge.
    """
    match challenge["kind"]:
        case "deduction":
            return write_literal(values[0])
        case "abduction":
            return ", ".join(map(write_literal, challenge["calls"][0]))
    return f"```python\n{source or challenge['source']}\n```"


def solved(
    resource: str, challenge: JSON, values: Sequence[Any], answer: Any
) -> Generator[Effect, Outcome, bool | None]:
    """Whether an answer is right; None if we could not judge it.

    Args:
        resource: The name of the ``Jobs``.
        challenge: The task.
        values: The values of its calls.
        answer: What the answer type read.

    Raises:
        Unusable: We failed.
    """
    match challenge["kind"]:
        case "deduction":
            return exactly(answer, values[0])
        case "abduction":
            return (yield from _returns(resource, challenge, values[0], answer))
    cases = [Case(tuple(given), value) for given, value in zip(challenge["calls"], values, strict=True)]
    verdict = yield from judge_calls(resource, answer, "f", cases)
    return verdict.solved


def _returns(resource: str, challenge: JSON, value: Any, answer: Any) -> Generator[Effect, Outcome, bool]:
    """Whether arguments are in the domain and return a value.

    The program was judged on the whole domain, so a run that fails now is our fault.
    """
    size = len(NAMES[challenge["argument"]])
    given = [answer] if size == 1 else list(answer) if type(answer) in (list, tuple) else []
    if not any(exactly(given, arguments) for arguments in domain(challenge["argument"])):
        return False
    (returned,) = yield from values_of(resource, {**challenge, "calls": [given]})
    return exactly(returned, value)
