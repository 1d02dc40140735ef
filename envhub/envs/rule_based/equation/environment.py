"""equation-v0: solve linear and quadratic equations and small systems exactly.

Rules: one linear equation, one quadratic equation with rational roots, or as many linear equations as unknowns; solutions
are rational, drawn first and spread widely. A quadratic equation asks for both roots, or for the one double root.

Action: values by name, ``x = 3/4``, ``x = 2, x = -1/3`` for two roots, ``x = 1/2, y = -3`` for a system. Judged by
substitution into the equations, and by completeness. Difficulty: brackets, fractions, unknowns on both sides, then
degree two, then two and three unknowns; effort is the digit operations of multiplying out and the schoolbook method.

Two problems are the same if they differ only in brackets, the order of terms, a factor on both sides, swapped sides,
the order of the equations, or the names of the unknowns. Not folded: moving terms from side to side, adding equations
to each other, and replacing an unknown by ``-x`` or a multiple.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Statement, and_list
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.rule_based.equation import equations as engine, planting, wording
from envhub.verifiers.answers.assignments import Assignments
from envhub.verifiers.answers.types import AnswerType

# Letters of one group are used together; u, v, g and h are those of the example.
_NAMES: Final = ("wxyz", "abcd", "pqrs", "kmnt")
_VALUES: Final = ("17/3", "-5", "8/7", "29")  # of the example
# kind, unknowns, size, reach, denominator, brackets, nesting, divisor, both sides
_LEVELS: Final[tuple[tuple[planting.Kind, int, int, int, int, int, int, int, bool], ...]] = (
    ("linear", 1, 30, 60, 1, 0, 1, 1, False),
    ("linear", 1, 30, 60, 9, 0, 1, 1, True),
    ("linear", 1, 30, 60, 9, 2, 1, 1, True),
    ("linear", 1, 30, 60, 9, 2, 1, 6, True),
    ("quadratic", 1, 12, 30, 4, 0, 1, 1, True),
    ("quadratic", 1, 12, 30, 6, 1, 1, 1, True),
    ("system", 2, 15, 30, 5, 2, 1, 4, True),
    ("system", 2, 15, 30, 6, 2, 2, 4, True),
    ("system", 3, 12, 30, 4, 1, 1, 4, True),
    ("system", 3, 15, 30, 6, 2, 2, 6, True),
)


class Params(BaseParams):
    """The equations and their format."""

    kind: planting.Kind = Field(
        "linear", description="linear or quadratic (one equation, one unknown), or a linear system"
    )
    unknowns: int = Field(1, ge=1, le=4, description="how many unknowns: 1, or 2 to 4 in a system")
    size: int = Field(20, ge=2, le=10_000, description="numbers drawn freely are at most this")
    reach: int = Field(60, ge=5, le=10_000, description="solutions are between -reach and reach")
    denominator: int = Field(1, ge=1, le=1_000, description="the largest denominator of a solution")
    brackets: int = Field(0, ge=0, le=6, description="brackets in every equation")
    nesting: int = Field(1, ge=1, le=4, description="how many brackets may be open at once")
    divisor: int = Field(1, ge=1, le=100, description="what brackets are divided by, at most")
    both_sides: bool = Field(False, description="whether unknowns stand on both sides")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        values: dict[str, Any] = dict(zip(cls.model_fields, _LEVELS[difficulty - 1], strict=True))
        return cls(**values)

    @model_validator(mode="after")
    def _check_unknowns(self) -> Self:
        if (self.kind == "system") != (self.unknowns > 1):
            raise ValueError("unknowns is 1 for a linear or quadratic equation and 2 to 4 for a system")
        return self


class _Values(Assignments):
    """The values of the unknowns."""

    noun = "each value as NAME = VALUE, separated by commas,"


class Equation(SingleTurn):
    """Solve equations exactly."""

    Params = Params
    answer: AnswerType = _Values()
    unique: ClassVar[bool] = True

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Equations with planted solutions.

        The key is the solutions as pairs of integers.
        """
        names = sorted(rng.sample(rng.choice(_NAMES), p.unknowns))
        style = planting.Style(p.size, p.brackets, p.nesting, p.divisor, p.both_sides)
        planted = planting.plant(
            rng, kind=p.kind, unknowns=names, reach=p.reach, denominator=p.denominator, style=style
        )
        if planted is None:
            return None
        equations, solutions = planted
        key = [[[value.numerator, value.denominator] for value in solution] for solution in solutions]
        return Instance({"kind": p.kind, "unknowns": names, "equations": equations}, key=key)

    def canonical(self, content: JSON) -> JSON:
        """The sides multiplied out and reduced, whatever the order and the names."""
        return engine.canonical(content["equations"], content["unknowns"])

    def prompt(self, problem: JSON) -> Statement:
        """The equations and the question."""
        return wording.statement(problem)

    def example(self, problem: JSON) -> str:
        """As many values as an answer has, of unknowns of no problem."""
        count = len(problem["unknowns"])
        names = "uu" if problem["kind"] == "quadratic" else "uvgh"[:count]
        return ", ".join(f"{name} = {value}" for name, value in zip(names, _VALUES, strict=False))

    def grade(self, inst: Instance, value: dict[str, frozenset[Fraction]]) -> Verdict:
        """The values satisfy the equations, and none is missing."""
        names, equations = inst.problem["unknowns"], inst.problem["equations"]
        if set(value) == {""}:
            value = {names[0]: value[""]}
        if set(value) != set(names):
            return Verdict.exact(
                False, f"Give the value{'s' * (len(names) > 1)} of {and_list(names)}, and nothing else."
            )
        if len(names) > 1:
            one = all(len(values) == 1 for values in value.values())
            given = [{name: min(values) for name, values in value.items()}] if one else []
        else:
            given = [{names[0]: root} for root in value[names[0]]]
        if not given or not all(engine.satisfies(equations, values) for values in given):
            return Verdict.exact(False)
        single = len(given) == 1 and inst.problem["kind"] == "quadratic"
        return Verdict.exact(not single or engine.is_double_root(equations[0], names[0], given[0][names[0]]))

    def solve(self, inst: Instance) -> str:
        """Every value by name."""
        names = inst.problem["unknowns"]
        return ", ".join(
            f"{name} = {Fraction(*pair)}" for solution in inst.key for name, pair in zip(names, solution, strict=True)
        )

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The values in other forms.

        Reversed, not reduced, in LaTeX, and of a single unknown without its name.
        """
        names = inst.problem["unknowns"]
        values = [(name, Fraction(*pair)) for solution in inst.key for name, pair in zip(names, solution, strict=True)]
        yield ", ".join(f"{name} = {2 * value.numerator}/{2 * value.denominator}" for name, value in reversed(values))
        yield ", ".join(f"{name} = \\frac{{{value.numerator}}}{{{value.denominator}}}" for name, value in values)
        if len(names) == 1:
            yield ", ".join(str(value) for _, value in values)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Wrong lists of values.

        A second value for one unknown, a value too few or too many, no names, and the values of another unknown.
        """
        names, text = inst.problem["unknowns"], self.solve(inst)
        values = [Fraction(*pair) for solution in inst.key for pair in solution]
        yield from (f"{text}, {name} = {max(values) + step}" for name in names for step in (1, 2))
        if len(inst.key) > 1:
            yield from (f"{names[0]} = {value}" for value in values)
        if len(names) > 1:
            yield ", ".join(map(str, values))
            yield ", ".join(f"{name} = {value}" for name, value in zip(names[:-1], values, strict=False))
            if len(set(values)) > 1:
                yield ", ".join(
                    f"{name} = {value}" for name, value in zip(names, [*values[1:], values[0]], strict=True)
                )

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A small number for every unknown."""
        return self.answer.wrap(", ".join(f"{name} = {rng.between(-20, 20)}" for name in inst.problem["unknowns"]))

    def effort(self, inst: Instance) -> float:
        """Digit operations by hand."""
        return float(engine.solve(inst.problem["equations"], inst.problem["unknowns"]).work)
