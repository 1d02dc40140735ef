"""An answer type for one of a few words, each of which may be written in several ways.

Subclass it and name the words::

    class Coin(Choice):
        noun, example = "heads or tails", "heads"
        words = {"heads": "heads", "h": "heads", "tails": "tails", "t": "tails"}

    Coin().read("<answer>H</answer>").value    # "heads"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from envhub.seeding import Stream
from envhub.verifiers.answers import AnswerType, Unreadable

_QUOTES = "\"'\u201c\u201d\u2018\u2019"


@dataclass(frozen=True)
class Choice(AnswerType):
    """Exactly one of the given words and nothing else; case does not count. Its value is what the word stands for."""

    words: ClassVar[Mapping[str, str]]
    """Every accepted spelling, in lower case, with what it stands for."""

    def parse(self, text: str) -> str:
        """What the word of a span stands for."""
        word = text.strip(_QUOTES)
        found = self.words.get(word.lower()) if word.isascii() else None
        if found is None:
            raise Unreadable(f"write one of {', '.join(dict.fromkeys(self.words.values()))}.")
        return found

    def random(self, rng: Stream) -> str:
        """Any of what can be chosen."""
        return rng.choice(list(dict.fromkeys(self.words.values())))
