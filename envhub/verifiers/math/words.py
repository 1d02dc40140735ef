"""Numbers in English words: ``twelve``, ``minus three``, ``one hundred and five``, ``two thirds``."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen"
)
_TENFOLD: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_FRACTIONS: Final = "half third quarter fifth sixth seventh eighth ninth tenth"
_UNITS: Final = {word: value for value, word in enumerate(_SMALL.split())}
_TENS: Final = {word: 10 * value for value, word in enumerate(_TENFOLD.split(), start=2)}
_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PARTS: Final = {part: n for n, word in enumerate(_FRACTIONS.split(), start=2) for part in (word, word + "s")} | {
    "halves": 2,
    "fourth": 4,
    "fourths": 4,
}
_MOST: Final = 200


def number_in_words(text: str) -> Fraction | None:
    """The number that a text spells out, or None."""
    if len(text) > _MOST or not text[:1].isalpha():
        return None
    words = text.lower().replace("-", " ").split()
    sign = 1
    if words and words[0] in ("minus", "negative"):
        sign, words = -1, words[1:]
    if len(words) == 2 and words[1] in _PARTS:
        top = 1 if words[0] == "a" else _whole(words[:1])
        return None if top is None else Fraction(sign * top, _PARTS[words[1]])
    value = _whole(words)
    return None if value is None else Fraction(sign * value)


def _whole(words: list[str]) -> int | None:
    total = 0
    least = 10**15  # every scale is smaller than the previous one
    group: list[str] = []
    for word in [*words, ""]:
        if word and word not in _SCALES:
            group.append(word)
            continue
        scale = _SCALES.get(word, 1)
        if not group and not word and total:
            return total
        value = _hundreds(group, after=bool(total))
        if value is None or scale >= least or (scale > 1 and not value):
            return None
        total, least, group = total + value * scale, scale, []
    return total


def _hundreds(words: list[str], after: bool) -> int | None:
    """A number below a thousand.

    ``and`` may follow a hundred, or come first after larger parts.
    """
    value = 0
    if len(words) > 1 and words[1] == "hundred":
        value = 100 * _UNITS.get(words[0], 0)
        if not 100 <= value <= 900:
            return None
        words, after = words[2:], True
        if not words:
            return value
    if after and len(words) > 1 and words[0] == "and":
        words = words[1:]
    if len(words) == 1 and (words[0] in _UNITS or words[0] in _TENS):
        return value + _UNITS.get(words[0], _TENS.get(words[0], 0))
    if len(words) == 2 and words[0] in _TENS and 0 < _UNITS.get(words[1], 0) < 10:
        return value + _TENS[words[0]] + _UNITS[words[1]]
    return None
