"""Phrases and renderings of ehr-v0."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, and_list
from envhub.core.types import JSON
from envhub.envs.code.ehr.catalogue import SCHEMA
from envhub.envs.code.ehr.readings import READINGS

_TASK: Final = Phrase(
    "You are a data analyst in a hospital. Answer the question with a query or a program that gives the right answer on every "
    "database of this kind.",
    "As the analyst of a hospital, write a query or a program that answers the question, on this database and on any other one "
    "of the same kind.",
    "You work with hospital records. Find a query or a program that answers the question correctly on each database "
    "of this kind.",
    held_out="Role: analyst of health records. Deliverable: a query or program that answers the question on any "
    "database of the kind.",
)
_DATABASE: Final = Phrase(
    "The file {file} is an SQLite database with {patients} generated patients. Its records begin in 2019 and end with "
    "2024-12-31.",
    "There is an SQLite database, {file}, with the records of {patients} generated patients from 2019 to 2024-12-31.",
    "Records of {patients} generated patients, from 2019 until 2024-12-31, are in the SQLite database {file}.",
    held_out="Data: {file} (SQLite), {patients} synthetic patients, 2019 to 2024-12-31.",
)
_FORMATS: Final = Phrase(
    "Dates are texts of the form YYYY-MM-DD, and times are texts of the form YYYY-MM-DD HH:MM.",
    "A date is a text such as 2021-03-09, and a time a text such as 2021-03-09 14:05.",
    "The database stores dates as YYYY-MM-DD and times as YYYY-MM-DD HH:MM, both as text.",
    held_out="Date format: YYYY-MM-DD; time format: YYYY-MM-DD HH:MM; both TEXT.",
)
_IDS: Final = Phrase(
    "The numbers of rows say nothing about their order in time.",
    "Row numbers are arbitrary: a higher number does not mean a later event.",
    "Do not conclude from the numbers of rows which came first. They are arbitrary.",
    held_out="Row numbers carry no temporal information.",
)
_LOOK: Final = Phrase(
    "The tool sql runs one SELECT statement and shows up to {rows} rows. The tool python runs code in a session of "
    "Python with its "
    "standard library. The file is in its working directory.",
    "With sql you run a SELECT statement, and see at most {rows} rows. With python you run code in one session, which "
    "has Python's "
    "standard library and the file in its working directory.",
    "Use sql for single SELECT statements (up to {rows} rows are shown), and python for code. Its session has the "
    "standard library, "
    "and the file is in its working directory.",
    held_out="Tools: sql (one SELECT statement, at most {rows} rows shown); python (persistent session, standard "
    "library, file in the "
    "working directory).",
)
_BUDGET: Final = Phrase(
    "You may call sql and python {calls} times in total. Using them is optional.",
    "Together, sql and python may be called {calls} times. You need not use them.",
    "There are {calls} calls of sql and python in total, all of them optional.",
    held_out="Budget: {calls} calls, sql and python together; optional.",
)
_FINAL: Final = Phrase(
    "Call submit_sql with one SELECT statement, or submit_python with a program that defines answer(path). Either one "
    "ends the task. "
    "The function gets the path of a database and returns the rows as a list of lists. If the answer is one number, "
    "it may return the number.",
    "The task ends with submit_sql, which takes one SELECT statement, or submit_python, which takes a program. The "
    "program must define "
    "answer(path): it receives the path of a database and returns a list of rows, each a list, or the number itself "
    "if one is asked for.",
    "Submit one SELECT statement with submit_sql or a program with submit_python. Both end the task. In the program, "
    "answer(path) must "
    "return the rows for the database at this path, as a list of lists; a single number may be returned as it is.",
    held_out="Final step: submit_sql(one SELECT statement) or submit_python(source with answer(path) -> list of rows; "
    "a bare number is "
    "accepted for a single number). Ends the task.",
)
_HIDDEN: Final = Phrase(
    "What you submit is run on several hidden databases with the same tables and other patients, from a few to some "
    "hundred. The answer must be right on all of them.",
    "What you submit is run on hidden databases, which have the same tables, codes and drugs, and other patients. "
    "Every answer must "
    "be right.",
    "Several hidden databases decide. Their tables, codes and drugs are the same, their patients are different, and "
    "the answer must be right "
    "on each of them.",
    held_out="Grading: hidden databases, same tables and codes, different patients; all must be answered correctly.",
)
_COMPARED: Final = Phrase(
    "Rows and their values are compared, not the names of columns. 3.0 equals 3. Do not round: fractions must be "
    "right to a millionth. Rows "
    "may come in any order unless one is stated.",
    "The values of the rows are compared; names of columns do not matter, and 3.0 counts as 3. Fractions must be "
    "right to six digits, so do not "
    "round them. The order of rows matters only if the question states one.",
    "Only the values count: names of columns are ignored, 3 and 3.0 are equal, and fractions must not be rounded "
    "(they may be off by a "
    "millionth). Unless an order is stated, rows may be in any order.",
    held_out="Comparison: by value; column names ignored; 3 = 3.0; relative tolerance 1e-6, no rounding; row order "
    "only where stated.",
)
_LIMITS: Final = Phrase(
    "On the hidden databases, all answers together may take {seconds} seconds of processor time. A submission that "
    "fails scores 0.",
    "A submission gets {seconds} seconds of processor time for all hidden databases. If it fails or takes longer, the "
    "score is 0.",
    "For all hidden databases together there are {seconds} seconds of processor time. An error or a longer run means "
    "a score of 0.",
    held_out="Limit: {seconds} s of CPU time over all hidden databases. Failure or overrun: score 0.",
)
_DICTIONARY: Final = Phrase(
    "The table dictionary describes every column: table_name, column_name, meaning.",
    "Every column is explained in the table dictionary, with the columns table_name, column_name and meaning.",
    "Read the table dictionary (table_name, column_name, meaning) to learn what a column means.",
    held_out="Column documentation: table dictionary(table_name, column_name, meaning).",
)
_WITHIN: Final = Phrase(
    "Answer with facts of the database alone, and take the words of the question literally.",
    "Take the question literally, and use nothing but the facts of the database.",
    "What counts are the facts in the database, and the literal words of the question.",
    held_out="Interpretation: literal; database facts only.",
)


def _columns(problem: JSON) -> str:
    columns = problem["columns"]
    order = f" Sort the rows {problem['ordered']}." if problem["ordered"] else ""
    named = f"the columns {and_list(columns)}, in this order" if len(columns) > 1 else f"one column, {columns[0]}"
    return f"Return {named}.{order}"


def _sentences(problem: JSON) -> str:
    return f"Question: {problem['asks'][0]} {_columns(problem)}\n\n{_tables(problem)}"


def _quoted(problem: JSON) -> str:
    rows = []
    if problem["documented"]:
        rows = [
            f"| {table} | {name} | {kind} | {meaning} |"
            for table, columns in SCHEMA.items()
            for name, (kind, meaning) in columns.items()
        ]
        rows = ["| table | column | declaration | meaning |", "|---|---|---|---|", *rows]
    shown = "\n".join(rows) if rows else f"Tables: {', '.join(SCHEMA)}."
    return f"{shown}\n\nThe question: {problem['asks'][1]} {_columns(problem)}"


def _json(problem: JSON) -> str:
    tables = {table: {name: meaning for name, (_, meaning) in columns.items()} for table, columns in SCHEMA.items()}
    stated = {"question": problem["asks"][0], "columns of the answer": problem["columns"]}
    stated["order of the rows"] = problem["ordered"] or "any"
    return json.dumps({**stated, "tables": tables if problem["documented"] else list(SCHEMA)}, indent=1)


def _terse(problem: JSON) -> str:
    tables = "; ".join(
        f"{table}({', '.join(columns)})" if problem["documented"] else table for table, columns in SCHEMA.items()
    )
    meanings = "\n".join(
        f"{table}.{name} = {meaning}" for table, columns in SCHEMA.items() for name, (_, meaning) in columns.items()
    )
    notes = f"\n{meanings}" if problem["documented"] else ""
    order = problem["ordered"] or "any order"
    return f"Q: {problem['asks'][2]}\nResult: ({'; '.join(problem['columns'])}), {order}\nSchema: {tables}{notes}"


def _tables(problem: JSON) -> str:
    if not problem["documented"]:
        return f"The database has the tables {and_list(SCHEMA)}."
    lines = []
    for table, columns in SCHEMA.items():
        lines.append(f"Table {table}:")
        lines += [f"- {name} ({kind}): {meaning}" for name, (kind, meaning) in columns.items()]
    return "\n".join(lines)


_DATA: Final[Variants[Rendering]] = Variants(_sentences, _quoted, _json, held_out=_terse, name="data")


def statement(problem: JSON, values: Mapping[str, JSON]) -> Statement:
    """The whole prompt.

    Args:
        problem: The task.
        values: File, rows shown and seconds.
    """
    rules = [_DATABASE, _FORMATS, _IDS, *([] if problem["documented"] else [_DICTIONARY]), _WITHIN]
    rules += [READINGS[each] for each in problem["readings"]]
    rules += [_LOOK, _BUDGET, _HIDDEN, _COMPARED, _LIMITS, _FINAL]
    filled = {**values, "patients": problem["patients"], "calls": problem["calls"]}
    return Statement(task=_TASK, data=_DATA, problem=problem, rules=tuple(rules), values=filled)
