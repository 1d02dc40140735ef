"""Short answers in words: names, years, small numbers, compared as a whole and never in part.

Case, spaces, quotation marks around it, a full stop and a leading "the" do not count; everything else does. So naming two
candidates, or a sentence around the name, is another answer::

    normal("The \u201cSilver Door\u201d.") == normal("silver door")
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.seeding import Stream
from envhub.verifiers.answers import AnswerType, Unreadable

_WORDS: Final = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS: Final = {word: str(number) for number, word in enumerate(_WORDS.split(" "))}
_AROUND: Final = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb`*_ "
_MOST: Final = 200


def normal(text: str) -> str:
    """A short answer in the one form that equal ones share."""
    plain = " ".join(unicodedata.normalize("NFC", text[:_MOST]).casefold().split())
    for _ in range(2):
        plain = plain.strip(_AROUND).rstrip(".,;:!").strip(_AROUND).removeprefix("the ")
    return _NUMBERS.get(plain, plain)


def is_one_of(text: str, answers: Iterable[str]) -> bool:
    """Whether a short answer is one of those that count; nothing is never."""
    said = normal(text) if len(text) <= _MOST else ""
    return bool(said) and said in {normal(answer) for answer in answers}


@dataclass(frozen=True)
class Phrase(AnswerType):
    """A name, a year or a number in words. Its value is the text in its normal form."""

    noun: ClassVar[str] = "a name, a year or a number"
    example: ClassVar[str] = "Example Name"

    def parse(self, text: str) -> str:
        """The phrase a span denotes."""
        if len(text) > _MOST:
            raise Unreadable(f"it has more than {_MOST} characters.")
        value = normal(text)
        if not value:
            raise Unreadable("it is empty.")
        return value

    def random(self, rng: Stream) -> str:
        """A year or a small number."""
        return str(rng.between(1940, 2022) if rng.below(2) else rng.between(1, 9))
