"""Requirements on the hidden databases, and the comparison of rows.

Some wrong answers change the right rows, not the query: only the first rows, a column negated, rounded, without its
NULLs, in lower case. They fail where the right rows contain what they lose, so the databases must show such values.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from envhub.envs.code.sql import world
from envhub.envs.code.sql.questions import Question
from envhub.verifiers.code.rows import alike

__all__ = ["MOST_ROWS", "alike", "needed", "same_on", "shown"]

MOST_ROWS: Final = 10
"""Maximum number of rows after which a truncated answer must fail."""


def needed(question: Question) -> set[str]:
    """Everything that the right rows must show on some database.

    Named as in :func:`shown`.
    """
    wanted = {"rows"} | ({"repeats"} if question.repeats else set())
    for at, contents in enumerate(question.columns):
        wanted |= {
            f"{letter} {at}"
            for letter in {"k": "vn", "n": "vn", "s": "n", "r": "vnf", "t": "vu"}[contents[0]] + contents[1:]
        }
    return wanted


def shown(question: Question, rows: list[list[Any]]) -> set[str]:
    """Properties of rows: many rows, repeated rows, and properties of each column.

    Values differ (``v``); one is not 0 (``n``), a long fraction (``f``), a text with capitals (``u``), NULL (``?``), 0 (``0``),
    negative (``-``).
    """
    found = {"rows"} if len(rows) >= MOST_ROWS else set()
    found |= {"repeats"} if len({tuple(row) for row in rows}) < len(rows) else set()
    for at in range(len(question.columns)):
        values = [row[at] for row in rows]
        known = [value for value in values if value is not None]
        numbers = [value for value in known if not isinstance(value, str)]
        properties = {
            "v": len(set(known)) > 1,
            "n": any(numbers),
            "f": any(abs(round(value, 3) - value) > 1e-4 for value in numbers),
            "u": any(isinstance(value, str) and value != value.lower() for value in known),
            "?": None in values and bool(known),
            "0": 0 in numbers,
            "-": any(value < 0 for value in numbers),
        }
        found |= {f"{letter} {at}" for letter, holds in properties.items() if holds}
    return found


def same_on(connection: sqlite3.Connection, query: str, right: list[list[Any]], question: Question) -> bool:
    """Whether a query returns the right rows on a database.

    False if it fails.
    """
    try:
        return alike(world.run(connection, query), right, question.order)
    except sqlite3.Error:
        return False
