"""Questions about tables: their queries by hand, other answers, usual mistakes, grammar, and what databases hold."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest

from envhub.core.seeding import Stream
from envhub.envs.code.sql import data, world
from envhub.envs.code.sql.conditions import listed
from envhub.envs.code.sql.kinds import KINDS
from envhub.envs.code.sql.mutants import mutants
from envhub.envs.code.sql.questions import Question, draw_question
from envhub.envs.code.sql.world import SHAPES, Domain, Tables


def drawn(kind: str, seed: int) -> tuple[Domain, Question]:
    """A question of a kind."""
    rng = Stream(b"question", kind, seed)
    domain = world.draw_domain(rng)
    question = draw_question(rng, domain, kind, KINDS[kind])
    assert question is not None
    return domain, question


@pytest.mark.parametrize("kind", KINDS)
def test_other_answers_agree_and_every_wrong_query_runs_and_fails_somewhere(kind: str) -> None:
    kept = 0
    for seed in range(4):
        domain, question = drawn(kind, seed)
        assert "{" not in question.words + question.query
        assert len(question.wrong) >= 5
        assert question.query not in question.wrong
        rng, left, missing = Stream(b"databases", kind, seed), list(question.wrong), data.needed(question)
        for shape in (*SHAPES, *4 * ("mixed", "generous", "sparse", "alike", "crowd", "small", "few")):
            connection = world.connect(domain, world.draw_database(rng, domain, shape, question.pools))
            right = world.run(connection, question.query)
            for query in question.others:
                assert data.alike(world.run(connection, query), right, question.order), query
            if shape == "mixed":
                for query in question.wrong:
                    world.run(connection, query)
            left = [query for query in left if data.same_on(connection, query, right, question)]
            missing -= data.shown(question, right)
            connection.close()
        kept += not left and not missing
    assert kept, (left, missing)


def test_mistakes_that_a_kind_declares_right_are_ones_that_are_made() -> None:
    for name, kind in KINDS.items():
        assert set(kind.same) <= {label for label, _ in mutants(kind.query)}, name
        assert len({label for label, _ in mutants(kind.query)}) == len(list(mutants(kind.query))), name


def test_usual_mistakes_are_made_wherever_they_can_be() -> None:
    template = (
        "SELECT p.id, COALESCE(SUM(c.{ca}), 0) FROM {P} p LEFT JOIN {C} c ON c.{cp} = id AND c.day >= 3 GROUP BY p.{pg}"
    )
    made = dict(mutants(template))
    assert made["inner join 1"] == template.replace("LEFT JOIN", "JOIN")
    assert made["unknown 1"] == template.replace("COALESCE(SUM(c.{ca}), 0)", "SUM(c.{ca})")
    assert made["sum of different 1"] == template.replace("SUM(", "SUM(DISTINCT ")
    assert made["greater 1"] == template.replace(">=", ">")
    assert made["less one 1"] == template.replace("3", "3 - 1")
    assert made["group by case 1"] == template.replace("GROUP BY p.{pg}", "GROUP BY lower(p.{pg})")
    assert "exists 1" not in made


DATABASE: Tables = {
    "P1": [[1, "Ann", "A", 3], [2, "Ben", None, None], [3, "Ann", "B", 3], [4, "Cy", "A", 1]],
    "C1": [[1, 1, "k", 1, 10], [2, 1, "l", 1, None], [3, None, "k", 2, 5], [4, 3, "k", 3, 20], [5, 3, "l", 3, 5]],
    "I1": [[1, "x", 2, 3], [1, "x", 1, 1], [4, "y", 1, 5]],
}
BY_HAND: dict[str, list[list[Any]]] = {
    "least": [["Ann", 3], ["Ann", 3]],
    "elsewhere": [[2, "Ben"], [3, "Ann"]],
    "combinations": [[3, "l"], [3, "k"], [2, "k"], [1, "l"], [1, "k"]],
    "kinds": [["l", 2, 2], ["k", 3, 2]],
    "days": [[3, 2, 25], [2, 1, 5], [1, 2, 10]],
    "averages": [["k", 35 / 3], ["l", 5.0]],
    "namesakes": [["Ann", 2]],
    "orphans": [[3, 2]],
    "values": [[1, 7], [4, 5]],
    "labels": [["x", 3, 1], ["y", 1, 1]],
    "known": [["B", 1, 1], ["A", 2, 2], [None, 1, 0]],
    "unlined": [[3, "k"], [5, "l"], [2, "l"]],
    "counts": [[3, "Ann", 2], [1, "Ann", 2], [4, "Cy", 0], [2, "Ben", 0]],
    "sums": [[3, "Ann", 25], [1, "Ann", 10], [4, "Cy", 0], [2, "Ben", 0]],
    "without": [[4, 1]],
    "having": [[3, 25], [1, 10]],
    "most": [[1, 2], [3, 2]],
    "pairs": [[1, 4]],
    "spans": [[1, 1, 1, 1], [3, 3, 3, 1]],
    "share": [[3, 0.5], [1, 0.5]],
    "one_not_other": [[3, "Ann"], [1, "Ann"]],
    "worth": [[1, "Ann", 7], [3, "Ann", 5], [4, "Cy", 0], [2, "Ben", 0]],
    "every_one": [[3, "Ann"]],
    "totals": [[1, 2, 10, 2], [3, 2, 25, 1], [2, 0, 0, 0], [4, 0, 0, 0]],
    "pivot": [[3, 1, 0, 1], [1, 1, 0, 1], [4, 0, 0, 0], [2, 0, 0, 0]],
    "latest": [[3, "Ann", 5, 5], [1, "Ann", 2, None]],
    "above": [[3, "Ann", 25], [1, "Ann", 10]],
    "all": [[3, "Ann", 2], [1, "Ann", 2]],
    "reached": [[3, 4, 20, 1], [1, 1, 10, 1]],
    "leaders": [["B", 3, 5, 0.0, 1], ["A", 1, 7, 3.5, 2], [None, 2, 0, 0.0, 1]],
    "second": [[3, 5]],
    "running": [[3, 25, 40], [2, 5, 15], [1, 10, 10]],
    "streak": [[3, 1], [1, 1]],
    "change": [[2, -10], [5, -15]],
    "similar": [[1, 3]],
    "favourite": [[1, "x", 3], [3, "y", 1]],
    "own_average": [[4, 7.5]],
}


@pytest.mark.parametrize("kind", KINDS)
def test_by_hand(kind: str) -> None:
    words = dict.fromkeys(("p", "c", "i"), "x") | {"ps": "P1", "cs": "C1", "ii": "I1", "cp": "p_id", "ic": "c_id"}
    words |= {"pg": "town", "pl": "age", "ck": "kind", "ca": "fee", "il": "label", "ip": "price"}
    domain = Domain(words, ("A", "B"), ("k", "l"), ("x", "y"))
    named = {"group": "A", "label": "x", "least": 3, "sum": 10, "some": 5, "kind": "k", "other": "z"}
    nothing = dict.fromkeys(("on", "onp", "ond", "onq", "where", "wherep", "wherecp"), "")
    query = KINDS[kind].query.format(**domain.names(), **named, **nothing)
    if KINDS[kind].order:
        query += " ORDER BY " + ", ".join(f"{abs(key)}{' DESC' if key < 0 else ''}" for key in KINDS[kind].order)
    connection = world.connect(domain, DATABASE)
    assert data.alike(world.run(connection, query), BY_HAND[kind], KINDS[kind].order)
    connection.close()


# -- grammar -----------------------------------------------------------------------------------------------------------


def faults(words: str, domain: Domain) -> list[str]:
    """What is wrong with the grammar of a composed question."""
    n = domain.names()
    one, many = (
        r"\b(?:" + "|".join(n[short] for short in shorts) + r")\b" for shorts in (("p", "c", "i"), ("ps", "cs", "ii"))
    )
    patterns = {
        "a doubled word": r"(?i)\b(\w+) \1\b",
        "doubled punctuation": r"[,;:.?!] ?[,;:.?!]",
        "a space too many": r"  | [,;:.?!)]|\( ",
        "no space": r"[,;:.?!)](?=[A-Za-z])",
        "a before a vowel": r"\b[Aa] [aeiou]",
        "an before a consonant": r"\b[Aa]n [^aeiou]",
        "a placeholder": r"[{}]|None",
        "a singular after a plural determiner": rf"\b(?:these|all|many|several|different|both|other) {one}",
        "a plural after a singular determiner": rf"\b(?:[Ee]ach|an?|every|one|any) {many}",
        "a sentence without a capital": r"[.?!] [a-z]",
        "a verb that does not agree": rf"{one} have\b|{many} has\b",
    }
    found = [name for name, pattern in patterns.items() if re.search(pattern, words)]
    return found + ([] if words[0].isupper() and words.endswith(".") else ["no sentence"])


@pytest.mark.parametrize("kind", KINDS)
def test_grammar(kind: str) -> None:
    for seed in range(60):
        domain, question = drawn(kind, seed)
        assert not faults(question.words, domain), question.words


def test_grammar_faults_are_found() -> None:
    domain = world.draw_domain(Stream(b"faults"))
    p, ps = domain.words["p"], domain.words["ps"]
    for wrong in (
        f"Which of the the {ps} are there?.",
        f"Which {ps} have a age of at least 2, in any order.",
        f"Which {ps} have an score.",
        f"Which of these {p} are there.",
        f"For each {ps}, how many.",
        f"Which {ps} has any.",
        f"Which {ps} , in any order.",
        f"which {ps}.",
        f"Which {ps}. in any order.",
        f"Which {ps} have {{pl}}.",
    ):
        assert faults(wrong, domain), wrong
    assert not faults(f"Which of these {ps} have an age of at least 2? In any order.", domain)


def test_parts_are_listed_so_that_an_or_within_one_stays_there() -> None:
    assert listed(["x"]) == "x"
    assert listed(["x or y", "z"]) == "x or y, and z"
    assert listed(["x", "y", "z"]) == "x, y, and z"
    assert listed([]) == ""


# -- data --------------------------------------------------------------------------------------------------------------


def test_databases_hold_what_queries_go_wrong_on() -> None:
    domain = world.draw_domain(Stream(b"domain"))
    names = domain.names()
    every = {
        shape: [world.draw_database(Stream(b"rows", shape, seed), domain, shape, {}) for seed in range(6)]
        for shape in SHAPES
    }
    assert not any(any(tables.values()) for tables in every["empty"])
    assert all(tables[names["P"]] and not tables[names["C"]] for tables in every["parents"])
    assert all(tables[names["C"]] and not tables[names["I"]] for tables in every["unlined"])
    assert all(tables[names["C"]] and not tables[names["P"]] for tables in every["orphans"])
    assert all(all(tables.values()) for tables in every["plain"])
    for tables in every["mixed"]:
        tops, middles = tables[names["P"]], tables[names["C"]]
        assert len({row[1] for row in tops}) < len(tops)
        assert any(row[1] is None for row in middles)
        amounts = [(row[1], row[4]) for row in middles if row[1] is not None and row[4] is not None]
        assert len(set(amounts)) < len(amounts), "an owner with two equal amounts"
        assert {row[0] for row in tops} - {row[1] for row in middles}, "an owner with none"
        kinds = {row[2] for row in middles}
        assert len({kind.lower() for kind in kinds}) < len(kinds)
    for tables in (each for group in every.values() for each in group):
        ids, keys = {row[0] for row in tables[names["P"]]}, {row[0] for row in tables[names["C"]]}
        assert all(row[1] in ids | {None} for row in tables[names["C"]])
        assert all(row[0] in keys for row in tables[names["I"]])


def question(columns: tuple[str, ...], *, repeats: bool = False) -> Question:
    return Question("x", "", "", (), (), (), columns, repeats, {})


def test_what_rows_show() -> None:
    asked = question(("k", "n0?", "r-", "t"))
    wanted = data.needed(asked)
    assert {"rows", "n 1", "0 1", "? 1", "- 2", "f 2", "u 3", "v 0"} <= wanted
    rows = [[at, at % 3 or None, -at / 3, "Aa"] for at in range(1, 12)]
    assert wanted - data.shown(asked, rows) == {"0 1", "v 3"}
    assert wanted <= data.shown(asked, [*rows, [12, 0, 0.5, "aa"]])
    assert data.shown(asked, [[1, 5, 0.25, "a"]]) == {"n 0", "n 1", "n 2"}
    assert "repeats" in data.needed(question(("n",), repeats=True)) - data.shown(question(("n",)), [[1], [2]])
    assert "repeats" in data.shown(question(("n",), repeats=True), [[1], [1]])


def test_rows_are_compared_as_bags_and_by_the_columns_to_sort_by() -> None:
    assert data.alike([[2.0, "a"], [1, None]], [[2, "a"], [1, None]], (-1,))
    assert data.alike([[1, None], [2, "a"]], [[2, "a"], [1, None]])
    assert not data.alike([[1, None], [2, "a"]], [[2, "a"], [1, None]], (-1,))
    assert data.alike([[1, "b"], [1, "a"], [2, "c"]], [[1, "a"], [1, "b"], [2, "c"]], (1,))
    assert not data.alike([[1, "b"], [1, "a"], [2, "c"]], [[1, "a"], [1, "b"], [2, "c"]], (1, 2))
    assert data.alike([[0.1 + 0.2]], [[0.3]], (1,))
    assert data.alike([[1 / 3], [2 / 3]], [[0.66666667], [0.33333333]])
    for value, rows in (
        ([[1]], [[1], [1]]),
        ([[1], [1]], [[1]]),
        ([[1], [1], [2]], [[1], [2], [2]]),
        ([["1"]], [[1]]),
        ([[None]], [[0]]),
        ([[0]], [[None]]),
        ([[1, 2]], [[1]]),
        ([[]], [[1]]),
        ([[0.31]], [[0.3]]),
        ([[0.3333]], [[1 / 3]]),
        ([[2 + 1e-9]], [[2.0]]),
        ([[b"a"]], [["a"]]),
        ([[True]], [[1]]),
        ([[float("nan")]], [[1.5]]),
        ([[float("inf")]], [[1.5]]),
    ):
        assert not data.alike(value, rows)
        assert not data.alike(value, rows, (1,))


def test_a_query_that_fails_is_not_the_same() -> None:
    connection = sqlite3.connect(":memory:")
    assert not data.same_on(connection, "SELECT 1 FROM nowhere", [], question(("n",)))
    assert data.same_on(connection, "SELECT 1", [[1]], question(("n",)))
    connection.close()
