r"""The kind ``auto``: golds whose kind nobody declared.

A :class:`Gold` is read once. The answer is read with the gold's variables, and is the same if one of its readings matches
a reading of the gold. The options: ``question``, ``accept_rounded`` and ``choices``::

    gold = Gold.of(r"$(2,7),(-1,4)$", Auto())
    Auto().same(gold, Auto().read("(-1,4), (2,7)"), trial)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from envhub.verifiers.math.identity import Trial
from envhub.verifiers.math.kind import DIFFERENT, Comparison, Kind, need
from envhub.verifiers.math.tree import Tree, variables
from envhub.verifiers.undeclared.matching import Matcher
from envhub.verifiers.undeclared.questions import Wanted, wanted
from envhub.verifiers.undeclared.reader import readings
from envhub.verifiers.undeclared.values import Amount, Chain, Grid, Group, Label, Named, Ratio, Region, Value

_OPTION: Final = re.compile(r"\\?(?:text\s?\{)?\(?[A-H][).:]\}?\s(?!.*\b(?:[B-H]|or|and|not)\b).{1,80}")
OPTIONS: Final = ("question", "accept_rounded", "choices")
DIGITS: Final = 4
"""Significant digits that a rounded answer shows, by default."""


@dataclass(frozen=True)
class Auto(Kind):
    """An answer of no declared kind.

    Attributes:
        question: The text of the question; only its words on order, intervals, percent and rounding count.
        accept_rounded: ``off``, or the significant digits that the correct rounding of an exact gold must show.
        choices: The texts of the options of a multiple choice question, by letter.
        letters: The variables of the gold.
    """

    question: str = ""
    accept_rounded: int | str = DIGITS
    choices: tuple[tuple[str, str], ...] = ()
    letters: frozenset[str] | None = None
    name: ClassVar[str] = "auto"
    noun: ClassVar[str] = "the answer alone"
    example: ClassVar[str] = "17"

    def __post_init__(self) -> None:
        need(isinstance(self.question, str), f"question is text, got {self.question!r}.")
        digits = self.accept_rounded
        need(
            digits == "off" or (type(digits) is int and 1 <= digits <= 100),
            f"accept_rounded is 'off' or 1..100, got {digits!r}.",
        )

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Auto:
        """A kind with the options that users write.

        Raises:
            InvalidParameters: An option has no such value.
        """
        given = dict(options)
        for name in given:
            need(name in OPTIONS, f"The kind auto has no option {name!r}; there are {', '.join(OPTIONS)}.")
        choices = given.pop("choices", None) or {}
        need(
            isinstance(choices, Mapping) and all(isinstance(one, str) for pair in choices.items() for one in pair),
            f"choices are texts by letter, got {choices!r}.",
        )
        return cls(**given, choices=tuple(choices.items()))

    def read(self, text: str) -> tuple[Value, ...]:
        """The readings of a text, the likeliest first."""
        found = readings(text, self.letters)
        if self.choices:
            found += self._chosen(text, found)
        elif _OPTION.fullmatch(text.strip()):
            found.insert(0, Label("choice", next(letter for letter in text if letter in "ABCDEFGH")))
        return tuple(self._asked(found, wanted(self.question)))

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether a reading of the answer matches a reading of the gold."""
        digits = self.accept_rounded if isinstance(self.accept_rounded, int) else None
        matcher = Matcher(trial, digits, wanted(self.question))
        results: list[Comparison] = []
        for mine in gold:
            for theirs in answer:
                if not _are_comparable(mine, theirs):
                    continue
                found = matcher.same(mine, theirs)
                if found.same:
                    return found
                results.append(found)
        return next((one for one in results if one.stage == "undecided"), _verdict(gold, answer, results))

    def names(self, value: Any) -> frozenset[str]:
        """The variables of the readings."""
        return frozenset[str]().union(*map(_variables, value))

    def knowing(self, names: frozenset[str]) -> Auto:
        """This kind, given the variables that may be adjacent."""
        return replace(self, letters=names)

    def undecided(self, gold: Any, answer: Any) -> tuple[Tree | None, Tree | None]:
        """The expressions to compare by other means; None for other values."""
        return _plain(gold[0]), _plain(answer[0])

    def _asked(self, found: Sequence[Value], asked: Wanted) -> list[Value]:
        """The readings that fit the question."""
        kept = list(found)
        if asked.point:
            kept = [value for value in kept if not isinstance(value, Region)] or kept
        if asked.interval and any(isinstance(value, Region) for value in kept):
            kept = [value for value in kept if not isinstance(value, Group)]
        return kept

    def _chosen(self, text: str, found: Sequence[Value]) -> list[Value]:
        """The readings of the option that a letter names."""
        for letter, option in self.choices:
            if Label("choice", letter.upper()) in found:
                return list(readings(option, self.letters))
            head = text.strip().lstrip("(").removeprefix(letter)
            if head != text.strip().lstrip("(") and head[:1] in (")", ".", ":") and head[1:].strip() == option:
                return [Label("choice", letter.upper()), *readings(option, self.letters)]
        return []


def is_words(value: Any) -> bool:
    """Whether a gold is read as words or as notation alone."""
    lone = isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], Label)
    return lone and value[0].kind in ("words", "notation")


def _are_comparable(gold: Value, answer: Value) -> bool:
    """Whether one label, or no label, is among two readings."""
    return isinstance(gold, Label) == isinstance(answer, Label)


def _verdict(gold: Sequence[Value], answer: Sequence[Value], results: Sequence[Comparison]) -> Comparison:
    """The comparison of an answer without a matching reading."""
    if len(answer) == 1 and isinstance(answer[0], Label) and not isinstance(gold[0], Label):
        return Comparison(False, "unreadable", "it cannot be read as the kind of the gold")
    return next(iter(results), DIFFERENT)


def _plain(value: Value) -> Tree | None:
    inner = value.value if isinstance(value, Named) else value
    return inner.tree if isinstance(inner, Amount) and not inner.unit else None


def _variables(value: Value) -> frozenset[str]:
    """The variables of a value."""
    if isinstance(value, Amount):
        return frozenset(variables(value.tree))
    if isinstance(value, Named):
        return _variables(value.value) | set(value.arguments)
    if isinstance(value, Group):
        return frozenset[str]().union(*map(_variables, value.items))
    if isinstance(value, Grid):
        return frozenset(name for row in value.rows for cell in row for name in variables(cell))
    if isinstance(value, Ratio):
        return frozenset(name for part in value.parts for name in variables(part))
    if isinstance(value, Chain):
        return frozenset(name for one in value.compared for name in variables(one.tree))
    return frozenset()
