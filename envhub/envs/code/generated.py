"""Shared base of the three environments about generated programs.

Their content is the same program, so a program belongs to one split in all three.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Phrase
from envhub.core.types import JSON
from envhub.generators.straight_line import Sample, Shape, canonical, described, form
from envhub.verifiers.answers.literals import write_literal

TYPES: Final = Phrase(
    "Types matter: 1, 1.0 and True are three different values, and [1, 2] differs from (1, 2). The order of the entries of a "
    "dict does not matter.",
    "Values are compared together with their types. So 1, 1.0 and True all differ, and a list differs from a tuple with the "
    "same items. Two dicts with the same entries are equal in any order.",
    "A value of another type is a different value: 1 is neither 1.0 nor True, and [1, 2] is not (1, 2). Dicts are compared "
    "without regard to the order of their entries.",
    held_out="Equality means equal value and equal type; 1, 1.0 and True are pairwise different, as are [1, 2] and (1, 2). "
    "Dict entries are unordered.",
)
_LONGEST: Final = 160
_TRIVIAL: Final = ("0", "1", "-1", "''", "[]", "{}", "()")


class ProgramParams(BaseParams):
    """The kind of programs to ask about."""

    blocks: int = Field(2, ge=1, le=8, description="parts of the program: loops, comprehensions, branches, assignments")
    nesting: int = Field(1, ge=1, le=3, description="how deep loops and conditions stand in each other")
    size: int = Field(1, ge=1, le=3, description="how deep expressions are")
    kinds: int = Field(
        2, ge=1, le=3, description="constructs: 1 lists, 2 strings and dicts too, 3 while and stacks too"
    )
    arguments: int = Field(1, ge=1, le=3, description="how many arguments the function has")
    helpers: int = Field(0, ge=0, le=2, description="how many helper functions, at most")
    length: int = Field(6, ge=4, le=16, description="how long lists and strings are, at most")
    reach: int = Field(20, ge=9, le=99, description="how large the integers in the input are, at most")
    least: int = Field(
        1, ge=1, le=5_000, description="the least that the task costs, by the measure of the environment"
    )
    most: int = Field(5_000, ge=1, le=5_000, description="the most that it costs")

    levels: ClassVar[tuple[tuple[int, ...], ...]] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.least > self.most:
            raise ValueError("least must not be larger than most")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(**dict(zip(cls.model_fields, cls.levels[difficulty - 1], strict=False))) if cls.levels else cls()

    @property
    def shape(self) -> Shape:
        """The shape of the drawn programs."""
        return Shape(
            self.blocks, self.nesting, self.size, self.kinds, self.arguments, self.helpers, self.length, self.reach
        )


class Generated(SingleTurn):
    """A question about a generated program."""

    family: ClassVar[str | None] = "straight-programs"
    slow: ClassVar[bool] = True

    def canonical(self, content: JSON) -> JSON:
        """The program, with its variables renamed in a standard way."""
        return canonical(content["program"])

    def form(self, problem: JSON) -> str:
        """The structure of the program's longest block, or of its expressions."""
        return form(problem["program"])


def call(arguments: list[Any]) -> str:
    """A call in Python syntax."""
    return f"f({', '.join(map(write_literal, arguments))})"


def domains(takes: JSON, names: list[str]) -> dict[str, str]:
    """The domains of a program's arguments in words, by name."""
    return {name: described(domain) for name, domain in zip(names, takes, strict=True)}


def listed(domains: dict[str, str]) -> str:
    """The domains of arguments, one per line."""
    return "\n".join(f"- {name}: {words}" for name, words in domains.items())


def chosen(sample: Sample, p: ProgramParams) -> Iterator[tuple[list[Any], str]]:
    """Runs worth asking about, as arguments and output.

    Their cost is in range; the output is short, not trivial, and occurs neither in the input nor in the program.
    """
    tree = json.dumps(sample.program)
    for arguments, output, steps in zip(sample.inputs, sample.outputs, sample.steps, strict=True):
        text = write_literal(output)
        if p.least <= steps <= p.most and len(text) <= _LONGEST and text not in _TRIVIAL:
            given = "".join(map(write_literal, arguments))
            if text.strip("'[]{}()") not in given and text not in tree:
                yield arguments, text
