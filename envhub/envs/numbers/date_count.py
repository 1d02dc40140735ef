"""date-count-v0: find a date that is many days and weeks away.

Action: one date, ``1992-05-18``. Offsets of days and weeks are applied one after the other, forwards or back, in the Gregorian
calendar. Difficulty: more and larger offsets; effort is the number of months that are crossed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, ClassVar, Final

from envhub.authoring.wording import counted
from envhub.core.seeding import Stream
from envhub.families.value_kit import JSON, Instance, Phrase, Value, Variants, knob, levels
from envhub.verifiers.answers.types import AnswerType, Unreadable

_MONTHS: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_DASHES: Final = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), "-")
_QUOTES: Final = "\"'\u201c\u201d\u2018\u2019"
_FIRST: Final = date(1600, 1, 1)
_DAYS: Final = 365_242  # a thousand years


@dataclass(frozen=True)
class Date(AnswerType):
    """One date: ``1992-05-18``, ``1992/05/18``, ``18 May 1992``, ``May 18, 1992``."""

    noun: ClassVar[str] = "one date as year-month-day"
    example: ClassVar[str] = "1517-02-03"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("1992-05-18", "1992/05/18", "1992-5-18", "18 May 1992", "May 18, 1992", "may 18 1992", "1992.05.18"),
        ("0916-05-18", "916-05-18", "18 May 916", '"916-05-18"', "916\u201105\u201118"),
        *(("1992-05-19",), ("1992-06-18",), ("1929-05-18",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *("1992", "1992-13-01", "1992-02-30", "05-18-1992", "18/05/1992", "1992-05-18 or 1992-05-19", "92-05-18"),
        *("18 Mai 1992", "1992-05", "1992-05-18-01", "\u0661992-05-18", "1992-00-10"),
    )

    _NUMBERS: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{3,4})([-/.])([0-9]{1,2})\2([0-9]{1,2})")
    _WORDS: ClassVar[Sequence[re.Pattern[str]]] = (
        re.compile(r"(?P<day>[0-9]{1,2}) (?P<month>[a-z]{3,9}) (?P<year>[0-9]{3,4})"),
        re.compile(r"(?P<month>[a-z]{3,9}) (?P<day>[0-9]{1,2}),? (?P<year>[0-9]{3,4})"),
    )

    def parse(self, text: str) -> date:
        """The date of a span."""
        text = text.translate(_DASHES).strip(_QUOTES)
        plain = " ".join(text[:100].lower().split())
        if not text.isascii() or len(text) > 100:
            raise Unreadable("write a date such as 1517-02-03.")
        found = self._NUMBERS.fullmatch(plain)
        named = next(filter(None, (shape.fullmatch(plain) for shape in self._WORDS)), None)
        if named and named["month"] in _MONTHS:
            year, month, day = int(named["year"]), _MONTHS.index(named["month"]) + 1, int(named["day"])
        elif found:
            year, month, day = int(found[1]), int(found[3]), int(found[4])
        else:
            raise Unreadable("write year, month and day as numbers, such as 1517-02-03.")
        try:
            return date(year, month, day)
        except ValueError:
            raise Unreadable("there is no such day in the calendar.") from None

    def random(self, rng: Stream) -> str:
        """A date of three centuries."""
        return str(date(1800, 1, 1) + timedelta(days=rng.below(109_572)))


def _moved(offset: JSON) -> str:
    count, unit = abs(offset[0]), offset[1]
    return f"{counted(count, unit)} {'later' if offset[0] > 0 else 'earlier'}"


def _sentences(problem: JSON) -> str:
    return f"Start: {problem['start']}. Then, one after the other: {'; '.join(map(_moved, problem['offsets']))}."


def _numbered(problem: JSON) -> str:
    steps = "\n".join(f"{at}. {_moved(offset)}" for at, offset in enumerate(problem["offsets"], 1))
    return f"The first date is {problem['start']} (year-month-day). Steps:\n\n{steps}"


def _as_json(problem: JSON) -> str:
    steps = [{unit + "s": count} for count, unit in problem["offsets"]]
    return json.dumps({"start": problem["start"], "offsets": steps})


def _formula(problem: JSON) -> str:
    terms = (f" {'+' if count > 0 else '-'} {counted(abs(count), unit)}" for count, unit in problem["offsets"])
    return f"{problem['start']}{''.join(terms)}"


class DateCount(Value):
    """Find a date that is many days and weeks away."""

    Params = levels(
        offsets=knob("number of offsets", 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, at_least=1, at_most=12),
        days=knob(
            "most days of an offset",
            30,
            90,
            150,
            400,
            1000,
            2500,
            6000,
            12_000,
            25_000,
            50_000,
            at_least=10,
            at_most=60_000,
        ),
    )
    answer = Date()
    data = Variants(_sentences, _numbered, _as_json, held_out=_formula, name="offsets")
    task = Phrase(
        "Which date do you get to, if you apply all offsets to the first date?",
        "Apply the offsets to the start date, one after the other. Which date results?",
        "Find the date that results from all offsets, counted from the first date.",
        held_out="Determine the date obtained from the initial date by all offsets.",
    )
    rules = (
        Phrase(
            "Dates are written as year-month-day and belong to the Gregorian calendar, also those before its introduction in "
            "some country.",
            "All dates are dates of the Gregorian calendar, whatever the year, in the form year-month-day.",
            "Use the Gregorian calendar for every year. A date is written as year-month-day.",
            held_out="The proleptic Gregorian calendar applies throughout; the notation is year-month-day.",
        ),
        Phrase(
            "A week has 7 days. One day later than a date is the next date, and one day earlier is the date before it.",
            "Count 7 days for a week. The next date is one day later, and the previous one is one day earlier.",
            "Weeks are 7 days long. Going one day further leads to the next date, going one day back to the date before it.",
            held_out="One week equals 7 days; consecutive dates differ by one day. Negative offsets point to the past.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A random date and offsets; None if they may leave the calendar."""
        start = _FIRST + timedelta(days=rng.below(_DAYS))
        offsets: list[tuple[int, str]] = []
        for at in range(p.offsets):
            unit = "week" if at % 2 else "day"
            most = p.days // 7 if unit == "week" else p.days
            count = rng.between(max(1, most // 3), max(2, most))
            offsets.append((count if rng.below(2) else -count, unit))
        reach = sum(abs(count) * (7 if unit == "week" else 1) for count, unit in offsets)
        if not reach + 1 < start.toordinal() < date.max.toordinal() - reach:
            return None
        return {"start": str(start), "offsets": [list(offset) for offset in offsets]}

    def value(self, problem: JSON) -> date:
        """By the calendar of Python."""
        days = sum(count * (7 if unit == "week" else 1) for count, unit in problem["offsets"])
        return date.fromisoformat(problem["start"]) + timedelta(days=days)

    def slips(self, problem: JSON) -> Iterator[date]:
        """Dates one day off, and misread offsets."""
        right = self.value(problem)
        yield from (right + timedelta(days=1), right - timedelta(days=1), date.fromisoformat(problem["start"]))
        yield self.value({**problem, "offsets": [[count, "day"] for count, _ in problem["offsets"]]})
        *most, (count, unit) = problem["offsets"]
        yield self.value({**problem, "offsets": [*most, [-count, unit]]})

    def canonical(self, content: JSON) -> JSON:
        """The first date and the offsets in days."""
        return [content["start"], [count * (7 if unit == "week" else 1) for count, unit in content["offsets"]]]

    def effort(self, inst: Instance) -> float:
        """Months that are crossed, and offsets."""
        days = sum(abs(count) * (7 if unit == "week" else 1) for count, unit in inst.problem["offsets"])
        return float(days // 30 + len(inst.problem["offsets"]))
