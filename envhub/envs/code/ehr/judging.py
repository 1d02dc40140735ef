"""Runs queries and programs on the visible and the hidden databases.

A query is run in the session of the episode, read-only and with a counted number of steps. What is submitted is run in a fresh
process on the files of the hidden databases, and its rows are compared outside, where the right ones are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from envhub.core.types import Instance, Verdict
from envhub.envs.code.ehr.database import hidden_file
from envhub.sandbox.jobs import Limits
from envhub.verifiers.code.judging import Case, Judging, judge_calls
from envhub.verifiers.code.rows import alike

FILE: Final = "hospital.db"
ROWS: Final = 40
"""Number of rows of a query that are shown."""
CPU_S: Final = 10
"""Processor seconds of a call, and of a submission on all hidden databases."""
SESSION: Final = Limits(wall_s=60, cpu_s=CPU_S, memory_mb=512, output_bytes=1 << 16, file_mb=64, files=256)
_JUDGED: Final = Limits(wall_s=60, cpu_s=CPU_S, memory_mb=512, output_bytes=1 << 16, file_mb=64, value_bytes=1 << 20)
_MOST_ROWS: Final = 5000
_READING: Final = """
import sqlite3

READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)

def opened(path, thousands):
    connection = sqlite3.connect("file:" + path + "?mode=ro", uri=True)
    steps = iter(range(thousands))
    connection.set_progress_handler(lambda: next(steps, None) is None, 1000)
    return connection

def only_reading(what, *_):
    return sqlite3.SQLITE_OK if what in READING else sqlite3.SQLITE_DENY
"""
_LOOK: Final = f"""{_READING}
def look(query):
    connection = opened({FILE!r}, 100_000)
    connection.set_authorizer(only_reading)
    try:
        cursor = connection.execute(query)
        if cursor.description is None:
            return "This is not a SELECT statement."
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchmany({ROWS + 1})
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        text = str(error)
        if text == "interrupted":
            text = "it took more than 100 million steps of the database"
        if text == "not authorized":
            text = "only SELECT statements are allowed, without PRAGMA or ATTACH"
        return "The query failed: " + text + "."
    finally:
        connection.close()
    lines = [" | ".join(names)]
    lines += [" | ".join("NULL" if cell is None else str(cell) for cell in row) for row in rows[:{ROWS}]]
    more = len(rows) > {ROWS}
    lines.append("[the first {ROWS} rows; there are more]" if more else f"[rows: {{len(rows)}}]")
    return "\\n".join(lines)
"""
_JUDGE: Final = f"""{_READING}
def answer(path, query):
    runs = []
    for reverse in (0, 1):  # rows that no ORDER BY puts in order come in another one the second time
        connection = opened(path, 20_000)
        connection.execute(f"PRAGMA reverse_unordered_selects = {{reverse}}")
        connection.set_authorizer(only_reading)
        try:
            runs.append([list(row) for row in connection.execute(query).fetchmany({_MOST_ROWS})])
        except (sqlite3.Error, sqlite3.Warning) as error:
            text = str(error)
            known = text.startswith(("no such", "near ", "ambiguous", "incomplete", "wrong number", "misuse", "not authorized"))
            raise RuntimeError(text if known else "the query failed, or took too long") from None
        finally:
            connection.close()
    return runs
"""


def looking(query: str) -> str:
    """Code for the session that runs a query and prints its rows."""
    return f"exec({_LOOK!r}, _of_the_tool := {{}})\nprint(_of_the_tool['look']({query!r}))\ndel _of_the_tool"


def judge_query(inst: Instance, query: str) -> Judging:
    """The verdict on a query."""
    files, expected = _hidden(inst)
    cases = [Case((path, query), right) for path, right in zip(files, expected, strict=True)]
    judging = judge_calls("jobs", _JUDGE, "answer", cases, _both_runs, files=files, limits=_JUDGED, ours=True)
    return _worded((yield from judging))


def judge_program(inst: Instance, source: str) -> Judging:
    """The verdict on a program."""
    files, expected = _hidden(inst)
    cases = [Case((path,), right) for path, right in zip(files, expected, strict=True)]
    return _worded((yield from judge_calls("jobs", source, "answer", cases, _returned, files=files, limits=_JUDGED)))


def _worded(verdict: Verdict) -> Verdict:
    words = verdict.feedback.replace("Every case passed.", "The answer is right on every hidden database.")
    return replace(verdict, feedback=words.replace(" cases passed.", " hidden databases were answered correctly."))


def _hidden(inst: Instance) -> tuple[dict[str, bytes], list[tuple[int, list[int], list[list[Any]]]]]:
    problem, key = inst.problem, inst.key
    focus, width = json.dumps(key["focus"], sort_keys=True), len(problem["columns"])
    files = {
        f"records{at}.db": hidden_file(seed, size, problem["mixed"], focus)
        for at, (seed, size) in enumerate(key["databases"])
    }
    return files, [(width, problem["order"], rows) for rows in key["rows"]]


def _both_runs(value: Any, expected: tuple[int, list[int], list[list[Any]]]) -> bool:
    _, order, rows = expected
    runs = value if isinstance(value, list) and len(value) == 2 else [None]
    return all(isinstance(run, list) and alike(run, rows, order) for run in runs)


def _returned(value: Any, expected: tuple[int, list[int], list[list[Any]]]) -> bool:
    width, order, rows = expected
    return alike(as_rows(value, width), rows, order)


def as_rows(value: Any, width: int) -> Sequence[Any]:
    """What a program returned, as rows.

    A number is one row. A list of values stands for rows of one column, or for a single row.
    """
    if not isinstance(value, list | tuple):
        return [[value]]
    if any(isinstance(each, list | tuple) for each in value):
        return value
    return [[each] for each in value] if width == 1 else [value] if value else []


def fields(problem: Mapping[str, Any]) -> dict[str, Any]:
    """What the prompt says about files and limits."""
    return {"file": FILE, "rows": ROWS, "seconds": CPU_S}
