"""Units of a text: words, sentences, paragraphs and lines.

============ =========================================================================================================
word         a longest run of letters and digits; an apostrophe or a hyphen between two of them belongs to the word
line         the text between two line breaks, without spaces at its ends; a line without a word is blank
sentence     a part of a line that contains a word and ends with ``.``, ``!`` or ``?`` before a space, or with the line
paragraph    a longest run of lines that are not blank
============ =========================================================================================================

::

    Text("It's 3 o'clock. Go!").words        # ("It's", "3", "o'clock", "Go")
    Text("It's 3 o'clock. Go!").sentences    # ("It's 3 o'clock.", "Go!")
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

VOWELS: Final = frozenset("aeiou")
_END: Final = re.compile(r"(?<=[.!?])(?= |\Z)")
_WORD: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*+")


@dataclass(frozen=True)
class Text:
    """A text with its units, each computed once."""

    raw: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words in order."""
        return words_of(self.raw)

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """All words in lower case."""
        return tuple(word.lower() for word in self.words)

    @cached_property
    def word_counts(self) -> Counter[str]:
        """How often each word occurs, in lower case."""
        return Counter(self.folded)

    @cached_property
    def letter_counts(self) -> Counter[str]:
        """How often each letter occurs, in lower case."""
        return Counter(sign for sign in self.raw.lower() if sign.isalpha())

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines that are not blank, without spaces around them."""
        return tuple(line.strip() for line in self.raw.split("\n") if words_of(line))

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order."""
        return tuple(part.strip() for line in self.lines for part in _END.split(line) if words_of(part))

    @cached_property
    def paragraphs(self) -> tuple[str, ...]:
        """All paragraphs in order."""
        return tuple(_paragraphs(self.raw))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(_WORD.findall(text))


def spaced(text: str) -> str:
    """The words of a text in lower case between single spaces."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _paragraphs(text: str) -> Iterator[str]:
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        if words_of(line):
            block.append(line.strip())
        elif block:
            yield "\n".join(block)
            block = []
