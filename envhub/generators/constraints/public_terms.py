"""What the checkers of public instruction ids share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envhub.generators.constraints.kinds import Settings
from envhub.generators.constraints.units import Text, words_of

Checker = Callable[[Text, Settings], bool]


class UnknownInstruction(ValueError):
    """An instruction id that is unknown or has no checker."""


def related(found: int, relation: str, n: Any) -> bool:
    """The relations of IFEval: ``less than`` and ``at least``."""
    if relation not in ("less than", "at least"):
        raise UnknownInstruction(f"The relation must be 'less than' or 'at least', got {relation!r:.40}.")
    return found < int(n) if relation == "less than" else found >= int(n)


def occurrences(text: Text, phrase: str) -> int:
    """How often a phrase occurs as whole words, ignoring case."""
    words = words_of(phrase.lower())
    if not words:  # a sign, which is not part of words
        return text.raw.count(phrase)
    return f" {'  '.join(text.folded)} ".count(f" {'  '.join(words)} ")


def parts_of(text: Text, divider: str) -> list[str]:
    """The parts of a text between dividers, without white space around them."""
    return [part.strip() for part in text.raw.split(divider)]


def initials(text: Text) -> list[str]:
    """The first character of each word, in lower case."""
    return [word[0] for word in text.folded]
