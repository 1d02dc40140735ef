"""Questions about tables: the queries that answer them agree, and those that nearly do are told apart."""

from __future__ import annotations

import re
from typing import Any

import pytest

from envhub.generators import sql_questions, sql_world
from envhub.generators.sql_questions import KINDS, Question
from envhub.generators.sql_world import Domain, Tables
from envhub.seeding import Stream


def drawn(kind: str, seed: int) -> tuple[Domain, Question]:
    """A question of a kind."""
    mark = re.sub(r"\{\w+\}", ".*", re.escape(KINDS[kind].words[:40]).replace(r"\{", "{").replace(r"\}", "}"))
    for attempt in range(2000):
        rng = Stream(b"question", kind, seed, attempt)
        domain = sql_world.draw_domain(rng)
        question = sql_questions.draw_question(rng, domain)
        if re.match(mark[: mark.rfind(".*") + 2] if ".*" in mark else mark, question.words):
            return domain, question
    raise AssertionError(kind)


def answers(domain: Domain, tables: Tables, *queries: str) -> list[list[list[Any]]]:
    connection = sql_world.connect(domain, tables)
    found = [sql_world.run(connection, query) for query in queries]
    connection.close()
    return found


def bag(rows: list[list[Any]]) -> list[list[Any]]:
    return sorted(rows, key=repr)


@pytest.mark.parametrize("kind", KINDS)
def test_other_answers_agree_and_wrong_ones_are_told_apart(kind: str) -> None:
    for seed in range(6):
        domain, question = drawn(kind, seed)
        assert "{" not in question.words + question.query
        assert len(question.wrong) >= 3
        assert question.query not in question.wrong
        rng, left = Stream(b"databases", kind, seed), set(question.wrong)
        for _ in range(80):
            tables = sql_world.draw_database(rng, domain)
            right, *others = answers(domain, tables, question.query, *question.others)
            for rows in others:
                assert rows == right if question.ordered else bag(rows) == bag(right)
            wrong = answers(domain, tables, *question.wrong)
            told = {
                query
                for query, rows in zip(question.wrong, wrong, strict=True)
                if (rows != right if question.ordered else bag(rows) != bag(right))
            }
            left -= told
        assert not left


def test_databases_hold_what_queries_go_wrong_on() -> None:
    domain = sql_world.draw_domain(Stream(b"domain"))
    names = domain.names()
    every = [sql_world.draw_database(Stream(b"rows", seed), domain) for seed in range(60)]
    for table in ("P", "C", "I"):
        assert any(not tables[names[table]] for tables in every)
    assert any(len({row[1] for row in tables[names["P"]]}) < len(tables[names["P"]]) for tables in every)
    for table, column in (("P", 2), ("P", 3), ("C", 1), ("C", 4)):
        assert any(row[column] is None for tables in every for row in tables[names[table]])
    for tables in every:
        ids = {row[0] for row in tables[names["P"]]}
        keys = {row[0] for row in tables[names["C"]]}
        assert all(row[1] in ids | {None} for row in tables[names["C"]])
        assert all(row[0] in keys for row in tables[names["I"]])
    assert all(all(sql_world.draw_database(Stream(b"plain", seed), domain, plain=True).values()) for seed in range(20))


def test_by_hand() -> None:
    words = dict.fromkeys(("p", "c", "i"), "x") | {"ps": "P1", "cs": "C1", "ii": "I1", "cp": "p_id", "ic": "c_id"}
    words |= {"pg": "town", "pl": "age", "ck": "kind", "ca": "fee", "il": "label", "ip": "price"}
    domain = Domain(words, ("A", "B"), ("k", "l"), ("x", "y"))
    tables: Tables = {
        "P1": [[1, "Ann", "A", 3], [2, "Ben", None, None], [3, "Ann", "B", 3]],
        "C1": [[1, 1, "k", 1, 10], [2, 1, "l", 1, None], [3, None, "k", 2, 5], [4, 3, "k", 3, 20]],
        "I1": [[1, "x", 2, 3], [1, "x", 1, 1], [4, "y", 1, 5]],
    }
    values = {**domain.names(), "on": "", "which": "", "where": "", "group": "A", "label": "x", "least": 3, "sum": 10}
    expected = {
        "least": [["Ann", 3], ["Ann", 3]],
        "elsewhere": [[2, "Ben"], [3, "Ann"]],
        "kinds": [["k", 3, 2], ["l", 1, 1]],
        "counts": [[1, "Ann", 2], [2, "Ben", 0], [3, "Ann", 1]],
        "sums": [[3, 20], [1, 10], [2, 0]],
        "without": [],
        "holding": [[1, 10]],
        "most": [[1, 2]],
        "latest": [[1, "Ann", 2, None], [3, "Ann", 4, 20]],
        "above": [[3, "Ann", 20]],
        "all": [[1, "Ann", 2]],
        "reached": [[1, 1, 10, 1], [3, 4, 20, 0]],
        "leaders": [[None, 2, 0, 0.0, 1], ["A", 1, 7, 0.0, 1], ["B", 3, 5, 0.0, 1]],
    }
    assert set(expected) == set(KINDS)
    for kind, rows in expected.items():
        assert answers(domain, tables, KINDS[kind].query.format(**values)) == [rows], kind
