r"""The answer type of grids: rows of small integers.

::

    Grid().read("<answer>1 2\n2 1</answer>").value    # ((1, 2), (2, 1))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable


@dataclass(frozen=True)
class Grid(AnswerType):
    """Rows of small integers.

    Its value is a tuple of equally long tuples of ``int``.
    Cells may be separated by spaces, commas, semicolons or bars, or by nothing; ruled lines, brackets and a code fence
    are ignored.
    """

    max_side: int = 64
    digits: bool = False  # every cell is one digit, regardless of grouping
    noun: ClassVar[str] = "a grid, one row per line, cells separated by spaces,"
    example: ClassVar[str] = "1 2 3\n2 3 1"

    _RULE: ClassVar[re.Pattern[str]] = re.compile(r"[-+=|:_\s\[\],\u2500-\u257f]*|```[a-zA-Z]{0,12}")
    _ROW: ClassVar[re.Pattern[str]] = re.compile(r"[0-9\s,;|\[\](){}\u2500-\u257f]+")
    _CELL: ClassVar[re.Pattern[str]] = re.compile(r"[0-9]+")

    def parse(self, text: str) -> tuple[tuple[int, ...], ...]:
        """The rows in a span."""
        if len(text) > self.max_side**2 * 12:
            raise Unreadable("it is too long.")
        rows = [row for line in self._lines(text) for row in self._rows(line)]
        if not rows:
            raise Unreadable("it has no rows.")
        if len(rows) > self.max_side or max(map(len, rows)) > self.max_side:
            raise Unreadable(f"it has more than {self.max_side} rows or columns.")
        if len({len(row) for row in rows}) != 1:
            raise Unreadable("its rows are not equally long.")
        return tuple(rows)

    def tail(self, text: str) -> str:
        """The last lines that look like rows."""
        kept: list[str] = []
        for line in reversed(text.rstrip().splitlines()):
            line = line.strip()
            if (not line and kept) or not (self._ROW.fullmatch(line) or self._RULE.fullmatch(line)):
                break
            kept.append(line)
        return "\n".join(reversed(kept))

    def wrap(self, text: str) -> str:
        """The grid on lines of its own."""
        return super().wrap(f"\n{text}\n" if self.form == "tag" else text)

    def random(self, rng: Stream) -> str:
        """A square of random digits of a common side."""
        side = rng.choice((4, 6, 9))
        return "\n".join(" ".join(str(rng.between(1, side)) for _ in range(side)) for _ in range(side))

    def _lines(self, text: str) -> list[str]:
        lines = [line.strip().replace("\\\\", "").replace("&", " ") for line in text.splitlines()]
        return [line for line in lines if not self._RULE.fullmatch(line)]

    def _rows(self, line: str) -> list[tuple[int, ...]]:
        if not self._ROW.fullmatch(line):
            raise Unreadable(f"a row holds only numbers, got {line[:40]!r}.")
        parts = re.split(r"\]\s*(?:,\s*)?\[", line)  # a JSON list may be on one line
        return [self._cells(part) for part in parts]

    def _cells(self, part: str) -> tuple[int, ...]:
        cells = self._CELL.findall(part)
        if not cells:
            raise Unreadable("a row is empty.")
        if self.digits:
            return tuple(map(int, "".join(cells)))
        if len(cells) == 1 and len(cells[0]) > 1:
            return tuple(map(int, cells[0]))
        if any(len(cell) > 4 for cell in cells):
            raise Unreadable("a cell has more than four digits.")
        return tuple(map(int, cells))
