"""Guesses the kind of a gold answer without a declared kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from envhub.verifiers.math.expressions import Expression
from envhub.verifiers.math.groups import List, Matrix, Multi, Set, Tuple, enclosed
from envhub.verifiers.math.intervals import Interval
from envhub.verifiers.math.kind import Kind, bare
from envhub.verifiers.math.lexer import NotMath, Token, prepare, split, tokens_of
from envhub.verifiers.math.plain import Choice, Date, Text
from envhub.verifiers.math.relations import Function, Relation
from envhub.verifiers.math.scalars import Complex, Rational
from envhub.verifiers.math.units import Quantity
from envhub.verifiers.math.words import number_in_words

_RELATIONS: Final = ("=", "<", "<=", ">", ">=", "!=")
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[A-Z][a-z]{2,8}\.? [0-9]{1,2},? [0-9]{4}|[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4}"
)
_PROSE = re.compile(r"[A-Za-z][A-Za-z' .,-]*")


def guessed(gold: str) -> Kind:
    """The first kind that can read a gold answer; otherwise a text."""
    for make in _guesses(gold):
        try:
            kind = make()
            kind.read(gold)
        except NotMath:
            continue
        return kind
    return Text()


def _guesses(gold: str) -> list[Callable[[], Kind]]:
    try:
        text = bare(gold)
        tokens = tokens_of(prepare(text))
    except NotMath:
        return []
    if re.fullmatch(r"\(?[A-H]\)?", text):
        return [lambda: Choice(tuple((label, "") for label in "ABCDEFGH"))]
    if _DATE.fullmatch(text):
        return [Date]
    if (
        len(text) > 1
        and _PROSE.fullmatch(text)
        and number_in_words(text) is None
        and len(tokens) == len([token for token in tokens if token.kind not in ("const", "cmd")])
    ):
        return []
    return [*_structured(tokens), Rational, Complex, Quantity, Expression]


def _structured(tokens: Sequence[Token]) -> list[Callable[[], Kind]]:
    bracket = enclosed(tokens)
    if any(token.kind == "begin" for token in tokens) or (bracket == "[" and enclosed(tokens[1:-1]) == "["):
        return [lambda: Matrix(Expression())]
    if bracket == "[" and len(tokens) > 2 and tokens[1].text == "[":
        return [lambda: Matrix(Expression())]
    if any(token.kind == "rel" for token in tokens):
        named = _parts(tokens)
        several = [lambda: Multi((Expression(),) * len(named), tuple(named))] if named else []
        return [*several, Function, Interval, Relation] if _one_unknown(tokens) else [*several, Function, Relation]
    if bracket in ("{", "\\{") or any(token.text == "empty" for token in tokens):
        return [lambda: Set(Expression()), lambda: Set(Text())]
    infinite = any(token.text == "inf" for token in tokens)
    if any(token.kind == "join" for token in tokens) or bracket in ("([", "[(") or (bracket and infinite):
        return [Interval]
    if len(tokens) == 1 and tokens[0].kind == "const" and tokens[0].text == "R":
        return [Interval]
    if bracket == "[":
        return (
            [Interval, lambda: List(Expression())]
            if len(split(tokens[1:-1], ",")) == 2
            else [lambda: List(Expression())]
        )
    if bracket == "(" and len(split(tokens[1:-1], ",")) > 1:
        return [lambda: Tuple(Expression())]
    if any(token.text in ("pm", "mp") for token in tokens):
        return [lambda: Set(Expression())]
    if len(split(tokens, ",")) > 1:
        # 1,024 is a number; 1, 2 are several
        return [Rational, lambda: Multi((Expression(),) * len(split(tokens, ",")))]
    return []


def _parts(tokens: Sequence[Token]) -> list[str]:
    """The names in ``w = 16, d = 3``; empty for anything else."""
    names: list[str] = []
    for run in split(tokens, ",", "and"):
        sides = split(run, *_RELATIONS)
        if len(sides) != 2 or not 1 <= len(sides[0]) <= 3 or sides[0][0].kind not in ("word", "name"):
            return []
        names.append("".join(token.text for token in sides[0]))
    return names if len(names) > 1 and len(set(names)) == len(names) else []


def _one_unknown(tokens: Sequence[Token]) -> bool:
    """Whether an inequality, or a chain of them, bounds one unknown."""
    return any(token.kind == "rel" and token.text != "=" for token in tokens)
