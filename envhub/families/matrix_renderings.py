"""Renderings of matrices: rows, LaTeX, JSON; held out: rows separated by semicolons."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envhub.authoring.wording import Variants

Rows = Sequence[Sequence[Any]]


def matrices(parts: Callable[[Any], Mapping[str, Rows]]) -> Variants[Callable[[Any], str]]:
    """Renderings of named matrices of integers."""

    def in_rows(problem: Any) -> str:
        return "\n".join(f"{name} =\n{aligned(rows)}" for name, rows in parts(problem).items())

    def in_latex(problem: Any) -> str:
        return "\n".join(f"\\[ {name} = {latex(rows)} \\]" for name, rows in parts(problem).items())

    def as_json(problem: Any) -> str:
        return json.dumps(dict(parts(problem)))

    def on_one_line(problem: Any) -> str:
        note = "A semicolon separates two rows."
        return "\n".join([note, *(f"{name} = [{_joined(rows)}]" for name, rows in parts(problem).items())])

    return Variants(in_rows, in_latex, as_json, held_out=on_one_line, name="data")


def aligned(rows: Rows) -> str:
    """One row per line, the columns aligned to the right."""
    width = max(len(str(one)) for row in rows for one in row)
    return "\n".join(" ".join(str(one).rjust(width) for one in row) for row in rows)


def latex(rows: Rows) -> str:
    """A matrix in round brackets."""
    return "\\begin{pmatrix} " + " \\\\ ".join(" & ".join(map(str, row)) for row in rows) + " \\end{pmatrix}"


def listed(rows: Rows) -> str:
    """A list of rows: ``[[1, 2/3], [0, 1]]``."""
    return "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in rows) + "]"


def _joined(rows: Rows) -> str:
    return "; ".join(" ".join(map(str, row)) for row in rows)
