"""Answer types for places in pictures and on boards.

::

    Point().read("(120, 85.5)").value                    # (Fraction(120), Fraction(171, 2))
    CellPair().read("2, 3 and 2, 4").value               # ((2, 3), (2, 4))
    CellNames().read("B3, D1").value                     # frozenset({"b3", "d1"})

The verifier checks whether a place is the right one; this module knows no picture and no board.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable

Cell = tuple[int, int]

_LONGEST: Final = 4_000
_NUMBER: Final = r"([0-9]{1,5}(?:\.[0-9]{1,6})?)(?![0-9.])"
_WHOLE: Final = r"(?<![0-9])([0-9]{1,2})(?![0-9])"
_CELL: Final = rf"[(\[]?\s?(?:row\s?|r\s?)?{_WHOLE}\s?(?:[,;:]|\s)\s?(?:column\s?|col\s?|c\s?)?{_WHOLE}\s?[)\]]?"


def _plain(text: str) -> str:
    """A text of ASCII characters on one line, in lower case."""
    if len(text) > _LONGEST:
        raise Unreadable("it is too long.")
    text = text.replace("\u00a0", " ").replace("\u202f", " ").replace("\u2192", "->").replace("\u2194", "<->")
    if not text.isascii():
        raise Unreadable("write plain letters and digits only.")
    return " ".join(text.lower().split())


@dataclass(frozen=True)
class Point(AnswerType):
    """A point, x before y: ``120, 85``, ``(120, 85)``, ``x=120, y=85``.

    Its value is a pair of ``Fraction``.
    """

    noun: ClassVar[str] = "the coordinates x and y of one point, in pixels, separated by a comma,"
    example: ClassVar[str] = "17, 5"
    tolerant: ClassVar[bool] = True
    alike: ClassVar[Sequence[Sequence[str]]] = (
        (
            "120, 85",
            "(120, 85)",
            "[120,85]",
            "x=120, y=85",
            "x: 120, y: 85",
            "120 85",
            '{"x": 120, "y": 85}',
            "120.0, 85",
        ),
        *(("85, 120",), ("120.5, 85",), ("12, 85",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *(
            "120",
            "120, 85, 3",
            "-120, 85",
            "1.2.3, 4",
            "120; ",
            "y=85, x=120",
            "(120, 85",
            "about 120, 85",
            "120, 85 or 3, 4",
        ),
        *("1e2, 5", "\uff11\uff12, 5", "123456, 1", "[[120, 85]]"),
    )

    _SHAPES: ClassVar[Sequence[re.Pattern[str]]] = tuple(
        re.compile(shape.replace("N", _NUMBER))
        for shape in (
            r"N ?(?:[,;]| ) ?N",
            r"x ?[=:] ?N ?(?:[,;]| ) ?y ?[=:] ?N",
            r"\{ ?[\"']x[\"'] ?: ?N ?, ?[\"']y[\"'] ?: ?N ?\}",
        )
    )

    def parse(self, text: str) -> tuple[Fraction, Fraction]:
        """The point of a span."""
        text = _plain(text)
        if text[:1] + text[-1:] in ("()", "[]"):
            text = text[1:-1].strip()
        for shape in self._SHAPES:
            found = shape.fullmatch(text)
            if found:
                return Fraction(found[1]), Fraction(found[2])
        raise Unreadable("write two numbers: x, then y.")

    def random(self, rng: Stream) -> str:
        """A point of a picture of 400 by 400 pixels."""
        return f"{rng.below(400)}, {rng.below(400)}"


@dataclass(frozen=True)
class CellPair(AnswerType):
    """Two cells, each as row and column: ``2, 3 and 2, 4``.

    Their order does not matter. Its value is a pair of pairs of ``int``, the smaller cell first.
    """

    noun: ClassVar[str] = "two cells, each as its row and its column,"
    example: ClassVar[str] = "1, 2 and 9, 8"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        (
            *(
                "2, 3 and 2, 4",
                "(2, 3) (2, 4)",
                "(2,3),(2,4)",
                "2 3 2 4",
                "2, 4 and 2, 3",
                "[[2, 3], [2, 4]]",
                "2,3;2,4",
            ),
            *("row 2, column 3 and row 2, column 4", "(2, 3) -> (2, 4)", "(2, 3) <-> (2, 4)", "r2 c3, r2 c4"),
        ),
        *(("3, 2 and 4, 2",), ("2, 3 and 2, 5",), ("12, 3 and 2, 4",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *("2, 3", "2, 3 and 2", "2, 3 and 2, 4 and 2, 5", "23 24", "2 32 4", "-2, 3 and 2, 4", "2, 3 or 2, 4"),
        *("not 2, 3 and 2, 4", "b3, b4", "2.5, 3 and 2, 4", "\uff12, 3 and 2, 4"),
    )

    _SHAPE: ClassVar[re.Pattern[str]] = re.compile(rf"{_CELL}\s?(?:,|;|and|with|to|&|<?->)?\s?{_CELL}")

    def parse(self, text: str) -> tuple[Cell, Cell]:
        """The cells of a span."""
        text = _plain(text)
        if text[:2] + text[-2:] in ("[[]]", "(())", "[()]", "([])"):
            text = text[1:-1].strip()
        found = self._SHAPE.fullmatch(text)
        if found is None:
            raise Unreadable("write the row and the column of one cell, then those of the other: four numbers.")
        one, other = sorted([(int(found[1]), int(found[2])), (int(found[3]), int(found[4]))])
        return one, other

    def random(self, rng: Stream) -> str:
        """Two cells beside each other, somewhere on a board of 8 rows."""
        row, column = rng.between(1, 8), rng.between(1, 7)
        return f"{row}, {column} and {row}, {column + 1}"


@dataclass(frozen=True)
class CellNames(AnswerType):
    """Names of cells in any order: ``B3, D1``.

    A name is the letter of the column and the number of the row.

    Its value is a set of names in lower case.
    """

    noun: ClassVar[str] = "the names of all these cells, separated by commas,"
    example: ClassVar[str] = "A1, B9"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("B3, D1", "d1, b3", "B3 D1", "[B3, D1]", "B3; D1", "B3 and D1", "B3, D1, B3", '["B3", "D1"]', "B3\nD1"),
        *(("B3",), ("B1, D3",), ("B3, D1, A1", "A1, B3, and D1"), ("B13, D1",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *(
            "3B, D1",
            "B3, D",
            "B03, D1",
            "BB3",
            "B3 or D1",
            "not B3, D1",
            "B3,, D1",
            "\u0412\u0033, D1",
            "B3-D1",
            "none",
        ),
    )

    _NAME: ClassVar[re.Pattern[str]] = re.compile(r"[\"']?([a-z][1-9][0-9]?)[\"']?")
    _AND: ClassVar[re.Pattern[str]] = re.compile(r",? and ")

    def parse(self, text: str) -> frozenset[str]:
        """The cells of a span."""
        text = _plain(text.replace("\n", " ; ") if ";" not in text and "," not in text else text)
        if text[:1] + text[-1:] in ("()", "[]", "{}"):
            text = text[1:-1].strip()
        text = self._AND.sub(", ", text)
        parts = [part.strip() for part in re.split(r"[,;]", text)]
        names = [self._NAME.fullmatch(part) for part in (parts if len(parts) > 1 else text.split())]
        found = frozenset(name[1] for name in names if name)
        if None in names or not found:
            raise Unreadable("write names of cells such as B3, separated by commas.")
        return found

    def random(self, rng: Stream) -> str:
        """Two or three cells of a board of 5 by 5."""
        return ", ".join(f"{rng.choice('ABCDE')}{rng.between(1, 5)}" for _ in range(rng.between(2, 3)))
