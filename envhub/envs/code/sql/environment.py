"""sql-v0: answer a question with a SELECT statement; graded on hidden databases.

Action: a query for SQLite, in a fenced block. It is run in the sandbox on several small hidden databases, twice on
each: the second time, rows not sorted by an ORDER BY come in another order. The rows of both runs are compared here
with those of a reference query, as bags and, where the question asks for an order, by the sort columns. Every database
must be right.

The databases are chosen against wrong queries: the reference query with common SQL mistakes, misread conditions or
changed sort keys, and mistakes typical of each kind of question. A task is only drawn if each of them fails on some
database; mutants that are right by the meaning of a question are declared with its kind. The databases always include
one that is empty, one with rows in the first table only, one without rows in the third, one without rows in the first.

Difficulty: questions that need a longer query, measured in words and signs of the reference query. A higher level asks
harder kinds of questions, and easier ones with more conditions. Two problems with the same schema and question are the
same; renamed tables and columns are not folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, Grading, SingleTurn, Staged
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.sql import data, wording, world
from envhub.envs.code.sql.kinds import KINDS
from envhub.envs.code.sql.questions import Question, draw_question, fewest_tokens, tokens
from envhub.envs.code.sql.world import Domain, Tables
from envhub.sandbox.jobs import Limits
from envhub.sandbox.resource import Jobs
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.code.judging import Case, judge_calls

_LEVELS: Final = (
    (0, 33),
    (30, 44),
    (40, 54),
    (50, 66),
    (62, 80),
    (74, 94),
    (88, 110),
    (102, 128),
    (120, 152),
    (145, 300),
)
_DATABASES: Final = 7
_QUESTIONS: Final = 12
_ALWAYS: Final = ("empty", "parents", "unlined", "orphans")
_OFTEN: Final = ("mixed", "generous", "sparse", "alike", "crowd", "small", "few")
_SHAPES: Final = ("mixed", "generous", "alike", *_ALWAYS, *8 * _OFTEN)
_FIRST: Final = _SHAPES.index(_ALWAYS[-1]) + 1
_MOST_ROWS: Final = 1000
_TRIED: Final = 4
_LIMITS: Final = Limits(wall_s=10, cpu_s=5, memory_mb=256, output_bytes=1 << 16, value_bytes=1 << 20)
_RUNNER: Final = f"""
import sqlite3

STEPS = iter(range(40_000))  # thousands of instructions, for all databases together
READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)

def answer(query, schema, tables):
    connection = sqlite3.connect(":memory:")
    for statement in schema:
        connection.execute(statement)
    only_reading = lambda what, *_: sqlite3.SQLITE_OK if what in READING else sqlite3.SQLITE_DENY
    connection.set_authorizer(only_reading)
    connection.execute("EXPLAIN " + query)  # errors that show the message are found while there are no rows
    connection.set_authorizer(None)
    for table, rows in tables.items():
        if rows:
            connection.executemany(f"INSERT INTO {{table}} VALUES ({{', '.join('?' * len(rows[0]))}})", rows)
    connection.commit()
    runs = []
    limit = lambda: next(STEPS, None) is None
    for reverse in (0, 1):  # rows that no ORDER BY puts in order come in another one the second time
        connection.set_authorizer(None)
        connection.execute(f"PRAGMA reverse_unordered_selects = {{reverse}}")
        connection.set_authorizer(only_reading)
        connection.set_progress_handler(limit, 1000)
        try:
            runs.append([list(row) for row in connection.execute(query).fetchmany({_MOST_ROWS})])
        except sqlite3.Error:
            raise RuntimeError("the query failed on the hidden rows, or took too long") from None
    return runs
"""


class Params(BaseParams):
    """The length of the query that answers the question."""

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
        """A schema, a question, and databases on which every usual mistake fails."""
        domain = world.draw_domain(rng)
        question = _fitting(rng, domain, p)
        if question is None:
            return None
        content: dict[str, JSON] = {
            "schema": domain.schema(),
            "question": question.words,
            "order": list(question.order),
            "kind": question.kind,
        }
        yield content
        databases = _separating(rng, domain, question)
        if databases is None:
            return None
        plain = world.draw_database(rng, domain, "plain", {})
        key = {
            "databases": databases,
            "rows": [_rows(domain, tables, question.query) for tables in databases],
            "queries": [question.query, *question.others],
            "wrong": list(question.wrong),
        }
        return Instance({**content, "sample": {table: rows[:4] for table, rows in plain.items()}}, key)

    def form(self, problem: JSON) -> str:
        """The kind of question."""
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> Statement:
        """Schema, some rows, and the question."""
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.rules(problem))

    def grade(self, inst: Instance, value: str) -> Grading:
        """By its rows on the hidden databases, which are compared here."""
        schema, order = inst.problem["schema"], inst.problem["order"]
        cases = [
            Case((value, schema, tables), (order, rows))
            for tables, rows in zip(inst.key["databases"], inst.key["rows"], strict=True)
        ]
        return judge_calls("jobs", _RUNNER, "answer", cases, _same, limits=_LIMITS, ours=True)

    def solve(self, inst: Instance) -> str:
        """The reference query in a fenced block."""
        return _fenced(inst.key["queries"][0])

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The reference, written in other ways, and other right queries.

        It gets a semicolon, or a comment and a line break.
        """
        first, *others = inst.key["queries"]
        yield _fenced(first + ";")
        yield _fenced("-- an answer\n" + first.replace(" FROM ", "\nFROM ", 1))
        yield from map(_fenced, others)

        if not inst.problem["order"] and _is_whole(inst.key["rows"]):  # 2 is 2.0
            yield _fenced(_over(inst, "{} * 1.0"))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Wrong queries that some database exposes.

        Also a missing column or row, and numbers as text.
        """
        yield from map(_fenced, islice(inst.key["wrong"], _TRIED))
        yield _fenced(f"SELECT t.*, NULL FROM ({inst.key['queries'][0]}) AS t")
        yield _fenced(f"SELECT * FROM ({inst.key['queries'][0]}) AS t WHERE 0")
        if any(type(cell) in (int, float) for rows in inst.key["rows"] for row in rows for cell in row):
            yield _fenced(_over(inst, "CAST({} AS TEXT)"))

    def effort(self, inst: Instance) -> float:
        """Number of words and signs of the reference query."""
        return float(tokens(inst.key["queries"][0]))


def _fitting(rng: Stream, domain: Domain, p: Any) -> Question | None:
    """A question of the level's query length.

    All kinds that have one are equally likely.
    """
    names = [name for name, kind in KINDS.items() if fewest_tokens(kind.query) <= p.most]
    rng.shuffle(names)
    for name in names:
        for _ in range(_QUESTIONS):
            question = draw_question(rng, domain, name, KINDS[name], lambda query: p.least <= tokens(query) <= p.most)
            if question is not None:
                return question
    return None


def _separating(rng: Stream, domain: Domain, question: Question) -> list[Tables] | None:
    """Databases on which each wrong query fails; None after too many attempts."""
    left, missing = list(question.wrong), data.needed(question)
    found: list[Tables] = []
    spare: list[Tables] = []
    for number, shape in enumerate(_SHAPES, 1):
        tables = world.draw_database(rng, domain, shape, question.pools)
        if tables in found or tables in spare:
            continue
        connection = world.connect(domain, tables)
        right = world.run(connection, question.query)
        still = [query for query in left if data.same_on(connection, query, right, question)]
        connection.close()
        shown = missing & data.shown(question, right)
        useful = shape in _ALWAYS or shown or len(still) < len(left)
        (found if useful else spare).append(tables)
        left, missing = still, missing - shown
        if not left and not missing and number >= _FIRST and len(found) + len(spare) >= _DATABASES:
            return found + spare[: max(0, _DATABASES - len(found))]
    return None


def _rows(domain: Domain, tables: Tables, query: str) -> list[list[Any]]:
    connection = world.connect(domain, tables)
    rows = world.run(connection, query)
    connection.close()
    return rows


def _same(value: Any, expected: tuple[list[int], list[list[Any]]]) -> bool:
    """Whether both runs of a query returned the expected rows."""
    order, rows = expected
    runs = value if isinstance(value, list) and len(value) == 2 else [None]
    return all(
        isinstance(run, list) and all(isinstance(row, list) for row in run) and data.alike(run, rows, order)
        for run in runs
    )


def _is_whole(answers: Sequence[list[list[Any]]]) -> bool:
    """Whether the answers contain only integers and NULL."""
    return all(cell is None or type(cell) is int for rows in answers for row in rows for cell in row)


def _over(inst: Instance, form: str) -> str:
    """A query for the right rows, each value in a given form."""
    width = max(len(row) for rows in inst.key["rows"] for row in rows)
    names = [f"c{number}" for number in range(width)]
    query = inst.key["queries"][0]
    return f"WITH t({', '.join(names)}) AS ({query}) SELECT {', '.join(map(form.format, names))} FROM t"


def _fenced(query: str) -> str:
    return f"```sql\n{query}\n```"
