"""Checks of a submitted proof for Lean and Coq alike.

Length, characters, signs and comments. They run before a kernel sees the text. Each language has its own rules for
words (:mod:`envhub.verifiers.proofs.lean_text`, :mod:`envhub.verifiers.proofs.coq_text`). No function moves a
character, so line and column numbers stay valid::

    text = blank_comments(readable(source), "(*", "*)")    # raises Refused, with the place
    refuse_signs(text, {'"': "text in quotation marks"})
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

MAX_CHARACTERS: Final = 100_000


class Refused(Exception):
    """A text that is rejected before the kernel sees it.

    Attributes:
        line: Counted from 1.
        column: Counted from 0.
    """

    def __init__(self, why: str, line: int = 1, column: int = 0) -> None:
        super().__init__(why)
        self.line = line
        self.column = column


def readable(source: str) -> str:
    """The text with uniform line ends, if short and printable.

    It must be short enough and all its characters printable. The only white space allowed is the blank and the line
    end: Python calls no other printable.

    Raises:
        Refused: It is too long or has another character.
    """
    if len(source) > MAX_CHARACTERS:
        raise Refused(f"The text is longer than {MAX_CHARACTERS} characters.")
    text = source.replace("\r\n", "\n")
    for at, char in enumerate(text):
        if char != "\n" and not char.isprintable():
            raise Refused(f"The character U+{ord(char):04X} is not allowed.", *place(text, at))
    return text


def refuse_signs(text: str, signs: Mapping[str, str]) -> None:
    """Refuse a text, its comments blanked, that contains one of some signs.

    Each maps to its description.

    Raises:
        Refused: It contains one; the place is that of its first occurrence.
    """
    for sign, what in signs.items():
        if (at := text.find(sign)) >= 0:
            raise Refused(f"The text holds {what}, which is not allowed in a proof.", *place(text, at))


def blank_comments(text: str, opening: str, closing: str, line: str = "") -> str:
    """Replace comments by spaces. Block comments nest; line ends stay.

    Args:
        text: The text.
        opening: The beginning of a block comment.
        closing: The end of a block comment.
        line: The beginning of a comment that ends with its line, if the language has such comments.

    Raises:
        Refused: A comment does not end, or ends without a beginning.
    """
    block = re.compile(f"{re.escape(opening)}|{re.escape(closing)}")
    token = re.compile(f"{re.escape(line)}|{block.pattern}") if line else block
    parts: list[str] = []
    at = 0
    while found := token.search(text, at):
        start = found.start()
        parts.append(text[at:start])
        if found[0] == closing:
            raise Refused("A comment ends that has not begun.", *place(text, start))
        end = _line_end(text, start) if found[0] == line else _block_end(text, start, block, opening)
        parts.append(_blank(text[start:end]))
        at = end
    return "".join([*parts, text[at:]])


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _block_end(text: str, start: int, block: re.Pattern[str], opening: str) -> int:
    depth = 0
    for found in block.finditer(text, start):
        depth += 1 if found[0] == opening else -1
        if not depth:
            return found.end()
    raise Refused("A comment does not end.", *place(text, start))


def _blank(text: str) -> str:
    """Spaces in place of everything except line ends."""
    return re.sub(r"[^\n]", " ", text)


def place(text: str, at: int) -> tuple[int, int]:
    """The line and column of a position.

    The line is counted from 1, the column from 0.
    """
    before = text[:at]
    return before.count("\n") + 1, at - (before.rfind("\n") + 1)
