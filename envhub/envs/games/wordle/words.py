"""Common English words of four to seven letters, from a file.

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
    """The words of this length, in alphabetical order."""
    text = (Path(__file__).parent / "words.txt").read_text(encoding="ascii")
    return tuple(sorted(word for word in text.split() if len(word) == letters))


def marks(secret: str, guess: str) -> str:
    """One mark per letter of a guess: right place, elsewhere, or absent.

    Every letter of the secret matches at most one letter of the guess: those in their place first, then the others from
    the left.
    """
    found = [RIGHT if a == b else ABSENT for a, b in zip(secret, guess, strict=True)]
    rest = [a for a, b in zip(secret, guess, strict=True) if a != b]
    for at, letter in enumerate(guess):
        if found[at] == ABSENT and letter in rest:
            found[at] = ELSEWHERE
            rest.remove(letter)
    return "".join(found)
