"""Answer type for one of a few words, with several spellings each.

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
    """Exactly one of the given words and nothing else; case does not count. Its value is what the word stands for."""

    words: ClassVar[Mapping[str, str]]
    """Every accepted spelling, in lower case, with what it stands for."""

    def parse(self, text: str) -> str:
        """What the word of a span stands for."""
        word = text.strip(_QUOTES).rstrip(".!").strip(_QUOTES)
        found = self.words.get(word.lower()) if word.isascii() else None
        if found is None:
            raise Unreadable(f"write one of {', '.join(dict.fromkeys(self.words.values()))}.")
        return found

    def random(self, rng: Stream) -> str:
        """Any of what can be chosen."""
        return rng.choice(list(dict.fromkeys(self.words.values())))


@dataclass(frozen=True)
class Square(AnswerType):
    """A square of a board, its column's letter and its row's number: ``c4``. Its value is the name in lower case.

    Attributes:
        size: How many rows and columns the board has, at most 26.
    """

    size: int = 8
    noun: ClassVar[str] = "one square"
    example: ClassVar[str] = "c2"

    def parse(self, text: str) -> str:
        """The square of a span."""
        name = text.strip(_QUOTES).lower()
        column, row = name[:1], name[1:]
        if not (name.isascii() and column.isalpha() and row.isdigit() and row[0] != "0" and len(row) < 3):
            raise Unreadable("write a square such as c2: the letter of its column, then the number of its row.")
        if ord(column) - ord("a") >= self.size or int(row) > self.size:
            raise Unreadable(f"{name} is not on the board, whose last square is {self._last}.")
        return name

    def random(self, rng: Stream) -> str:
        """Any square."""
        return f"{chr(ord('a') + rng.below(self.size))}{1 + rng.below(self.size)}"

    @property
    def _last(self) -> str:
        return f"{chr(ord('a') + self.size - 1)}{self.size}"
