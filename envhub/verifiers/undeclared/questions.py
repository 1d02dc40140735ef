"""The form of the answer that a question asks for.

Order, interval or point, percent and rounding count.

Nothing else of a question is used, so no question can make a wrong answer right::

    wanted("Find the ordered pair (x, y).").ordered                     # True
    wanted("Round to the nearest tenth.").places                        # 1
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_ORDERED: Final = re.compile(
    r"\bordered (?:pair|triple|list|tuple)s?\b|\brespectively\b"
    r"|\bin (?:the |that |this )?(?:(?:given|same|asked|correct|right) )?order\b"
    r"|\bin (?:increasing|decreasing|ascending|descending|alphabetical) order\b|\border asked\b"
    r"|\bfrom (?:the )?(?:largest|smallest|greatest|least|lowest|highest)\b",
    re.IGNORECASE,
)
_POINT: Final = re.compile(r"\b(?:coordinates?|points?|vertex|ordered pairs?|vectors?|intersections?)\b", re.IGNORECASE)
_INTERVAL: Final = re.compile(r"\b(?:intervals?|inequalit(?:y|ies)|domain|range of)\b", re.IGNORECASE)
_PERCENT: Final = re.compile(r"\bper ?cent(?:age)?\b|\\?%", re.IGNORECASE)
_ROUND: Final = re.compile(r"\b(?:round(?:ed|ing)?|nearest|decimal places?|significant|approximate)\b", re.IGNORECASE)
_PLACES: Final = re.compile(r"\b(one|two|three|four|five|six|[0-9]) (?:decimal|dp\b)", re.IGNORECASE)
_FIGURES: Final = re.compile(r"\b(one|two|three|four|five|six|[0-9]) significant\b", re.IGNORECASE)
_NEAREST: Final = re.compile(
    r"\bnearest (whole|integer|tenth|hundredth|thousandth|ten thousandth|cent|degree|percent)", re.IGNORECASE
)
_COUNTS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PARTS: Final = {
    "whole": 0, "integer": 0, "degree": 0, "percent": 0, "tenth": 1, "hundredth": 2, "cent": 2, "thousandth": 3,
    "ten thousandth": 4,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form of the answer that a question asks for.

    Attributes:
        ordered: The order of a list counts.
        point: It asks for a point, not an interval.
        interval: It asks for an interval, not a point.
        percent: It asks for a percentage.
        places: Digits after the point.
        figures: Significant digits.
    """

    ordered: bool = False
    point: bool = False
    interval: bool = False
    percent: bool = False
    places: int | None = None
    figures: int | None = None


NOTHING: Final = Wanted()


@lru_cache(maxsize=1024)
def wanted(question: str) -> Wanted:
    """The form that a question asks for."""
    if not question:
        return NOTHING
    places = figures = None
    if _ROUND.search(question):
        nearest, decimals, significant = (each.search(question) for each in (_NEAREST, _PLACES, _FIGURES))
        if nearest:
            places = _PARTS[nearest[1].lower()]
        elif decimals:
            places = _count(decimals[1])
        elif significant:
            figures = _count(significant[1])
    interval = bool(_INTERVAL.search(question))
    point = bool(_POINT.search(question)) and not interval
    return Wanted(bool(_ORDERED.search(question)), point, interval, bool(_PERCENT.search(question)), places, figures)


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word.lower()]
