"""Phrases and renderings of sql-v0."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from envhub.authoring.wording import Phrase, Rendering, Variants, and_list
from envhub.core.types import JSON

TASK: Final = Phrase(
    "Write one SQLite query that answers a question about this database.",
    "Answer the question about this database with one SQLite query.",
    "You are given the schema of an SQLite database and a question. Write one query that answers it.",
    held_out="Express the requested result as one SQLite query over the given relations.",
)
_EMPTY: Final = Phrase(
    "Any table may be empty.",
    "A table may have no rows at all.",
    "Tables can be empty.",
    held_out="Empty relations are possible.",
)
_NULLS: Final = Phrase(
    "NULL means unknown. A column may contain NULL unless it is declared NOT NULL or is the primary key id.",
    "Unknown values are NULL. They can occur in each column that is neither NOT NULL nor the primary key id.",
    "Only a column that is NOT NULL or the primary key id is free of NULL, which stands for an unknown value.",
    held_out="NULL denotes an unknown value and is possible wherever neither NOT NULL nor the primary key id excludes it.",
)
_CONDITIONS: Final = Phrase(
    "An unknown value meets no condition, unless the question says that it does.",
    "No condition holds for an unknown value, except where the question says so.",
    "Treat an unknown value as one that does not meet a condition, unless the question says otherwise.",
    held_out="A comparison with an unknown value counts as not satisfied, unless the question states otherwise.",
)
_REPEATS: Final = Phrase(
    "Any value except an id may occur more than once.",
    "Values may repeat, except ids.",
    "Only an id is unique; all other values may occur several times.",
    held_out="Apart from ids, duplicates of any value are possible.",
)
_REFERENCES: Final = Phrase(
    "A foreign key that is not NULL refers to an existing row.",
    "Every foreign key is NULL or matches an existing row.",
    "References never dangle: unless it is NULL, a foreign key has a row that it refers to.",
    held_out="Referential integrity holds for all foreign keys that are not NULL.",
)
_TEXTS: Final = Phrase(
    "Text is compared and sorted character by character, as SQLite does by default: upper and lower case differ, and 'B' "
    "comes before 'a'.",
    "Comparisons and sorting of text are case-sensitive, as is SQLite's default, and upper case sorts first: 'B' comes before "
    "'a'.",
    "SQLite's default order of text applies: it goes by character codes, so case matters and 'B' comes before 'a'.",
    held_out="Collation: BINARY (case-sensitive; 'B' < 'a').",
)
_SELECT: Final = Phrase(
    "Your query must be a single SELECT statement. It may start with WITH.",
    "Write a single SELECT statement, with a WITH clause in front if you like.",
    "You may send only one statement, and it must be a SELECT. A WITH clause before it is allowed.",
    held_out="Form of the answer: SELECT ... or WITH ... SELECT ..., one statement.",
)
_DATABASES: Final = Phrase(
    "The query is run on several hidden databases with this schema. It must return exactly the right rows on each of them.",
    "Your query is graded on several hidden databases with this schema. Its rows must be exactly right on all of them.",
    "The sample rows are only examples: grading uses several hidden databases with this schema, and each must give exactly the "
    "right rows.",
    held_out="Test instances: several unseen databases with this schema. Required: exactly the right rows for every instance.",
)
_COLUMNS: Final = Phrase(
    "Return exactly the columns listed, in the order listed. Column names do not matter.",
    "The result must have the listed columns and no others, in that order; what they are called is up to you.",
    "Select the listed columns in the listed order, without any other column. Their names are ignored.",
    held_out="Projection: the listed columns, only these, in this order, under any names.",
)
_ORDERED: Final = Phrase(
    "Return the rows in the requested order. Rows that are equal in all sort keys may be in any order. Duplicate rows matter.",
    "The rows must be sorted as requested, where ties in all sort keys may be in any order. Each row must occur the "
    "right number of times.",
    "Sort the rows as requested; rows that tie in all sort keys can be in any order. The number of times that a row occurs "
    "counts.",
    held_out="Sort order as requested, ties in all keys arbitrary. Bag semantics: multiplicities count.",
)
_UNORDERED: Final = Phrase(
    "The rows may be in any order. Duplicate rows matter.",
    "The order of the rows does not matter. Each row must occur the right number of times.",
    "Return the rows in any order. The number of times that a row occurs counts.",
    held_out="No sort order required. Bag semantics: multiplicities count.",
)
_NUMBERS: Final = Phrase(
    "Do not round numbers. Fractions must be correct to six significant digits.",
    "Numbers must not be rounded; a fraction counts as correct if six significant digits are.",
    "Leave numbers unrounded. Fractions are compared to six significant digits.",
    held_out="No rounding. Tolerance for fractions: six significant digits.",
)
_DETERMINISTIC: Final = Phrase(
    "The result must be deterministic. It may not depend on the order in which rows are stored.",
    "Your query must give the same result every time, in whatever order the rows are stored.",
    "The result may depend neither on randomness nor on the order in which rows are stored.",
    held_out="The query must be deterministic and independent of storage order.",
)


def rules(problem: JSON) -> tuple[Phrase, ...]:
    """The rules of the data and of the answer."""
    order = _ORDERED if problem["order"] else _UNORDERED
    about_data = (_EMPTY, _NULLS, _CONDITIONS, _REPEATS, _REFERENCES, _TEXTS)
    return (*about_data, _SELECT, _DATABASES, _COLUMNS, order, _NUMBERS, _DETERMINISTIC)


class _Asked(NamedTuple):
    """What a question asks, the column titles, and the row order."""

    text: str
    columns: list[str]
    order: str


def _asked(problem: JSON) -> _Asked:
    text, _, rest = problem["question"].rpartition(" Columns: ")
    columns, _, order = rest.partition(". ")
    order = order.removesuffix(".").removeprefix("Order: ").replace("In any order", "in any order")
    return _Asked(text, columns.split(", "), order)


def _tables(problem: JSON) -> dict[str, list[tuple[str, str]]]:
    """The columns of each table, as names and declarations."""
    found = {}
    for statement in problem["schema"]:
        name, columns = re.fullmatch(r"CREATE TABLE (\w+) \((.*)\)", statement).groups()  # type: ignore[union-attr]
        found[name] = [(column, kind) for column, _, kind in (each.partition(" ") for each in columns.split(", "))]
    return found


def _statements(problem: JSON) -> str:
    asked = _asked(problem)
    schema = ";\n".join(problem["schema"])
    columns = "\n".join(f"{number}. {title}" for number, title in enumerate(asked.columns, 1))
    return (
        f"```sql\n{schema};\n```\n\nSample rows (the hidden databases differ):\n\n{_rows(problem)}\n\n"
        f"Question: {asked.text}\n\nColumns, in this order:\n{columns}\n\nOrder of the rows: {asked.order}"
    )


def _columns(problem: JSON) -> str:
    asked = _asked(problem)
    rows = [
        f"| {table} | {column} | {kind} |" for table, columns in _tables(problem).items() for column, kind in columns
    ]
    listing = "\n".join(["| table | column | declaration |", "|---|---|---|", *rows])
    return (
        f"Question: {asked.text} Return {_and(asked.columns)}, with the rows {_sorted(asked)}.\n\nColumns of the tables:\n\n"
        f"{listing}\n\nSome rows, as an example:\n\n{_rows(problem)}"
    )


def _json(problem: JSON) -> str:
    asked = _asked(problem)
    tables = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(dict(columns))}" for name, columns in _tables(problem).items()
    )
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(rows)}" for name, rows in problem["sample"].items())
    named = zip(("question", "columns", "order"), asked, strict=True)
    asks = ",\n ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in named)
    return (
        "The JSON object gives the declaration of each column of each table, sample rows (null is NULL), and the question with "
        f'the columns and the order of its rows.\n\n{{"tables": {{\n{tables}\n }},\n "sample rows": {{\n{rows}\n }},\n {asks}}}'
    )


def _relations(problem: JSON) -> str:
    asked = _asked(problem)
    rows = [
        f"{table}({', '.join(column + _mark(kind) for column, kind in columns)})"
        for table, columns in _tables(problem).items()
    ]
    notation = (
        "Notation: * primary key, ? may be NULL, -> foreign key; a column is TEXT if it is marked with $, else INTEGER."
    )
    return (
        "\n".join(rows) + f"\n{notation}\n\nInstance (sample):\n{_rows(problem)}\n\n"
        f"Q: {asked.text}\nResult schema: ({'; '.join(asked.columns)})\nSort: {asked.order}"
    )


def _mark(kind: str) -> str:
    """What a column's declaration says, in the notation of :func:`_relations`."""
    key = "PRIMARY KEY" in kind
    nullable = not key and "NOT NULL" not in kind
    refers = re.search(r"REFERENCES (\w+)\((\w+)\)", kind)
    text = "$" * kind.startswith("TEXT") + "*" * key + "?" * nullable
    return f"{text}->{refers[1]}.{refers[2]}" if refers else text


def _rows(problem: JSON) -> str:
    return "\n".join(f"{table}:\n" + "\n".join(map(_row, rows)) for table, rows in problem["sample"].items())


def _row(row: list[Any]) -> str:
    return "  " + ", ".join("NULL" if cell is None else repr(cell) for cell in row)


def _and(titles: list[str]) -> str:
    return f"the columns {and_list(titles)}, in this order" if len(titles) > 1 else f"the column {titles[0]}"


def _sorted(asked: _Asked) -> str:
    return asked.order if asked.order == "in any order" else f"sorted {asked.order}"


DATA: Final[Variants[Rendering]] = Variants(_statements, _columns, _json, held_out=_relations, name="data")
