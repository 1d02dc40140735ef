"""Common English words of four to seven letters: an own list, kept as a plain file beside this module.

::

    of_length(5)[:2]            # ("about", "above")
    marks("level", "eagle")     # "?--??": one mark a letter
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

RIGHT: Final = "+"
ELSEWHERE: Final = "?"
ABSENT: Final = "-"


@cache
def of_length(letters: int) -> tuple[str, ...]:
    """The words of so many letters, in alphabetical order."""
    text = (Path(__file__).parent / "words.txt").read_text(encoding="ascii")
    return tuple(sorted(word for word in text.split() if len(word) == letters))


def marks(secret: str, guess: str) -> str:
    """One mark a letter of a guess as long as the secret: right place, elsewhere in the word, or not in it.

    Every letter of the secret is counted for one letter of the guess at most: for those in their place first, then for
    the others from the left.
    """
    found = [RIGHT if a == b else ABSENT for a, b in zip(secret, guess, strict=True)]
    rest = [a for a, b in zip(secret, guess, strict=True) if a != b]
    for at, letter in enumerate(guess):
        if found[at] == ABSENT and letter in rest:
            found[at] = ELSEWHERE
            rest.remove(letter)
    return "".join(found)
