"""The answer type of geometry-v0: one exact number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from envhub.verifiers.answers.exact import Exact
from envhub.verifiers.answers.typed import Given
from envhub.verifiers.answers.types import Unreadable
from envhub.verifiers.math.tree import App, Num, Sym, Tree

_NAME: Final = re.compile(
    r"(?=.*[a-z\u03b1-\u03c9\u2220\u25b3])"
    r"(?:(?:m\s?)?(?:\\?angle|\u2220)|\\?triangle|\u25b3|(?:the|area|length|measure|size|segment|side|of)\b|S_|\[|\|"
    r"|\\overline|\\text|\{|\}|\(|\)|\]|\s)*"
    r"(?:(?:[A-Za-z]{1,4}|[\u03b1-\u03c9]|\\(?:alpha|beta|gamma|theta|(?:var)?phi))[\])|}\s]*)?",
    re.IGNORECASE,
)
_DEGREES: Final = re.compile(
    r"(?:\u00b0|\\?degrees?|deg\.?|\^\s?\{?\s?\\circ\s?\}?|\^\s?o|\u00ba|\u02da)\s*", re.IGNORECASE
)
_UNITS: Final = re.compile(r"(square |sq\.? )?units?(\^2|\^\{2\}|\u00b2)?\s*", re.IGNORECASE)
_KNOWN_WORDS: Final = re.compile(r"\\[A-Za-z]+|sqrt")
_PLAINLY: Final = "write one number with fractions and sqrt() only, without other words or units."
_OPERATIONS: Final = frozenset(("+", "*", "^", "inv", "-", "neg", "/"))


@dataclass(frozen=True)
class Magnitude(Exact):
    """A number made of integers, fractions, decimals and square roots.

    ``AB = 7``, ``37 degrees`` and ``12 square units`` are read; :meth:`unit` says which unit was written.
    """

    def named(self, text: str) -> tuple[str, str]:
        """The name before a value, and the value."""
        head, sign, value = text.partition("=")
        return (head.strip(), value.strip()) if sign and _NAME.fullmatch(head) else ("", text)

    def parse(self, text: str) -> Given:
        """The number in a span."""
        _, value = self.named(text)
        for unit in (_DEGREES, _UNITS):
            found = next((match for match in unit.finditer(value) if match.end() == len(value)), None)
            if found is not None and found.start() > 0:
                value = value[: found.start()]
                break
        try:
            given = super().parse(value)
        except Unreadable:
            if any(map(str.isalpha, _KNOWN_WORDS.sub("", value))):
                raise Unreadable(_PLAINLY) from None
            raise
        if not _is_plain(given.value):
            raise Unreadable(_PLAINLY)
        return Given(text, given.value)

    def unit(self, given: Given) -> str:
        """The unit of an answer: degrees, units, square units, or nothing."""
        if any(match.end() == len(given.text) for match in _DEGREES.finditer(given.text)):
            return "degrees"
        for match in _UNITS.finditer(given.text):
            if match.end() == len(given.text):
                return "square units" if match[1] or match[2] else "units"
        return ""

    def compare(self, one: Given, other: Given) -> bool | None:
        """Whether two answers are equal; None if that is undecided."""
        return super().compare(Given("", one.value), Given(" ", other.value))


def _is_plain(tree: Tree) -> bool:
    """Whether a tree has nothing but numbers, arithmetic, and square roots."""
    if isinstance(tree, Num):
        return True
    if isinstance(tree, Sym) or not isinstance(tree, App) or tree.op not in _OPERATIONS:
        return False
    return all(map(_is_plain, tree.args))
