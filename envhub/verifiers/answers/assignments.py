r"""Answers that assign exact values to named unknowns.

Several values of one name are several solutions, such as the two roots of an equation; the verifier decides which names
and how many values are expected. Common notation around values is read (sets, JSON, LaTeX, ``or`` between roots, a
chain of equal forms); everything else is rejected, so no remark, negation or interval is read as a value::

    Assignments().read("x = 1/2, y = -3").value                # {"x": frozenset({1/2}), "y": frozenset({-3})}
    Assignments().read(r"x = 2 \text{ or } x = -3").value      # {"x": frozenset({2, -3})}
    Assignments().read("6/8 = 3/4").value                      # {"": frozenset({3/4})}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.extraction import last_line
from envhub.verifiers.answers.types import AnswerType, Rational, Unreadable
from envhub.verifiers.answers.unwrapping import last_block, undecorated

_MAX_CHARS: Final = 2048
_MAX_PIECES: Final = 64
_MAX_LINES: Final = 32

# In this order. Removed text leaves a space: "2**3" must not become 23.
_PLAIN: Final = (
    ("\\\\", "\n"), ("\\{", "{"), ("\\}", "}"), ("\\(", " "), ("\\)", " "), ("\\[", " "), ("\\]", " "),
    ("\\qquad", " "), ("\\quad", " "), ("\\left", " "), ("\\right", " "), ("\\,", " "), ("\\;", " "), ("\\!", " "),
    ("\\ ", " "), ("\\pm", "\u00b1"), ("\\lor", " or "), ("\\vee", " or "), ("\u2228", " or "), ("\\in", "\u2208"),
    ("$", " "), ("&", " "), ("`", " "), ('"', " "), ("'", " "), ("**", " "),
)  # fmt: skip
_SUBSCRIPTS: Final = {0x2080 + digit: f"_{digit}" for digit in range(10)}
_WORDS = re.compile(r"\\(?:text|mathrm|mbox)\s{0,2}\{\s{0,4}(or|and)\s{0,4}\}")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s{0,2}\{(?:cases|aligned|array|gathered)\}")
_FRAC = re.compile(
    r"\\[dt]?frac\s{0,2}\{\s{0,2}([-+\u2212]?[0-9]+)\s{0,2}\}\s{0,2}\{\s{0,2}([-+\u2212]?[0-9]+)\s{0,2}\}"
)
_THOUSANDS = re.compile(r"[0-9],[0-9]{3}(?![0-9])")
_LEAD = re.compile(r"(?:the\s)?(?:only\s)?(?:solutions?|roots?)(?:\sset)?(?:\s(?:is|are)|\s?:)\s")
_BULLET = re.compile(r"(?:[*\u2022]|[0-9]{1,2}[.)])\s{1,4}(?=[a-z])")
_NAME: Final = r"([a-z])(?:_?\{?([0-9]{1,2})\}?)?"
_NAMED = re.compile(_NAME + r"\s{0,4}(?::?=|:|\bis\s)(.*)", re.DOTALL)
_LISTED = re.compile(  # a set; "x \u2208 [2, 3]" would be an interval
    r"([a-z])\s{0,4}(?:[=:]\s{0,4}\[([^\[\]{}()=:]*)\]|[=:\u2208]\s{0,4}\{([^\[\]{}()=:]*)\})"
)
_TUPLES = re.compile(r"\(([a-z\s,]{1,80})\)\s{0,4}=\s{0,4}\(([^()=:]*)\)")
_PARTED = re.compile(r"([,;\n]|\bor\b|\band\b)")


def _plain(text: str) -> str:
    """The text in lower case without known LaTeX, quotes and emphasis."""
    text = text.casefold().translate(_SUBSCRIPTS)
    text = _ENVIRONMENT.sub(" ", _WORDS.sub(r" \1 ", _FRAC.sub(r" \1/\2 ", text)))
    for old, new in _PLAIN:
        text = text.replace(old, new)
    if _THOUSANDS.search(text):
        raise Unreadable("put a space after a comma between values, and write thousands without a comma.")
    text = text.strip()
    lead = _LEAD.match(text)
    if lead:
        text = text[lead.end() :].strip()
    lines = [line.strip() for line in text.splitlines()]
    if len(lines) > 1 and all(line.startswith("- ") for line in lines):  # a single "- x = 2" is a statement about -x
        text = "\n".join(line[2:] for line in lines)
    return text


@dataclass(frozen=True)
class Assignments(AnswerType):
    """Values by name: ``x = 1/2, y = -3``.

    Its value is a ``dict`` from name to the ``frozenset`` of its values. A name is one letter, whatever its case; a
    subscript (``x_1 = 2, x_2 = 5``) only numbers the values of a name. Numbers without a name are stored under the
    empty name. Order does not matter, and an equal value may be repeated.

    Attributes:
        max_digits: Maximum digits of a value.
    """

    max_digits: int = 100
    noun: ClassVar[str] = "a comma-separated list of values by name"
    example: ClassVar[str] = "u = 17/3, v = -5"

    def parse(self, text: str) -> dict[str, frozenset[Fraction]]:
        """The values in a span."""
        if len(text) > _MAX_CHARS:
            raise Unreadable("it is too long.")
        text = _plain(text)
        if text[:1] + text[-1:] in ("{}", "[]"):
            text = text[1:-1].strip()
        tuples, listed = _TUPLES.fullmatch(text), _LISTED.fullmatch(text)
        if tuples:
            return self._tuple(tuples[1].split(","), tuples[2].split(","))
        if listed:
            text = f"{listed[1]} = {listed[2] or listed[3]}"
        found: dict[str, set[Fraction]] = {}
        name = ""
        for names, value, alternative in self._pieces(text):
            if names and alternative and names[0] != name[:1]:
                raise Unreadable("'or' stands only between values of the same unknown.")
            name = names or name
            values = found.setdefault(name, set())
            values |= self._values(value)
            if len(name) > 1 and len(values) > 1:
                raise Unreadable(f"{name} is given two values.")
        return _by_letter(found)

    def _pieces(self, text: str) -> list[tuple[str, str, bool]]:
        """Name, value and whether "or" precedes it, for each piece.

        Unnamed pieces have an empty name.
        """
        pieces: list[tuple[str, str, bool]] = []
        words: list[str] = []  # since the last piece
        parts = _PARTED.split(text)
        if len(parts) > 2 * _MAX_PIECES:
            raise Unreadable("it has too many parts.")
        for part in parts:
            piece = part.strip()
            if part in ("or", "and"):
                words.append(part)
            elif piece and piece not in ",;":
                if words and (len(words) > 1 or not pieces):
                    raise Unreadable("a value is missing.")
                piece = piece.removesuffix(".")
                bullet = _BULLET.match(piece)
                named = _NAMED.fullmatch(piece[bullet.end() :] if bullet else piece)
                name = f"{named[1]}{named[2] or ''}" if named else ""
                pieces.append((name, named[3] if named else piece, "or" in words))
                words = []
        if words or not pieces:
            raise Unreadable("a value is missing.")
        return pieces

    def _values(self, text: str) -> set[Fraction]:
        """The value of a chain of equal numbers.

        Two values after a plus-minus sign.
        """
        forms = []
        for part in text.split("="):
            number = part.strip()
            both = number.startswith("\u00b1")
            value = Rational(max_digits=self.max_digits).parse(number[1:].strip() if both else number)
            forms.append({value, -value} if both else {value})
        if any(form != forms[0] for form in forms):
            raise Unreadable("what an equals sign joins is not exactly equal.")
        return forms[0]

    def _tuple(self, names: list[str], values: list[str]) -> dict[str, frozenset[Fraction]]:
        letters = [name.strip() for name in names]
        if len(letters) != len(values) or len(set(letters)) != len(letters) or any(len(name) != 1 for name in letters):
            raise Unreadable("there are not as many values as different names.")
        return {name: frozenset(self._values(value)) for name, value in zip(letters, values, strict=True)}

    def same(self, one: Any, other: Any) -> bool:
        """Equal; a number without a name matches any name."""
        if one == other:
            return True
        return len(one) == len(other) == 1 and "" in {**one, **other} and [*one.values()] == [*other.values()]

    def tail(self, text: str) -> str:
        """The last lines that give values by name; else the last line."""
        kept: list[str] = []
        for line in reversed(text.rstrip().splitlines()[-_MAX_LINES:]):
            bare = undecorated(line) if len(line) <= _MAX_CHARS else ""
            try:
                named = bool(bare) and "" not in self.parse(bare)
            except Unreadable:
                named = False
            if not named:
                break
            kept.append(bare)
            if len(bare) + 1 < len(line.strip().strip("$*`")):  # "The answer is ..." is the whole answer
                break
        return "\n".join(reversed(kept)) if kept else last_block(text) or last_line(text)

    def random(self, rng: Stream) -> str:
        """One small fraction for x."""
        return f"x = {rng.between(-20, 20)}/{rng.between(1, 20)}"


def _by_letter(found: dict[str, set[Fraction]]) -> dict[str, frozenset[Fraction]]:
    """Merge values of ``x1`` and ``x2`` under ``x``."""
    letters: dict[str, frozenset[Fraction]] = {}
    for name, values in found.items():
        letters[name[:1]] = letters.get(name[:1], frozenset()) | values
    return letters
