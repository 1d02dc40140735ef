"""Files with one line for each row, below a line with the names of the columns."""

from __future__ import annotations

from envhub.envs.code.repo_repair.library.pipes import join_row, split_row


def is_content(line: str) -> bool:
    """Whether a line of a file counts: it is neither empty nor a comment, which starts with the sign #."""
    return line.strip() != "" and not line.startswith("#")


def read_rows(text: str) -> list[dict[str, str]]:
    """The rows of a file: for each, its values by column.

    The first line that counts names the columns, in any order. A value that is missing at the end of a row is empty.
    """
    header, *lines = [split_row(line) for line in text.split("\n") if is_content(line)]
    return [dict(zip(header, values + [""] * (len(header) - len(values)))) for values in lines]


def write_rows(columns: list[str], rows: list[dict[str, str]]) -> str:
    """The file with these columns and rows, each line with its end."""
    lines = [join_row(columns), *(join_row([row[column] for column in columns]) for row in rows)]
    return "".join(line + "\n" for line in lines)
