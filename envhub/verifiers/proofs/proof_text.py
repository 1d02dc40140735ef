"""What holds for submitted texts in any language of proofs: their length, their characters, the signs they may not hold.

A text is judged before a kernel sees it; what a language refuses by word is its own (:mod:`envhub.verifiers.proofs.lean_text`,
:mod:`envhub.verifiers.proofs.coq_text`). Nothing here moves a character, so that places stay what they were::

    text = readable(source)                          # Refused: says what, where
    refuse_signs(text, {'"': "text in quotation marks"})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MAX_CHARACTERS: Final = 100_000


class Refused(Exception):
    """A text that the kernel is not shown.

    Attributes:
        line: Where, counted from 1.
        column: Where, counted from 0.
    """

    def __init__(self, why: str, line: int = 1, column: int = 0) -> None:
        super().__init__(why)
        self.line = line
        self.column = column


def readable(source: str) -> str:
    """The text with one kind of line end, if it is short enough and shows all that it holds.

    No white space but the blank and the line end is let through: Python calls no other printable.

    Raises:
        Refused: It says what is not allowed, and where.
    """
    if len(source) > MAX_CHARACTERS:
        raise Refused(f"The text is longer than {MAX_CHARACTERS} characters.")
    text = source.replace("\r\n", "\n")
    for at, char in enumerate(text):
        if char != "\n" and not char.isprintable():
            raise Refused(f"The character U+{ord(char):04X} is not allowed.", *place(text, at))
    return text


def refuse_signs(text: str, signs: Mapping[str, str]) -> None:
    """See that a text without its comments holds none of some signs, each given with what it is.

    Raises:
        Refused: It holds one; what, and where the first of its kind is.
    """
    for sign, what in signs.items():
        if (at := text.find(sign)) >= 0:
            raise Refused(f"The text holds {what}, which is not allowed in a proof.", *place(text, at))


def blank(text: str) -> str:
    """Spaces in place of all but line ends."""
    return "".join(char if char == "\n" else " " for char in text)


def place(text: str, at: int) -> tuple[int, int]:
    """The line, counted from 1, and the column, counted from 0, of a position."""
    before = text[:at]
    return before.count("\n") + 1, at - (before.rfind("\n") + 1)
