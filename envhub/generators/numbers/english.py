"""English of composed sentences: plurals, lists, number words and Roman numerals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_SMALL_WORDS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS_WORDS: Final = "ten twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL: Final = _SMALL_WORDS.split(" ")
_TENS: Final = _TENS_WORDS.split(" ")
_SCALES: Final = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"))
_ROMAN: Final = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")),
    *((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)
MOST_ROMAN: Final = 3999
_IRREGULAR: Final = {"goose": "geese", "sheep": "sheep"}


VOCABULARY: Final = frozenset((*_SMALL, *_TENS, "hundred", *(name for _, name in _SCALES)))
"""The words of :func:`words`, without "and"."""


def plural(noun: str, count: object = 2) -> str:
    """A noun in the form that follows a number: ``plural("box", 1)`` is ``"box"``."""
    if count == 1:
        return noun
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def counted(count: object, noun: str) -> str:
    """A number with its noun: ``"1 box"``, ``"3 boxes"``."""
    return f"{count} {plural(noun, count)}"


def joined(parts: Sequence[str]) -> str:
    """A list in a sentence: ``"a, b and c"``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def words(number: int) -> str:
    """A number from 0 to below 10**12 in words: ``"one thousand two hundred and five"``."""
    for size, name in _SCALES:
        if number >= size:
            below = number % size
            between = " and " if 0 < below < 100 else " "
            return f"{words(number // size)} {name}{f'{between}{words(below)}' if below else ''}"
    if number >= 100:
        rest = f" and {words(number % 100)}" if number % 100 else ""
        return f"{_SMALL[number // 100]} hundred{rest}"
    if number >= 20:
        return _TENS[number // 10 - 1] + (f"-{_SMALL[number % 10]}" if number % 10 else "")
    return _SMALL[number]


def roman(number: int) -> str:
    """A number from 1 to :data:`MOST_ROMAN` as a Roman numeral."""
    text = ""
    for size, letters in _ROMAN:
        text += letters * (number // size)
        number %= size
    return text


def read(text: str) -> int:
    """The number of a text that :func:`words`, :func:`roman` or ``str`` wrote."""
    if text.isdecimal():
        return int(text)
    parts = text.replace("-", " ").split()
    return _read_words(parts) if VOCABULARY.issuperset({*parts} - {"and"}) else _read_roman(text)


def _read_words(parts: Sequence[str]) -> int:
    total = group = 0
    for word in parts:
        if word in _SMALL:
            group += _SMALL.index(word)
        elif word in _TENS:
            group += 10 * (_TENS.index(word) + 1)
        elif word == "hundred":
            group *= 100
        elif word != "and":
            total, group = total + group * next(size for size, name in _SCALES if name == word), 0
    return total + group


def _read_roman(text: str) -> int:
    values = {letters: size for size, letters in _ROMAN}
    sizes = [values[letter] for letter in text]
    following = [*sizes[1:], 0]
    return sum(-size if size < after else size for size, after in zip(sizes, following, strict=True))
