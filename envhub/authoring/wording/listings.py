"""Ways to print a program in a prompt."""

from __future__ import annotations

from typing import Final

LINES: Final = "The program is given as a list of its lines."
"""Explains :func:`lines` to the reader."""
NUMBERED: Final = "The number and the bar at the start of each line are not part of the program."
"""Explains :func:`numbered` to the reader."""


def fenced(source: str, language: str = "python") -> str:
    """The program in a fenced block."""
    return f"```{language}\n{source}\n```"


def lines(source: str) -> list[str]:
    """The program as a list of lines, for JSON."""
    return source.split("\n")


def numbered(source: str) -> str:
    """The program with a number and a bar before each line."""
    return "\n".join(f"{number:>3} | {line}".rstrip() for number, line in enumerate(lines(source), 1))
