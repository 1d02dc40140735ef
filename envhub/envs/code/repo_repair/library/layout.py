"""Text of reports."""

from __future__ import annotations


def widths(rows: list[list[str]]) -> list[int]:
    """The length of the longest text of each column; all rows have the same number of columns."""
    return [max(len(text) for text in texts) for texts in zip(*rows)]


def aligned(rows: list[list[str]]) -> list[str]:
    """The rows as lines in columns with two spaces between them.

    The first column is aligned to the left, the others to the right. No line ends with a space.
    """
    wide = widths(rows)
    lines = []
    for first, *rest in rows:
        cells = [first.ljust(wide[0]), *(text.rjust(width) for text, width in zip(rest, wide[1:]))]
        lines.append("  ".join(cells).rstrip())
    return lines


def shortened(text: str, most: int) -> str:
    """The first line of a text, cut to a number of letters; three dots at its end show that something is missing."""
    line = text.split("\n")[0]
    if len(text) <= most and line == text:
        return text
    return line[: most - 3] + "..."
