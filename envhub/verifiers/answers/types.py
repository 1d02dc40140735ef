"""Answer types: the format sentence of the prompt, extraction and parsing.

An answer type owns the format sentence of the prompt, the extraction and the parsing, so an author never sees model
text. ``read`` accepts any text and never raises; it returns a value or the reason for failure::

    Integer().read("I think <answer> 1,024 </answer>").value    # 1024
    Integer().read("5 or 3").reason                             # "unreadable"

Several spans with the same meaning are accepted; if they differ, the answer is ``ambiguous`` and scores 0.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.generators.expressions.text import ExpressionError, parse_equation, render
from envhub.generators.expressions.trees import Tree
from envhub.verifiers.answers.extraction import FORMS, Form, find_spans, last_line
from envhub.verifiers.answers.near_misses import near_miss
from envhub.verifiers.answers.unwrapping import before_a_number, further_views, last_block, undecorated

_MAX_SPANS: Final = 8
_PLACES: Final[dict[Form, str]] = {
    "tag": "inside <answer> tags",
    "boxed": "inside \\boxed{}",
    "last": "at the end of your message, with nothing after it",
}
_SHOWN: Final = 200
_PLAIN: Final = 400
_OPEN: Final = "<answer>"
_CLOSE: Final = "</answer>"
UNREAD: Final = object()
"""What :meth:`AnswerType.glance` returns for a text that must be read."""

_ONE_TAG = re.compile(rf"\s{{0,16}}<answer>([^<>\\]{{0,{_PLAIN}}})</answer>\s{{0,16}}")
_GROUPED = re.compile(r"(?<=[0-9])(?:\{,\}|,\\!|\\,)(?=[0-9]{3}(?![0-9]))")  # thousands in LaTeX


class Unreadable(Exception):
    """A span is not an answer of the type.

    The message tells the policy why.
    """


@dataclass(slots=True)
class Reading:
    """The result of reading a text.

    Attributes:
        value: The parsed answer, or None.
        text: Its span, cut to 200 characters.
        reason: None if read; else ``empty``, ``unreadable`` or ``ambiguous``.
        feedback: Feedback for the policy if there is no value.
        formatted: The text used the requested form, once.
    """

    value: Any
    text: str
    reason: str | None = None
    feedback: str = ""
    formatted: bool = False


@dataclass(frozen=True)
class AnswerType(ABC):
    """Reads answers of one type.

    Attributes:
        form: The form the prompt requests; other forms are read as well.
    """

    form: Form = "tag"

    noun: ClassVar[str]
    """Describes the answer in the prompt: "one integer"."""
    example: ClassVar[str]
    """A well-formed answer; the sampler ensures that it never solves the problem."""
    placeholder: ClassVar[str] = ""
    """Shown in the prompt instead of the example where that would favour one of a few words."""
    last_counts: ClassVar[bool] = False
    """True if the last of several answers counts, as the prompt says; otherwise they must agree."""
    verbatim: ClassVar[bool] = False
    """True if every character counts, so that nothing around an answer is decoration except tags, boxes and fences."""
    prose: ClassVar[bool] = False
    """True for free text: a text with another letter or word may be just as right."""
    tolerant: ClassVar[bool] = False
    """True for measures and places: a value with another digit may be just as right."""
    alike: ClassVar[Sequence[Sequence[str]]] = ()
    """Groups of texts for the audit: equal answers within a group, different ones between groups."""
    refused: ClassVar[Sequence[str]] = ()  # texts that are not answers of the type
    _glances: ClassVar[bool] = False  # set for each subclass: it reads as this class does

    @abstractmethod
    def parse(self, text: str) -> Any:
        """The value of a span without decoration.

        Raises:
            Unreadable: No value.
        """

    @abstractmethod
    def random(self, rng: Stream) -> str:
        """A well-formed random answer, independent of the problem, for a random agent."""

    def near(self, text: str, rng: Stream) -> str:
        """A well-formed text close to an answer, or equal to it."""
        return near_miss(text, rng)

    def same(self, one: Any, other: Any) -> bool:
        """Whether two values are the same answer.

        Giving both is then not hedging.
        """
        return bool(one == other)

    def tail(self, text: str) -> str:
        """The last line or block, which may be an answer itself."""
        return last_block(text) or last_line(text)

    def lead_in(self) -> re.Pattern[str] | None:
        """Prefixes allowed before an answer of this type, besides the general ones."""
        return None

    def asking(self, form: Any) -> Self:
        """This type with another requested form.

        Raises:
            InvalidParameters: Unknown form.
        """
        if form not in FORMS:
            raise InvalidParameters(
                f"No answer format {form!r}; there are {', '.join(FORMS)}.{nearest(str(form), FORMS)}"
            )
        return replace(self, form=form)

    def counts(self, form: Form) -> bool:
        """Whether an answer in this form is well formatted."""
        return form == self.form

    def wrap(self, text: str) -> str:
        """An answer in the requested form."""
        if self.form == "tag":
            return f"<answer>{text}</answer>"
        return f"\\boxed{{{text}}}" if self.form == "boxed" else text

    def instruction(self, opening: str = "Give", example: str | None = None) -> str:
        """The sentences of the prompt that state the format.

        Args:
            opening: How they begin.
            example: A wrong answer of the right shape, shown as the format; by default the type's own.
        """
        shown = self.wrap(example or self.placeholder or self.example)
        return f"{opening} {self.noun} {_PLACES[self.form]}. Include only one answer. Format:\n{shown}"

    def __init_subclass__(cls) -> None:
        cls._glances = cls.read is AnswerType.read and cls._parse_span is AnswerType._parse_span

    def glance(self, text: str) -> Any:
        """The value of a text that is one tagged, bare answer.

        Bare means letters and digits; for any other text ``UNREAD``. It is the value that :meth:`read` finds, at a third of
        the cost: nothing stands around the tag, and such a span has no decoration.
        """
        span = text[8:-9]
        if self._glances and span.isalnum() and len(span) <= _PLAIN and text[:8] == _OPEN and text[-9:] == _CLOSE:
            try:
                return self.parse(span)
            except Unreadable:
                pass  # `read` tries the views of the span, and says why none is an answer
        return UNREAD

    def glanced(self, text: str) -> tuple[str, bool]:
        """``text`` and ``formatted`` of the reading of a glanced text.

        That is one in which :meth:`glance` found a value.
        """
        return text[8:-9][:_SHOWN], self.counts("tag")

    def read(self, text: str) -> Reading:
        """Find and parse the final answer of any text."""
        plain = _ONE_TAG.fullmatch(text)
        if plain:  # what every well-trained policy writes
            reading = self._parse_span(plain[1])
            reading.formatted = self.counts("tag") and reading.reason is None
            return reading
        form, spans = find_spans(text, self.tail)
        reading = self._agree(spans)
        if form == "last" and not self.counts(form) and reading.reason == "unreadable":  # neither tags nor a box
            reading.feedback += f" Put your answer {_PLACES[self.form]}."
        reading.formatted = self.counts(form) and len(spans) == 1 and reading.reason is None
        return reading

    def _agree(self, spans: list[str]) -> Reading:
        """One reading of all spans, if they agree."""
        first = self._parse_span(spans[0])
        if len(spans) == 1:
            return first
        others = list(dict.fromkeys(span.strip() for span in spans))
        if len(others) == 1:
            return first
        readings = [self._parse_span(span) for span in others[:_MAX_SPANS]]
        few = len(others) <= _MAX_SPANS and all(reading.reason is None for reading in readings)
        if few and all(self.same(reading.value, first.value) for reading in readings):
            return first
        return Reading(None, first.text, "ambiguous", "Several different final answers were given; give exactly one.")

    def _parse_span(self, span: str) -> Reading:
        text = span.strip()
        shown = text[:_SHOWN]
        if not shown:
            return Reading(None, "", "empty", f"No answer was found; expected {self.noun.rstrip(',')}.")
        first = text if text.isalnum() else undecorated(text)
        try:
            return Reading(self.parse(first), shown)
        except Unreadable as problem:
            why = problem
        for view in further_views(text, first, self.lead_in()):
            try:
                return Reading(self.parse(view), shown)
            except Unreadable:
                continue
        return Reading(
            None,
            shown,
            "unreadable",
            f"The answer could not be read as {self.noun.rstrip(',')}: {str(why).rstrip('.')}.",
        )


_FANCY: Final = (
    *((sign, "-") for sign in "\u2212\u2013\u2010\u2011\uff0d"),
    *((space, " ") for space in "\u00a0\u202f\u2009"),
)


def _ascii_signs(text: str) -> str:
    """The text with plain minus signs and spaces."""
    if text.isascii():
        return text
    for fancy, plain in _FANCY:
        text = text.replace(fancy, plain)
    return text


@dataclass(frozen=True)
class Integer(AnswerType):
    """One integer: ``42``, ``-7``, ``1,024``, ``42.0``, ``x = 42``. Its value is an ``int``.

    Attributes:
        max_digits: Maximum number of digits.
        called: Words allowed before it, such as "column".
    """

    max_digits: int = 1000
    called: tuple[str, ...] = ()
    noun: ClassVar[str] = "one integer"
    example: ClassVar[str] = "17"

    _SHAPE: ClassVar[re.Pattern[str]] = re.compile(
        r"([+-]?) ?([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.0+|(?<=[0-9]) ?/ ?1)?|([+-]?) ?\\[dt]?frac\{([0-9]+)\}\{1\}"
    )

    def lead_in(self) -> re.Pattern[str]:
        """A letter with an equals sign, or a word naming the integer."""
        return before_a_number(self.called)

    def parse(self, text: str) -> int:
        """The integer in a span."""
        if text.isascii() and text.isdigit() and len(text) <= self.max_digits:
            return int(text)
        match = self._SHAPE.fullmatch(_GROUPED.sub(",", _ascii_signs(text)))
        if match is None:
            raise Unreadable("write digits only, with a minus sign if it is negative.")
        digits = (match[2] or match[4]).replace(",", "")
        if len(digits) > self.max_digits:
            raise Unreadable(f"it has more than {self.max_digits} digits.")
        return -int(digits) if "-" in (match[1], match[3]) else int(digits)

    def random(self, rng: Stream) -> str:
        """An integer of one to four digits, negative one time in four."""
        value = rng.below(10 ** rng.between(1, 4))
        return str(-value if rng.below(4) == 0 else value)


@dataclass(frozen=True)
class Rational(AnswerType):
    r"""One exact number: an integer, ``3/4``, ``\frac{3}{4}`` or a finite decimal.

    Its value is a ``Fraction``.
    """

    max_digits: int = 1000
    noun: ClassVar[str] = "one integer or fraction"
    example: ClassVar[str] = "17/5"

    _DECIMAL: ClassVar[re.Pattern[str]] = re.compile(r"([+-]?) ?([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)?(?:\.([0-9]+))?")
    _RATIO: ClassVar[re.Pattern[str]] = re.compile(r"([+-]?) ?([0-9]+) ?/ ?([+-]?[0-9]+)")
    _FRAC: ClassVar[re.Pattern[str]] = re.compile(r"([+-]?) ?\\[dt]?frac ?\{ ?([+-]?[0-9]+) ?\} ?\{ ?([+-]?[0-9]+) ?\}")

    def lead_in(self) -> re.Pattern[str]:
        """A letter with an equals sign."""
        return before_a_number(())

    def parse(self, text: str) -> Fraction:
        """The number in a span."""
        text = _ascii_signs(text)
        if sum(c.isdigit() for c in text[: self.max_digits * 4]) > self.max_digits or len(text) > self.max_digits * 4:
            raise Unreadable(f"it has more than {self.max_digits} digits.")
        ratio = self._RATIO.fullmatch(text) or self._FRAC.fullmatch(text)
        if ratio:
            if int(ratio[3]) == 0:
                raise Unreadable("the denominator is zero.")
            value = Fraction(int(ratio[2]), int(ratio[3]))
            return -value if ratio[1] == "-" else value
        decimal = self._DECIMAL.fullmatch(text)
        if decimal is None or (decimal[2] is None and decimal[3] is None):
            raise Unreadable("write an integer, a fraction a/b or a decimal.")
        whole, part = (decimal[2] or "0").replace(",", ""), decimal[3] or ""
        value = Fraction(int(whole + part), 10 ** len(part))
        return -value if decimal[1] == "-" else value

    def random(self, rng: Stream) -> str:
        """A fraction of small numbers."""
        return f"{rng.between(-20, 20)}/{rng.between(1, 20)}"


_TIMES = re.compile(r"(?<=[0-9)\]}])\s{1,3}[xX]\s{1,3}(?=[0-9(\[{])|(?<=[0-9)\]}])(?<!(?<![0-9])0)[xX](?=[0-9(\[{])")


@dataclass(frozen=True)
class Expression(AnswerType):
    """An arithmetic expression over given numbers, by our own parser (never ``eval``).

    Its value is a pair: the tree, and the result the text claims (an ``int``) or None.

    ``3*8``, ``3 x 8`` and ``3*8 = 24`` are all read; the verifier checks that the numbers are the given ones.
    """

    noun: ClassVar[str] = "one arithmetic expression"
    example: ClassVar[str] = "(7 + 5) - 3"

    def parse(self, text: str) -> tuple[Tree, int | None]:
        """The tree in a span, with its claimed result if any."""
        try:
            return parse_equation(_TIMES.sub(" * ", text))
        except ExpressionError as error:
            raise Unreadable(str(error)) from None

    def same(self, one: Any, other: Any) -> bool:
        """Whether two trees print alike; comparing deep trees would recurse."""
        return bool(one[1] == other[1] and render(one[0]) == render(other[0]))

    def near(self, text: str, rng: Stream) -> str:
        """A text near an expression; half the time with one operator replaced."""
        places = [at for at, sign in enumerate(text) if sign in "+-*/"]
        at = rng.choice(places) if places and rng.below(2) else None
        return near_miss(text, rng) if at is None else text[:at] + rng.choice("+-*/") + text[at + 1 :]

    def random(self, rng: Stream) -> str:
        """Two or three small numbers joined by random operators."""
        text = str(rng.between(1, 20))
        for _ in range(rng.between(1, 2)):
            text += f" {rng.choice('+-*/')} {rng.between(1, 20)}"
        return text


@dataclass(frozen=True)
class Word(AnswerType):
    """One word of letters; case does not matter.

    Its value is in lower case.
    """

    max_letters: int = 64
    noun: ClassVar[str] = "one word"
    example: ClassVar[str] = "example"

    def parse(self, text: str) -> str:
        """The word in a span."""
        word = text.strip("\"'\u201c\u201d\u2018\u2019")
        if not word.isalpha():
            raise Unreadable("write one word of letters.")
        if len(word) > self.max_letters:
            raise Unreadable(f"it has more than {self.max_letters} letters.")
        return word.casefold()

    def random(self, rng: Stream) -> str:
        """Three to eight random letters."""
        return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.between(3, 8)))
