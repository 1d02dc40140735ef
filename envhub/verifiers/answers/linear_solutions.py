r"""Answer type: solutions of a linear system, or a proof of inconsistency.

Solutions are written by name, with parameters if there are many: ``x = 1 - 2*t, y = t``. A proof lists one factor per
equation: ``none: 1, -2, 1`` means that the equations times these factors add up to a contradiction. A remark that the
parameters are real numbers may follow: ``x = 1 - 2t, y = t, t \in \mathbb{R}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.algebra.elements import Undefined, Unsettled
from envhub.generators.algebra.normal_form import Reader
from envhub.verifiers.answers.types import AnswerType, Rational, Unreadable
from envhub.verifiers.math.forms import is_bounded
from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.lexer import NotMath, Token, prepare, split, tokens_of
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.proof import formula_of

_MOST: Final = 16
_NONE = re.compile(r"(?:there (?:is|are) )?(?:none|no solutions?)\s{0,4}[:;,]\s{0,4}", re.IGNORECASE)
_MARKS: Final = frozenset((",", ";", "(", "where", "for", "with", "\\forall"))
_REAL: Final = frozenset(
    ("R", "\\R", "\\forall", "real", "arbitrary", "free", "parameter", "parameters", "any", "all", "every")
)
_OTHERS: Final = frozenset(("in", "is", "are", "a", "an", "and", "number", "numbers", "."))

Line = tuple[tuple[str, Fraction], ...]
"""A sum of multiples of parameters, sorted by name; the constant has the empty name."""


class LinearSolution(NamedTuple):
    """A parsed answer.

    Attributes:
        values: The values of the unknowns, by name; None for a proof that there are no solutions.
        factors: The factors of the equations in such a proof.
    """

    values: tuple[tuple[str, Line], ...] | None
    factors: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class LinearSolutions(AnswerType):
    """Values of unknowns with parameters, or a proof of no solution.

    The proof is a list of factors. The value of an answer is a ``LinearSolution``.
    """

    noun: ClassVar[str] = "all solutions, or none with one factor per equation,"
    example: ClassVar[str] = "x = 17 - 5*t, y = t"

    def parse(self, text: str) -> LinearSolution:
        """The solutions in a span."""
        begun = _NONE.match(text)
        if begun:
            return LinearSolution(None, _factors(text[begun.end() :]))
        try:
            tokens = tokens_of(prepare(text))
            end = _remark(tokens)
            runs = [_without_link(run) for run in split(tokens[:end], ",", ";", "\n", "and")]
            values = [_equation(run) for run in runs if run]
        except (NotMath, Unsettled, Undefined) as problem:
            raise Unreadable(f"{problem}.") from None
        if not 0 < len(values) <= _MOST or len(dict(values)) < len(values):
            raise Unreadable("give each unknown once.")
        parameters = {name for _, line in values for name, _ in line if name}
        if not _letters(tokens[end:]) <= parameters - {*dict(values)}:
            raise Unreadable("a remark about other letters than the parameters may not follow.")
        return LinearSolution(tuple(sorted(values)))

    def random(self, rng: Stream) -> str:
        """Two small numbers by name."""
        return f"x = {rng.between(-9, 9)}, y = {rng.between(-9, 9)}"


def write(values: Mapping[str, str]) -> str:
    """Solutions as an answer."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def write_none(factors: Sequence[Fraction]) -> str:
    """A proof that there are no solutions as an answer."""
    return f"none: {', '.join(map(str, factors))}"


def _factors(text: str) -> tuple[Fraction, ...]:
    parts = text.strip("()[] ").split(",")
    if len(parts) > _MOST:
        raise Unreadable("there are too many factors.")
    return tuple(Rational(max_digits=60).parse(part.strip()) for part in parts)


def _remark(tokens: Sequence[Token]) -> int:
    """The start of a final remark that letters are real numbers.

    The end of the answer if it has no such remark.
    """
    end = first = len(tokens)
    while first and (tokens[first - 1].text in _MARKS | _REAL | _OTHERS or _is_letter(tokens[first - 1])):
        first -= 1
    start = next((i for i in range(first, end) if tokens[i].text in _MARKS), end)
    return start if any(token.text in _REAL for token in tokens[start:]) else end


def _letters(remark: Sequence[Token]) -> set[str]:
    return {token.text for token in remark if _is_letter(token)} - {"a"}  # the article


def _is_letter(token: Token) -> bool:
    return token.kind == "word" and len(token.text) == 1


def _without_link(tokens: Sequence[Token]) -> Sequence[Token]:
    return tokens[1:] if tokens and tokens[0].kind == "link" else tokens


def _equation(tokens: Sequence[Token]) -> tuple[str, Line]:
    """A name and its value.

    Raises:
        NotMath: Something else.
    """
    sides = split(tokens, "=")
    if len(sides) != 2 or len(sides[0]) != 1 or sides[0][0].kind != "word" or not sides[1]:
        raise NotMath("write each unknown as in x = 3")
    tree = parse(sides[1], Names(frozenset()))
    if not is_bounded(tree):
        raise NotMath("a number is too large")
    reader = Reader()
    element, denominator = reader.cleared(reader.read(formula_of(tree)))
    terms: list[tuple[str, Fraction]] = []
    for monomial, factor in element.items():
        if denominator or len(monomial) > 1 or (monomial and (monomial[0][1] != 1 or monomial[0][0][:2] != "v:")):
            raise NotMath("values must be linear in the parameters")
        terms.append((monomial[0][0][2:] if monomial else "", Fraction(factor)))
    return sides[0][0].text, tuple(sorted(terms))
