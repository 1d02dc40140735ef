"""code-input-v0: find an input that makes a program return a given value.

Rules: the prompt gives a generated Python program, the domain of each argument and one output. Any input within the
domains that gives the output is right. Changing one number or character of the original input hardly ever gives the
same output, and none of 200 random inputs does, so near misses and guesses are hardly ever right.

Action: the arguments in order, as Python literals with commas between them. They are checked against the domains and
run in our own interpreter. Difficulty: as in code-output-v0, with smaller programs; effort is the cost of one run on
the original input.

Content is the program; its names and the output are ignored. Not folded: operands in another order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

from envhub.authoring import Staged
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, listings
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.generated import TYPES, Generated, ProgramParams, chosen, domains, listed
from envhub.generators.straight_line import (
    LETTERS,
    Machine,
    TooMuch,
    draw_arguments,
    fits,
    neighbours,
    outside,
    run,
    search,
    signature,
    source,
)
from envhub.verifiers.answers.literals import Literal, read_literal, write_literal
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.comparing import exactly

_RAISES: Final = (TooMuch, IndexError, KeyError, ValueError, TypeError)
_MOST_CHARS: Final = 120
_ALIKE: Final = 0.1
_DRAWN: Final = 200

_TASK: Final = Phrase(
    "Find a call {call} of this Python program that returns the required value.",
    "With which arguments does {call} return the required value?",
    "Work backwards: find arguments for which the Python function call {call} returns the required value.",
    held_out="Solve for the arguments of {call} such that its return value is the required one.",
)
_ANY_ONE: Final = Phrase(
    "Any argument of the stated kind that gives exactly the required value is correct.",
    "If several arguments of the stated kind give exactly the required value, each of them is correct.",
    "Your argument must be of the stated kind and give exactly the required value; it need not be the only one that does.",
    held_out="Every argument in the stated domain that yields exactly the required value counts as right.",
)
_ANY_OF_SEVERAL: Final = Phrase(
    "Any arguments of the stated kinds that give exactly the required value are correct.",
    "If several choices of arguments of the stated kinds give exactly the required value, each of them is correct.",
    "Your arguments must be of the stated kinds and give exactly the required value; they need not be the only ones that do.",
    held_out="Every choice of arguments in the stated domains that yields exactly the required value counts as right.",
)
_WRITE_ONE: Final = Phrase(
    "Write the argument as a Python literal.",
    "Your answer is the argument alone, as a Python literal.",
    "Answer with a Python literal: the argument that you pass to the function.",
    held_out="State the argument in Python's literal notation, without the name of the function.",
)
_WRITE_SEVERAL: Final = Phrase(
    "Write the {count} arguments in order as Python literals, separated by commas.",
    "Your answer is the {count} arguments in the order of the call, as Python literals with commas between them.",
    "Answer with {count} Python literals separated by commas: the arguments that you pass, in order.",
    held_out="State the {count} arguments in Python's literal notation, in call order and comma-separated.",
)


def _takes(problem: JSON) -> dict[str, str]:
    program = problem["program"]
    return domains(program["takes"], program["main"]["names"][: len(program["takes"])])


def _block(problem: JSON) -> str:
    program = listings.fenced(source(problem["program"]))
    return f"{program}\n\nRequired value: {problem['output']}\n\nArguments:\n{listed(_takes(problem))}"


def _value_first(problem: JSON) -> str:
    head = f"{signature(problem['program'])} must return this value:\n\n    {problem['output']}"
    kinds = "\n".join(f"{name} must be {words}." for name, words in _takes(problem).items())
    return f"{head}\n\n{kinds}\n\n{listings.fenced(source(problem['program']))}"


def _json(problem: JSON) -> str:
    lines = listings.lines(source(problem["program"]))
    given = {"program": lines, "arguments": _takes(problem), "required value": problem["output"]}
    return f"{listings.LINES} The required value is written as a Python literal.\n\n{json.dumps(given, indent=1)}"


def _listing(problem: JSON) -> str:
    listing = listings.numbered(source(problem["program"]))
    kinds = "\n".join(f"{name} in D: {words}" for name, words in _takes(problem).items())
    return f"{listings.NUMBERED}\n\n{listing}\n\nDomain D\n{kinds}\n\nRequired: {problem['output']}"


_DATA: Final[Variants[Rendering]] = Variants(_block, _value_first, _json, held_out=_listing, name="data")


class Params(ProgramParams):
    """The programs, and the number of steps of one run."""

    # blocks, nesting, size, kinds, arguments, helpers, length, reach, steps from .. to
    levels: ClassVar[tuple[tuple[int, ...], ...]] = (
        (1, 1, 1, 1, 1, 0, 4, 10, 10, 24),
        (1, 1, 1, 2, 1, 0, 5, 10, 25, 36),
        (1, 1, 2, 2, 1, 0, 5, 20, 37, 50),
        (2, 1, 1, 2, 1, 0, 6, 20, 51, 68),
        (2, 1, 2, 2, 2, 0, 6, 20, 69, 92),
        (2, 2, 2, 2, 2, 0, 6, 20, 93, 122),
        (2, 2, 2, 3, 2, 0, 7, 20, 123, 160),
        (3, 2, 2, 3, 2, 0, 7, 30, 161, 210),
        (3, 2, 2, 3, 2, 1, 8, 30, 211, 280),
        (4, 3, 2, 3, 2, 1, 8, 30, 281, 400),
    )


class Input(Generated):
    """Find an input for an output."""

    Params = Params
    answer: AnswerType = Literal(called="f")

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A program and one of its outputs.

        The key is an input that gives it.
        """
        sample = search(rng, p.shape, lambda found: any(chosen(found, p)), least=p.least)
        if sample is None:
            return None
        yield {"program": sample.program}
        for arguments, text in chosen(sample, p):
            if _sharp(sample.program, arguments, text, rng):
                return Instance({"program": sample.program, "output": text}, key=arguments)
        return None

    def prompt(self, problem: JSON) -> Statement:
        """The program, the domains and the output."""
        count = len(problem["program"]["takes"])
        several = count > 1
        rules = (_ANY_OF_SEVERAL, TYPES, _WRITE_SEVERAL) if several else (_ANY_ONE, TYPES, _WRITE_ONE)
        values = {"call": signature(problem["program"]), "count": count}
        return Statement(task=_TASK, data=_DATA, problem=problem, rules=rules, values=values)

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Right if the arguments are in their domains and give the output."""
        program = inst.problem["program"]
        takes = program["takes"]
        if len(takes) == 1:
            value = [value]
        elif type(value) not in (list, tuple) or len(value) != len(takes):
            return Verdict.exact(False, f"Give {len(takes)} arguments with commas between them.")
        for number, (domain, argument) in enumerate(zip(takes, value, strict=True), 1):
            if not fits(domain, argument):
                return Verdict.exact(False, f"Argument {number} is not what the program takes.")
        try:
            returned = run(program, list(value)).value
        except _RAISES:  # not known to happen: programs are built to end and to raise nothing
            return Verdict.exact(False, "The program does not end well for this input.")
        return Verdict.exact(exactly(returned, read_literal(inst.problem["output"])))

    def solve(self, inst: Instance) -> str:
        """The original input."""
        return ", ".join(map(write_literal, inst.key))

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Without spaces, in brackets, and in a fenced block."""
        text = self.solve(inst)
        yield text.replace(", ", ",")
        yield f"({text})"
        yield f"```\n{text}\n```"

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Arguments outside their domains, and wrong numbers of arguments.

        The program accepts most of the former.
        """
        takes = inst.problem["program"]["takes"]
        yield f"{self.solve(inst)}, 0"
        if len(takes) > 1:
            yield ", ".join(map(write_literal, inst.key[:-1]))
        for at, domain in enumerate(takes):
            for other in outside(domain, inst.key[at]):
                yield ", ".join(map(write_literal, [*inst.key[:at], other, *inst.key[at + 1 :]]))

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """Random arguments from the domains."""
        return self.answer.wrap(", ".join(map(write_literal, draw_arguments(inst.problem["program"]["takes"], rng))))

    def effort(self, inst: Instance) -> float:
        """Cost of one run."""
        return float(run(inst.problem["program"], inst.key).steps)


def _sharp(program: JSON, arguments: list[Any], output: str, rng: Stream) -> bool:
    """Whether other inputs hardly ever give the output.

    Near and random inputs, and the output itself, are tried.
    """
    takes = program["takes"]
    if sum(len(write_literal(argument)) for argument in arguments) > _MOST_CHARS:
        return False
    machine = Machine(program)

    def alike(others: Iterable[list[Any]]) -> list[bool]:
        inside = [other for other in others if len(other) == len(takes) and all(map(fits, takes, other))]
        return [write_literal(machine.run(other).value) == output for other in inside]

    try:
        if any(alike([*neighbours(arguments), [read_literal(output)]])):
            return False
        found = alike(neighbours(arguments, LETTERS))
        if sum(found) > _ALIKE * len(found):
            return False
        drawn = (draw_arguments(takes, rng) for _ in range(_DRAWN))
        return not any(write_literal(machine.run(other).value) == output for other in drawn if other != arguments)
    except _RAISES:
        return False
