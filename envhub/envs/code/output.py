"""code-output-v0: predict the return value of a generated Python program.

Rules: the prompt gives a generated Python program and one call of it. The program is deterministic, ends and raises
nothing. Leaving out any statement changes the result for some input.

Action: the value that the call returns, as a Python literal, compared with its types. Difficulty: more and deeper
statements, more kinds of them, longer inputs; effort is the number of parts of the program that the call evaluates.

Content is the program; its names and the input are ignored. Not folded: operands in another order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from envhub.authoring import Staged
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.generated import TYPES, Generated, ProgramParams, call, chosen
from envhub.generators.straight_line import run, search, source
from envhub.verifiers.answers.literals import Literal, read_literal, write_literal
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.comparing import exactly


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

    def prompt(self, problem: JSON) -> str:
        """The program and the call."""
        program = problem["program"]
        return (
            f"What does this Python program return for the call below?\n\n```python\n{source(program)}\n```\n\n"
            f"{call(problem['arguments'])}\n\n"
            f"The answer is the returned value, written as a Python literal; strings stand in quotes. {TYPES}"
        )

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
