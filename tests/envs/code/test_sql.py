"""sql-v0: which queries count, and that nothing but the rows does."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from typing import Any

import pytest

import envhub
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.envs.code.sql import world
from envhub.envs.code.sql.data import MOST_ROWS, alike
from envhub.envs.code.sql.environment import Params, Sql, _fitting, _same, _separating
from envhub.envs.code.sql.kinds import KINDS
from envhub.envs.code.sql.questions import Question, draw_question, tokens
from envhub.gymnasium.env import Env
from tests.envs.code.lives import jailed
from tests.envs.code.sql_player.attack import answers, slips

pytestmark = pytest.mark.usefixtures("jailed")
__all__ = ["jailed"]


def begun(level: int, seed: int = 2) -> Env:
    env = envhub.make("sql-v0", difficulty=level, wording=0)
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
    for query in key["wrong"][level % 6 :: 6]:
        verdict = judged(env, query)
        assert not verdict["solved"], query
        assert verdict["components"]["passed"] < 1


def test_databases_differ_and_are_hidden() -> None:
    for seed in range(5):
        env = begun(6, seed)
        key = env.episode.instance.key
        assert len({repr(tables) for tables in key["databases"]}) == len(key["databases"]) >= 7
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


def asking(kind: str) -> Env:
    """An episode that asks a kind of question."""
    level = next(level for level in LEVELS if Params.at(level).most >= tokens(KINDS[kind].query))
    return next(env for env in (begun(level, seed) for seed in range(200)) if env.task.problem["kind"] == kind)


def test_titles_numbers_and_semicolons_do_not() -> None:
    env = asking("counts")
    order = " ORDER BY 3 DESC, 2 DESC"
    assert first(env).endswith(order)
    right = first(env).removesuffix(order).replace("SELECT p.id,", "SELECT p.id + 0.0 AS anything,", 1) + order
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
    assert re.match(r"[0-4] of \d+ cases passed", judged(env, "SELECT 1")["feedback"])


def test_an_error_does_not_carry_what_is_in_the_tables() -> None:
    env = begun(5)
    statement = env.task.problem["schema"][0]
    table = re.search(r"CREATE TABLE (\w+)", statement)
    column = re.search(r"(\w+) TEXT", statement)
    assert table
    assert column
    verdict = judged(env, f"SELECT json_extract('{{}}', {column[1]}) FROM {table[1]}")
    assert verdict["feedback"].endswith("the query failed on the hidden rows, or took too long.")


def test_what_the_class_says_of_its_verdicts() -> None:
    env = begun(2)
    verdict = judged(env, first(env))
    assert set(verdict["components"]) <= Sql.components


# -- wrong queries -----------------------------------------------------------------------------------------------------


def passes(env: Env, query: str) -> bool:
    """Whether a query gives the right rows on every hidden database, in both runs, without the sandbox."""
    inst = env.episode.instance
    for tables, rows in zip(inst.key["databases"], inst.key["rows"], strict=True):
        connection = sqlite3.connect(":memory:")
        for statement in inst.problem["schema"]:
            connection.execute(statement)
        for table, content in tables.items():
            if content:
                connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(content[0]))})", content)
        runs = []
        for reverse in (0, 1):
            connection.execute(f"PRAGMA reverse_unordered_selects = {reverse}")
            runs.append([list(row) for row in connection.execute(query)])
        connection.close()
        if not all(alike(run, rows, inst.problem["order"]) for run in runs):
            return False
    return True


def test_both_runs_must_return_the_rows() -> None:
    rows, others = [[1, "a"]], [[2, "a"]]
    assert _same([rows, rows], ([], rows))
    for runs in ([rows, others], [others, rows], [rows], rows, None):
        assert not _same(runs, ([], rows))


def attacked(level: int, seeds: range, split: str = "train") -> int:
    """Play from the prompt alone: the right reading scores, and no wrong query does. Returns how many were tried."""
    env = envhub.make("sql-v0", difficulty=level, split=split, wording=0)
    tried = 0
    for seed in seeds:
        env.reset(seed=seed)
        right, wrong = answers(env.task.prompt)
        assert passes(env, right), (level, seed, right)
        for name, query in wrong.items():
            assert not passes(env, query), (level, seed, name, query)
        tried += len(wrong)
    return tried


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_who_sees_only_the_prompt_is_right_and_its_mistakes_are_wrong(level: int) -> None:
    assert attacked(level, range(2)) >= 2 * 10


@pytest.mark.nightly
@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("level", LEVELS)
def test_no_mistake_of_a_player_is_right_in_eighty_tasks(level: int, split: str) -> None:
    assert attacked(level, range(80), split) >= 80 * 10


@pytest.mark.parametrize("level", LEVELS)
def test_no_usual_mistake_solves_any_task(level: int) -> None:
    env = envhub.make("sql-v0", difficulty=level, wording=0)
    for seed in range(2):
        env.reset(seed=seed)
        key = env.episode.instance.key
        for query in key["queries"]:
            assert passes(env, query), (seed, query)
            for name, slip in slips(query):
                assert not passes(env, slip), (seed, name, slip)
        for query in key["wrong"]:
            try:
                assert not passes(env, query), (seed, query)
            except sqlite3.Error as error:
                pytest.fail(f"{query}: {error}")
        for count in range(1, MOST_ROWS):
            assert not passes(env, f"SELECT * FROM ({first(env)}) LIMIT {count}"), (seed, count)


@pytest.mark.parametrize("kind", ["every_one", "one_not_other", "totals", "pairs", "most", "having", "pivot"])
def test_a_condition_that_stands_in_several_places_is_needed_in_each(kind: str) -> None:
    """A slip in one place of any of the reference queries is wrong, though the other places are right."""
    tried = 0
    for seed in range(6):
        rng = Stream(b"places", kind, seed)
        domain = world.draw_domain(rng)
        question = draw_question(rng, domain, kind, KINDS[kind])
        assert question is not None
        databases = _separating(rng, domain, question)
        for query in (question.query, *question.others) if databases else ():
            for name, slip in slips(query):
                tried += 1
                assert not all(same(domain, tables, question, slip) for tables in databases or ()), (seed, name, slip)
    assert tried >= 5


def same(domain: world.Domain, tables: world.Tables, question: Question, query: str) -> bool:
    """Whether a query gives the rows of the reference query on a database."""
    connection = world.connect(domain, tables)
    right, rows = world.run(connection, question.query), world.run(connection, query)
    connection.close()
    return alike(rows, right, question.order)


def test_the_columns_that_the_question_names_are_needed_as_they_are() -> None:
    """A number turned round, rounded, replaced by 0; a text in lower case; NULL as 0."""
    for level in LEVELS:
        for seed in range(2):
            env = begun(level, seed)
            rows = max(env.episode.instance.key["rows"], key=len)
            query, width = first(env), len(rows[0])
            connection = sqlite3.connect(":memory:")
            for statement in env.episode.instance.problem["schema"]:
                connection.execute(statement)
            names = [f'"{each[0]}"' for each in connection.execute(f"SELECT * FROM ({query})").description]
            connection.close()
            if len(set(names)) < width:
                continue
            for at, name in enumerate(names):
                text = any(isinstance(row[at], str) for row in rows)
                for change in (
                    ("lower({})", "NULL") if text else ("-{}", "0", "ROUND({} + 0.5)", "NULLIF({}, {})", "NULL")
                ):
                    changed = ", ".join([*names[:at], change.replace("{}", name), *names[at + 1 :]])
                    assert not passes(env, f"SELECT {changed} FROM ({query})"), (level, seed, change)


def test_databases_hold_what_the_rules_of_the_prompt_allow() -> None:
    for level in (1, 4, 7, 10):
        for seed in range(4):
            env = begun(level, seed)
            every = [list(tables.values()) for tables in env.episode.instance.key["databases"]]
            assert any(not p and not c and not i for p, c, i in every), "all empty"
            assert any(p and not c for p, c, i in every), "no rows in the second table"
            assert any(c and not i for p, c, i in every), "no rows in the third table"
            assert any(c and not p for p, c, i in every), "no owner is known"
            assert any(p and any(row[1] is None for row in c) for p, c, i in every), (
                "an unknown owner beside known ones"
            )
            assert any(c and {row[0] for row in p} - {row[1] for row in c} for p, c, i in every), (
                "an owner with no rows"
            )
            assert any(len({row[2].lower() for row in c}) < len({row[2] for row in c}) for p, c, i in every), "capitals"


def test_an_order_that_is_found_and_not_asked_for_is_not_enough() -> None:
    tried = 0
    for seed in range(20):
        env = begun(3, seed)
        order = re.search(r" ORDER BY [^()]*$", first(env))
        if not order:
            continue
        tried += 1
        last = order[0].removeprefix(" ORDER BY ").split(", ")[-1]
        fewer = order[0].removesuffix(last).removesuffix(", ").removesuffix(" ORDER BY ")
        for query in (
            first(env).removesuffix(order[0]),
            first(env).removesuffix(order[0]) + fewer,
            f"SELECT * FROM ({first(env).removesuffix(order[0])}){fewer}",
        ):
            assert not passes(env, query), (seed, query)
    assert tried >= 10


def test_rows_come_in_another_order_the_second_time() -> None:
    env = begun(1, 4)
    table = env.task.problem["schema"][0].split()[2]
    order = (
        f"(SELECT GROUP_CONCAT(id) = (SELECT GROUP_CONCAT(id) FROM (SELECT id FROM {table} ORDER BY id)) FROM {table})"
    )
    right = first(env)
    assert passes(env, right)
    assert not passes(env, f"SELECT * FROM ({right}) WHERE {order}")
    assert not judged(env, f"SELECT * FROM ({right}) WHERE {order}")["solved"]


# -- kinds of questions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_levels_ask_many_kinds_of_questions(level: int) -> None:
    draws = 60
    found = Counter(question.kind for question in (fitting(level, seed) for seed in range(draws)))
    assert len(found) >= 8
    assert max(found.values()) <= 0.3 * draws


def fitting(level: int, seed: int) -> Question:
    rng = Stream(b"kinds", level, seed)
    question = _fitting(rng, world.draw_domain(rng), Params.at(level))
    assert question is not None
    return question


def test_higher_levels_ask_harder_versions_of_lower_kinds() -> None:
    by_level = {level: {fitting(level, seed).kind for seed in range(40)} for level in LEVELS}
    for low, high in ((1, 2), (2, 4), (4, 6), (6, 8), (8, 10)):
        assert len(by_level[low] & by_level[high]) >= 3, (low, high)


def test_the_form_is_the_kind_of_question() -> None:
    env = begun(5)
    assert Sql().form(env.task.problem) == env.task.problem["kind"] in KINDS


@pytest.mark.parametrize("split", ["validation", "test"])
def test_small_splits_have_a_task_for_every_seed(split: str) -> None:
    for level in (1, 4, 7, 10):
        env = envhub.make("sql-v0", difficulty=level, split=split, wording=0)
        for seed in range(4):
            env.reset(seed=seed)
            assert passes(env, first(env))


def test_the_prompt_says_what_counts() -> None:
    ordered, free = asking("averages").task.prompt, asking("elsewhere").task.prompt
    for prompt in (ordered, free):
        assert "Do not round numbers." in prompt
        assert "NULL means unknown." in prompt
        words = re.sub(r"```.*?```|\n.*:\n(  .*\n)+", "", prompt, flags=re.DOTALL)
        assert not re.search(r"(?i)\b(\w+) \1\b|\.\.| \.|[,;:][,;:]", words)
    assert "Return the rows in the requested order." in ordered
    assert "The rows may be in any order." in free
