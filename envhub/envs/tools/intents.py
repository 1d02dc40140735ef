"""Recognises what a message to a simulated user is about, by phrases.

An intent has several phrasings, and a message may have several intents. Letters that only look alike do not match, and
neither do parts of words::

    text = plain("Which DAY would suit you?")
    has(text, ("which day", "what date"))          # True
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence


def plain(text: str) -> str:
    """Lower-case words of a text, with single spaces around each."""
    return f" {' '.join(re.findall(r'[a-z0-9]+', ascii_of(text).lower()))} "


def ascii_of(text: str) -> str:
    """The text with question marks for look-alike letters."""
    return text if text.isascii() else text.encode("ascii", "replace").decode()


def has(text: str, phrases: Sequence[str]) -> bool:
    """Whether a plain text contains one of the phrases."""
    return any(f" {phrase} " in text for phrase in phrases)


def intents(text: str, table: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The intents of a plain text, in the order of the table."""
    return (name for name, phrases in table.items() if has(text, phrases))
