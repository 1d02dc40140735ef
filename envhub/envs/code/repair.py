"""code-repair-v0: fix one to four bugs in a Python program.

Rules: the prompt describes a function exactly (as in code-synthesis-v0), and gives a program for it with one to four
changes: a comparison, an operator, a number off by one, another variable, a condition, a missing statement, a loop left
too early. One call is shown with its actual and its expected result.

Action: the whole program, fixed in any way, or rewritten. It is run in the sandbox on hidden arguments; every case must
pass. Each bug alone fails some cases, and not all. Difficulty: longer programs, then more bugs; effort is the size of
the program times the number of bugs.

Problems are fingerprinted by the described function, so a function is in one split, whatever its bugs, and in the same
split as in code-synthesis-v0. Buggy programs are run outside the sandbox at sampling, which is safe: they are our own
sources, and bounded.
"""

from __future__ import annotations

import json
from typing import Any, Final, Self

from pydantic import Field

from envhub.authoring import Staged
from envhub.authoring.wording import Phrase, Statement, counted, listings
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.pipeline_task import PipelineParams, PipelineTask, call, signature, terms
from envhub.envs.code.specifications import specified
from envhub.generators.programs.bugs import plant
from envhub.generators.programs.pipeline import Pipeline, draw_pipeline

# steps, rules, the size of the program from .. to, bugs
_LEVELS: Final = (
    (1, 1, 20, 55, 1),
    (1, 2, 56, 85, 1),
    (2, 1, 86, 115, 1),
    (2, 2, 116, 145, 1),
    (2, 2, 86, 115, 2),
    (2, 2, 116, 145, 2),
    (3, 2, 146, 180, 2),
    (3, 2, 150, 185, 3),
    (4, 2, 195, 240, 3),
    (4, 3, 235, 285, 4),
)

_TASK: Final = Phrase(
    "This Python program has {bugs}. Fix it so that the function {call} meets its specification.",
    "Find and fix {bugs} in this Python program, so that {call} does what its specification says.",
    "You are given a Python program with {bugs} and the specification of its function {call}. Make the program meet it.",
    held_out="Debug: {call} deviates from its specification because of {bugs} in the program. Remove every deviation.",
)
_WHOLE: Final = Phrase(
    "You may fix the program or rewrite it. Send the whole program.",
    "Send the complete program, whether you changed a line or wrote it anew.",
    "Your answer is a complete program: the given one with your changes, or one of your own.",
    held_out="Return full source code. A rewrite is as good as a patch.",
)


def _report(problem: JSON) -> str:
    return (
        f"Program\n\n{listings.fenced(problem['source'])}\n\nExample of the failure\n\nCall:     {call(problem['args'])}\n"
        f"Actual:   {_actual(problem)}\nExpected: {problem['expected']!r}"
    )


def _told(problem: JSON) -> str:
    return (
        f"The program:\n\n{listings.fenced(problem['source'])}\n\nThis check should pass:\n\n    assert "
        f"{call(problem['args'])} == {problem['expected']!r}\n\nAt present, the call {_happens(problem)}."
    )


def _json(problem: JSON) -> str:
    given = {
        "program": listings.lines(problem["source"]),
        "failing call": call(problem["args"]),
        "actual": _actual(problem),
        "expected": repr(problem["expected"]),
    }
    told = f"{listings.LINES} The failing call and its results are in Python notation."
    return f"{told}\n\n{json.dumps(given, indent=1)}"


def _session(problem: JSON) -> str:
    return (
        f"{listings.NUMBERED}\n\n{listings.numbered(problem['source'])}\n\n>>> {call(problem['args'])}\n{_actual(problem)}\n"
        f"Should have been: {problem['expected']!r}"
    )


def _actual(problem: JSON) -> str:
    return f"raises {problem['gives']}" if problem["raises"] else repr(problem["gives"])


def _happens(problem: JSON) -> str:
    return _actual(problem) if problem["raises"] else f"returns {_actual(problem)}"


_DATA: Final = specified(_report, _told, _json, held_out=_session)


class Params(PipelineParams):
    """The length of the program, and its number of bugs."""

    bugs: int = Field(1, ge=1, le=6, description="places that are changed")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        steps, rules, least, most, bugs = _LEVELS[difficulty - 1]
        return cls(steps=steps, rules=rules, least=least, most=most, bugs=bugs)


class Repair(PipelineTask):
    """Fix a function."""

    Params = Params

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A chain of steps, then bugs in its program.

        The key is the hidden arguments.
        """
        drawn = draw_pipeline(rng, p.steps, p.rules, p.least, p.most)
        if drawn is None:
            return None
        pipeline, cases = drawn
        yield {"plan": pipeline.to_json()}
        bugged = plant(rng, pipeline, cases, p.bugs)
        if bugged is None:
            return None
        return Instance({"plan": pipeline.to_json(), "bugs": p.bugs, **bugged._asdict()}, key=cases)

    def prompt(self, problem: JSON) -> Statement:
        """The specification, the program and a failing call."""
        pipeline = Pipeline.from_json(problem["plan"])
        values = {"call": signature(pipeline), "bugs": counted(problem["bugs"], "bug")}
        return Statement(task=_TASK, data=_DATA, problem=problem, rules=(*terms(pipeline), _WHOLE), values=values)

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """The unchanged program."""
        return self.answer.wrap(inst.problem["source"])

    def effort(self, inst: Instance) -> float:
        """The size of the program times the number of bugs."""
        return float(Pipeline.from_json(inst.problem["plan"]).size * inst.problem["bugs"])
