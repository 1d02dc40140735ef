r"""Tables of texts in Markdown, CSV, JSON and LaTeX.

A table is a list of rows of equally many cells, the heading first. Cells are texts without line breaks and without
spaces at their ends. In Markdown, ``|`` is written ``\|``; in LaTeX, each of ``& % $ # _ { }`` has a backslash before
it::

    read_table("markdown", "| a | b |\n|---|---|\n| 1 | x\\|y |")     # [["a", "b"], ["1", "x|y"]]
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

from envhub.generators.documents.formats import read_rows, write_rows
from envhub.generators.documents.strict import NotStrict, read_json

Table = list[list[str]]
FORMATS: Final = ("markdown", "csv", "json", "latex")
_SPECIAL: Final = "&%$#_{}"
_RULE: Final = re.compile(r"\| *:?-{1,60}:? *(?:\| *:?-{1,60}:? *)*\|")
_BEGIN: Final = re.compile(r"\\begin\{tabular\}\{[| ]*+(?:[lcr][| ]*+)+\}")


def read_table(name: str, text: str) -> Table:
    """The rows of a table in a format.

    Raises:
        NotStrict: The text is not such a table.
    """
    rows = [[cell.strip(" ") for cell in row] for row in _READERS[name](text)]
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
        raise NotStrict("it needs a heading and rows of the same length")
    return rows


def write_table(name: str, table: Table) -> str:
    """A table in a format."""
    return _WRITERS[name](table)


def _read_markdown(text: str) -> Table:
    lines = [line.strip() for line in text.strip().split("\n")]
    if len(lines) < 3 or not _RULE.fullmatch(lines[1]):
        raise NotStrict("its second line must consist of |, - and :")
    if lines[1].count("|") != len(_pipes(lines[0])) + 1:
        raise NotStrict("its second line must have as many cells as its heading")
    return [_pipes(line) for line in (lines[0], *lines[2:])]


def _pipes(line: str) -> list[str]:
    if len(line) < 2 or line[0] != "|" or line[-1] != "|" or line.endswith("\\|"):
        raise NotStrict("each of its lines must begin and end with |")
    return list(_split(line[1:-1], "|", "|"))


def _split(text: str, separator: str, escaped: str) -> Iterator[str]:
    """The cells between separators, without the backslashes of escapes."""
    cell: list[str] = []
    signs = iter(text)
    for sign in signs:
        if sign == "\\":
            kept = next(signs, "")
            if not kept or kept not in escaped:
                raise NotStrict("a backslash stands before a character that has no such escape")
            cell.append(kept)
        elif sign == separator:
            yield "".join(cell)
            cell = []
        elif sign in escaped:
            raise NotStrict(f"{sign!r} needs a backslash before it")
        else:
            cell.append(sign)
    yield "".join(cell)


def _write_markdown(table: Table) -> str:
    rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in table]
    return "\n".join([rows[0], "|" + "---|" * len(table[0]), *rows[1:]])


def _read_latex(text: str) -> Table:
    lines = [line.strip() for line in text.strip().split("\n") if line.strip() not in ("", "\\hline")]
    if len(lines) < 2 or not _BEGIN.fullmatch(lines[0]) or lines[-1] != "\\end{tabular}":
        raise NotStrict("it must begin with \\begin{tabular}{...} and end with \\end{tabular}")
    rows = []
    for line in lines[1:-1]:
        if not line.endswith("\\\\"):
            raise NotStrict("each row must end with \\\\")
        rows.append(list(_split(line[:-2], "&", _SPECIAL)))
    columns = sum(sign in "lcr" for sign in lines[0].removeprefix("\\begin{tabular}"))
    if any(len(row) != columns for row in rows):
        raise NotStrict("it must declare as many columns as its rows have")
    return rows


def _write_latex(table: Table) -> str:
    rows = [
        " & ".join("".join(f"\\{s}" if s in _SPECIAL else s for s in cell) for cell in row) + " \\\\" for row in table
    ]
    return "\n".join([f"\\begin{{tabular}}{{{'l' * len(table[0])}}}", rows[0], "\\hline", *rows[1:], "\\end{tabular}"])


def _read_json(text: str) -> Table:
    rows = read_json(text)
    plain = isinstance(rows, list) and all(isinstance(row, dict) for row in rows) and rows
    if not plain or any(list(row) != list(rows[0]) for row in rows):
        raise NotStrict("it must be a list of objects with the same keys in the same order")
    if not all(isinstance(cell, str) for row in rows for cell in row.values()):
        raise NotStrict("each value must be a text")
    return [list(rows[0]), *(list(row.values()) for row in rows)]


def _write_json(table: Table) -> str:
    rows = (json.dumps(dict(zip(table[0], row, strict=True)), ensure_ascii=False) for row in table[1:])
    return "[\n " + ",\n ".join(rows) + "\n]"


_READERS: Final[dict[str, Callable[[str], Table]]] = {
    "markdown": _read_markdown,
    "csv": read_rows,
    "json": _read_json,
    "latex": _read_latex,
}
_WRITERS: Final[dict[str, Callable[[Table], str]]] = {
    "markdown": _write_markdown,
    "csv": write_rows,
    "json": _write_json,
    "latex": _write_latex,
}
