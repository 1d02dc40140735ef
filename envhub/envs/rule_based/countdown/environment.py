"""countdown-v0: combine given numbers into an expression that equals a target.

Action: one expression over the numbers, each used at most once, with the allowed operators; its value is computed
exactly by our own parser and tree. Any right expression counts. Difficulty: more numbers must be used (proved: no
expression over fewer reaches the target), larger numbers, more operators; effort is the number of combinations a search
examines, fewest numbers first.

The numbers are a multiset: their order does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.authoring.wording import Statement
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.rule_based.countdown import rules, wording
from envhub.generators.expressions.text import parse, render
from envhub.generators.expressions.trees import OPERATORS, Number, Operation, leaves
from envhub.verifiers.answers.types import AnswerType, Expression

_LEVELS: Final = (
    (3, 2, 50, 1, 100, "+-"),
    (3, 3, 50, 1, 500, "+-*"),
    (3, 3, 50, 1, 500, "+-*/"),
    (4, 3, 50, 10, 500, "+-*/"),
    (4, 4, 50, 100, 999, "+-*/"),
    (5, 4, 50, 100, 999, "+-*/"),
    (5, 4, 100, 1000, 9999, "+-*/"),
    (5, 5, 100, 1000, 9999, "+-*/"),
    (6, 5, 50, 100, 999, "+-*/"),
    (6, 6, 100, 1000, 9999, "+-*/"),
)


class Params(BaseParams):
    """The given numbers and the range of the target."""

    numbers: int = Field(4, ge=2, le=6, description="how many numbers are given")
    needed: int = Field(2, ge=2, le=6, description="no solution uses fewer numbers than this")
    low: int = Field(1, ge=1, le=10_000, description="the least number")
    high: int = Field(100, ge=1, le=10_000, description="the greatest number")
    target_low: int = Field(10, ge=1, le=1_000_000, description="the least target")
    target_high: int = Field(100, ge=1, le=1_000_000, description="the greatest target")
    operators: str = Field("+-*/", pattern=r"^[-+*/]{1,4}$", description="which of + - * / may be used")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.needed > self.numbers or self.low > self.high or self.target_low > self.target_high:
            raise ValueError("needed <= numbers, low <= high and target_low <= target_high must hold")
        if len(set(self.operators)) != len(self.operators):
            raise ValueError("operators names each operator once")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        numbers, needed, high, target_low, target_high, operators = _LEVELS[difficulty - 1]
        return cls(
            numbers=numbers,
            needed=needed,
            high=high,
            target_low=target_low,
            target_high=target_high,
            operators=operators,
        )


class Countdown(SingleTurn):
    """Reach a target from given numbers, each used at most once."""

    Params = Params
    answer: AnswerType = Expression()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Numbers and a target with a planted solution.

        Then the proof that fewer numbers do not suffice.
        """
        try:
            numbers, target, tree = rules.plant(
                rng,
                count=p.numbers,
                needed=p.needed,
                low=p.low,
                high=p.high,
                target_low=p.target_low,
                target_high=p.target_high,
                operators=p.operators,
            )
        except ValueError as error:
            raise InvalidParameters(f"{error}.") from None
        problem = {"numbers": numbers, "target": target, "operators": p.operators}
        yield problem
        if not rules.proved(numbers, target, p.needed, p.operators):
            return None
        return Instance(problem, key=render(tree))

    def canonical(self, content: JSON) -> JSON:
        """The sorted numbers, and the target."""
        return [sorted(content["numbers"]), content["target"]]

    def prompt(self, problem: JSON) -> Statement:
        """The numbers, the target and the rules."""
        return wording.statement(problem)

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Check every rule, and the exact value."""
        tree, claimed = value
        problem = inst.problem
        wrong = rules.check(problem["numbers"], problem["target"], tree, problem["operators"], claimed=claimed)
        return Verdict.exact(wrong is None, wrong or "")

    def solve(self, inst: Instance) -> str:
        """The planted expression."""
        return str(inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The planted expression in other forms, and solutions by search.

        Mirrored, and with its result.
        """
        problem = inst.problem
        tree = rules.mirrored(parse(inst.key))
        yield f"{render(tree)} = {problem['target']}"
        found = rules.solve(problem["numbers"], problem["target"], operators=problem["operators"])
        if found is not None:
            yield render(found)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Expressions with one fault.

        A false result, unavailable numbers, signs, other operators, divisions by zero, and other values.
        """
        problem, key = inst.problem, str(inst.key)
        numbers, target, operators = problem["numbers"], problem["target"], problem["operators"]
        yield from (f"{key} = {target + step}" for step in (1, -1))
        other = max(numbers) + 1
        yield f"{key} + {other} - {other}"
        left = Counter(numbers) - Counter(leaves(parse(key)))
        yield from (f"{key} + {number} - {number}" for number in sorted(set(numbers)) if left[number] < 2)
        yield f"-(-({key}))"
        found = [rules.solve(numbers, target + step, operators=operators) for step in (1, -1)]
        for at, number in enumerate(numbers):
            zero = rules.solve(numbers[:at] + numbers[at + 1 :], 0, operators=operators)
            found.append(None if zero is None else Operation("/", Number(number), zero))
        yield from (render(tree) for tree in found if tree is not None)
        for op in sorted(set(OPERATORS) - set(operators)):
            trees = [rules.solve(numbers, target, operators=op + more) for more in ("", *operators, operators)]
            yield from (text for text in (render(tree) for tree in trees if tree is not None) if op in text)

    def effort(self, inst: Instance) -> float:
        """Combinations a search examines up to the first solution."""
        return rules.effort(inst.problem["numbers"], inst.problem["target"], inst.problem["operators"])
