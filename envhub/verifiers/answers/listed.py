r"""Answers that are lists, however the list is written.

Bullets, numbers of lines, brackets, quotes and full stops at the ends of lines are decoration, and so are commas, semicolons,
arrows and line breaks between the things::

    plain_list("1. Go north\n2. (Look)", 400)                   # "go north\n look "
    parts("- gather wood 2\n- make table", 400)                 # ["gather wood 2", "make table"]
    words("up -> U, left", {"up": 0, "u": 0, "left": 1}, 20)    # (0, 0, 1)

Numbers of lines must count up by one or all be 1; in any other order they may be part of the answer, so they are kept, and the
answer is refused by its type. The same holds for lists of bare numbers, unless every line has a number and the first one is 0
or 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from envhub.verifiers.answers.types import Unreadable

T = TypeVar("T")

_ARROWS: Final = re.compile(r"-{1,3}>|={1,2}>|[\u2192\u27f6\u21d2\u2794]")
_PLAIN: Final = str.maketrans(
    {"\u00a0": " ", "\u2022": "*", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\r": "\n", "\t": " "}
)
_BULLETS: Final = re.compile(r"(?m)^([ (\[{\"'`]{0,8})[-*] {1,8}(?=\S)")
_NUMBERS: Final = re.compile(
    r"(?m)^[ \[{\"'`]{0,8}(?:(?:step|move|action) {0,2})?([0-9]{1,3}) ?[.):](?: {1,8}(?=\S)|(?=[a-z(\[\"'`]))"
)
_ADJACENT: Final = re.compile(r"([)\]}\"'`])\s{0,8}([(\[{\"'`])")
_DECORATION: Final = str.maketrans(dict.fromkeys("()[]{}\"'`", " "))
_BETWEEN: Final = re.compile(r"[,;\n>]")
_SPACES: Final = re.compile(r"[ ,;\n>]+")


def plain_list(text: str, longest: int) -> str:
    """A text in lower case without the decoration of lists.

    Every arrow becomes ``>``.

    Args:
        text: A span of an answer.
        longest: Maximum number of characters.

    Raises:
        Unreadable: It is too long, or has other characters than ASCII.
    """
    if len(text) > longest:
        raise Unreadable("it is too long.")
    text = _ARROWS.sub(">", text.translate(_PLAIN))
    if not text.isascii():
        raise Unreadable("write plain letters, digits and commas only.")
    text = _BULLETS.sub(r"\1", text.lower())
    if _is_numbered(text):
        text = _NUMBERS.sub("", text)
    text = _ADJACENT.sub(r"\1,\2", text).translate(_DECORATION)
    return "\n".join(map(_without_stop, text.split("\n"))) if "." in text else text


def parts(text: str, longest: int) -> list[str]:
    """The things in a list, single-spaced.

    Commas, semicolons, arrows or line breaks separate them.
    """
    found = (" ".join(part.split()) for part in _BETWEEN.split(plain_list(text, longest)))
    return [part for part in found if part]


def words(text: str, spelt: Mapping[str, T], most: int) -> tuple[T, ...] | None:
    """The values of a list of words.

    Spaces separate them as well. None if a word is unknown, or if there is no word or too many.
    """
    found = [word for word in _SPACES.split(plain_list(text, 40 * most)) if word]
    if not 1 <= len(found) <= most or any(word not in spelt for word in found):
        return None
    return tuple(spelt[word] for word in found)


def _without_stop(line: str) -> str:
    """A line without its full stop.

    After a bare number it may be part of the number, so it stays.
    """
    bare = line.rstrip()
    stopped = bare.endswith(".") and not bare.endswith("..") and any(sign.isalpha() for sign in bare)
    return bare[:-1] if stopped else line


def _is_numbered(text: str) -> bool:
    """Whether the numbers of the lines are those of a list."""
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    if not numbers:
        return False
    first = numbers[0]
    in_order = set(numbers) == {1} or numbers == list(range(first, first + len(numbers)))
    if any(sign.isalpha() for sign in text):
        return in_order
    return in_order and first <= 1 and len(numbers) == sum(not line.isspace() for line in text.split("\n") if line)
