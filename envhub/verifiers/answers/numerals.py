r"""Answers that are lists, products, decimals, fractions or numerals.

::

    Integers().read("3, -5").value               # (3, -5)
    Factors().read("2^3 * 7").value              # (2, 2, 2, 7)
    LowestTerms().read("6/8").reason             # "unreadable"
    Digits().read("0F3A").value                  # "f3a"
    Numeral().read("Twenty-one").value           # "twenty one"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.claims import Claim
from envhub.verifiers.answers.extraction import last_line
from envhub.verifiers.answers.types import AnswerType, Rational, Unreadable
from envhub.verifiers.answers.unwrapping import last_block

_SIGNS: Final = {0x2212: "-", 0x2013: "-", 0x2010: "-", 0x2011: "-", 0x00A0: " ", 0x202F: " ", 0x2009: " "}
_BRACKETS: Final = ("()", "[]", "{}")


@dataclass(frozen=True)
class Integers(AnswerType):
    """Integers in order: ``3, -5, 12``. Its value is a tuple of ``int``.

    Commas, semicolons and line breaks separate them, or spaces if there is nothing else; brackets around all are ignored.

    Attributes:
        asked: Describes the answer in the prompt.
        shown: The example in the prompt.
        most: Maximum number of integers.
        max_digits: Maximum digits of each.
    """

    asked: str = "a list of integers, separated by commas,"
    shown: str = "17, 5, 29"
    most: int = 400
    max_digits: int = 40

    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("3, -5", "3,-5", "[3, -5]", "(3; \u22125)", "3\n-5", "3 -5", "+3, -5"),
        *(("-5, 3",), ("3, 5",), ("3",), ("3, -5, 0", "3, -5, -0"), ("35",)),
    )
    refused: ClassVar[Sequence[str]] = (
        "3, x",
        "3,, 5",
        "1,024",
        "3 5, 7",
        "3.0",
        "[3, [5]]",
        "3, 5]",
        "9" * 41,
        "\uff13",
    )

    _PART: ClassVar[re.Pattern[str]] = re.compile(r"\s*[,;\n]\s*")
    _INTEGER: ClassVar[re.Pattern[str]] = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
    _LINE: ClassVar[re.Pattern[str]] = re.compile(r"[-+0-9,;\s\[\](){}\u2212]{1,4000}")

    @property
    def noun(self) -> str:  # type: ignore[override]
        """Describes the answer in the prompt."""
        return self.asked

    @property
    def example(self) -> str:  # type: ignore[override]
        """A well-formed answer."""
        return self.shown

    def parse(self, text: str) -> tuple[int, ...]:
        """The integers in a span."""
        if len(text) > self.most * (self.max_digits + 4):
            raise Unreadable("it is too long.")
        text = text.translate(_SIGNS).strip()
        if text[:1] + text[-1:] in _BRACKETS:
            text = text[1:-1].strip()
        parts = self._PART.split(text)
        if len(parts) == 1:
            parts = text.split()
        if len(parts) > self.most:
            raise Unreadable(f"it has more than {self.most} integers.")
        return tuple(map(self._integer, parts))

    def tail(self, text: str) -> str:
        """The last lines that hold integers alone; else the last line."""
        kept: list[str] = []
        for line in reversed(text.rstrip().splitlines()[-self.most :]):
            if not self._LINE.fullmatch(line):
                break
            kept.append(line)
        return "\n".join(reversed(kept)) if kept else last_block(text) or last_line(text)

    def random(self, rng: Stream) -> str:
        """Two to four small integers."""
        return ", ".join(str(rng.between(-20, 99)) for _ in range(rng.between(2, 4)))

    def _integer(self, part: str) -> int:
        if len(part) > self.max_digits or not self._INTEGER.fullmatch(part):
            raise Unreadable(f"write integers without leading zeros or thousands separators, got {part[:40]!r}.")
        return int(part)


@dataclass(frozen=True)
class Totalled(Integers):
    """Integers in order, then their total: ``3, 0, 5, 8``. Its value is a :class:`Claim`."""

    asked: str = "the integers in order and then their total, separated by commas,"
    shown: str = "1, 4, 2, 7"
    alike: ClassVar[Sequence[Sequence[str]]] = (("3, 5, 8", "(3, 5, 8)"), ("5, 3, 8",), ("3, 5, 9",), ("3, 8",))
    refused: ClassVar[Sequence[str]] = ("8", "3, x, 8", "3, 5 total 8")

    def parse(self, text: str) -> Any:
        """The integers and the total in a span."""
        *witness, value = super().parse(text)
        if not witness:
            raise Unreadable("write the integers and then their total.")
        return Claim(tuple(witness), value)


@dataclass(frozen=True)
class Factors(AnswerType):
    """A product of integers: ``2^3 * 7``.

    Its value is the tuple of the factors, in ascending order.
    """

    noun: ClassVar[str] = "a product of prime numbers, joined by *,"
    example: ClassVar[str] = "2 * 2 * 5 * 13"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("2 * 2 * 7", "2^2 * 7", "7 x 2\u00b2", "2^{2} \\times 7", "2, 7, 2", "2**2 * 7", "7\u00b72\u00b72"),
        *(("28",), ("4 * 7",), ("1 * 2 * 2 * 7",), ("2 * 7",)),
    )
    refused: ClassVar[Sequence[str]] = (
        "2 ** * 7",
        "2 + 7",
        "2^-1 * 7",
        "2^9999999",
        "2^0 * 7",
        "2 7",
        "2^2^2",
        "9" * 41,
    )

    _TIMES: ClassVar[re.Pattern[str]] = re.compile(r"\s*(?:\\times|\\cdot|[*xX,\u00d7\u00b7\u22c5])\s*")
    _POWER: ClassVar[re.Pattern[str]] = re.compile(
        r"([1-9][0-9]{0,39})(?:\s?\^\s?(?:\{([1-9][0-9]?)\}|([1-9][0-9]?)))?"
    )
    _RAISED: ClassVar[re.Pattern[str]] = re.compile("[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
    _MOST: ClassVar[int] = 200

    def parse(self, text: str) -> tuple[int, ...]:
        """The factors in a span."""
        if len(text) > 4_000:
            raise Unreadable("it is too long.")
        text = self._RAISED.sub(lambda found: f"^{_lowered(found[0])}", text).replace("**", "^")
        found: list[int] = []
        for part in self._TIMES.split(text.strip()):
            power = self._POWER.fullmatch(part)
            if power is None:
                raise Unreadable(f"write numbers joined by *, got {part[:40]!r}.")
            found += [int(power[1])] * int(power[2] or power[3] or 1)
            if len(found) > self._MOST:
                raise Unreadable(f"it has more than {self._MOST} factors.")
        return tuple(sorted(found))

    def random(self, rng: Stream) -> str:
        """Two to five small primes."""
        return " * ".join(str(rng.choice((2, 3, 5, 7, 11, 13, 17, 19))) for _ in range(rng.between(2, 5)))


@dataclass(frozen=True)
class Decimal(Rational):
    """One exact number, requested as a decimal.

    Fractions are read as well. Its value is a ``Fraction``.
    """

    noun: ClassVar[str] = "one integer or decimal"
    example: ClassVar[str] = "-17.25"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        *(("0.75", "3/4", ".75", "0.750"), ("-0.75", "\u22120.75"), ("1024.5", "1,024.5"), ("3", "3.0"), ("0", "-0")),
    )
    refused: ClassVar[Sequence[str]] = ("1e3", "3 or 4", "0.5.1", "nan", "50%", "1.024,5", "0x10")


@dataclass(frozen=True)
class LowestTerms(Rational):
    """An integer or a fraction in lowest terms: ``-3/4``.

    Its value is a ``Fraction``.
    """

    noun: ClassVar[str] = "an integer or a fraction in lowest terms"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        *(("3/4", "3 / 4", "\\frac{3}{4}", "\\dfrac{3}{4}"), ("-3/4", "-\\frac{3}{4}"), ("4/3",), ("3", "3/1")),
    )
    refused: ClassVar[Sequence[str]] = ("6/8", "0.75", "3/-4", "3/0", "6/2", "0/5", "1 3/4", "\\frac{6}{8}", "-6/-8")

    _WHOLE: ClassVar[re.Pattern[str]] = re.compile(r"[+-]? ?[0-9]+")

    def parse(self, text: str) -> Fraction:
        """The number in a span."""
        value = super().parse(text)
        plain = text.translate(_SIGNS)
        ratio = self._RATIO.fullmatch(plain) or self._FRAC.fullmatch(plain)
        if ratio is None and not self._WHOLE.fullmatch(plain):
            raise Unreadable("write an integer or a fraction a/b.")
        if ratio is not None and (int(ratio[3]) < 1 or gcd(int(ratio[2]), int(ratio[3])) != 1):
            raise Unreadable("the fraction is not in lowest terms.")
        return value

    def random(self, rng: Stream) -> str:
        """A fraction of small numbers."""
        return str(Fraction(rng.between(-20, 20), rng.between(1, 20)))


@dataclass(frozen=True)
class Digits(AnswerType):
    """Digits of a base up to 36: ``2f3a``.

    Its value is the text in lower case without leading zeros.

    Groups of four may be separated by spaces or underscores. Any word of letters is a numeral of some base.
    """

    noun: ClassVar[str] = "one number without a prefix such as 0x"
    example: ClassVar[str] = "1f0"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        *(("1f0", "1F0", "01f0", "+1f0"), ("-1f0", "\u22121f0"), ("11010011", "1101 0011", "1101_0011"), ("0", "000")),
    )

    _SHAPE: ClassVar[re.Pattern[str]] = re.compile(
        r"([+-]?)([0-9a-z]{1,200}|[0-9a-z]{1,4}(?:[ _][0-9a-z]{4}){1,50})", re.IGNORECASE
    )

    def parse(self, text: str) -> str:
        """The digits in a span."""
        found = self._SHAPE.fullmatch(text.translate(_SIGNS)) if text.isascii() or text[:1] in "\u2212\u2013" else None
        if found is None:
            raise Unreadable("write digits and letters only.")
        digits = found[2].replace(" ", "").replace("_", "").lower().lstrip("0") or "0"
        return "-" + digits if found[1] == "-" and digits != "0" else digits

    def random(self, rng: Stream) -> str:
        """A number of one to four digits."""
        return str(rng.below(10 ** rng.between(1, 4)))


@dataclass(frozen=True)
class Numeral(AnswerType):
    """A number in digits, as a Roman numeral or in words.

    Its value is its text in a normal form.

    Case, spaces, commas, hyphens and the word "and" do not matter.
    """

    noun: ClassVar[str] = "one number in the requested notation"
    example: ClassVar[str] = "MDCCLXIII"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("two hundred and twenty-one", "Two hundred twenty one", "two hundred, twenty-one"),
        *(("XIV", "xiv"), ("1994", "1,994"), ("0",), ("-7", "\u22127"), ("7",), ("XVI",), ("minus seven",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *(
            "1.5",
            "1/2",
            "-",
            "a" * 401,
            "\uff11",
            "5 or 6",
            "not five",
            "and",
            "XIV five",
            "5 6",
            "-XIV",
            "1,99",
            "ABC",
        ),
    )

    _SMALL: ClassVar[str] = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    )
    _MORE: ClassVar[str] = "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
    _VOCABULARY: ClassVar[frozenset[str]] = frozenset(
        f"{_SMALL} {_MORE} hundred thousand million billion minus".split(" ")
    )
    _PLAIN: ClassVar[re.Pattern[str]] = re.compile(r"-?(?:[0-9]{1,40}|[0-9]{1,3}(?:,[0-9]{3}){1,12})|[ivxlcdm]{1,40}")

    def parse(self, text: str) -> str:
        """The normal form of a numeral in a span."""
        if len(text) > 400:
            raise Unreadable("it is too long.")
        plain = text.translate(_SIGNS).strip().lower()
        if self._PLAIN.fullmatch(plain):
            return plain.replace(",", "")
        words = [word for word in re.split(r"[\s,-]+", plain) if word != "and"]
        if not words or not self._VOCABULARY.issuperset(words):
            raise Unreadable("write one number in digits, as a Roman numeral or in words.")
        return " ".join(words)

    def random(self, rng: Stream) -> str:
        """A number of one to four digits."""
        return str(rng.below(10 ** rng.between(1, 4)))


def _lowered(text: str) -> str:
    """Superscript digits as plain digits."""
    return "".join(str("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079".index(sign)) for sign in text)
