"""Questions about the tables of :mod:`envhub.generators.sql_world`, with a query that answers them and queries that nearly do.

A question has two conditions at most on which rows of C count. Every wrong query makes one of the usual mistakes: a strict for
a loose comparison or the other way round, unknown values forgotten, a join that drops or multiplies rows, ties broken away,
a condition in the wrong place, only the first rows. Which rows, which columns and which order are meant is said in full::

    question = draw_question(rng, domain)
    question.query, question.wrong, question.others
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from envhub.generators.sql_world import Domain
from envhub.seeding import Stream


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        words: What is asked, and in which columns and order.
        query: An answer.
        others: Other answers.
        wrong: Queries that are no answers.
        ordered: Whether the order of the rows is asked for.
    """

    words: str
    query: str
    others: tuple[str, ...]
    wrong: tuple[str, ...]
    ordered: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: templates with short names for tables and columns.

    ``{on}`` is the conditions on C behind another condition, and ``{which}`` the same in words. ``others`` and ``wrong`` are
    whole queries, or pairs of what stands in the query and what stands there instead. ``conditions`` is how many there may be.
    """

    words: str
    query: str
    wrong: Sequence[str | tuple[str, str]]
    others: Sequence[str | tuple[str, str]] = ()
    ordered: bool = True
    conditions: int = 2


def draw_question(rng: Stream, domain: Domain) -> Question:
    """A question of any kind, with none, one or two conditions."""
    kind = KINDS[rng.choice(list(KINDS))]
    values: dict[str, Any] = {
        **domain.names(),
        "least": rng.between(2, 5),
        "group": rng.choice(domain.groups),
        "label": rng.choice(domain.labels),
        "sum": 5 * rng.between(4, 10),
    }
    day, word, kinds = rng.between(3, 6), rng.choice(domain.kinds), domain.words["ck"]
    every = [
        (f"c.day >= {day}", f"on day {day} or later", (f"c.day > {day}", f"c.day >= {day - 1}")),
        (f"c.{kinds} <> '{word}'", f"whose {kinds} is not '{word}'", (f"c.{kinds} = '{word}'",)),
    ]
    chosen = rng.sample(every[: kind.conditions], rng.below(kind.conditions + 1))
    on = "".join(f" AND {sql}" for sql, _, _ in chosen)
    which = "".join(f" {'and ' if at else ''}{text}" for at, (_, text, _) in enumerate(chosen))
    values.update(on=on, which=which, where=f" WHERE {on.removeprefix(' AND ')}" if on else "")
    query = kind.query.format(**values)
    wrong = [_instead(query, each, values) for each in kind.wrong]
    wrong += [query.replace(sql, other) for sql, _, others in chosen for other in ("1", *others)]
    wrong += [f"{query} DESC"] if kind.ordered else []  # the last column of every order is an ascending one
    wrong += [f"{query} LIMIT 1", f"{query} LIMIT 2"]
    return Question(
        kind.words.format(**values),
        query,
        tuple(_instead(query, each, values) for each in kind.others),
        tuple(dict.fromkeys(each for each in wrong if each != query)),
        kind.ordered,
    )


def tokens(query: str) -> int:
    """The number of words, numbers and signs of a query."""
    return len(re.findall(r"\w+|'[^']*'|<>|<=|>=|[^\w\s]", query))


def _instead(query: str, each: str | tuple[str, str], values: dict[str, Any]) -> str:
    if isinstance(each, str):
        return each.format(**values)
    old, new = (part.format(**values) for part in each)
    if old not in query:
        raise ValueError(f"{old!r} does not stand in {query!r}")
    return query.replace(old, new)


_SUM: Final = "COALESCE(SUM(c.{ca}), 0)"
KINDS: Final[dict[str, Kind]] = {
    "least": Kind(
        "Which {ps} have a {pl} of at least {least}? Columns: name, {pl}. Order: by {pl}, the highest first, then by "
        "name.",
        "SELECT name, {pl} FROM {P} WHERE {pl} >= {least} ORDER BY {pl} DESC, name",
        [
            (">=", ">"),
            (">= {least}", ">= {least} - 1"),
            (" DESC", ""),
            (" DESC, name", " DESC"),
            (" DESC, name", " DESC, id"),
            ("SELECT", "SELECT DISTINCT"),
            ("{pl} >= {least}", "COALESCE({pl}, 9) >= {least}"),
        ],
        [("ORDER BY {pl} DESC", "ORDER BY -{pl}"), (">= {least}", "> {least} - 1")],
        conditions=0,
    ),
    "elsewhere": Kind(
        "Which {ps} have another {pg} than '{group}'? A {p} whose {pg} is unknown is one of them. Columns: id, name. "
        "In any order.",
        "SELECT id, name FROM {P} WHERE {pg} <> '{group}' OR {pg} IS NULL",
        [(" OR {pg} IS NULL", ""), ("<>", "="), ("{pg} <> '{group}' OR ", "")],
        ["SELECT id, name FROM {P} WHERE {pg} IS NOT '{group}'", ("SELECT", "SELECT DISTINCT")],
        ordered=False,
        conditions=0,
    ),
    "kinds": Kind(
        "For every {ck} that occurs among the {cs}{which}: how many such {cs} have it, and to how many different {ps} "
        "do they belong (not counting an unknown one)? Columns: {ck}, number of {cs}, number of {ps}. Order: by {ck}.",
        "SELECT c.{ck}, COUNT(*), COUNT(DISTINCT c.{cp}) FROM {C} c{where} GROUP BY c.{ck} ORDER BY c.{ck}",
        [
            ("COUNT(DISTINCT c.{cp})", "COUNT(c.{cp})"),
            ("COUNT(*)", "COUNT(c.{cp})"),
            ("DISTINCT c.{cp}", "DISTINCT COALESCE(c.{cp}, 0)"),
        ],
        [("COUNT(*)", "COUNT(c.id)")],
    ),
    "counts": Kind(
        "How many {cs}{which} does every single {p} have, 0 included? Columns: id and name of the {p}, number. Order: "
        "by id.",
        "SELECT p.id, p.name, COUNT(c.id) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} GROUP BY p.id ORDER BY p.id",
        [
            ("LEFT JOIN", "JOIN"),
            ("COUNT(c.id)", "COUNT(*)"),
            ("GROUP BY p.id", "GROUP BY p.name"),
            ("COUNT(c.id)", "COUNT(c.{ca})"),
        ],
        ["SELECT p.id, p.name, (SELECT COUNT(*) FROM {C} c WHERE c.{cp} = p.id{on}) FROM {P} p ORDER BY p.id"],
    ),
    "sums": Kind(
        "What is the sum of {ca} over the {cs}{which} of every single {p}? An unknown {ca} counts as 0, and the sum is "
        "0 where there are no such {cs}. Columns: id of the {p}, sum. Order: by the sum, the largest first, then by "
        "id.",
        "SELECT p.id, " + _SUM + " FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} GROUP BY p.id ORDER BY 2 DESC, p.id",
        [("LEFT JOIN", "JOIN"), (_SUM, "SUM(c.{ca})"), (_SUM, "COALESCE(SUM(DISTINCT c.{ca}), 0)"), (" DESC", "")],
        [
            "SELECT p.id, IFNULL((SELECT SUM(c.{ca}) FROM {C} c WHERE c.{cp} = p.id{on}), 0) AS s FROM {P} p ORDER BY "
            "s DESC, p.id"
        ],
    ),
    "without": Kind(
        "Which {ps} with a known {pl} have no {cs}{which}? Columns: id, {pl}. In any order.",
        "SELECT p.id, p.{pl} FROM {P} p WHERE p.{pl} IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM {C} c WHERE c.{cp} = p.id{on})",
        [
            ("p.{pl} IS NOT NULL AND ", ""),
            ("NOT EXISTS", "EXISTS"),
            "SELECT id, {pl} FROM {P} WHERE {pl} IS NOT NULL AND id NOT IN (SELECT c.{cp} FROM {C} c{where})",
        ],
        [
            "SELECT p.id, p.{pl} FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} WHERE c.id IS NULL AND p.{pl} IS NOT "
            "NULL"
        ],
        ordered=False,
    ),
    "holding": Kind(
        "Take the {cs}{which} that have at least one of the {ii} with {il} '{label}', and belong to a known {p}. What "
        "is the sum of their {ca}, an unknown one counting as 0, for every {p} that has such {cs}? Columns: id of the "
        "{p}, sum. Order: by id.",
        "SELECT c.{cp}, " + _SUM + " FROM {C} c WHERE c.{cp} IS NOT NULL AND EXISTS "
        "(SELECT 1 FROM {I} i WHERE i.{ic} = c.id AND i.{il} = '{label}'){on} GROUP BY c.{cp} ORDER BY c.{cp}",
        [
            ("c.{cp} IS NOT NULL AND ", ""),
            (" AND i.{il} = '{label}'", ""),
            (_SUM, "SUM(c.{ca})"),
            "SELECT c.{cp}, " + _SUM + " FROM {C} c JOIN {I} i ON i.{ic} = c.id WHERE c.{cp} IS NOT NULL AND i.{il} = "
            "'{label}'{on} GROUP BY c.{cp} ORDER BY c.{cp}",
        ],
        [
            "SELECT c.{cp}, TOTAL(c.{ca}) FROM {C} c WHERE c.{cp} > 0 AND c.id IN (SELECT {ic} FROM {I} WHERE {il} = "
            "'{label}'){on} GROUP BY c.{cp} ORDER BY c.{cp}"
        ],
    ),
    "most": Kind(
        "Which {ps} have the most {cs}{which}? All that share the highest number are meant; where nobody has any, "
        "there are none. Columns: id of the {p}, number. In any order.",
        "SELECT c.{cp}, COUNT(*) FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp} HAVING COUNT(*) = (SELECT "
        "MAX(n) FROM (SELECT COUNT(*) AS n FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp}))",
        [
            ("c.{cp} IS NOT NULL{on} GROUP", "1{on} GROUP"),
            ("MAX(n)", "MIN(n)"),
            "SELECT c.{cp}, COUNT(*) FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp} ORDER BY 2 DESC, 1 LIMIT "
            "1",
        ],
        [
            "SELECT x.w, x.n FROM (SELECT c.{cp} AS w, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM "
            "{C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp}) x WHERE x.r = 1"
        ],
        ordered=False,
    ),
    "latest": Kind(
        "What is the latest of the {cs}{which} of every {p} that has any: the one on the highest day, and of several "
        "on that day the one with the highest id? Columns: id of the {p}, its name, id of the {c}, its {ca} (NULL if "
        "unknown). Order: by id of the {p}.",
        "SELECT p.id, p.name, x.id, x.{ca} FROM {P} p JOIN (SELECT c.id, c.{cp}, c.{ca}, ROW_NUMBER() OVER (PARTITION "
        "BY c.{cp} ORDER BY c.day DESC, c.id DESC) AS r FROM {C} c WHERE c.{cp} IS NOT NULL{on}) x ON x.{cp} = p.id "
        "WHERE x.r = 1 ORDER BY p.id",
        [
            ("c.id DESC", "c.id"),
            ("c.day DESC, c.id DESC", "c.id DESC"),
            ("c.day DESC", "c.day"),
            (
                "ROW_NUMBER() OVER (PARTITION BY c.{cp} ORDER BY c.day DESC, c.id DESC)",
                "RANK() OVER (PARTITION BY c.{cp} ORDER BY c.day DESC)",
            ),
            (", c.id DESC", ", c.{ca} DESC, c.id DESC"),
        ],
        [
            "SELECT p.id, p.name, c.id, c.{ca} FROM {P} p JOIN {C} c ON c.id = (SELECT c.id FROM {C} c WHERE c.{cp} = "
            "p.id{on} ORDER BY c.day DESC, c.id DESC LIMIT 1) ORDER BY p.id"
        ],
    ),
    "above": Kind(
        "The sum of a {p} is that of {ca} over its {cs}{which}; an unknown {ca} counts as 0, and the sum is 0 where "
        "there are no such {cs}. Which {ps} have a larger sum than the average of the sums of all {ps}? Columns: id, "
        "name, sum. Order: by the sum, the largest first, then by id.",
        "WITH t AS (SELECT p.id AS id, p.name AS name, " + _SUM + " AS s FROM {P} p LEFT JOIN {C} c ON c.{cp} = "
        "p.id{on} GROUP BY p.id, p.name) SELECT t.id, t.name, t.s FROM t WHERE t.s > (SELECT AVG(t.s) FROM t) ORDER "
        "BY t.s DESC, t.id",
        [
            ("LEFT JOIN", "JOIN"),
            ("t.s >", "t.s >="),
            ("AVG(t.s)", "AVG(NULLIF(t.s, 0))"),
            ("t.s DESC, t.id", "t.id"),
            ("AVG(t.s)", "AVG(DISTINCT t.s)"),
        ],
        [("t.s > (SELECT AVG(t.s) FROM t)", "t.s * (SELECT COUNT(*) FROM t) > (SELECT SUM(t.s) FROM t)")],
    ),
    "all": Kind(
        "Which {ps} have, for every {ck} that occurs in {C} at all, at least one of the {cs}{which} with that {ck}? "
        "Where there are no {cs} at all, every {p} is meant. Columns: id and name of the {p}, and the number of all "
        "its {cs}, whatever they are. Order: by id.",
        "SELECT p.id, p.name, (SELECT COUNT(*) FROM {C} o WHERE o.{cp} = p.id) FROM {P} p WHERE NOT EXISTS (SELECT 1 "
        "FROM {C} k WHERE NOT EXISTS (SELECT 1 FROM {C} c WHERE c.{cp} = p.id AND c.{ck} = k.{ck}{on})) ORDER BY p.id",
        [
            (" AND c.{ck} = k.{ck}", ""),
            ("c.{cp} = p.id AND", "1 AND"),
            ("FROM {C} k WHERE", "FROM {C} k WHERE k.{cp} = p.id AND"),
            ("COUNT(*)", "COUNT(DISTINCT o.{ck})"),
        ],
        [
            "SELECT p.id, p.name, (SELECT COUNT(*) FROM {C} o WHERE o.{cp} = p.id) FROM {P} p WHERE (SELECT "
            "COUNT(DISTINCT c.{ck}) FROM {C} c WHERE c.{cp} = p.id{on}) = (SELECT COUNT(DISTINCT {ck}) FROM {C}) ORDER "
            "BY p.id"
        ],
        conditions=1,
    ),
    "reached": Kind(
        "Go through the {cs}{which} of every {p} by day, those of one day by id, and add up their {ca}, an unknown one "
        "counting as 0. At which {c} does the sum first become {sum} or more? Only {ps} whose sum does are meant. "
        "Columns: id of the {p}, id of the {c}, sum up to it, and number of the {p}'s {cs} (of these) after it. "
        "Order: by id of the {p}.",
        "WITH r AS (SELECT c.{cp} AS w, c.id AS id, SUM(COALESCE(c.{ca}, 0)) OVER (PARTITION BY c.{cp} ORDER BY c.day, "
        "c.id) AS s, ROW_NUMBER() OVER (PARTITION BY c.{cp} ORDER BY c.day, c.id) AS n, COUNT(*) OVER (PARTITION BY "
        "c.{cp}) AS m FROM {C} c WHERE c.{cp} IS NOT NULL{on}) SELECT r.w, r.id, r.s, r.m - r.n FROM r WHERE r.s >= "
        "{sum} AND r.n = (SELECT MIN(q.n) FROM r q WHERE q.w = r.w AND q.s >= {sum}) ORDER BY r.w",
        [
            ("s >= {sum}", "s > {sum}"),
            ("ORDER BY c.day, c.id) AS s", "ORDER BY c.day) AS s"),
            ("ORDER BY c.day, c.id)", "ORDER BY c.id)"),
            ("r.m - r.n", "r.m - r.n + 1"),
            (" WHERE q.w = r.w AND", " WHERE"),
        ],
        [("COALESCE(c.{ca}, 0)", "IFNULL(c.{ca}, 0)")],
    ),
    "leaders": Kind(
        "The worth of a {p} is the sum of count times {ip} over the {ii} of its {cs}{which}, 0 where there are none. "
        "For every {pg}, the unknown one being one too: which {p} is worth the most (of equal ones that with the "
        "lowest id), and by how much is its worth above the average worth of the {ps} of that {pg}? Columns: {pg} "
        "(NULL if unknown), id, worth, how much above the average, number of {ps} of that {pg}. Order: by {pg}, the "
        "unknown one first.",
        "WITH t AS (SELECT p.id AS id, p.{pg} AS g, COALESCE(SUM(i.count * i.{ip}), 0) AS s FROM {P} p LEFT JOIN {C} c "
        "ON c.{cp} = p.id{on} LEFT JOIN {I} i ON i.{ic} = c.id GROUP BY p.id, p.{pg}), b AS (SELECT t.g AS g, t.id AS "
        "id, t.s AS s, ROW_NUMBER() OVER (PARTITION BY t.g ORDER BY t.s DESC, t.id) AS r, AVG(t.s) OVER (PARTITION BY "
        "t.g) AS a, COUNT(*) OVER (PARTITION BY t.g) AS n FROM t) SELECT b.g, b.id, b.s, b.s - b.a, b.n FROM b WHERE "
        "b.r = 1 ORDER BY b.g",
        [
            ("LEFT JOIN {C}", "JOIN {C}"),
            ("LEFT JOIN {I}", "JOIN {I}"),
            ("t.s DESC, t.id", "t.s DESC, t.id DESC"),
            (
                "ROW_NUMBER() OVER (PARTITION BY t.g ORDER BY t.s DESC, t.id)",
                "RANK() OVER (PARTITION BY t.g ORDER BY t.s DESC)",
            ),
            ("i.count * i.{ip}", "i.{ip}"),
            ("WHERE b.r = 1", "WHERE b.r = 1 AND b.g IS NOT NULL"),
            ("AVG(t.s) OVER (PARTITION BY t.g)", "AVG(t.s) OVER ()"),
        ],
        [("COALESCE(SUM(i.count * i.{ip}), 0)", "TOTAL(i.{ip} * i.count)")],
    ),
}
