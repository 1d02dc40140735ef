"""The meaning of letters: products of variables, or one name.

::

    single_letters(Token("word", "xy", 0, 2, False), Names(letters=frozenset("xy")))     # x and y
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from envhub.verifiers.math.lexer import Token

_SHORT_WORDS: Final = frozenset(
    ("an", "as", "at", "be", "by", "do", "he", "if", "in", "is", "it", "me", "my", "no", "of", "on")
)


@dataclass(frozen=True)
class Names:
    """The meaning of letters.

    Attributes:
        letters: The variables that may be adjacent in a run of letters (``xy``); None for any, in short runs.
        words: Variables of several letters.
    """

    letters: frozenset[str] | None = None
    words: frozenset[str] = frozenset()


def single_letters(token: Token, names: Names) -> list[Token]:
    """The variables in a run of letters, else the token itself."""
    word, known = token.text, names.letters
    if token.kind != "word" or not 1 < len(word) <= 12 or word in names.words:
        return [token]
    # of a gold with undeclared variables: "xy" and "abc", but no English words
    undeclared = (len(word) == 2 and word.lower() not in _SHORT_WORDS) or word in ("abc", "xyz")
    if not (undeclared if known is None else set(word) <= known | {"e", "i"} and set(word) & known):
        return [token]
    return [token._replace(text=letter, gap=token.gap and i == 0) for i, letter in enumerate(word)]
