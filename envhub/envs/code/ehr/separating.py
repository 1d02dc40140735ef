"""Hidden databases on which every near miss of a query fails.

They are drawn with what the question is about made frequent. A database is kept if it refutes a near miss that the earlier ones
did not; a question whose near misses survive all attempts is given up. So a right number by chance, a constant, a forgotten
condition and a wrong bound all fail on some database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.ehr.database import hidden, run
from envhub.envs.code.ehr.questions import Question
from envhub.envs.code.ehr.templates import near_misses, right
from envhub.verifiers.code.rows import alike

DATABASES: Final = 6
"""Minimum number of hidden databases."""
_SIZES: Final = (40, 25, 60, 40, 80, 60, 15, 60, 100, 60, 80, 120, 60, 100)
_DISTINCT: Final = 3
"""Minimum number of different right answers."""
_STEPS: Final = 30_000
"""Thousands of SQLite instructions that a near miss may take."""


@dataclass(frozen=True, slots=True)
class Databases:
    """Hidden databases and what is right on them.

    Attributes:
        drawn: Seed and number of patients of each.
        rows: The right rows on each.
        wrong: The near misses, each refuted by one of them.
    """

    drawn: list[list[Any]]
    rows: list[list[list[Any]]]
    wrong: list[str]


def separate(rng: Stream, question: Question, *, mixed: bool) -> Databases | None:
    """Databases on which each near miss fails; None after too many attempts."""
    query, wrong = right(question.template), list(near_misses(question.template))
    left = wrong
    found: list[tuple[list[Any], list[list[Any]]]] = []
    spare: list[tuple[list[Any], list[list[Any]]]] = []
    for number, size in enumerate(_SIZES, 1):
        seed = f"{rng.bits(128):032x}"
        connection = hidden(seed, size, mixed, question.focus)
        rows = run(connection, query)
        if not rows or any(cell is None for row in rows for cell in row):
            connection.close()
            continue
        still = [each for each in left if _same(connection, each, rows, question.order)]
        connection.close()
        (found if len(still) < len(left) else spare).append(([seed, size], rows))
        left = still
        if (number == 4 and len(left) > len(wrong) // 2) or (number == 8 and len(left) > 3):
            return None
        several = len({repr(rows) for _, rows in found + spare}) >= _DISTINCT
        if not left and several and len(found) + len(spare) >= DATABASES:
            kept = found + spare[: max(0, DATABASES - len(found))]
            if len({repr(rows) for _, rows in kept}) < _DISTINCT:
                continue
            return Databases([drawn for drawn, _ in kept], [rows for _, rows in kept], wrong)
    return None


def _same(connection: sqlite3.Connection, query: str, rows: list[list[Any]], order: Sequence[int]) -> bool:
    try:
        return alike(run(connection, query), rows, order)
    except sqlite3.Error:
        return False
