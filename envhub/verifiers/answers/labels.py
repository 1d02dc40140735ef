"""Answers that assign labels to names.

Common decoration is read (bullets, emphasis, quotes, a JSON object); contradictions are rejected: no label, an unknown
label, a name with two labels. The verifier checks which names the problem asks for::

    Labels(("knight", "knave")).read("Ann is a knight; Bob: knave").value    # {"ann": "knight", "bob": "knave"}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable
from envhub.verifiers.answers.unwrapping import last_block

_MAX_CHARS: Final = 8_192
_MAX_NAMES: Final = 64
_FENCE = re.compile(r"```[a-z]{0,12}")
_RULE = re.compile(r"[-+=|:_\s]+")
_BULLET = re.compile(r"(?:[-*\u2022+]|[0-9]{1,2}[.)](?=\s))\s{0,8}")


def _clean(text: str) -> str:
    """The text without fences, emphasis, quotes and typographic spaces, in lower case."""
    if len(text) > _MAX_CHARS:
        raise Unreadable("it is too long.")
    text = _FENCE.sub("", text.casefold())
    for delimiter in ("**", "__", "`", '"', "\u201c", "\u201d"):
        text = text.replace(delimiter, "")
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def _unlisted(piece: str) -> str:
    """A piece without its bullet or number and its full stop."""
    piece = piece.strip()
    bullet = _BULLET.match(piece)
    if bullet:
        piece = piece[bullet.end() :]
    return piece.rstrip(".").rstrip()


def _lines_at_the_end(text: str, shape: re.Pattern[str]) -> str:
    """The last lines that match a pattern; else the last line."""
    kept: list[str] = []
    lines = text.rstrip().splitlines()
    for line in reversed(lines[-2 * _MAX_NAMES :]):
        plain = line.strip()
        if (not plain and kept) or len(plain) > _MAX_CHARS or not shape.fullmatch(_unlisted(plain.replace("*", ""))):
            break
        kept.append(plain)
    return "\n".join(reversed(kept)) if kept else last_block(text) or (lines[-1] if lines else "")


@dataclass(frozen=True)
class Labels(AnswerType):
    """One label for each name: ``Ann: knight, Bob: knave``.

    Its value is a ``dict`` from name to label, in lower case. The order does not matter. Commas, semicolons, new lines
    or "and" may separate pairs; name and label by a colon, "=", "is", "is a" or an arrow. A name is one word of
    letters.

    Attributes:
        labels: The allowed labels.
    """

    labels: tuple[str, ...] = ("yes", "no")
    noun: ClassVar[str] = "a list of everybody with a label, separated by commas,"
    example: ClassVar[str] = "Xenia: yes, Yorick: no"

    _PAIR: ClassVar[re.Pattern[str]] = re.compile(
        r"([^\W\d_]{1,40})(?:\s{0,4}(?::|=>|=|->|\u2192|\u2013|-|\|)\s{0,4}|\s{1,4}is\s{1,4})(?:(?:is\s{1,4})?an?\s{1,4})?([^\W\d_]{1,40})"
    )
    _PARTS: ClassVar[re.Pattern[str]] = re.compile(r"[,;\n]")
    _LINE: ClassVar[re.Pattern[str]] = re.compile(
        r"[{\[|]?(?:[^,;:=\n]{1,60}(?::|=|\bis\b|->|\u2192|\||\s-\s)[^,;:=\n]{1,60}(?:[,;]|$)\s{0,4}){1,64}[}\]|]?"
    )

    def parse(self, text: str) -> dict[str, str]:
        """The labels in a span."""
        text = _clean(text).strip()
        if text[:1] + text[-1:] in ("{}", "[]", "()"):
            text = text[1:-1]
        found: dict[str, str] = {}
        for part in self._PARTS.split(text):
            piece = _unlisted(part).strip("|").strip()
            if piece.startswith("and "):
                piece = piece[4:].lstrip()
            if not piece or _RULE.fullmatch(piece):
                continue
            for pair in piece.split(" and "):
                self._take(pair.strip(), found)
        if not found:
            raise Unreadable("it names nobody.")
        return found

    def _take(self, pair: str, found: dict[str, str]) -> None:
        match = self._PAIR.fullmatch(pair)
        if match is None:
            raise Unreadable(f"write 'name: label', got {pair[:40]!r}.")
        name, label = match[1], match[2]
        if label not in self.labels:
            raise Unreadable(f"a label is one of {', '.join(self.labels)}, got {label[:40]!r}.")
        if found.setdefault(name, label) != label:
            raise Unreadable(f"{name} is given two labels.")
        if len(found) > _MAX_NAMES:
            raise Unreadable(f"it has more than {_MAX_NAMES} names.")

    def near(self, text: str, rng: Stream) -> str:
        """The same names with other labels."""
        found = self.parse(text)
        changed = {name: rng.choice(self.labels) if rng.below(2) else label for name, label in found.items()}
        return ", ".join(f"{name}: {label}" for name, label in changed.items())

    def tail(self, text: str) -> str:
        """The last lines that look like labels."""
        return _lines_at_the_end(text, self._LINE)

    def random(self, rng: Stream) -> str:
        """Labels for random, possibly unknown, names."""
        return ", ".join(f"{name}: {rng.choice(self.labels)}" for name in ("Xenia", "Yorick"))
