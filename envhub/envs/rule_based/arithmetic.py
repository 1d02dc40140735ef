"""arithmetic-v0: evaluate an integer expression.

Action: one integer. Every part of the expression is an integer: divisions are exact. Difficulty: more and longer
numbers, then multiplication, division and nested parentheses; effort is the number of digit operations of the
schoolbook methods.

Two expressions are the same problem if they differ only in the order of summands or factors. Other identities (``a * (b
+ c)`` and ``a * b + a * c``) are not folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.generators.expressions import trees
from envhub.generators.expressions.text import parse, render
from envhub.verifiers.answers.types import AnswerType, Integer

_LEVELS: Final = (
    (2, 2, "+-", 0),
    (3, 2, "+-", 0),
    (4, 2, "+-", 0),
    (4, 2, "+-*", 0),
    (5, 2, "+-*", 1),
    (6, 3, "+-*", 1),
    (7, 3, "+-*/", 2),
    (8, 3, "+-*/", 2),
    (9, 4, "+-*/", 3),
    (12, 4, "+-*/", 3),
)

_TIMES: Final = "\N{MULTIPLICATION SIGN}"
_OVER: Final = "\N{DIVISION SIGN}"
_TASK: Final = Phrase(
    "Compute the value of this expression.",
    "What is the value of the expression?",
    "Work out the expression and give its value.",
    "Could you calculate this for me?",
    held_out="Let E be the given expression. Evaluate E.",
)
_ORDER: Final = Phrase(
    "Multiplication and division come before addition and subtraction. Operators of the same rank are applied from left to "
    "right.",
    "The usual order of operations applies: parentheses first, then multiplication and division from left to right, then "
    "addition and subtraction from left to right.",
    "Multiply and divide before you add and subtract; within each of these two groups, go from left to right.",
    held_out="Products and quotients bind more tightly than sums and differences, and operators of equal rank associate to "
    "the left.",
)
_EXACT: Final = Phrase(
    "Every division is exact.",
    "No division leaves a remainder.",
    "Each division has an integer as its result.",
    held_out="All quotients are integers.",
)


class Params(BaseParams):
    """The components of an expression."""

    terms: int = Field(3, ge=1, le=40, description="how many numbers")
    digits: int = Field(2, ge=1, le=12, description="digits of each number (factors and divisors may have fewer)")
    operators: str = Field("+-", pattern=r"^[-+*/]{1,4}$", description="which of + - * / may occur")
    nesting: int = Field(0, ge=0, le=8, description="how many parentheses may be open at once")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        terms, digits, operators, nesting = _LEVELS[difficulty - 1]
        return cls(terms=terms, digits=digits, operators=operators, nesting=nesting)


class Arithmetic(SingleTurn):
    """Evaluate an integer expression."""

    Params = Params
    family: ClassVar[str | None] = "expression-value"
    answer: AnswerType = Integer()
    unique: ClassVar[bool] = True

    def sample(self, rng: Stream, p: Any) -> Instance:
        """An expression; the key is its value."""
        try:
            tree = trees.random_expression(
                rng, terms=p.terms, digits=p.digits, operators=p.operators, nesting=p.nesting
            )
        except ValueError as error:
            raise InvalidParameters(f"{error}.") from None
        value = trees.evaluate(tree)
        assert value is not None
        return Instance(problem={"expression": render(tree)}, key=value.numerator)

    def canonical(self, content: JSON) -> JSON:
        """The expression with sums and products in a fixed order."""
        return trees.canonical(parse(content["expression"]))

    def prompt(self, problem: JSON) -> Statement:
        """The expression and how to read it."""
        return Statement(task=_TASK, data=_DATA, problem=problem, rules=(_ORDER, _EXACT))

    def grade(self, inst: Instance, value: int) -> Verdict:
        """Compare with the value."""
        return Verdict.exact(value == inst.key)

    def solve(self, inst: Instance) -> str:
        """The value."""
        return str(inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The value with its thousands grouped, and as a decimal."""
        yield f"{inst.key:,}"
        yield f"{inst.key}.0"

    def effort(self, inst: Instance) -> float:
        """Digit operations by hand."""
        return float(trees.work(parse(inst.problem["expression"])))


def _plain(problem: JSON) -> str:
    return f"{problem['expression']}{_legend(problem, '*', '/')}"


def _equated(problem: JSON) -> str:
    return f"{problem['expression']} = ?{_legend(problem, '*', '/')}"


def _with_signs(problem: JSON) -> str:
    return f"{problem['expression'].replace('*', _TIMES).replace('/', _OVER)}{_legend(problem, _TIMES, _OVER)}"


def _in_latex(problem: JSON) -> str:
    text = problem["expression"].replace("*", r"\times").replace("/", r"\div")
    return f"E in LaTeX: ${text}$"


def _legend(problem: JSON, times: str, over: str) -> str:
    """What the signs for multiplication and division mean, where they occur."""
    signs = (("*", times, "multiplication"), ("/", over, "division"))
    told = [f"{sign} is {name}" for mark, sign, name in signs if mark in problem["expression"]]
    return f"\n\n{' and '.join(told)}." if told else ""


_DATA: Final[Variants[Rendering]] = Variants(_plain, _equated, _with_signs, held_out=_in_latex, name="data")
