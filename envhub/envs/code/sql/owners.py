"""Question kinds that need one table's rows for each of another."""

from __future__ import annotations

from typing import Final

from envhub.envs.code.sql.questions import Kind, When

_SUM: Final = "COALESCE(SUM(c.{ca}), 0)"
KINDS: Final[dict[str, Kind]] = {
    "counts": Kind(
        "How many of {the_cs} belong to each of {the_ps}? Include {ps} that have none, with 0.",
        "SELECT p.id, p.name, COUNT(c.id) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on}{wherep} GROUP BY p.id, p.name",
        (("id of the {p}", "k"), ("name", "t"), ("number of {cs}", "n0")),
        (-3, -2),
        [
            When(
                "c",
                "SELECT p.id, p.name, COUNT(c.id) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id, p.name",
            ),
            When("!amount", ("COUNT(c.id)", "COUNT(c.{ca})")),
            ("COUNT(c.id)", "COUNT(DISTINCT c.day)"),
            ("GROUP BY p.id, p.name", "GROUP BY p.name"),
        ],
        others=["SELECT p.id, p.name, (SELECT COUNT(*) FROM {C} c WHERE c.{cp} = p.id{on}) FROM {P} p{wherep}"],
    ),
    "sums": Kind(
        "What is the sum of {ca} over {the_cs} of each of {the_ps}? An unknown {ca} counts as 0. The sum is 0 for {a_p} that "
        "has none of {the_cs}.",
        "SELECT p.id, p.name, "
        + _SUM
        + " FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on}{wherep} GROUP BY p.id, p.name",
        (("id of the {p}", "k"), ("name", "t"), ("sum", "n0")),
        (-3, -2),
        [
            When(
                "c",
                "SELECT p.id, p.name, "
                + _SUM
                + " FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id, p.name",
            ),
            ("GROUP BY p.id, p.name", "GROUP BY p.name"),
            (_SUM, "COUNT(c.id)"),
            (_SUM, "COALESCE(AVG(c.{ca}), 0)"),
        ],
        exclude=frozenset({"amount"}),
        others=[
            "SELECT p.id, p.name, IFNULL((SELECT SUM(c.{ca}) FROM {C} c WHERE c.{cp} = p.id{on}), 0) FROM {P} p{wherep}"
        ],
    ),
    "without": Kind(
        "Which of {the_ps} have a known {pl} but none of {the_cs}?",
        "SELECT p.id, p.{pl} FROM {P} p WHERE p.{pl} IS NOT NULL{onp} AND NOT EXISTS (SELECT 1 FROM {C} c WHERE c.{cp} = "
        "p.id{on})",
        (("id", "k"), ("{pl}", "n")),
        (),
        [
            ("p.{pl} IS NOT NULL{onp}", "1{onp}"),
            "SELECT p.id, p.{pl} FROM {P} p WHERE p.{pl} IS NOT NULL{onp}",
            "SELECT p.id, p.{pl} FROM {P} p WHERE p.{pl} IS NOT NULL{onp} AND p.id NOT IN (SELECT c.{cp} FROM {C} c{where})",
        ],
        others=[
            "SELECT p.id, p.{pl} FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} WHERE c.id IS NULL AND p.{pl} IS NOT NULL{onp}"
        ],
        exclude=frozenset({"level", "has_line_twice"}),
    ),
    "having": Kind(
        "What is the sum of {ca} over {the_cs} of each {p} that has at least one of them? An unknown {ca} counts as 0.",
        "SELECT c.{cp}, " + _SUM + " FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp}",
        (("id of the {p}", "k"), ("sum", "n0")),
        (-2,),
        [
            "SELECT p.id, " + _SUM + " FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} GROUP BY p.id",
            "SELECT c.{cp}, "
            + _SUM
            + " FROM {C} c JOIN {I} i ON i.{ic} = c.id WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp}",
            "SELECT c.{cp}, COALESCE(SUM(DISTINCT c.{ca}), 0) FROM {C} c JOIN {I} i ON i.{ic} = c.id WHERE c.{cp} IS NOT NULL"
            "{on} GROUP BY c.{cp}",
            (_SUM, "COALESCE(AVG(c.{ca}), 0)"),
            (_SUM + " FROM {C} c WHERE", _SUM + " FROM {C} c WHERE c.{ca} IS NOT NULL AND"),
        ],
        others=[
            "SELECT p.id, TOTAL(c.{ca}) FROM {P} p JOIN {C} c ON c.{cp} = p.id{where} GROUP BY p.id",
            "SELECT p.id, (SELECT TOTAL(c.{ca}) FROM {C} c WHERE c.{cp} = p.id{on}) FROM {P} p WHERE EXISTS (SELECT 1 FROM "
            "{C} d WHERE d.{cp} = p.id{ond})",
        ],
        tables="c",
        exclude=frozenset({"amount"}),
        needs=("line",),
    ),
    "most": Kind(
        "Which of {the_ps} have the most of {the_cs}? List all that share the highest number. If that number is 0, list "
        "nothing.",
        "WITH t AS (SELECT p.id AS id, COUNT(*) AS n FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id) SELECT "
        "t.id, "
        "t.n FROM t WHERE t.n = (SELECT MAX(t.n) FROM t)",
        (("id of the {p}", "k"), ("number of {cs}", "s")),
        (),
        [
            "WITH t AS (SELECT p.id AS id, COUNT(c.id) AS n FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on}{wherep} GROUP BY "
            "p.id) "
            "SELECT t.id, t.n FROM t WHERE t.n = (SELECT MAX(t.n) FROM t)",
            "SELECT p.id, COUNT(*) FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id ORDER BY 2 DESC, 1 LIMIT 1",
            "SELECT p.id, COUNT(*) FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id",
            "WITH t AS (SELECT c.{cp} AS id, COUNT(*) AS n FROM {C} c{where} GROUP BY c.{cp}) SELECT p.id, t.n FROM t JOIN "
            "{P} p "
            "ON p.id = t.id{wherep_and} t.n = (SELECT MAX(t.n) FROM t)",
        ],
        others=[
            "SELECT x.w, x.n FROM (SELECT p.id AS w, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM {P} p JOIN "
            "{C} "
            "c ON c.{cp} = p.id{wherecp} GROUP BY p.id) x WHERE x.r = 1",
            "SELECT t.id, t.n FROM (SELECT p.id AS id, COUNT(*) AS n FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY "
            "p.id) t WHERE t.n >= (SELECT MAX(t.n) FROM (SELECT COUNT(*) AS n FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} "
            "GROUP BY p.id) t)",
        ],
    ),
    "pairs": Kind(
        "Which pairs of {the_ps} have the same known {pg}? A pair consists of two different {ps}; list each pair once.",
        "SELECT p.id, q.id FROM {P} p JOIN {P} q ON q.{pg} = p.{pg} AND p.id < q.id{onp}{onq}",
        (("the lower id", "k"), ("the higher id", "k")),
        (1, -2),
        [
            ("p.id < q.id", "p.id <> q.id"),
            ("q.{pg} = p.{pg}", "q.{pg} IS p.{pg}"),
            ("q.{pg} = p.{pg}", "lower(q.{pg}) = lower(p.{pg})"),
            ("q.{pg} = p.{pg} AND", "q.{pg} = p.{pg} AND q.name <> p.name AND"),
            ("q.{pg} = p.{pg}", "q.{pg} <> p.{pg}"),
            When("p", ("{onp}{onq}", "{onp}")),
            When("p", ("{onp}{onq}", "{onq}")),
        ],
        others=["SELECT q.id, p.id FROM {P} p, {P} q WHERE p.{pg} = q.{pg} AND q.id < p.id{onp}{onq}"],
        tables="p",
        exclude=frozenset({"group"}),
    ),
    "spans": Kind(
        "For each {p} that has at least one of {the_cs}: on which day is the first of them, on which day is the last, and how "
        "many different days do they have?",
        "SELECT c.{cp}, MIN(c.day), MAX(c.day), COUNT(DISTINCT c.day) FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp}",
        (("id of the {p}", "k"), ("first day", "n"), ("last day", "n"), ("number of days", "n")),
        (-4, 2),
        [
            ("COUNT(DISTINCT c.day)", "MAX(c.day) - MIN(c.day) + 1"),
            "SELECT p.id, MIN(c.day), MAX(c.day), COUNT(DISTINCT c.day) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} GROUP "
            "BY p.id",
        ],
        others=[
            "SELECT p.id, MIN(c.day), MAX(c.day), COUNT(DISTINCT c.day) FROM {P} p JOIN {C} c ON p.id = c.{cp}{where} GROUP "
            "BY p.id"
        ],
        tables="c",
    ),
    "share": Kind(
        "For each {p} that has at least one of {the_cs}: what share of them has the {ck} '{kind}'? Give a number from 0 to 1.",
        "SELECT c.{cp}, SUM(c.{ck} = '{kind}') * 1.0 / COUNT(*) FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp}",
        (("id of the {p}", "k"), ("share", "r0")),
        (-2,),
        [
            (" * 1.0", ""),
            ("* 1.0", "* 100.0"),
            ("SUM(c.{ck} = '{kind}')", "SUM(c.{ck} <> '{kind}')"),
            ("COUNT(*)", "(SELECT COUNT(*) FROM {C})"),
            ("SUM(c.{ck} = '{kind}') * 1.0 / COUNT(*)", "1.0 / COUNT(*)"),
            ("c.{cp} IS NOT NULL{on} GROUP", "c.{cp} IS NOT NULL{on} AND c.{ck} = '{kind}' GROUP"),
            When("c", ("{on} GROUP", " GROUP")),
        ],
        others=[("SUM(c.{ck} = '{kind}') * 1.0 / COUNT(*)", "AVG(CASE WHEN c.{ck} = '{kind}' THEN 1 ELSE 0 END)")],
        tables="c",
        exclude=frozenset({"kind"}),
    ),
    "one_not_other": Kind(
        "Which of {the_ps} have at least one of {the_cs} with {ck} '{kind}', but none with {ck} '{other}'?",
        "SELECT p.id, p.name FROM {P} p WHERE EXISTS (SELECT 1 FROM {C} c WHERE c.{cp} = p.id AND c.{ck} = '{kind}'{on}) AND "
        "NOT "
        "EXISTS (SELECT 1 FROM {C} d WHERE d.{cp} = p.id AND d.{ck} = '{other}'{ond}){onp}",
        (("id", "k"), ("name", "t")),
        (2,),
        [
            "SELECT DISTINCT p.id, p.name FROM {P} p JOIN {C} c ON c.{cp} = p.id WHERE c.{ck} = '{kind}' AND c.{ck} <> "
            "'{other}'{on}{onp}",
            "SELECT p.id, p.name FROM {P} p JOIN {C} c ON c.{cp} = p.id WHERE c.{ck} = '{kind}'{on}{onp} AND NOT EXISTS "
            "(SELECT 1 "
            "FROM {C} d WHERE d.{cp} = p.id AND d.{ck} = '{other}'{ond})",
            "SELECT p.id, p.name FROM {P} p WHERE NOT EXISTS (SELECT 1 FROM {C} d WHERE d.{cp} = p.id AND d.{ck} = "
            "'{other}'{ond}){onp}",
            When("c", ("{ond}", "")),
            When("c", ("{on})", ")")),
        ],
        others=[
            "SELECT p.id, p.name FROM {P} p WHERE p.id IN (SELECT c.{cp} FROM {C} c WHERE c.{ck} = '{kind}'{on}) AND p.id NOT "
            "IN "
            "(SELECT d.{cp} FROM {C} d WHERE d.{cp} IS NOT NULL AND d.{ck} = '{other}'{ond}){onp}"
        ],
        exclude=frozenset({"kind", "has_line_twice"}),
        kinds="first",
    ),
    "worth": Kind(
        "The worth of {a_p} is the sum of count times {ip} over all {ii} of {the_cs} of the {p}. It is 0 where there are none. "
        "What is the worth of each of {the_ps}?",
        "SELECT p.id, p.name, COALESCE(SUM(i.count * i.{ip}), 0) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} LEFT JOIN "
        "{I} i ON "
        "i.{ic} = c.id{wherep} GROUP BY p.id, p.name",
        (("id of the {p}", "k"), ("name", "t"), ("worth", "n0")),
        (-3, -2),
        [
            When("c", ("{on} LEFT JOIN {I} i ON i.{ic} = c.id{wherep}", " LEFT JOIN {I} i ON i.{ic} = c.id{wherecp}")),
            ("SUM(i.count * i.{ip})", "SUM(i.count) * SUM(i.{ip})"),
            ("GROUP BY p.id, p.name", "GROUP BY p.name"),
        ],
        others=[
            "SELECT p.id, p.name, IFNULL((SELECT SUM(i.{ip} * i.count) FROM {C} c, {I} i WHERE c.{cp} = p.id AND i.{ic} = "
            "c.id{on}), "
            "0) "
            "FROM {P} p{wherep}"
        ],
    ),
    "every_one": Kind(
        "Which of {the_ps} have at least one of {the_cs}, and have a known {ca} of at least {some} on each of them?",
        "SELECT p.id, p.name FROM {P} p WHERE EXISTS (SELECT 1 FROM {C} c WHERE c.{cp} = p.id{on}) AND NOT EXISTS (SELECT 1 "
        "FROM "
        "{C} d WHERE d.{cp} = p.id{ond} AND (d.{ca} < {some} OR d.{ca} IS NULL)){onp}",
        (("id", "k"), ("name", "t")),
        (2,),
        [
            "SELECT p.id, p.name FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id HAVING MIN(c.{ca}) >= {some}",
            "SELECT p.id, p.name FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id HAVING MAX(c.{ca}) >= {some}",
            "SELECT p.id, p.name FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id HAVING AVG(c.{ca}) >= {some}",
            "SELECT p.id, p.name FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id HAVING AVG(COALESCE(c.{ca}, 0)) "
            ">= {some}",
            "SELECT p.id, p.name FROM {P} p WHERE NOT EXISTS (SELECT 1 FROM {C} d WHERE d.{cp} = p.id{ond} AND (d.{ca} < "
            "{some} OR "
            "d.{ca} IS NULL)){onp}",
            "SELECT DISTINCT p.id, p.name FROM {P} p JOIN {C} c ON c.{cp} = p.id WHERE c.{ca} >= {some}{on}{onp}",
            When("c", ("{ond}", "")),
            When("c", ("p.id{on})", "p.id)")),
        ],
        others=[
            "SELECT p.id, p.name FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id HAVING MIN(COALESCE(c.{ca}, "
            "-1)) "
            ">= {some}"
        ],
        exclude=frozenset({"amount", "has_line_twice"}),
    ),
    "totals": Kind(
        "For each of {the_ps}: how many of {the_cs} belong to it, what is the sum of their {ca}, and how many {ii} do they "
        "have? An unknown {ca} counts as 0. Each number is 0 where there is nothing to count.",
        "SELECT p.id, (SELECT COUNT(*) FROM {C} c WHERE c.{cp} = p.id{on}), (SELECT "
        + _SUM
        + " FROM {C} c WHERE c.{cp} = "
        "p.id{on}), (SELECT COUNT(*) FROM {C} c JOIN {I} i ON i.{ic} = c.id WHERE c.{cp} = p.id{on}) FROM {P} p{wherep}",
        (("id of the {p}", "k"), ("number of {cs}", "n0"), ("sum", "n0"), ("number of {ii}", "n0")),
        (-2, -4),
        [
            "SELECT p.id, COUNT(DISTINCT c.id), "
            + _SUM
            + ", COUNT(i.{ic}) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} LEFT "
            "JOIN {I} i ON i.{ic} = c.id{wherep} GROUP BY p.id",
            "SELECT p.id, COUNT(c.id), "
            + _SUM
            + ", COUNT(i.{ic}) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} LEFT JOIN {I} i "
            "ON i.{ic} = c.id{wherep} GROUP BY p.id",
            "SELECT p.id, COUNT(DISTINCT c.id), COALESCE(SUM(DISTINCT c.{ca}), 0), COUNT(i.{ic}) FROM {P} p LEFT JOIN {C} c ON "
            "c.{cp} = p.id{on} LEFT JOIN {I} i ON i.{ic} = c.id{wherep} GROUP BY p.id",
            ("JOIN {I} i", "LEFT JOIN {I} i"),
        ],
        exclude=frozenset({"has_line", "has_line_twice", "amount"}),
        others=[
            "WITH l AS (SELECT i.{ic} AS k, COUNT(*) AS n FROM {I} i GROUP BY i.{ic}) SELECT p.id, COUNT(c.id), "
            + _SUM
            + ", "
            "COALESCE(SUM(l.n), 0) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on} LEFT JOIN l ON l.k = c.id{wherep} GROUP BY "
            "p.id"
        ],
    ),
    "pivot": Kind(
        "For each of {the_ps}: how many of {the_cs} that belong to it have the {ck} '{kind}', how many have '{other}', and how "
        "many have any other {ck}? Each number may be 0.",
        "SELECT p.id, COUNT(CASE WHEN c.{ck} = '{kind}' THEN 1 END), COUNT(CASE WHEN c.{ck} = '{other}' THEN 1 END), "
        "COUNT(CASE "
        "WHEN c.{ck} NOT IN ('{kind}', '{other}') THEN 1 END) FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on}{wherep} GROUP BY "
        "p.id",
        (
            ("id of the {p}", "k"),
            ("number with '{kind}'", "n0"),
            ("number with '{other}'", "n0"),
            ("number with any other", "n0"),
        ),
        (-4, 2),
        [
            ("c.{ck} NOT IN ('{kind}', '{other}')", "lower(c.{ck}) NOT IN ('{kind}', '{other}')"),
            ("COUNT(CASE WHEN c.{ck} NOT IN ('{kind}', '{other}') THEN 1 END)", "COUNT(*)"),
            ("COUNT(CASE WHEN c.{ck} NOT IN ('{kind}', '{other}') THEN 1 END)", "COUNT(c.id)"),
            ("NOT IN ('{kind}', '{other}')", "<> '{kind}'"),
            ("NOT IN ('{kind}', '{other}')", "<> '{other}'"),
            ("c.{ck} NOT IN ('{kind}', '{other}')", "lower(c.{ck}) <> '{kind}' AND c.{ck} <> '{other}'"),
            ("c.{ck} NOT IN ('{kind}', '{other}')", "c.{ck} <> '{kind}' AND lower(c.{ck}) <> '{other}'"),
            ("c.{ck} NOT IN ('{kind}', '{other}')", "c.{ck} NOT LIKE '{kind}%' AND c.{ck} <> '{other}'"),
            ("c.{ck} NOT IN ('{kind}', '{other}')", "c.{ck} <> '{kind}' AND c.{ck} NOT LIKE '{other}%'"),
            ("GROUP BY p.id", "GROUP BY p.name"),
            When("c", ("{on}{wherep}", "{wherecp}")),
        ],
        others=[
            ("COUNT(CASE WHEN c.{ck} = '{kind}' THEN 1 END)", "COALESCE(SUM(c.{ck} = '{kind}'), 0)"),
            "SELECT p.id, (SELECT COUNT(*) FROM {C} c WHERE c.{cp} = p.id AND c.{ck} = '{kind}'{on}), (SELECT COUNT(*) FROM "
            "{C} c WHERE c.{cp} = p.id AND c.{ck} = '{other}'{on}), (SELECT COUNT(*) FROM {C} c WHERE c.{cp} = p.id AND c.{ck} "
            "NOT IN ('{kind}', '{other}'){on}) FROM {P} p{wherep}",
        ],
        exclude=frozenset({"kind"}),
    ),
}
