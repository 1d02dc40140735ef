"""code-output-v0: predict the return value of a generated Python program.

Rules: the prompt gives a generated Python program and one call of it. The program is deterministic, ends and raises
nothing. Leaving out any statement changes the result for some input.

Action: the value that the call returns, as a Python literal, compared with its types. Difficulty: more and deeper
statements, more kinds of them, longer inputs; effort is the number of parts of the program that the call evaluates.

Content is the program; its names and the input are ignored. Not folded: operands in another order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from envhub.authoring import Staged
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, listings
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.generated import TYPES, Generated, ProgramParams, call, chosen
from envhub.generators.straight_line import run, search, source
from envhub.verifiers.answers.literals import Literal, read_literal, write_literal
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.comparing import exactly

_TASK: Final = Phrase(
    "Find the value that this call of a Python program returns.",
    "What does the Python function return for the given call?",
    "Work out what the given call of a Python function returns.",
    held_out="Evaluate the call under the semantics of Python 3 and report its value.",
)
_LITERAL: Final = Phrase(
    "Write the returned value as a Python literal, with strings in quotes.",
    "Your answer must be a Python literal of the returned value. Put quotes around strings.",
    "Answer with the returned value in Python's literal notation, in which strings are quoted.",
    held_out="Use the notation of repr(): a literal, strings quoted.",
)


def _block(problem: JSON) -> str:
    return f"{listings.fenced(source(problem['program']))}\n\nCall: {call(problem['arguments'])}"


def _script(problem: JSON) -> str:
    script = f"{source(problem['program'])}\n\nresult = {call(problem['arguments'])}"
    return f"The last line of this program stores the returned value in `result`.\n\n{listings.fenced(script)}"


def _json(problem: JSON) -> str:
    given = {"program": listings.lines(source(problem["program"])), "call": call(problem["arguments"])}
    return f"{listings.LINES}\n\n{json.dumps(given, indent=1)}"


def _listing(problem: JSON) -> str:
    listing = listings.numbered(source(problem["program"]))
    return f"{listings.NUMBERED}\n\n{listing}\n\n>>> {call(problem['arguments'])}"


_DATA: Final[Variants[Rendering]] = Variants(_block, _script, _json, held_out=_listing, name="data")


class Params(ProgramParams):
    """The programs, and the number of steps of the call."""

    # blocks, nesting, size, kinds, arguments, helpers, length, reach, steps from .. to
    levels: ClassVar[tuple[tuple[int, ...], ...]] = (
        (1, 1, 1, 1, 1, 0, 5, 10, 10, 27),
        (1, 1, 1, 2, 1, 0, 6, 10, 28, 45),
        (2, 1, 1, 2, 1, 0, 6, 20, 46, 75),
        (2, 2, 2, 2, 2, 0, 7, 20, 76, 110),
        (2, 2, 2, 2, 2, 0, 7, 20, 111, 160),
        (3, 2, 2, 2, 2, 0, 8, 20, 161, 230),
        (3, 2, 2, 3, 2, 1, 8, 30, 231, 330),
        (4, 3, 2, 3, 2, 1, 8, 30, 331, 470),
        (5, 3, 2, 3, 2, 2, 10, 40, 471, 670),
        (5, 3, 2, 3, 2, 2, 12, 40, 671, 1000),
    )


class Output(Generated):
    """Say what a program returns."""

    Params = Params
    answer: AnswerType = Literal()
    unique: ClassVar[bool] = True

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A program and one of its tried inputs.

        The key is the output as a literal.
        """
        sample = search(rng, p.shape, lambda found: any(chosen(found, p)), least=p.least)
        if sample is None:
            return None
        yield {"program": sample.program}
        arguments, text = next(chosen(sample, p))
        return Instance({"program": sample.program, "arguments": arguments}, key=[text])

    def prompt(self, problem: JSON) -> Statement:
        """The program and the call."""
        return Statement(task=_TASK, data=_DATA, problem=problem, rules=(_LITERAL, TYPES))

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """By value and type."""
        return Verdict.exact(exactly(value, read_literal(inst.key[0])))

    def solve(self, inst: Instance) -> str:
        """The result of our interpreter."""
        return write_literal(run(inst.problem["program"], inst.problem["arguments"]).value)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Without spaces, in brackets, and in a fenced block."""
        text: str = inst.key[0]
        yield text.replace(", ", ",")
        yield f"({text})"
        yield f"```python\n{text}\n```"

    def effort(self, inst: Instance) -> float:
        """Number of parts of the program that the call evaluates."""
        return float(run(inst.problem["program"], inst.problem["arguments"]).steps)
