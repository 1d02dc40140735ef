"""Rows whose values are separated by tabs."""

from __future__ import annotations


def encode(value: str) -> str:
    """A value as it is written in a file: %25 for a percent sign, %09 for a tab, %0A for the end of a line."""
    return value.replace("%", "%25").replace("\t", "%09").replace("\n", "%0A")


def decode(value: str) -> str:
    """The value that is written like this: % and two hexadecimal digits are the letter with this code."""
    first, *rest = value.split("%")
    return first + "".join(chr(int(piece[:2], 16)) + piece[2:] for piece in rest)


def join_row(values: list[str]) -> str:
    """A line of a file: the values, encoded, with tabs between them."""
    return "\t".join(encode(value) for value in values)


def split_row(line: str) -> list[str]:
    """The values of a line, decoded."""
    return [decode(value) for value in line.split("\t")]
