"""Short answers in words (names, years, small numbers), compared as a whole.

Case, spaces, surrounding quotation marks, a full stop and a leading "the" are ignored, as is everything that
:mod:`envhub.verifiers.answers.unwrapping` removes; nothing else is. So a text that names two candidates, or a sentence
around the name, is unreadable::

    normal("The \u201cSilver Door\u201d.") == normal("silver door")
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.core.types import Verdict
from envhub.verifiers.answers.types import AnswerType, Unreadable
from envhub.verifiers.answers.unwrapping import plainest, views

_WORDS: Final = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS: Final = {word: str(number) for number, word in enumerate(_WORDS.split(" "))}
_AROUND: Final = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb`*_ "
_MOST: Final = 200
_MOST_WORDS: Final = 12
_WORD: Final = re.compile(r"[^\W_]+")
_REMARK: Final = (
    "or either neither nor not maybe perhaps possibly probably unless except unsure is are was were because"
)
_REMARKS: Final = frozenset(_REMARK.split(" "))


def normal(text: str) -> str:
    """The normal form of a short answer; equal answers share it."""
    plain = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    for _ in range(2):
        plain = plain.strip(_AROUND).rstrip(".,;:!").strip(_AROUND).removeprefix("the ")
    return _NUMBERS.get(plain, plain)


def is_one_of(text: str, answers: Iterable[str]) -> bool:
    """Whether a short answer is accepted, verbatim or without decoration."""
    said = {normal(view) for view in views(text)} - {""}
    return not said.isdisjoint(map(normal, answers))


def judged(text: str, answers: Sequence[str], known: Iterable[str] = ()) -> Verdict:
    """The verdict on a short answer.

    One with more than a name or number is unreadable.

    Args:
        text: The answer.
        answers: Those accepted.
        known: Further answers that are known to be wrong, whatever their words.
    """
    if is_one_of(text, answers):
        return Verdict.exact(True, "Correct.")
    if is_unclear(text, answers) and not is_one_of(text, known):
        return Verdict.no_answer("unreadable", "The answer could not be read: give the name or number alone.")
    return Verdict.exact(False, "That is not correct.")


def is_unclear(text: str, answers: Iterable[str]) -> bool:
    """Whether a text that is not an answer is unclear.

    It is a sentence or hedge, or contains an answer. Comparing it as a whole cannot decide whether it is right, so it
    is not a wrong answer either.
    """
    words = _words(text)
    if len(words) > _MOST_WORDS or not _REMARKS.isdisjoint(words):
        return True
    said = f" {' '.join(words)} "
    return any(f" {' '.join(right)} " in said for right in map(_words, answers) if right)


def _words(text: str) -> list[str]:
    """The words of a short answer, small numbers as digits."""
    return [_NUMBERS.get(word, word) for word in _WORD.findall(normal(text))]


@dataclass(frozen=True)
class Phrase(AnswerType):
    """A name, a year or a number in words.

    Its value is the text in its normal form.
    """

    noun: ClassVar[str] = "a name, a year or a number"
    example: ClassVar[str] = "Example Name"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("Silver Door", "the  silver\tdoor", "The \u201cSilver Door\u201d.", "'The \u201cSilver Door\u201d'."),
        *(("door", "**DOOR**"), ("the the the door",), ("silver",), ("silver, door",), ("silver door or gold door",)),
        *(("4", "four", "Four."), ("-4",), ("40",), ("4.0",), ("12", "twelve"), ("1987", "in 1987"), ("19.87",)),
        *(("caf\u00e9", "cafe\u0301"), ("cafe",), ("x" * _MOST,)),
    )
    refused: ClassVar[Sequence[str]] = (".", "\u201c\u201d", "x" * (_MOST + 1))

    def parse(self, text: str) -> str:
        """The phrase in a span."""
        if len(text) > _MOST:
            raise Unreadable(f"it has more than {_MOST} characters.")
        value = normal(plainest(text))
        if not value:
            raise Unreadable("it is empty.")
        return value

    def random(self, rng: Stream) -> str:
        """A year or a small number."""
        return str(rng.between(1940, 2022) if rng.below(2) else rng.between(1, 9))
