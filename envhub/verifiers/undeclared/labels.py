r"""Answers that are equal only to themselves.

Letters of options, times, dates, words, and notation that nothing else reads::

    label(r"\dfrac{a}{b} \ldots") == label(r"\frac ab\ldots")
"""

from __future__ import annotations

import re
from typing import Final

from envhub.verifiers.math.lexer import NotMath, prepare, tokens_of
from envhub.verifiers.math.plain import Date, folded
from envhub.verifiers.undeclared.values import Label

_LETTER: Final = re.compile(r"(?:option |choice )?[(\[]?([A-H])[)\]]?[.)]?", re.IGNORECASE)
_LETTERS: Final = re.compile(r"\(?[A-F](?:\s?[,;]?\s?(?:and )?[A-F]){1,5}\)?")
_CLOCK: Final = re.compile(
    r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?:\s{0,3}(?:\\text\s?\{\s{0,3})?([ap])\.?\s?m\.?\s?\}?)?", re.IGNORECASE
)
_DATE: Final = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[A-Z][a-z]{2,8}\.? [0-9]{1,2},? [0-9]{4}|[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4}"
)
_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z' .,-]*")


def special(text: str) -> Label | None:
    """A letter of an option, a time or a date, else None.

    A time without am or pm may be a ratio as well.
    """
    letter = _LETTER.fullmatch(text)
    if letter and (letter[1].isupper() or text != letter[1]) and len(text) < 12:
        return Label("choice", letter[1].upper())
    several = _LETTERS.fullmatch(text)
    if several:
        chosen = re.sub(r"and|[^A-F]", "", text)
        if "".join(sorted(set(chosen))) == chosen:
            return Label("choice", chosen)
    clock = _CLOCK.fullmatch(text)
    if clock and int(clock[1]) < 25 and int(clock[2]) < 60:
        return Label("clock", f"{int(clock[1])}:{clock[2]}:{clock[3] or '00'}{(clock[4] or '').lower()}")
    if _DATE.fullmatch(text):
        try:
            return Label("date", Date().read(text).isoformat())
        except NotMath:
            return None
    return None


def label(text: str) -> Label:
    """The reading of a text as itself, up to notation.

    Raises:
        NotMath: It passes a limit.
    """
    opened = " ".join(prepare(text).split())
    if _WORDS.fullmatch(opened):
        words = folded(re.sub(r"\s?,\s?", ", ", opened))
        if not words:
            raise NotMath("it has no words")
        return Label("words", words)
    tokens = tokens_of(opened)
    if not any(token.kind in ("num", "word", "name", "const") for token in tokens):
        raise NotMath("it has no value")
    return Label("notation", _normal([token.text for token in tokens]))


def _normal(texts: list[str]) -> str:
    r"""Tokens with ``\frac12`` and ``x^2`` in braces."""
    made: list[str] = []
    waiting = 0
    for i, text in enumerate(texts):
        if waiting and text != "{":
            if texts[i - 1] == "frac" and len(text) == 2 and text.isdigit():
                made += ["{", text[0], "{", "{", text[1], "{"]
                waiting = 0
                continue
            made += ["{", text, "{"]
            waiting -= 1
            continue
        waiting = {"frac": 2, "^": 1, "_": 1}.get(text, 0 if text == "{" else waiting)
        made.append(text)
    return " ".join(made)
