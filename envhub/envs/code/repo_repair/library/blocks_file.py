"""Files with one line for each value, and an empty line between rows."""

from __future__ import annotations


def fold(value: str) -> str:
    """A value on one line or more: each further line of the value starts with two spaces and a dot."""
    return value.replace("\n", "\n  .")


def pairs_of(text: str) -> list[list[str]]:
    """Name and value of each line of a file in order; an empty line gives an empty name.

    A line that starts with two spaces and a dot continues the value before it on a new line. A comment, which starts with
    the sign #, is skipped.
    """
    pairs: list[list[str]] = []
    for line in text.split("\n"):
        if line.startswith("  .") and pairs:
            pairs[-1][1] += "\n" + line[3:]
        elif not line.startswith("#"):
            name, _, value = line.partition(":")
            pairs.append([name.strip(), value.strip()])
    return pairs


def read_rows(text: str) -> list[dict[str, str]]:
    """The rows of a file: for each, its values by name. Rows without any value do not count."""
    rows: list[dict[str, str]] = [{}]
    for name, value in pairs_of(text):
        if name == "":
            rows.append({})
        else:
            rows[-1][name] = value
    return [row for row in rows if row]


def write_rows(columns: list[str], rows: list[dict[str, str]]) -> str:
    """The file with these rows: a line for each value that is not empty, in the order of the columns.

    An empty line follows each row.
    """
    blocks = ["".join(f"{name}: {fold(row[name])}\n" for name in columns if row[name] != "") for row in rows]
    return "".join(block + "\n" for block in blocks)
