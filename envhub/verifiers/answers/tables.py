r"""Answers that are a table.

Numbered rows of words, such as the houses of a zebra puzzle. Common notation is read: ``House 1:``, bullets, a ruled
table with or without a heading, labels (``Name = Ann``), a JSON object. A number always begins a row. Contradictions
are rejected: a row given twice with different words, a word twice in a row, text before the first row. The verifier
checks which rows and words are expected::

    Table().read("1: Ann, tea\n2: Bob, milk").value         # {1: {"ann": "", "tea": ""}, 2: {"bob": "", "milk": ""}}
    Table().read("House 1: name = Ann, drink = tea").value   # {1: {"ann": "name", "tea": "drink"}}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable
from envhub.verifiers.answers.unwrapping import last_block

_MAX_CHARS: Final = 8_192
_MAX_ROWS: Final = 64
_MAX_WORDS: Final = 64
_HEADS: Final = frozenset({"", "house", "houses", "row", "number", "position"})
_FENCE = re.compile(r"```[a-z]{0,12}")
_DROPPED = re.compile(r"[\"*`#\u201c\u201d]|__")
_RULE = re.compile(r"[-+=|:_\s\u2500-\u257f]+")
_CELLS = re.compile(r"[|,;\t\u2502]")
_TOKEN = re.compile(
    r"(?P<number>[0-9]+)|(?P<separator>[:=]>?|->|\u2192|\bis\b)|(?P<word>[^\W\d_]+)"
    r"|(?P<part>[,;|.\n\t(){}\[\]\u2502\u2013\u2014-])|(?P<space>\s)|(?P<other>.)"
)
_LINE = re.compile(r"[\s|*{\[(\u2502-]{0,16}(?:house\s{0,4})?[\"'*]{0,3}[0-9]{1,2}\b[^<>/?!&\\]{1,400}", re.IGNORECASE)
_HEADING = re.compile(r"[\s|\u2502*]{0,16}(?:house|#|[|\u2502])[^<>/?!&\\0-9]{1,400}", re.IGNORECASE)

Value = dict[int, dict[str, str]]


class _Reader:
    """Collects rows token by token."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[str, str]]] = []
        self.words: list[str] = []  # of the piece being read
        self.label = ""

    def number(self, digits: str) -> None:
        """Start a row."""
        if self.words[-1:] == ["house"]:
            self.words.pop()
        self.label = "" if self.label == "house" and not self.words else self.label
        self.finish_row()
        number = int(digits) if len(digits) <= 3 else _MAX_ROWS + 1
        if number > _MAX_ROWS:
            raise Unreadable(f"row numbers go up to {_MAX_ROWS}, got {digits[:40]}.")
        if self.rows and not self.rows[-1][1]:
            if self.rows[-1][0] != number:
                raise Unreadable(f"row {self.rows[-1][0]} is empty.")
        elif len(self.rows) >= 2 * _MAX_ROWS:
            raise Unreadable("it has too many rows.")
        else:
            self.rows.append((number, {}))

    def finish_label(self) -> None:
        """Treat the text read as a label.

        Ignore it directly after a row's number.
        """
        if self.words:
            if self.label:
                raise Unreadable(f"{self.label[:40]!r} and {self.words[0][:40]!r} are both labels.")
            self.label, self.words = " ".join(self.words), []

    def finish_piece(self) -> None:
        """Treat the text read as words of the row."""
        if not self.words:
            return
        if not self.rows:
            raise Unreadable(f"begin every row with its number, got {self.words[0][:40]!r}.")
        if self.label and len(self.words) > 1:
            raise Unreadable(f"one word can be {self.label[:40]!r}.")
        row = self.rows[-1][1]
        for word in self.words:
            if word in row or len(row) >= _MAX_WORDS:
                raise Unreadable(f"row {self.rows[-1][0]} has {word[:40]!r} twice, or too many words.")
            row[word] = self.label
        self.words, self.label = [], ""

    def finish_row(self) -> None:
        """End the row."""
        self.finish_piece()
        if self.label:
            raise Unreadable(f"nothing is {self.label[:40]!r}.")

    def table(self, heading: list[str]) -> Value:
        """The rows, labelled by the heading if there is one."""
        self.finish_row()
        found: Value = {}
        for number, row in self.rows:
            if heading:
                if len(row) != len(heading) or any(row.values()):
                    raise Unreadable(f"row {number} does not fit the heading.")
                row = dict(zip(row, heading, strict=True))
            if not row:
                raise Unreadable(f"row {number} is empty.")
            if found.setdefault(number, row).keys() != row.keys():
                raise Unreadable(f"row {number} is given twice.")
        if not found:
            raise Unreadable("it has no rows.")
        return found


@dataclass(frozen=True)
class Table(AnswerType):
    """Numbered rows of words.

    Its value is, for each row, its words in lower case with their labels ("" for none). Rows begin with their number;
    commas, semicolons, bars, dashes or spaces separate words, whose order does not matter. A label precedes its word,
    with a colon, "=" or "is", or in a heading.
    """

    noun: ClassVar[str] = "one line a row, its number and then its words,"
    example: ClassVar[str] = "1: alpha, beta\n2: gamma, delta"

    def parse(self, text: str) -> Value:
        """The rows in a span."""
        if len(text) > _MAX_CHARS:
            raise Unreadable("it is too long.")
        lines = _DROPPED.sub("", _FENCE.sub("", text.casefold())).strip().splitlines()
        lines = [line for line in lines if not _RULE.fullmatch(line)]
        heading = _heading(lines[0]) if lines else []
        reader = _Reader()
        for token in _TOKEN.finditer("\n".join(lines[1:] if heading else lines)):
            shown = token.group()
            match token.lastgroup:
                case "number":
                    reader.number(shown)
                case "separator":
                    reader.finish_label()
                case "word":
                    reader.words.append(shown)
                case "part":
                    reader.finish_piece()
                case "other":
                    raise Unreadable(f"a table holds words and numbers only, got {shown!r}.")
        return reader.table(heading)

    def same(self, one: Any, other: Any) -> bool:
        """Whether two tables have equal words in equal rows, ignoring labels."""
        return {n: set(row) for n, row in one.items()} == {n: set(row) for n, row in other.items()}

    def near(self, text: str, rng: Stream) -> str:
        """The same table with one or two swaps between rows.

        Each swaps a column's words.
        """
        rows = [(number, list(row)) for number, row in self.parse(text).items()]
        for _ in range(1 + rng.below(2)):
            (_, one), (_, other) = rng.choice(rows), rng.choice(rows)
            at = rng.below(min(len(one), len(other)))
            one[at], other[at] = other[at], one[at]
        return "\n".join(f"{number}: {', '.join(row)}" for number, row in rows)

    def tail(self, text: str) -> str:
        """The last lines that look like rows; else the last line."""
        lines = text.rstrip().splitlines()
        kept: list[str] = []
        for line in reversed(lines[-4 * _MAX_ROWS :]):
            rows = len(line) <= _MAX_CHARS and (_LINE.fullmatch(line) or _RULE.fullmatch(line))
            if not rows and not (kept and _HEADING.fullmatch(line[:_MAX_CHARS])):
                break
            kept.append(line)
        return "\n".join(reversed(kept)) if kept else last_block(text) or (lines[-1] if lines else "")

    def wrap(self, text: str) -> str:
        """The table on lines of its own."""
        return super().wrap(f"\n{text}\n" if self.form == "tag" else text)

    def random(self, rng: Stream) -> str:
        """Rows of random, possibly unknown, words."""
        words = ["alpha", "beta", "gamma", "delta"]
        rng.shuffle(words)
        return f"1: {words[0]}, {words[1]}\n2: {words[2]}, {words[3]}"


def _heading(line: str) -> list[str]:
    """The labels of a heading.

    Empty if the line is not a heading.
    """
    if any(c.isdigit() for c in line):
        return []
    cells = [cell.strip() for cell in _CELLS.split(line.strip().removesuffix("|").removeprefix("|"))]
    if len(cells) == 1:
        cells = cells[0].split()
    return cells[1:] if len(cells) > 1 and cells[0] in _HEADS and all(cells[1:]) else []
