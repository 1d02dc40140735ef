"""Non-mathematical answers: a choice, a text, a date.

Choice(options_=(("A", "7"), ("B", "9"))).read("B) 9")      # "B"
Text().read("The  Hobbit.")                                # "hobbit"
Date(order="dmy").read("05/03/2024")                       # date(2024, 3, 5)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Final

from envhub.verifiers.math.identity import Trial
from envhub.verifiers.math.kind import DIFFERENT, SAME, Comparison, Kind, bare, named, need
from envhub.verifiers.math.lexer import NotMath

_WRAPPED = re.compile(r"\\(?:text(?:bf|it|rm|normal)?|math(?:rm|bf|it)|mbox)\s{0,4}\{([^{}\\]*)\}")
_SPACES = re.compile(r"\s+")
_LABEL = re.compile(
    r"(?:option |choice |answer )?[(\[]?([A-Za-z]{1,2}|[0-9]{1,2})[)\]]?\s{0,4}[.:)]?(?:\s{1,4}(.*)|())"
)
_QUOTES: Final = "\"'`\u201c\u201d\u2018\u2019"
_PUNCTUATION: Final = _QUOTES + ".,;:!?*_"
_ARTICLES: Final = frozenset(("a", "an", "the"))


def folded(text: str) -> str:
    """A text's normal form.

    Ignores case, articles, repeated spaces and punctuation at the ends.
    """
    text = _WRAPPED.sub(r"\1", text).casefold().strip()
    words = [word for word in _SPACES.split(text.strip(_PUNCTUATION + " \t\n$")) if word]
    kept = [word for word in words if word not in _ARTICLES]
    return " ".join(kept or words)


@dataclass(frozen=True)
class Text(Kind):
    """A text.

    Attributes:
        aliases: Other accepted texts.
    """

    aliases: tuple[str, ...] = ()
    name: ClassVar[str] = "text"
    noun: ClassVar[str] = "one short answer in words"
    example: ClassVar[str] = "seventeen swans"

    def read(self, text: str) -> str:
        """The text, folded."""
        found = folded(bare(text))
        if not found:
            raise NotMath("it has no words")
        return found

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether it equals the gold or an alias."""
        return SAME if answer == gold or answer in map(folded, self.aliases) else DIFFERENT

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Text:
        """A kind with the options that authors write.

        Raises:
            InvalidParameters: An option has no such value.
        """
        return cls(named(options.get("aliases") or (), "aliases"))


@dataclass(frozen=True)
class Choice(Kind):
    """One of several options: its label, its text, or both.

    Attributes:
        options_: Labels with the texts of the options; a label without text has an empty one.
    """

    options_: tuple[tuple[str, str], ...] = ()
    name: ClassVar[str] = "choice"
    noun: ClassVar[str] = "the letter of one option"
    example: ClassVar[str] = "B"

    def read(self, text: str) -> str:
        """The label of the option."""
        text = _WRAPPED.sub(r"\1", bare(text)).strip(_QUOTES + " *$")
        match = _LABEL.fullmatch(_SPACES.sub(" ", text))
        if match:
            label = next((label for label, _ in self.options_ if label.upper() == match[1].upper()), None)
            alone = len(match[1]) > 1 or match[1].isdigit() or match[1].isupper() or text != match[1]
            if label is not None and alone:
                rest, wanted = folded(match[2] or ""), folded(dict(self.options_)[label])
                if not rest or (wanted and rest == wanted):
                    return label
                raise NotMath("the label and the text do not belong together")
        found = [label for label, wanted in self.options_ if wanted and folded(wanted) == folded(text)]
        if len(found) != 1:
            raise NotMath(f"one of {', '.join(label for label, _ in self.options_)} is expected")
        return found[0]

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether it is the same option."""
        return SAME if gold == answer else DIFFERENT

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Choice:
        """A kind with the options that authors write.

        A list of labels, or labels with texts.

        Raises:
            InvalidParameters: An option has no such value.
        """
        given = options.get("options", list("ABCDE"))
        if isinstance(given, Mapping):
            pairs = tuple((str(label), str(text)) for label, text in given.items())
        else:
            pairs = tuple((label, "") for label in named(given, "options"))
        need(len({label.upper() for label, _ in pairs}) == len(pairs) > 0, "options have different labels.")
        return cls(pairs)


_YEAR: Final = "january february march april may june july august september october november december"
_MONTHS: Final = {
    form: number for number, month in enumerate(_YEAR.split(), start=1) for form in (month, month[:3])
} | {"sept": 9}
_ISO = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")
_SLASHED = re.compile(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})")
_DAY: Final = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_MONTH_FIRST = re.compile(rf"([a-z]{{3,9}})\.? {_DAY},? ([0-9]{{4}})")
_DAY_FIRST = re.compile(rf"(?:the )?{_DAY}(?: of)? ([a-z]{{3,9}})\.?,? ([0-9]{{4}})")


@dataclass(frozen=True)
class Date(Kind):
    """A day.

    Attributes:
        order: How ``03/05/2024`` is read: ``mdy`` or ``dmy``; if not given, only unambiguous dates are read.
    """

    order: str | None = None
    name: ClassVar[str] = "date"
    noun: ClassVar[str] = "one date, as year-month-day,"
    example: ClassVar[str] = "1917-05-23"

    def __post_init__(self) -> None:
        need(self.order in (None, "mdy", "dmy"), f"order is 'mdy' or 'dmy', got {self.order!r}.")

    def read(self, text: str) -> date:
        """The day."""
        plain = _SPACES.sub(" ", _WRAPPED.sub(r"\1", bare(text)).strip(_QUOTES + " ")).lower()
        plain = plain.replace("\u2013", "-").replace("\u2212", "-").replace("\\,", " ")
        for pattern, places in ((_ISO, (1, 2, 3)), (_MONTH_FIRST, (3, 1, 2)), (_DAY_FIRST, (3, 2, 1))):
            match = pattern.fullmatch(plain)
            if match:
                return _day(*(match[place] for place in places))
        match = _SLASHED.fullmatch(plain)
        if match is None:
            raise NotMath("a date is expected, as 2024-03-05")
        first, second, year = match.groups()
        orders = [self.order] if self.order else ["mdy", "dmy"]
        found = set[date]()
        for order in orders:
            month, day = (first, second) if order == "mdy" else (second, first)
            try:
                found.add(_day(year, month, day))
            except NotMath:
                continue
        if len(found) != 1:
            raise NotMath("the day and the month cannot be distinguished" if found else "there is no such day")
        return found.pop()

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether it is the same day."""
        return SAME if gold == answer else DIFFERENT


def _day(year: str, month: str, day: str) -> date:
    number = _MONTHS.get(month) if not month.isdigit() else int(month)
    try:
        return date(int(year), number or 0, int(day))
    except ValueError:
        raise NotMath("there is no such day") from None
