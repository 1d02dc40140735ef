"""sql-v0: answer a question about a database with one SELECT statement.

Action: a query for SQLite, in a fenced block. It is run in the sandbox on several small databases that nobody has seen, with
empty tables, unknown values, ties and repetitions in them; its rows come back and are compared here with those of a query of
ours, in order where the question asks for an order, else as a bag. Every database must be right. They are chosen so that each
of the usual mistakes gives another answer on one of them. Difficulty: questions whose answer takes a longer query; its measure
is the number of words and signs of ours.

Two problems are the same when schema and question are; renamed tables and columns are not folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.author import BaseParams, Grading, SingleTurn, Staged
from envhub.effects import Resource
from envhub.generators import sql_questions, sql_world
from envhub.generators.sql_world import Domain, Tables
from envhub.sandbox.jobs import Limits
from envhub.sandbox.resource import Jobs
from envhub.seeding import Stream
from envhub.types import JSON, Instance
from envhub.verifiers.answers import AnswerType
from envhub.verifiers.code import Case, Closely, Code, exactly, judge_calls

_LEVELS: Final = (
    (0, 16),
    (30, 40),
    (41, 50),
    (51, 61),
    (62, 73),
    (74, 85),
    (86, 94),
    (95, 120),
    (150, 175),
    (176, 300),
)
_DATABASES: Final = 7
_TRIES: Final = 60
_QUESTIONS: Final = 40
_MOST_ROWS: Final = 1000
_LIMITS: Final = Limits(wall_s=10, cpu_s=5, memory_mb=256, output_bytes=1 << 16, value_bytes=1 << 20)
_CLOSELY: Final = Closely()
_RUNNER: Final = f"""
import sqlite3

READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)

def answer(query, schema, tables):
    connection = sqlite3.connect(":memory:")
    for statement in schema:
        connection.execute(statement)
    only_reading = lambda what, *_: sqlite3.SQLITE_OK if what in READING else sqlite3.SQLITE_DENY
    connection.set_authorizer(only_reading)
    connection.execute("EXPLAIN " + query)  # what is wrong with it is told while there are no rows to be told of
    connection.set_authorizer(None)
    for table, rows in tables.items():
        if rows:
            connection.executemany(f"INSERT INTO {{table}} VALUES ({{', '.join('?' * len(rows[0]))}})", rows)
    connection.commit()
    steps = iter(range(3000))
    connection.set_authorizer(only_reading)
    connection.set_progress_handler(lambda: next(steps, None) is None, 1000)
    try:
        return [list(row) for row in connection.execute(query).fetchmany({_MOST_ROWS})]
    except sqlite3.Error:
        raise RuntimeError("the query failed on what is in the tables, or took too long") from None
"""


class Params(BaseParams):
    """How long the query is that answers the question."""

    least: int = Field(30, ge=0, le=200, description="words and signs of the reference query, at least")
    most: int = Field(60, ge=14, le=300, description="and at most")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.most < self.least:
            raise ValueError("least <= most must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        least, most = _LEVELS[difficulty - 1]
        return cls(least=least, most=most)


class Sql(SingleTurn):
    """Answer a question about a database with one SELECT statement."""

    Params = Params
    answer: AnswerType = Code(language="sql", sample="SELECT 1", most=8000)
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "passed", "abuse"})
    resources: ClassVar[Mapping[str, Resource]] = {"jobs": Jobs()}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A schema, a question, and databases on which no usual mistake gives the right answer."""
        domain = sql_world.draw_domain(rng)
        question = _fitting(rng, domain, p)
        if question is None:
            return None
        content: dict[str, JSON] = {"schema": domain.schema(), "question": question.words, "ordered": question.ordered}
        yield content
        shown = sql_world.draw_database(rng, domain, plain=True)
        databases = _telling(rng, domain, question)
        if databases is None:
            return None
        sample = {table: rows[:4] for table, rows in shown.items()}
        key = {
            "databases": databases,
            "rows": [_rows(domain, tables, question.query) for tables in databases],
            "queries": [question.query, *question.others],
            "wrong": list(question.wrong),
        }
        return Instance({**content, "sample": sample}, key)

    def prompt(self, problem: JSON) -> str:
        """Schema, some rows, and the question."""
        schema = ";\n".join(problem["schema"])
        rows = "\n".join(f"{table}:\n" + "\n".join(map(_shown, rows)) for table, rows in problem["sample"].items())
        order = (
            "The order of the rows is as the question says."
            if problem["ordered"]
            else "The order of the rows does not matter; how often each of them occurs does."
        )
        return (
            f"Answer a question about a database with one SQL query.\n\n```sql\n{schema};\n```\n\nSome of the rows, as "
            f"an example:\n\n{rows}\n\nAny table may be empty. NULL means unknown; a column without NOT NULL may hold "
            f"it, but for id. "
            "Everything but id may occur more than once, and what refers to a row refers to one that is there. Text is "
            "compared "
            f"as it is, capitals and all.\n\nThe question: {problem['question']}\n\nThe answer is one SELECT statement "
            f"for SQLite; "
            "it may begin with WITH. It is run on several databases with this schema, and must give exactly the rows "
            "asked for "
            f"on every one: only the columns named, in their order, whatever their titles. {order} It may not depend "
            f"on chance."
        )

    def grade(self, inst: Instance, value: str) -> Grading:
        """By its rows on the hidden databases, which are compared here."""
        schema, ordered = inst.problem["schema"], inst.problem["ordered"]
        cases = [
            Case((value, schema, tables), (ordered, rows))
            for tables, rows in zip(inst.key["databases"], inst.key["rows"], strict=True)
        ]
        return judge_calls("jobs", _RUNNER, "answer", cases, _same, limits=_LIMITS, ours=True)

    def solve(self, inst: Instance) -> str:
        """Our query, in its block."""
        return _fenced(inst.key["queries"][0])

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The same with a semicolon, as a part of another, and other queries."""
        first, *others = inst.key["queries"]
        yield _fenced(first + ";")
        yield _fenced("-- an answer\n" + first.replace(" FROM ", "\nFROM ", 1))
        yield from map(_fenced, others)

    def effort(self, inst: Instance) -> float:
        """Words and signs of our query."""
        return float(sql_questions.tokens(inst.key["queries"][0]))


def _fitting(rng: Stream, domain: Domain, p: Any) -> sql_questions.Question | None:
    """A question whose query is as long as is asked for: few are, too few of them for a small split if each took an attempt."""
    questions = (sql_questions.draw_question(rng, domain) for _ in range(_QUESTIONS))
    return next((each for each in questions if p.least <= sql_questions.tokens(each.query) <= p.most), None)


def _telling(rng: Stream, domain: Domain, question: sql_questions.Question) -> list[Tables] | None:
    """Databases on which the wrong queries are told from the right one; None if that takes too many."""
    left = list(question.wrong)
    found: list[Tables] = []
    spare: list[Tables] = []
    for _ in range(_TRIES):
        if not left and len(found) + len(spare) >= _DATABASES:
            return found + spare[: max(0, _DATABASES - len(found))]
        tables = sql_world.draw_database(rng, domain)
        if tables in found or tables in spare:  # empty ones are all the same
            continue
        connection = sql_world.connect(domain, tables)
        right = sql_world.run(connection, question.query)
        still = [query for query in left if _alike(sql_world.run(connection, query), right, question.ordered)]
        connection.close()
        (found if len(still) < len(left) else spare).append(tables)
        left = still
    return None


def _rows(domain: Domain, tables: Tables, query: str) -> list[list[Any]]:
    connection = sql_world.connect(domain, tables)
    rows = sql_world.run(connection, query)
    connection.close()
    return rows


def _same(value: Any, expected: tuple[bool, list[list[Any]]]) -> bool:
    """Whether rows that came back from a query are the expected ones."""
    ordered, rows = expected
    shaped = isinstance(value, list) and all(isinstance(row, list) for row in value)
    return shaped and _alike(value, rows, ordered)


def _alike(value: list[list[Any]], rows: list[list[Any]], ordered: bool) -> bool:
    """The same rows, in order or as bags. 2 is 2.0 in SQL; fractions, which only ordered answers have, may differ a little."""
    ours, theirs = ([[_number(cell) for cell in row] for row in answer] for answer in (rows, value))
    if ordered:
        return _CLOSELY(theirs, ours)
    return exactly(sorted(theirs, key=repr), sorted(ours, key=repr))


def _number(cell: Any) -> Any:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _shown(row: list[Any]) -> str:
    return "  " + ", ".join("NULL" if cell is None else repr(cell) for cell in row)


def _fenced(query: str) -> str:
    return f"```sql\n{query}\n```"
