"""Answers that are moves in order: ``A>B, C>D``.

A puzzle names the shape of one move by a pattern whose groups are the parts of the move::

    class Pours(Moves):
        shape = re.compile(r"([a-z]) ?(?:>|to) ?([a-z])")
        shown = ("A>B", "C>D")

    Pours().parse("1. A -> B; c to d")    # (("a", "b"), ("c", "d"))

The puzzle checks whether the moves are possible; this module knows no puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.listed import plain_list
from envhub.verifiers.answers.types import AnswerType, Unreadable

Move = tuple[str, ...]

_LONGEST: Final = 20_000
_BETWEEN: Final = re.compile(r"[ \n\t,;]*")
_SPACES: Final = re.compile(r"[ \t]{2,}")
_SEPARATORS: Final = " \n\t,;"


@dataclass(frozen=True)
class Moves(AnswerType):
    """Moves in order, separated by commas, semicolons or line breaks.

    Its value is a tuple of moves, each a tuple of the parts of its shape, in lower case.

    Attributes:
        most: Maximum number of moves.
    """

    most: int = 400
    shape: ClassVar[re.Pattern[str]]
    """The shape of a move in lower case; its groups are the parts. Arrows were replaced by ``>``."""
    shown: ClassVar[Sequence[str]]
    """Two different moves, as they should be written."""
    several: ClassVar[Sequence[Sequence[str]]]
    """Groups of equal answers of several moves, for the audit."""
    one: ClassVar[str] = "move"
    """What a move is called in the prompt."""
    many: ClassVar[str] = "moves"
    """What several moves are called."""
    called: ClassVar[str] = ""
    """Describes the shape of a move in the prompt, such as "as a block and a direction"; empty if a rule does."""

    @property
    def noun(self) -> str:  # type: ignore[override]
        """Describes the answer in the prompt."""
        if self.most > 1:
            each = f", each {self.called}" if self.called else ""
            return f"your {self.many} in order, separated by commas{each},"
        return f"one {self.one}, {self.called}," if self.called else f"one {self.one}"

    @property
    def example(self) -> str:  # type: ignore[override]
        """Two moves, or one."""
        return ", ".join(self.shown[: min(2, self.most)])

    @property
    def alike(self) -> Sequence[Sequence[str]]:  # type: ignore[override]
        """Groups of equal answers."""
        one, other = self.shown
        return self.several if self.most > 1 else ((one, one.upper(), f"[{one}]", f"1. {one}"), (other,))

    def parse(self, text: str) -> tuple[Move, ...]:
        """The moves in a span."""
        text = _SPACES.sub(" ", plain_list(text, _LONGEST))
        if ">" not in self.shape.pattern:
            text = text.replace(">", ",")
        found: list[Move] = []
        at = _BETWEEN.match(text).end()  # type: ignore[union-attr]
        while at < len(text):
            move = self.shape.match(text, at)
            if move is None or (move.end() < len(text) and text[move.end()] not in _SEPARATORS):
                raise Unreadable(f"write each {self.one} like {self.shown[0]}, got {text[at : at + 30].strip()!r}.")
            if len(found) == self.most:
                raise Unreadable(
                    f"it has more than {self.most} {self.many}." if self.most > 1 else f"it has several {self.many}."
                )
            found.append(tuple(part for part in move.groups() if part is not None))
            at = _BETWEEN.match(text, move.end()).end()  # type: ignore[union-attr]
        if not found:
            raise Unreadable(f"it has no {self.one}.")
        return tuple(found)

    def random(self, rng: Stream) -> str:
        """One or two of the shown moves."""
        return ", ".join(rng.choice(self.shown) for _ in range(min(self.most, rng.between(1, 2))))


@dataclass(frozen=True)
class Pours(Moves):
    """From one letter to another: ``A>B``."""

    shape: ClassVar[re.Pattern[str]] = re.compile(r"([a-z]) ?(?:>|to ) ?([a-z])")
    shown: ClassVar[Sequence[str]] = ("A>B", "C>A")
    several: ClassVar[Sequence[Sequence[str]]] = (
        (
            "A>B, C>D",
            "a>b c>d",
            "A  >  B, C  to  D",
            "A -> B; C to D",
            "1. A>B\n2. C>D",
            "- A>B\n- C>D",
            "[A>B, C>D]",
            "['A>B', 'C>D']",
            "A\u2192B, C\u2192D",
            "Step 1: A>B.\nStep 2: C>D.",
            "\u2022 A>B\n\u2022 C>D",
        ),
        *(("C>D, A>B",), ("B>A, C>D",), ("A>B",)),
    )
    refused: ClassVar[Sequence[str]] = ("A", "A>", "A>B>C", "A>B or C>D", "AA>B", "A>\u0412", "1>2", ",", "A>B, ...")


@dataclass(frozen=True)
class Presses(Moves):
    """Cells by column letter and row number: ``b3``."""

    one, many = "press", "presses"
    shape: ClassVar[re.Pattern[str]] = re.compile(r"([a-z])([1-9][0-9]?)")
    shown: ClassVar[Sequence[str]] = ("a1", "b1")
    called: ClassVar[str] = "as a column letter and a row number"
    several: ClassVar[Sequence[Sequence[str]]] = (
        ("b3, c1", "B3 C1", "(b3), (c1)", "[b3; c1]", "1. b3\n2. c1"),
        *(("c1, b3",), ("b3",), ("b13, c1",)),
    )
    refused: ClassVar[Sequence[str]] = ("b", "3", "b0", "b3c1", "b3 or c1", "3b", "b3, c", "\u04303", "b3, \u2026")


@dataclass(frozen=True)
class Numbers(Moves):
    """Numbers of tiles: ``3``."""

    shape: ClassVar[re.Pattern[str]] = re.compile(r"([1-9][0-9]?)")
    shown: ClassVar[Sequence[str]] = ("1", "2")
    several: ClassVar[Sequence[Sequence[str]]] = (
        ("15, 3, 4", "15 3 4", "[15, 3, 4]", "15\n3\n4", "1. 15\n2. 3\n3. 4"),
        *(("3, 15, 4",), ("15, 34",), ("15, 3",)),
    )
    refused: ClassVar[Sequence[str]] = (
        "0",
        "-3",
        "3.5",
        "three",
        "3 or 4",
        "100",
        "3, x",
        "\u0663",
        "15.\n3.\n4",
        "15. 3",
        "2. 15\n1. 3",
    )


@dataclass(frozen=True)
class Directions(Moves):
    """Directions: ``up``, ``down``, ``left`` or ``right``."""

    one, many = "slide", "slides"
    shape: ClassVar[re.Pattern[str]] = re.compile(r"(up|down|left|right)")
    shown: ClassVar[Sequence[str]] = ("up", "left")
    called: ClassVar[str] = "up, down, left or right"
    several: ClassVar[Sequence[Sequence[str]]] = (
        ("up, left", "UP left", "['up', 'left']", "up; left", "1. up\n2. left", "up -> left"),
        *(("left, up",), ("up",), ("up, up, left",)),
    )
    refused: ClassVar[Sequence[str]] = ("u", "north", "up or left", "upleft", "up, ...", "up 2", "\u0443p")


@dataclass(frozen=True)
class Slides(Moves):
    """A named block and a direction: ``B right``."""

    one, many = "slide", "slides"
    shape: ClassVar[re.Pattern[str]] = re.compile(r"([a-z]) (up|down|left|right)")
    shown: ClassVar[Sequence[str]] = ("A right", "B up")
    called: ClassVar[str] = "as a block and a direction"
    several: ClassVar[Sequence[Sequence[str]]] = (
        ("A right, B up", "a right; b up", "A  right ,  B  up", "(A right) (B up)", "1. A right\n2. B up"),
        *(("B up, A right",), ("A left, B up",), ("A right",), ("A right, A right, B up",)),
    )
    refused: ClassVar[Sequence[str]] = ("A", "right", "A east", "AB right", "A right or left", "A right 2")
