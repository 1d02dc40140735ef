"""sql-v0: which queries count, and that nothing but the rows does."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest

import envhub
from envhub.difficulty import LEVELS
from envhub.env import Env
from envhub.envs.code.sql import Sql, _alike
from tests.envs.code.lives import jailed

pytestmark = pytest.mark.usefixtures("jailed")
__all__ = ["jailed"]


def begun(level: int, seed: int = 2) -> Env:
    env = envhub.make("sql-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def judged(env: Env, query: str, language: str = "sql") -> dict[str, Any]:
    _, reward, terminated, _, info = env.fork().step(f"```{language}\n{query}\n```")
    verdict: dict[str, Any] = info["verdict"]
    assert terminated
    assert verdict["status"] in ("graded", "no_answer")
    assert reward == verdict["score"] == float(verdict["solved"])
    return verdict


@pytest.mark.parametrize("level", LEVELS)
def test_answers_pass_and_the_usual_mistakes_do_not(level: int) -> None:
    env = begun(level)
    key = env.episode.instance.key
    for query in key["queries"]:
        assert judged(env, query)["solved"], query
    for query in key["wrong"]:
        verdict = judged(env, query)
        assert not verdict["solved"], query
        assert verdict["components"]["passed"] < 1


def test_databases_differ_and_are_hidden() -> None:
    for seed in range(5):
        env = begun(6, seed)
        key = env.episode.instance.key
        assert len({repr(tables) for tables in key["databases"]}) == len(key["databases"]) >= 5
        assert len({repr(rows) for rows in key["rows"]}) >= 2
        assert all(repr(rows) not in env.task.prompt for rows in key["rows"] if rows)
        assert key["queries"][0] not in env.task.prompt


def first(env: Env) -> str:
    return str(env.episode.instance.key["queries"][0])


def test_columns_their_order_and_rows_too_many_matter() -> None:
    env = begun(1, 4)
    right = first(env)
    assert judged(env, right)["solved"]
    for query in (
        f"SELECT *, 1 FROM ({right})",
        f"SELECT * FROM ({right}) UNION ALL SELECT * FROM ({right})",
        f"SELECT * FROM ({right}) LIMIT 1",
        f"SELECT * FROM ({right}) WHERE 0",
        "SELECT 1",
    ):
        assert not judged(env, query)["solved"], query


def test_titles_numbers_and_semicolons_do_not() -> None:
    env = begun(3, 1)
    right = first(env).replace("SELECT p.id,", "SELECT p.id + 0.0 AS anything,", 1)
    assert judged(env, f"  -- words\n{right} ;\n")["solved"]
    assert judged(env, right, "sqlite")["solved"]
    assert judged(env, right, "")["solved"]
    assert not judged(env, right, "python")["solved"]


def attacks(env: Env) -> list[str]:
    table = env.task.problem["schema"][0].split()[2]
    right = first(env)
    return [
        f"DELETE FROM {table}",
        f"DROP TABLE {table}",
        f"{right}; {right}",
        f"DELETE FROM {table}; {right}",
        f"INSERT INTO {table} VALUES (1, 'x', 'y', 1) RETURNING *",
        "ATTACH 'x.db' AS x",
        "PRAGMA writable_schema = 1",
        "CREATE TABLE x (a)",
        "BEGIN",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "SELECT zeroblob(1000000000)",
        "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')",
        "SELECT 1e999, -1e999, x'ff', CAST(x'ff' AS TEXT)",
        "EXPLAIN " + right,
        "VALUES (1), (2)",
        "\x00",
        "SELECT '" + "x" * 7000 + "'",
    ]


def test_whatever_is_no_answer_is_judged_and_wrong() -> None:
    env = begun(5)
    for query in attacks(env):
        verdict = judged(env, query)
        assert not verdict["solved"], query
        assert not verdict["components"].get("abuse"), query


def test_what_is_wrong_with_a_query_is_said_and_nothing_that_is_expected() -> None:
    env = begun(5)
    verdict = judged(env, "SELECT some FROM nowhere")
    assert "no such table: nowhere" in verdict["feedback"]
    assert judged(env, "SELECT 1")["feedback"].startswith(("0 of 7", "1 of 7", "2 of 7", "3 of 7"))


def test_an_error_does_not_carry_what_is_in_the_tables() -> None:
    env = begun(5)
    statement = env.task.problem["schema"][0]
    table = re.search(r"CREATE TABLE (\w+)", statement)
    column = re.search(r"(\w+) TEXT", statement)
    assert table
    assert column
    verdict = judged(env, f"SELECT json_extract('{{}}', {column[1]}) FROM {table[1]}")
    assert verdict["feedback"].endswith("the query failed on what is in the tables, or took too long.")


def test_rows_are_compared_as_lists_or_bags() -> None:
    assert _alike([[2.0, "a"], [1, None]], [[2, "a"], [1, None]], ordered=True)
    assert _alike([[1, None], [2, "a"]], [[2, "a"], [1, None]], ordered=False)
    assert _alike([[0.1 + 0.2]], [[0.3]], ordered=True)
    for value, rows in (
        ([[1], [2]], [[2], [1]]),
        ([[1]], [[1], [1]]),
        ([[1], [1]], [[1]]),
        ([["1"]], [[1]]),
        ([[None]], [[0]]),
        ([[1, 2]], [[1]]),
        ([[0.31]], [[0.3]]),
        ([[b"a"]], [["a"]]),
    ):
        assert not _alike(value, rows, ordered=True)
        if value != [[1], [2]]:
            assert not _alike(value, rows, ordered=False)


def test_what_the_class_says_of_its_verdicts() -> None:
    env = begun(2)
    verdict = judged(env, first(env))
    assert set(verdict["components"]) <= Sql.components


def mistakes(query: str, ordered: bool) -> dict[str, str]:
    """The query with usual mistakes in it, made apart from those that databases are drawn against."""
    made = {
        "the first row": f"{query} LIMIT 1",
        "the first two rows": f"SELECT * FROM ({query}) LIMIT 2",
        "a day earlier": re.sub(r"day >= (\d+)", lambda day: f"day > {int(day[1]) - 2}", query),
        "a day later": re.sub(r"day >= (\d+)", lambda day: f"day >= {int(day[1]) + 1}", query),
        "any day": re.sub(r"c\.day >= \d+", "c.day > 0", query),
        "any kind": re.sub(r"(c\.\w+) <> '\w+'", r"\1 IS NOT NULL", query),
    }
    if ordered:
        made["the last order turned"] = f"{query} DESC"
    if query.endswith(" DESC, name"):
        made |= {"no second order": query[: -len(", name")], "the order of ids": query[: -len("name")] + "id"}
        made["one less"] = re.sub(r">= (\d)", lambda least: f">= {int(least[1]) - 1}", query)
    return {name: wrong for name, wrong in made.items() if wrong != query}


def passes(env: Env, query: str) -> bool:
    """Whether a query gives the right rows on every hidden database, without the sandbox."""
    inst = env.episode.instance
    for tables, rows in zip(inst.key["databases"], inst.key["rows"], strict=True):
        connection = sqlite3.connect(":memory:")
        for statement in inst.problem["schema"]:
            connection.execute(statement)
        for table, content in tables.items():
            if content:
                connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(content[0]))})", content)
        found = [list(row) for row in connection.execute(query)]
        connection.close()
        if not _alike(found, rows, inst.problem["ordered"]):
            return False
    return True


@pytest.mark.parametrize("level", LEVELS)
def test_no_usual_mistake_solves_any_task(level: int) -> None:
    env = envhub.make("sql-v0", difficulty=level)
    tried = set()
    for seed in range(20):
        env.reset(seed=seed)
        assert passes(env, first(env))
        assert len(env.episode.instance.key["databases"]) <= 12
        assert max(map(len, env.episode.instance.key["rows"])) >= 3
        for name, wrong in mistakes(first(env), env.episode.instance.problem["ordered"]).items():
            assert not passes(env, wrong), (seed, name, wrong)
            tried.add(name)
    assert tried >= {"the first row", "the first two rows"} | ({"no second order"} if level == 1 else {"a day earlier"})


@pytest.mark.parametrize("split", ["validation", "test"])
def test_small_splits_have_a_task_for_every_seed(split: str) -> None:
    for level in LEVELS:
        env = envhub.make("sql-v0", difficulty=level, split=split)
        for seed in range(30):
            env.reset(seed=seed)
            assert passes(env, first(env))
