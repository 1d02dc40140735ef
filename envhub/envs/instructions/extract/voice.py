"""The voice of a note: references, dates, spans of time, variation.

A voice remembers which units and abbreviations it has used, because the prompt explains exactly those::

    voice = Voice(rng, references(person), seen, varied=50)
    voice.say("{She} smokes.", "Smokes.")      # one of the templates, filled in
    voice.day(date(2031, 3, 3))                # "3 March 2031"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.instructions.extract.people import upper

Told = list[tuple[str, str]]
"""Sentences, each with the section of the note in which it stands."""
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NUMBERS: Final = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


class Voice:
    """How one note is written.

    Args:
        rng: Randomness of the wording.
        words: References that every template may use.
        seen: Date of the visit or of the report.
        varied: Percentage of values with an unusual form.
    """

    def __init__(self, rng: Stream, words: Mapping[str, str], seen: date, varied: int) -> None:
        self.rng = rng
        self.seen = seen
        self.varied = varied
        self.words = words
        self.terse = rng.below(3) == 0
        self.units: set[str] = set()
        self.short: set[str] = set()
        self.style = rng.below(3)
        self._said: set[str] = set()

    def vary(self) -> bool:
        """Whether the next value takes an unusual form."""
        return self.rng.below(100) < self.varied

    def say(self, *templates: str, **values: Any) -> str:
        """A template that the note has not used yet, filled in.

        ``X`` is ``x`` with a capital letter.
        """
        capital = {name.upper(): upper(str(value)) for name, value in values.items()}
        fresh = [each for each in templates if each not in self._said] or list(templates)
        chosen = self.rng.choice(fresh)
        self._said.add(chosen)
        return chosen.format_map({**capital, **values, **self.words})

    def pick(self, forms: Sequence[str]) -> str:
        """The first form, or any of them if it varies."""
        return self.rng.choice(forms) if self.vary() else forms[0]

    def abbreviated(self, short: str, long: str) -> str:
        """An abbreviation, if it varies, or the words."""
        if short and self.vary():
            self.short.add(short)
            return short
        return long

    def listed(self, words: Iterable[str], last: str = "and") -> str:
        """Words in a sentence, with or without a comma before the last."""
        *most, end = words
        if not most:
            return end
        comma = "," if len(most) > 1 and self.style == 0 else ""
        return f"{', '.join(most)}{comma} {last} {end}"

    def day(self, day: date) -> str:
        """A date with its year; a note has one manner of dates."""
        month = MONTHS[day.month - 1]
        return (f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}", f"{day.day} {month[:3]} {day.year}")[
            self.style
        ]

    def recent(self, day: date) -> str:
        """A day shortly before the visit: ``on 3 March 2031``, ``on 3 March``, ``yesterday`` or ``six days before``."""
        ago = (self.seen - day).days
        if not self.vary():
            return f"on {self.day(day)}"
        if ago == 0:
            return "today"
        if ago == 1:
            return "yesterday"
        month = MONTHS[day.month - 1]
        without_year = f"on {month} {day.day}" if self.style == 1 else f"on {day.day} {month}"
        return self.rng.choice((f"{number(ago)} days ago", without_year))

    def ahead(self, day: date) -> str:
        """A day after the visit: ``in two weeks`` or ``on 3 March 2031``."""
        days = (day - self.seen).days
        if not self.vary():
            return f"on {self.day(day)}"
        return f"in {self.span(days)}"

    def due(self, day: date) -> str:
        """A deadline: ``by 3 March 2031`` or ``within two weeks``."""
        return f"within {self.span((day - self.seen).days)}" if self.vary() else f"by {self.day(day)}"

    def span(self, days: int) -> str:
        """A number of days in words: ``five days``, ``two weeks``, ``three months``."""
        if days % 30 == 0 and self.vary():
            return _times(days // 30, "month")
        if days == 14 and self.vary():
            return "a fortnight"
        if days % 7 == 0 and (self.vary() or days > 12):
            return _times(days // 7, "week")
        return _times(days, "day")

    def lasting(self, days: int) -> str:
        """How long something has lasted, after its name."""
        if days == 1:
            return self.rng.choice(("since yesterday", "for one day"))
        if days == 2 and self.vary():
            return "since the day before yesterday"
        if not self.vary():
            return f"for {self.span(days)}"
        begun, past = self.seen - timedelta(days=days), self.span(days)
        return self.rng.choice(
            (
                f"for the past {past.removeprefix('one ').removeprefix('a ')}",
                f"that began {self.span(days)} ago",
                f"since {self.recent_date(begun)}",
            )
        )

    def recent_date(self, day: date) -> str:
        """A date of the last year, without its year."""
        month = MONTHS[day.month - 1]
        return f"{month} {day.day}" if self.style == 1 else f"{day.day} {month}"


def number(count: int) -> str:
    """A small number in words, a larger one in digits."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _times(count: int, noun: str) -> str:
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"
