"""Answers that are lists of numbers and short names: ``3``, ``r2c5, r4c1``, ``white king, 7``.

For environments whose questions have answers of several kinds. Numbers are exact; names are compared without regard to case
and spaces::

    Items().read("r2c5; R4C1").value      # ("r2c5", "r4c1")
    Items().read("[Oslo, 12.50]").value   # ("oslo", Fraction(25, 2))
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable

Item = str | Fraction

_SIGNS: Final = {0x2212: "-", 0x2013: "-", 0x2010: "-", 0x2011: "-", 0x00A0: " ", 0x202F: " ", 0x2009: " "}
_BRACKETS: Final = ("()", "[]", "{}")
_REMARK: Final = "the an or and either neither nor not maybe perhaps possibly probably unless except is are was were "
"so because some there this that it"
_REMARKS: Final = frozenset(_REMARK.split(" "))
"""Words of sentences and hedges, which are in no name."""
_QUOTES: Final = "\"'\u201c\u201d\u2018\u2019`*"


@dataclass(frozen=True)
class Items(AnswerType):
    """Numbers and names in order.

    Its value is a tuple of ``str`` and ``Fraction``.

    Commas, semicolons or line breaks separate them; brackets around all are ignored.

    Attributes:
        asked: Describes the answer in the prompt.
        shown: The example in the prompt.
        most: Maximum number of items.
    """

    asked: str = "the answer as a list, separated by commas,"
    shown: str = "17, Example, 5"
    most: int = 200

    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("r2c5, 3", "R2C5,3", "[r2c5, 3]", "r2c5; 3.0", "r2c5\n3", "'r2c5', +3", "r2c5, 6/2"),
        *(
            ("3, r2c5",),
            ("r2c5",),
            ("r2c5, -3", "r2c5, \u22123"),
            ("r25, 3",),
            ("white  king", "White King"),
            ("king",),
        ),
        *(("0.5", ".5", "1/2", "0.50"), ("5",), ("1500", "1500.0"), ("1, 500",)),
    )
    refused: ClassVar[Sequence[str]] = ("3,, 5", ",", "3, (4)", "x" * 61, "3 = 4", "1/0", "a/b", "3, ?", "perhaps 3")

    _PART: ClassVar[re.Pattern[str]] = re.compile(r"[,;\n]")
    _NUMBER: ClassVar[re.Pattern[str]] = re.compile(r"([+-]?) ?([0-9]{0,40})(?:\.([0-9]{1,40})|/([0-9]{1,40}))?")
    _NAME: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9](?:[a-z0-9 -]{0,58}[a-z0-9])?")

    @property
    def noun(self) -> str:  # type: ignore[override]
        """Describes the answer in the prompt."""
        return self.asked

    @property
    def example(self) -> str:  # type: ignore[override]
        """A well-formed answer."""
        return self.shown

    def parse(self, text: str) -> tuple[Item, ...]:
        """The items of a span."""
        if len(text) > 64 * self.most:
            raise Unreadable("it is too long.")
        text = text.translate(_SIGNS).strip()
        if text[:1] + text[-1:] in _BRACKETS:
            text = text[1:-1].strip()
        parts = self._PART.split(text.strip(",; ") if text.strip(",; ") else text)
        if len(parts) > self.most:
            raise Unreadable(f"it has more than {self.most} items.")
        return tuple(map(self._item, parts))

    def random(self, rng: Stream) -> str:
        """One to three small numbers or cells."""
        made = (str(rng.below(10)) if rng.below(2) else f"r{rng.between(1, 8)}c{rng.between(1, 8)}" for _ in range(3))
        return ", ".join(list(made)[: rng.between(1, 3)])

    def _item(self, part: str) -> Item:
        plain = " ".join(part.strip().strip(_QUOTES).casefold().split())
        if plain.count(" ") > 4:
            raise Unreadable(f"an item has at most five words, got {part.strip()[:40]!r}.")
        number = self._NUMBER.fullmatch(plain)
        if number and (number[2] or number[3]):
            return _value(*number.groups())
        if not self._NAME.fullmatch(plain) or not _REMARKS.isdisjoint(plain.split(" ")):
            raise Unreadable(f"write numbers and names, separated by commas, got {part.strip()[:40]!r}.")
        return plain


def _value(sign: str, whole: str, decimals: str | None, below: str | None) -> Fraction:
    """The number of its parts."""
    if below is not None and (not whole or int(below) == 0):
        raise Unreadable("a fraction needs a numerator, and a denominator that is not 0.")
    value = (
        Fraction(int(whole), int(below))
        if below
        else Fraction(int(whole + (decimals or "")), 10 ** len(decimals or ""))
    )
    return -value if sign == "-" else value
