"""code-induction-v0: write a function that fits input-output examples; graded on hidden inputs.

Rules: the prompt gives calls of an unknown function with their results, and one line about how it works. Any small
change of a statement, branch or constant of that function contradicts at least one pair.

Action: a Python program that defines ``f``. It is run in the sandbox on other inputs of the same kind, and its results
are compared here. All of them must be right, so a table of the shown pairs earns nothing. The hidden inputs include the
ends of the domains, and each such change of the function fails on one of them as well. Difficulty: larger functions
with more kinds of statements; effort is the number of parts of the function.

Content is the function; names are ignored. Not folded: other functions with the same results.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from pydantic import Field

from envhub.authoring import Staged
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.generated import TYPES, Generated, ProgramParams, call, domains, listed
from envhub.envs.code.wording import OWN_ARGUMENTS, STANDARD_LIBRARY
from envhub.envs.code.wrong_programs import wrong_programs
from envhub.generators.straight_line import Machine, hint, search, source, weight
from envhub.sandbox.resource import Jobs
from envhub.verifiers.answers.literals import write_literal
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.code.judging import Case, Judging, judge_calls

_HIDDEN: Final = 40
_LONGEST: Final = 120

_TASK: Final = Phrase(
    "Write the Python function {call} that gives these results.",
    "Which Python function {call} gives all of these results? Write it.",
    "Infer the Python function {call} from some of its calls, and write it.",
    held_out="Implement {call} in Python so that it generalizes the recorded calls.",
)
_HIDDEN_CALLS: Final = Phrase(
    "Your function is graded on other arguments of the same kind. It must return the right value for each of them.",
    "The grader calls your function with hidden arguments of the same kind, and every result must be right.",
    "It is not enough to match the known calls: on hidden arguments of the same kind, every result must be right, too.",
    held_out="Grading uses unseen arguments of the same kind and requires that all results be right.",
)


def _takes(problem: JSON) -> dict[str, str]:
    return domains(problem["takes"], problem["names"])


def _equations(problem: JSON) -> str:
    rows = "\n".join(f"{call(given)} == {output}" for given, output in problem["pairs"])
    return f"Known calls:\n{rows}\n\nArguments:\n{listed(_takes(problem))}\n\n{problem['hint']}"


def _arrows(problem: JSON) -> str:
    rows = "\n".join(f"{', '.join(map(write_literal, given))} -> {output}" for given, output in problem["pairs"])
    kinds = "\n".join(f"{name} is {words}." for name, words in _takes(problem).items())
    names = ", ".join(problem["names"])
    return f"{problem['hint']}\n\n{kinds}\n\nEach line gives {names}, an arrow, and the returned value.\n\n{rows}"


def _json(problem: JSON) -> str:
    calls = ",\n".join(f"  {json.dumps([call(given), output])}" for given, output in problem["pairs"])
    head = f'"arguments": {json.dumps(_takes(problem))},\n "about": {json.dumps(problem["hint"])}'
    told = "Each item of `calls` is a call and the value that it returns, both in Python notation."
    return f'{told}\n\n{{{head},\n "calls": [\n{calls}\n ]}}'


def _session(problem: JSON) -> str:
    rows = "\n".join(f">>> {call(given)}\n{output}" for given, output in problem["pairs"])
    kinds = "\n".join(f"{name} in D: {words}" for name, words in _takes(problem).items())
    return f"Domain D\n{kinds}\n\nKnown: {problem['hint']}\n\n{rows}"


_DATA: Final[Variants[Rendering]] = Variants(_equations, _arrows, _json, held_out=_session, name="data")
_RULES: Final = (_HIDDEN_CALLS, TYPES, OWN_ARGUMENTS, STANDARD_LIBRARY)


class Params(ProgramParams):
    """The functions, their number of parts, and the number of pairs shown."""

    pairs: int = Field(12, ge=4, le=32, description="how many calls are shown")

    # blocks, nesting, size, kinds, arguments, helpers, length, reach, parts from .. to, pairs
    levels: ClassVar[tuple[tuple[int, ...], ...]] = (
        (1, 1, 1, 2, 1, 0, 5, 20, 7, 14, 10),
        (1, 1, 1, 2, 1, 0, 5, 10, 15, 20, 10),
        (1, 1, 1, 2, 1, 0, 6, 20, 21, 26, 12),
        (1, 1, 2, 2, 1, 0, 6, 20, 27, 32, 12),
        (1, 2, 2, 2, 1, 0, 6, 20, 33, 40, 14),
        (2, 1, 1, 2, 1, 0, 6, 20, 41, 49, 14),
        (2, 2, 2, 2, 1, 0, 7, 20, 50, 60, 16),
        (2, 2, 2, 3, 2, 0, 7, 20, 61, 72, 16),
        (3, 2, 2, 3, 2, 0, 7, 20, 73, 88, 18),
        (3, 2, 2, 3, 2, 0, 7, 20, 89, 115, 20),
    )


class Induction(Generated):
    """Write the program behind pairs of inputs and outputs."""

    Params = Params
    answer: AnswerType = Code(sample="def f(x):\n    return x")
    resources = {"jobs": Jobs()}  # noqa: RUF012

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A function and its pairs.

        The key is the function and the hidden inputs.
        """
        found = search(rng, p.shape, lambda found: p.least <= weight(found.program) <= p.most, parts=p.least)
        if found is None:
            return None
        yield {"program": found.program}
        sample = found.more(rng, p.pairs + _HIDDEN)
        sample = sample and sample.edges(rng)
        if sample is None or not sample.exact(0, p.pairs) or not sample.exact(p.pairs, None):
            return None
        outputs = list(map(write_literal, sample.outputs))
        if max(map(len, outputs)) > _LONGEST:
            return None
        main = sample.program["main"]
        problem = {
            "takes": sample.program["takes"],
            "names": main["names"][: main["arguments"]],
            "pairs": [[given, output] for given, output in zip(sample.inputs, outputs, strict=True)][: p.pairs],
            "hint": hint(sample.program),
        }
        return Instance(problem, key={"program": sample.program, "inputs": sample.inputs[p.pairs :]})

    def form(self, problem: JSON) -> str:
        """The constructs of the function, as listed in its hint."""
        return str(problem["hint"].partition(". ")[0])

    def prompt(self, problem: JSON) -> Statement:
        """The pairs, the domains and the hint."""
        values = {"call": f"f({', '.join(problem['names'])})"}
        return Statement(task=_TASK, data=_DATA, problem=problem, rules=_RULES, values=values)

    def grade(self, inst: Instance, value: str) -> Judging:
        """By its results for the hidden inputs."""
        machine = Machine(inst.key["program"])
        cases = [Case(tuple(given), machine.run(given).value) for given in inst.key["inputs"]]
        return judge_calls("jobs", value, "f", cases)

    def solve(self, inst: Instance) -> str:
        """The function that produced the pairs."""
        return f"```python\n{source(inst.key['program'])}\n```"

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Functions whose results have another type, or that are right only once."""
        yield from wrong_programs(source(inst.key["program"]), "f")

    def effort(self, inst: Instance) -> float:
        """Number of parts of the function."""
        return float(weight(inst.key["program"]))
