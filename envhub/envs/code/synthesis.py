"""code-synthesis-v0: write a Python function from a specification; graded on hidden inputs.

Rules: the prompt describes a function of one to three arguments exactly, as a chain of steps from some forty families
(lists, strings, run lengths, intervals, small formats, machines, grids, graphs, bits, checksums, dynamic programming),
each with drawn numbers and rules, and gives two worked examples. The function returns the results of all steps.

Action: a program that defines ``solve``. It is run in the sandbox on hidden inputs, and its results are compared here
with those of our own functions; every case must pass. The cases cover the edge cases and sizes of the arguments, and
are chosen so that wrong programs fail: a rule left out, a number off by one, usual mistakes at each step. Difficulty:
more steps with more rules; effort is the size of a reference program.

Two problems with the same steps and numbers are the same. Not folded: other words for the same function.
"""

from __future__ import annotations

import json
from typing import Any, Final, Self

from envhub.authoring import Staged
from envhub.authoring.wording import Phrase, Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.pipeline_task import PipelineParams, PipelineTask, call, examples, signature, terms
from envhub.envs.code.specifications import specified
from envhub.generators.programs.pipeline import Pipeline, draw_pipeline

# steps, rules, the size of the program from .. to
_LEVELS: Final = (
    (1, 1, 20, 55),
    (1, 2, 56, 85),
    (2, 1, 86, 115),
    (2, 2, 116, 145),
    (3, 2, 146, 180),
    (3, 3, 181, 215),
    (4, 2, 216, 250),
    (4, 3, 251, 285),
    (5, 3, 286, 330),
    (6, 3, 331, 420),
)

_TASK: Final = Phrase(
    "Write the Python function {call} that meets this specification.",
    "Implement {call} in Python, exactly as specified.",
    "You are given the specification of a function {call}. Write the function in Python.",
    held_out="Produce a Python definition of {call} that conforms to the given specification.",
)


def _listed(problem: JSON) -> str:
    rows = "\n\n".join(f"{call(args)}\nreturns\n{result!r}" for args, result in problem["examples"])
    return f"Examples:\n\n{rows}"


def _checks(problem: JSON) -> str:
    rows = "\n".join(f"assert {call(args)} == {result!r}" for args, result in problem["examples"])
    return f"These checks must pass:\n\n```python\n{rows}\n```"


def _json(problem: JSON) -> str:
    rows = ",\n ".join(
        json.dumps({"call": call(args), "returns": repr(result)}) for args, result in problem["examples"]
    )
    return f"Examples of calls, in Python notation:\n\n[{rows}]"


def _session(problem: JSON) -> str:
    return "\n".join(f">>> {call(args)}\n{result!r}" for args, result in problem["examples"])


_DATA: Final = specified(_listed, _checks, _json, held_out=_session)


class Params(PipelineParams):
    """The length of the chain, and the size of its program."""

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        steps, rules, least, most = _LEVELS[difficulty - 1]
        return cls(steps=steps, rules=rules, least=least, most=most)


class Synthesis(PipelineTask):
    """Write a function from its specification."""

    Params = Params

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A chain of steps. The key is the hidden arguments."""
        drawn = draw_pipeline(rng, p.steps, p.rules, p.least, p.most)
        if drawn is None:
            return None
        pipeline, cases = drawn
        problem = {"plan": pipeline.to_json(), "examples": examples(rng, pipeline, cases)}
        yield problem
        return Instance(problem, key=cases)

    def prompt(self, problem: JSON) -> Statement:
        """The specification and the examples."""
        pipeline = Pipeline.from_json(problem["plan"])
        return Statement(
            task=_TASK, data=_DATA, problem=problem, rules=terms(pipeline), values={"call": signature(pipeline)}
        )

    def effort(self, inst: Instance) -> float:
        """The size of the reference program."""
        return float(Pipeline.from_json(inst.problem["plan"]).size)
