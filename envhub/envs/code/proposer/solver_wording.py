"""The prompts of the tasks that proposals become, for every solver."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, listings
from envhub.core.types import JSON
from envhub.envs.code.proposer.arguments import NAMES, WORDS, call

_TASK: Final = {
    "deduction": Phrase(
        "Find the value that this call of a Python function returns.",
        "What does the Python function return for the given call?",
        "Work out what the given call of a Python function returns.",
        held_out="Evaluate the call under the semantics of Python 3 and report its value.",
    ),
    "abduction": Phrase(
        "Find arguments for which the Python function f returns the required value.",
        "With which arguments does the Python function f return the required value?",
        "Work backwards: find arguments for which the Python function f returns the required value.",
        held_out="Solve for arguments of f such that its return value is the required one.",
    ),
    "induction": Phrase(
        "Write a Python function f that gives these results.",
        "Which Python function f gives all of these results? Write it.",
        "Infer the Python function f from some of its calls, and write it.",
        held_out="Implement f in Python so that it generalizes the recorded calls.",
    ),
}
_RULE: Final = {
    "deduction": Phrase(
        "Write the value as a Python literal. Types matter: 1 and True are different values.",
        "Answer with a Python literal of the value. 1 and True are different values.",
        "Your answer must be a Python literal. A value of another type is wrong: 1 is not True.",
        held_out="Use literal notation; 1 and True count as different.",
    ),
    "abduction": Phrase(
        "Any possible arguments that return the value are right. Write them in order as Python literals with commas between "
        "them.",
        "If several arguments return the value, each choice is right. Write them in order, as Python literals separated by "
        "commas.",
        "Answer with Python literals in the order of the arguments, separated by commas. Every possible choice that returns "
        "the value "
        "is right.",
        held_out="Give Python literals in call order, comma-separated; every admissible choice that yields the value counts.",
    ),
    "induction": Phrase(
        "Your function must also be right on hidden calls with the same kind of arguments.",
        "The grader also makes hidden calls with the same kind of arguments, and all results must be right.",
        "It is not enough to match the known calls: results of hidden calls with the same kind of arguments must be right, "
        "too.",
        held_out="Hidden calls of the same kind are graded as well, and all must be right.",
    ),
}


def _known(problem: JSON, pair: str = "{call} == {value}") -> list[str]:
    """What is known, one paragraph per item."""
    if problem["kind"] == "deduction":
        return [f"Call: {call(problem['call'])}"]
    kinds = f"Possible arguments ({', '.join(NAMES[problem['argument']])}): {WORDS[problem['argument']]}."
    if problem["kind"] == "abduction":
        return [kinds, f"Required value: {problem['value']}"]
    rows = "\n".join(pair.format(call=call(given), value=value) for given, value in problem["pairs"])
    return [kinds, f"Known calls:\n{rows}"]


def _block(problem: JSON) -> str:
    program = [listings.fenced(problem["source"])] if "source" in problem else []
    return "\n\n".join([*program, *_known(problem)])


def _after(problem: JSON) -> str:
    program = [listings.fenced(problem["source"])] if "source" in problem else []
    return "\n\n".join([*_known(problem, "{call} returns {value}"), *program])


def _json(problem: JSON) -> str:
    program = {"program": listings.lines(problem["source"])} if "source" in problem else {}
    head = f"{listings.LINES}\n\n" if program else ""
    return head + json.dumps({**program, "known": _known(problem)}, indent=1)


def _session(problem: JSON) -> str:
    program = [listings.NUMBERED, listings.numbered(problem["source"])] if "source" in problem else []
    if problem["kind"] == "deduction":
        return "\n\n".join([*program, f">>> {call(problem['call'])}"])
    kinds = f"{', '.join(NAMES[problem['argument']])} in D, where {WORDS[problem['argument']]}"
    if problem["kind"] == "abduction":
        return "\n\n".join([*program, kinds, f"Required: {problem['value']}"])
    return "\n".join([kinds, "", *(f">>> {call(given)}\n{value}" for given, value in problem["pairs"])])


_DATA: Final[Variants[Rendering]] = Variants(_block, _after, _json, held_out=_session, name="data")


def statement(problem: JSON) -> Statement:
    """The question about a public problem (:func:`envhub.envs.code.proposer.questions.shown`)."""
    return Statement(task=_TASK[problem["kind"]], data=_DATA, problem=problem, rules=(_RULE[problem["kind"]],))
