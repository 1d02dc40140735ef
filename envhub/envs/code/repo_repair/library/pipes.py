"""Rows whose values are separated by bars."""

from __future__ import annotations


def escape(value: str) -> str:
    r"""A value as it is written in a file: \\ for a backslash, \p for a bar, \n for the end of a line."""
    return value.replace("\\", "\\\\").replace("|", "\\p").replace("\n", "\\n")


def unescape(value: str) -> str:
    r"""The value that is written like this: \\ is a backslash, \p a bar, \n the end of a line."""
    found, escaped = "", False
    for letter in value:
        if escaped:
            found += {"p": "|", "n": "\n"}.get(letter, letter)
            escaped = False
        elif letter == "\\":
            escaped = True
        else:
            found += letter
    return found


def join_row(values: list[str]) -> str:
    """A line of a file: the values, escaped, with bars between them."""
    return "|".join(escape(value) for value in values)


def split_row(line: str) -> list[str]:
    """The values of a line, without escapes."""
    return [unescape(value) for value in line.split("|")]
