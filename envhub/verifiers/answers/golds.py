r"""Gold answers of public data sets.

They are often at the end of a worked solution. A gold answer is the answer alone. For a column of whole solutions, name
a reader; without one a solution is rejected, because no answer would ever equal it::

    gold_in("48 / 2 = <<48/2=24>>24 clips in May.\n#### 72", "####")        # "72"
    gold_in("so the sum is $\boxed{2}$.", "boxed")                           # "2"
    gold_in("That makes 24 + 48 = 72 clips.", "last_number")                # "72"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final, NamedTuple

from envhub.verifiers.answers.extraction import boxed, drop_thinking, tagged
from envhub.verifiers.answers.unwrapping import plainest

GOLD_FROM: Final = ("answer", "####", "boxed", "last_number")
"""Location of a gold answer: the whole column, after ``####``, the last box or number."""


class Preset(NamedTuple):
    """The columns of a public data set.

    Attributes:
        question: The column with the question.
        gold: The column with the gold answer.
        gold_from: Its location in that column.
    """

    question: str
    gold: str
    gold_from: str


PRESETS: Final[Mapping[str, Preset]] = {
    "gsm8k": Preset("question", "answer", "####"),
    "math": Preset("problem", "solution", "boxed"),
}

WORKED: Final = "The gold answer is a worked solution, and no answer is equal to one."
REMEDY: Final = (
    'Set gold_from to "####" (the answer follows that mark), "boxed" (the last box) or "last_number", or use '
    'preset="gsm8k" or preset="math".'
)
_HASHES: Final = re.compile(r"^\s*####|\n\s*####|####\s")
_CALCULATED: Final = re.compile(r"<<[^<>\n]{1,200}>>")
_BOX: Final = re.compile(r"\\(?:boxed|fbox)\s{0,8}(?=[^\s{])([0-9A-Za-z])")
_NUMBER: Final = re.compile(
    r"(?<![\w.])[-\u2212]?\$?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:/[0-9]+)?(?!\w)"
)
_SENTENCE: Final = re.compile(r"[.!?]\s+[A-Z]|\n\s*\S")
_MOST_WORDS: Final = 30
_TOGETHER: Final = 24
"""Differing boxes at most this many characters apart are parts of one answer."""


@cache
def reader(gold_from: str) -> Callable[[str], str]:
    """:func:`gold_in` for one location, cached so equal locations give the same function."""
    return partial(gold_in, gold_from=gold_from)


def gold_in(text: str, gold_from: str) -> str:
    """The gold answer in a column's text.

    Args:
        text: The column's text.
        gold_from: One of :data:`GOLD_FROM`.

    Raises:
        ValueError: It is not found, or the text is a worked solution and ``gold_from`` is ``answer``.
    """
    if gold_from == "####":
        found = text.rpartition("####")[2].strip() if "####" in text else ""
    elif gold_from == "boxed":
        found = _last_box(text)
    elif gold_from == "last_number":
        numbers = _NUMBER.findall(text)
        found = numbers[-1].replace("$", "") if numbers else ""
    else:
        if is_worked(text):
            raise ValueError(f"{WORKED} {REMEDY}")
        return text
    if not found:
        raise ValueError(f"no gold answer is found by gold_from={gold_from!r} in {text[-80:]!r}.")
    return found


def is_worked(text: str) -> bool:
    """Whether a text is a worked solution.

    It has its marks, or a box among other words.
    """
    if _CALCULATED.search(text):
        return True
    hashes = _HASHES.search(text)
    if hashes and text[: hashes.start()].strip():
        return True
    spans = tagged(text) if "<answer>" in text.lower() else boxed(_braced(text))
    if spans:
        outside = drop_thinking(text)
        for span in spans:
            outside = outside.replace(span, "", 1)
        plain = plainest(outside).replace("answer", "")
        return bool(re.search(r"(?<!\\)\b[0-9A-Za-z]", re.sub(r"\\(?:boxed|fbox)", "", plain)))
    return False


def is_prose(text: str) -> bool:
    """Whether a text is too long for a short answer.

    So are several sentences with a number.
    """
    words = text.split()
    return len(words) > _MOST_WORDS or (len(words) > 6 and bool(_SENTENCE.search(text)) and bool(_NUMBER.search(text)))


def _last_box(text: str) -> str:
    r"""The content of the last box, as in the data set MATH.

    Also reads ``\boxed 2``.
    """
    text = _braced(text)
    spans = boxed(text)
    if not spans:
        return ""
    parts = [spans[-1]]
    at = text.rfind(spans[-1])
    for span in reversed(spans[:-1]):
        end = text.rfind(span, 0, at) + len(span)
        if at - end > _TOGETHER or "\n" in text[end:at]:
            break
        at = end - len(span)
        if span != parts[0]:
            parts.insert(0, span)
    return ", ".join(part.strip() for part in parts)


def _braced(text: str) -> str:
    return _BOX.sub(r"\\boxed{\1}", text)
