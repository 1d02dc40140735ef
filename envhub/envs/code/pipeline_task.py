"""Shared base of the environments about planned functions: description, examples, grading.

Not an environment: a problem holds a pipeline (:mod:`envhub.generators.programs.pipeline`), and the key is the hidden
arguments. The expected results are computed here by our own functions during grading, and never enter the sandbox.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, Grading, SingleTurn
from envhub.authoring.wording import Phrase
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.wording import OWN_ARGUMENTS, STANDARD_LIBRARY
from envhub.envs.code.wrong_programs import wrong_programs
from envhub.generators.programs.kind import Args, draw_inputs
from envhub.generators.programs.pipeline import NAME, Pipeline
from envhub.sandbox.resource import Jobs
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.code.judging import Case, judge_calls

_EXAMPLES: Final = 2
_TYPICAL: Final = 7

_GRADED: Final = Phrase(
    "Your program is tested on hidden arguments. Every result must be right and have exactly the stated type.",
    "The grader calls your function with hidden arguments; each result must equal the expected one in value and in type.",
    "On hidden arguments, your function must always return the right value, in exactly the type that is stated.",
    held_out="Tests use unseen arguments. A result passes if its value and its type are both as specified; all must pass.",
)
_NO_TUPLES: Final = Phrase(
    "A tuple is not a list.",
    "Do not return a tuple in place of a list.",
    "Where a list is expected, a tuple is wrong.",
    held_out="(1, 2) does not pass for [1, 2].",
)
_NO_FLOATS: Final = Phrase(
    "1.0 and True are not 1.",
    "Where an integer is expected, a float or a bool is wrong, even if it is equal: 1.0 and True are not 1.",
    "Integers must be of type int; neither 1.0 nor True counts as 1.",
    held_out="Neither floats nor bools pass for integers (1.0, True versus 1).",
)


class PipelineParams(BaseParams):
    """The length of a pipeline, and the size of its program."""

    steps: int = Field(2, ge=1, le=8, description="steps of the function")
    rules: int = Field(1, ge=0, le=3, description="extra rules of every step, where it has so many")
    least: int = Field(20, ge=1, le=2_000, description="how much the reference program says at least, in syntax nodes")
    most: int = Field(400, ge=20, le=2_000, description="and at most")

    @model_validator(mode="after")
    def _some_fit(self) -> Self:
        if self.most - self.least < 20:
            raise ValueError("most must be at least 20 more than least")
        return self


class PipelineTask(SingleTurn):
    """A function described by a pipeline.

    Programs are judged by results on hidden arguments.
    """

    answer: AnswerType = Code()
    family: ClassVar[str] = "code-plan"
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "passed", "abuse"})
    resources: ClassVar[Mapping[str, Resource]] = {"jobs": Jobs()}

    def canonical(self, content: JSON) -> JSON:
        """The steps and their numbers."""
        return content["plan"]

    def form(self, problem: JSON) -> str:
        """The family of the first step, which decides the function's arguments."""
        return str(problem["plan"][0][0])

    def grade(self, inst: Instance, value: str) -> Grading:
        """By its results on the hidden arguments in the sandbox.

        Expected results are computed here.
        """
        pipeline = Pipeline.from_json(inst.problem["plan"])
        cases = [Case(tuple(args), pipeline.run(tuple(args))) for args in inst.key]
        return judge_calls("jobs", value, NAME, cases)

    def solve(self, inst: Instance) -> str:
        """The reference program, in its block."""
        return f"```python\n{Pipeline.from_json(inst.problem['plan']).source()}\n```"

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The same program under another name, and with more code around it."""
        source = Pipeline.from_json(inst.problem["plan"]).source()
        yield f"import os\n\n{source.replace(f'def {NAME}(', 'def answer(')}\n\n{NAME} = answer"
        yield f'"""A solution."""\n{source}\n\nif __name__ == "__main__":\n    print({NAME}())\nprint("ready")'

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Programs whose results have another type, or that are right only once."""
        yield from wrong_programs(Pipeline.from_json(inst.problem["plan"]).source(), NAME)


def examples(rng: Stream, pipeline: Pipeline, cases: Sequence[Args]) -> JSON:
    """Some arguments with results, none of them test or edge cases."""
    found = draw_inputs(rng, pipeline.takes, _EXAMPLES, len(pipeline.takes.edges) + _TYPICAL, cases)
    return [[list(args), pipeline.run(args)] for args in found]


def terms(pipeline: Pipeline) -> tuple[Phrase, ...]:
    """How a program is judged, with notes on its types where needed."""
    gives = [part.gives for part, _ in pipeline.steps]
    lists = len(gives) > 1 or "list" in gives[0].type
    ints = any("int" in kind.type for kind in gives)
    return (_GRADED, *[_NO_TUPLES] * lists, *[_NO_FLOATS] * ints, OWN_ARGUMENTS, STANDARD_LIBRARY)


def signature(pipeline: Pipeline) -> str:
    """The signature of the function."""
    return f"{NAME}({', '.join(pipeline.takes.names)})"


def call(args: JSON) -> str:
    """A call in Python syntax."""
    return f"{NAME}({', '.join(map(repr, args))})"
