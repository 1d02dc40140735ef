"""Answer type for one of a few words, with alternative spellings.

Subclass it and name the words::

    class Coin(Choice):
        noun, example = "heads or tails", "heads"
        words = {"heads": "heads", "h": "heads", "tails": "tails", "t": "tails"}

    Coin().read("<answer>H</answer>").value    # "heads"

:class:`Square` is one for the squares of a board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable

_QUOTES = "\"'\u201c\u201d\u2018\u2019"


@dataclass(frozen=True)
class Choice(AnswerType):
    """Exactly one of the given words; case does not matter.

    Its value is the word's meaning.
    """

    words: ClassVar[Mapping[str, str]]
    """Maps every accepted spelling, in lower case, to its value."""

    def parse(self, text: str) -> str:
        """The value of a span's word."""
        word = text.strip(_QUOTES).rstrip(".!").strip(_QUOTES)
        found = self.words.get(word.lower()) if word.isascii() else None
        if found is None:
            raise Unreadable(f"write one of {', '.join(dict.fromkeys(self.words.values()))}.")
        return found

    def random(self, rng: Stream) -> str:
        """A random choice."""
        return rng.choice(list(dict.fromkeys(self.words.values())))


@dataclass(frozen=True)
class Square(AnswerType):
    """A square of a board, column letter then row number: ``c4``.

    Its value is in lower case.

    Attributes:
        size: Number of rows and of columns, at most 26. None where boards differ; then the environment refuses a square that
            is not on its board.
    """

    size: int | None = 8
    noun: ClassVar[str] = "one square"
    place: ClassVar[str] = "square"
    example: ClassVar[str] = "c2"

    def parse(self, text: str) -> str:
        """The square of a span."""
        name = text.strip(_QUOTES).lower()
        column, row = name[:1], name[1:]
        if not (name.isascii() and column.isalpha() and row.isdigit() and row[0] != "0" and len(row) < 3):
            raise Unreadable(f"write a {self.place} such as c2: the letter of its column, then the number of its row.")
        if self.size is not None and (ord(column) - ord("a") >= self.size or int(row) > self.size):
            last = f"{chr(ord('a') + self.size - 1)}{self.size}"
            raise Unreadable(f"{name} is not on the board, whose last {self.place} is {last}.")
        return name

    def random(self, rng: Stream) -> str:
        """A random square."""
        size = self.size or 8
        return f"{chr(ord('a') + rng.below(size))}{1 + rng.below(size)}"
