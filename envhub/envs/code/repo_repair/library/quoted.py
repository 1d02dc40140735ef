"""Rows whose values are separated by commas."""

from __future__ import annotations


def quote(value: str) -> str:
    """A value as it is written in a file.

    A value with a comma, a quotation mark, the sign # or a space at one of its ends is put in quotation marks, and each
    quotation mark in it is doubled. The end of a line is written as a bar.
    """
    shown = value.replace("\n", "|")
    if "," in shown or '"' in shown or "#" in shown or shown != shown.strip():
        return '"' + shown.replace('"', '""') + '"'
    return shown


def join_row(values: list[str]) -> str:
    """A line of a file: the values, quoted where necessary, with commas between them."""
    return ",".join(quote(value) for value in values)


def split_row(line: str) -> list[str]:
    """The values of a line.

    Commas inside quotation marks belong to the value, two quotation marks inside them are one, and a bar is the end of a
    line. Spaces around a value without quotation marks are dropped.
    """
    values, current, previous = [], "", ""
    inside = quoted = False
    for letter in line + ",":
        if letter == '"':
            if not inside and previous == '"':
                current += '"'
            inside, quoted = not inside, True
        elif letter == "," and not inside:
            values.append((current if quoted else current.strip()).replace("|", "\n"))
            current, quoted = "", False
        else:
            current += letter
        previous = letter
    return values
