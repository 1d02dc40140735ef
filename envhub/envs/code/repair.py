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

from typing import Any, Final, Self

from pydantic import Field

from envhub.authoring import Staged
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.pipeline_task import PipelineParams, PipelineTask, call, signature, terms
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

    def prompt(self, problem: JSON) -> str:
        """The specification, the program and a failing call."""
        pipeline = Pipeline.from_json(problem["plan"])
        bugs = "a bug" if problem["bugs"] == 1 else f"{problem['bugs']} bugs"
        given = f"raises {problem['gives']}" if problem["raises"] else f"returns\n{problem['gives']!r}"
        return (
            f"The Python program below has {bugs}. Fix it so that the function {signature(pipeline)} does what this "
            "specification describes.\n\n"
            f"{pipeline.spec()}\n\n{terms(pipeline)}\n\nThe program:\n\n```python\n{problem['source']}\n```\n\n"
            f"In this program, the call\n\n{call(problem['args'])}\n\n{given}\n\nIt should return\n"
            f"{problem['expected']!r}\n\nThe answer is the whole program."
        )

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """The unchanged program."""
        return self.answer.wrap(inst.problem["source"])

    def effort(self, inst: Instance) -> float:
        """The size of the program times the number of bugs."""
        return float(Pipeline.from_json(inst.problem["plan"]).size * inst.problem["bugs"])
