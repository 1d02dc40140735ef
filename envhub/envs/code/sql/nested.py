"""Question kinds that take several steps: order within owners, sets, nested results."""

from __future__ import annotations

from typing import Final

from envhub.envs.code.sql.questions import Kind, When

_SUM: Final = "COALESCE(SUM(c.{ca}), 0)"
KINDS: Final[dict[str, Kind]] = {
    "latest": Kind(
        "What is the latest of {the_cs} for each of {the_ps} that has at least one? The latest is the one on the highest day. "
        "If several are on that day, it is the one with the highest id. Its {ca} is NULL if unknown.",
        "SELECT p.id, p.name, x.id, x.{ca} FROM {P} p JOIN (SELECT c.id, c.{cp}, c.{ca}, ROW_NUMBER() OVER (PARTITION BY "
        "c.{cp} "
        "ORDER BY c.day DESC, c.id DESC) AS r FROM {C} c WHERE c.{cp} IS NOT NULL{on}) x ON x.{cp} = p.id AND x.r = 1{wherep}",
        (("id of the {p}", "k"), ("name of the {p}", "t"), ("id of the {c}", "k"), ("{ca}", "n?")),
        (-1,),
        [
            ("c.day DESC, c.id DESC", "c.id DESC"),
            (
                "ROW_NUMBER() OVER (PARTITION BY c.{cp} ORDER BY c.day DESC, c.id DESC)",
                "RANK() OVER (PARTITION BY c.{cp} ORDER BY c.day DESC)",
            ),
            (", c.id DESC", ", c.{ca} DESC, c.id DESC"),
            ("{P} p JOIN (", "{P} p LEFT JOIN ("),
            ("c.{cp} IS NOT NULL{on}", "c.{ca} IS NOT NULL{on}"),
            When("c", ("{on}", "")),
        ],
        same={"null 1": "-", "also unknown 3 1": "", "one part 1": "-"},
        others=[
            "SELECT p.id, p.name, c.id, c.{ca} FROM {P} p JOIN {C} c ON c.id = (SELECT c.id FROM {C} c WHERE c.{cp} = p.id{on} "
            "ORDER BY c.day DESC, c.id DESC LIMIT 1){wherep}"
        ],
        exclude=frozenset({"amount"}),
    ),
    "above": Kind(
        "The sum of {a_p} is the sum of {ca} over {the_cs} of the {p}. An unknown {ca} counts as 0. The sum is 0 where there "
        "are none. Which of {the_ps} have a sum above the average of the sums of all of {the_ps}?",
        "WITH t AS (SELECT p.id AS id, p.name AS name, "
        + _SUM
        + " AS s FROM {P} p LEFT JOIN {C} c ON c.{cp} = p.id{on}{wherep} "
        "GROUP BY p.id, p.name) SELECT t.id, t.name, t.s FROM t WHERE t.s > (SELECT AVG(t.s) FROM t)",
        (("id", "k"), ("name", "t"), ("sum", "n")),
        (-3, -2),
        [
            ("AVG(t.s)", "AVG(NULLIF(t.s, 0))"),
            ("(SELECT AVG(t.s) FROM t)", "(SELECT AVG(c.{ca}) FROM {C} c)"),
            ("GROUP BY p.id, p.name", "GROUP BY p.name"),
            When("c", ("{on}{wherep}", "{wherecp}")),
        ],
        exclude=frozenset({"amount"}),
        same={"whole division 1": ""},  # an integer exceeds a number exactly if it exceeds its whole part
        others=[("t.s > (SELECT AVG(t.s) FROM t)", "t.s * (SELECT COUNT(*) FROM t) > (SELECT SUM(t.s) FROM t)")],
    ),
    "all": Kind(
        "Which of {the_ps} have, for each {ck} that occurs anywhere in table {C}, at least one {valid_c} with that {ck}? If "
        "table {C} is empty, each of {the_ps} qualifies. The number of {cs} in the answer counts all {cs} of the {p}.",
        "SELECT p.id, p.name, (SELECT COUNT(*) FROM {C} o WHERE o.{cp} = p.id) FROM {P} p WHERE NOT EXISTS (SELECT 1 FROM {C} "
        "k "
        "WHERE NOT EXISTS (SELECT 1 FROM {C} c WHERE c.{cp} = p.id AND c.{ck} = k.{ck}{on})){onp}",
        (("id of the {p}", "k"), ("name of the {p}", "t"), ("number of all {cs} of the {p}", "n0")),
        (-3, -2),
        [
            (" AND c.{ck} = k.{ck}", ""),
            ("c.{cp} = p.id AND", "1 AND"),
            ("FROM {C} k WHERE", "FROM {C} k WHERE k.{cp} = p.id AND"),
            ("FROM {C} k WHERE", "FROM {C} k WHERE k.{cp} IS NOT NULL AND"),
            ("c.{ck} = k.{ck}", "lower(c.{ck}) = lower(k.{ck})"),
            ("COUNT(*)", "COUNT(DISTINCT o.{ck})"),
            ("FROM {C} k WHERE", "FROM {C} k WHERE k.id > (SELECT MIN(id) FROM {C}) AND"),
            When("c", ("FROM {C} o WHERE o.{cp} = p.id)", "FROM {C} c WHERE c.{cp} = p.id{on})")),
            "SELECT p.id, p.name, COUNT(*) FROM {P} p JOIN {C} c ON c.{cp} = p.id{wherecp} GROUP BY p.id HAVING COUNT(DISTINCT "
            "c.{ck}) = (SELECT COUNT(DISTINCT {ck}) FROM {C})",
            When(
                "c",
                (
                    "(SELECT 1 FROM {C} k WHERE NOT",
                    "(SELECT 1 FROM {C} k WHERE k.{ck} IN (SELECT c.{ck} FROM {C} c{where}) AND NOT",
                ),
            ),
        ],
        others=[
            "SELECT p.id, p.name, (SELECT COUNT(*) FROM {C} o WHERE o.{cp} = p.id) FROM {P} p WHERE (SELECT COUNT(DISTINCT "
            "c.{ck}) FROM {C} c WHERE c.{cp} = p.id{on}) = (SELECT COUNT(DISTINCT {ck}) FROM {C}){onp}"
        ],
        exclude=frozenset({"kind", "has_line_twice", "day_between"}),
        kinds="few",
    ),
    "reached": Kind(
        "Go through {the_cs} of each {p} by day, and on one day by id, lowest first. Add up their {ca}, where an unknown one "
        "counts as 0. At which {c} does the sum first become {sum} or more, and how many of {the_cs} of the {p} come after it? "
        "List only {ps} whose sum becomes that high.",
        "WITH r AS (SELECT c.{cp} AS w, c.id AS id, SUM(COALESCE(c.{ca}, 0)) OVER (PARTITION BY c.{cp} ORDER BY c.day, c.id) "
        "AS s, "
        "ROW_NUMBER() OVER (PARTITION BY c.{cp} ORDER BY c.day, c.id) AS n, COUNT(*) OVER (PARTITION BY c.{cp}) AS m FROM {C} "
        "c "
        "WHERE c.{cp} IS NOT NULL{on}) SELECT r.w, r.id, r.s, r.m - r.n FROM r WHERE r.s >= {sum} AND r.n = (SELECT MIN(q.n) "
        "FROM "
        "r q WHERE q.w = r.w AND q.s >= {sum})",
        (("id of the {p}", "k"), ("id of the {c}", "k"), ("sum up to it", "n"), ("number after it", "n0")),
        (-1,),
        [
            ("s >= {sum}", "s > {sum}"),
            ("ORDER BY c.day, c.id) AS s", "ORDER BY c.day) AS s"),
            ("ORDER BY c.day, c.id)", "ORDER BY c.id)"),
            ("ORDER BY c.day, c.id)", "ORDER BY c.day, c.id DESC)"),
            ("r.m - r.n", "r.m - r.n + 1"),
            ("r.m - r.n", "r.n"),
            (" WHERE q.w = r.w AND", " WHERE"),
            (" AND r.n = (SELECT MIN(q.n) FROM r q WHERE q.w = r.w AND q.s >= {sum})", ""),
            When("c", ("{on}", "")),
        ],
        same={
            "less one 1": "",
            "unknown 1": "",
            "also unknown 3 1": "",
        },  # the other condition decides alone; NULL = NULL fails
        others=[("COALESCE(c.{ca}, 0)", "IFNULL(c.{ca}, 0)")],
        tables="c",
        exclude=frozenset({"amount"}),
    ),
    "leaders": Kind(
        "The worth of {a_p} is the sum of count times {ip} over all {ii} of {the_cs} of the {p}. It is 0 where there are none. "
        "For each {pg} that occurs among {the_ps}, NULL included: which of {the_ps} with that {pg} is worth the most, by how "
        "much does its worth exceed the average worth of {the_ps} with that {pg}, and how many of them are there? If several "
        "are worth the most, give the one with the lowest id.",
        "WITH t AS (SELECT p.id AS id, p.{pg} AS g, COALESCE(SUM(i.count * i.{ip}), 0) AS s FROM {P} p LEFT JOIN {C} c "
        "ON c.{cp} = p.id{on} LEFT JOIN {I} i ON i.{ic} = c.id{wherep} GROUP BY p.id, p.{pg}), b AS (SELECT t.g AS g, t.id AS "
        "id, t.s AS s, ROW_NUMBER() OVER (PARTITION BY t.g ORDER BY t.s DESC, t.id) AS r, AVG(t.s) OVER (PARTITION BY "
        "t.g) AS a, COUNT(*) OVER (PARTITION BY t.g) AS n FROM t) SELECT b.g, b.id, b.s, b.s - b.a, b.n FROM b WHERE b.r = 1",
        (
            ("{pg}", "t?"),
            ("id of the {p}", "k"),
            ("worth", "n0"),
            ("excess over the average", "r0"),
            ("number of {ps}", "n"),
        ),
        (-1,),
        [
            ("t.s DESC, t.id", "t.s DESC, t.id DESC"),
            (
                "ROW_NUMBER() OVER (PARTITION BY t.g ORDER BY t.s DESC, t.id)",
                "RANK() OVER (PARTITION BY t.g ORDER BY t.s DESC)",
            ),
            ("WHERE b.r = 1", "WHERE b.r = 1 AND b.g IS NOT NULL"),
            ("b.s - b.a", "b.s"),
            ("AVG(t.s) OVER (PARTITION BY t.g)", "SUM(t.s) OVER (PARTITION BY t.g) / COUNT(*) OVER (PARTITION BY t.g)"),
            ("AVG(t.s)", "AVG(NULLIF(t.s, 0))"),
            (
                "AVG(t.s) OVER (PARTITION BY t.g)",
                "(MAX(t.s) OVER (PARTITION BY t.g) + MIN(t.s) OVER (PARTITION BY t.g)) / 2.0",
            ),
            When("c", ("{on} LEFT JOIN {I} i ON i.{ic} = c.id{wherep}", " LEFT JOIN {I} i ON i.{ic} = c.id{wherecp}")),
        ],
        others=[("COALESCE(SUM(i.count * i.{ip}), 0)", "TOTAL(i.{ip} * i.count)")],
        exclude=frozenset({"group"}),
    ),
    "second": Kind(
        "For each {p} with at least two different known values of {ca} among {the_cs} of the {p}: what is the second-highest of"
        " these different values?",
        "WITH r AS (SELECT c.{cp} AS w, c.{ca} AS a, DENSE_RANK() OVER (PARTITION BY c.{cp} ORDER BY c.{ca} DESC) AS n FROM "
        "{C} c "
        "WHERE c.{cp} IS NOT NULL AND c.{ca} IS NOT NULL{on}) SELECT DISTINCT r.w, r.a FROM r WHERE r.n = 2",
        (("id of the {p}", "k"), ("second-highest {ca}", "n")),
        (-2,),
        [
            ("r.n = 2", "r.n = 1"),
            ("r.n = 2", "r.n <= 2"),
            ("r.n = 2", "r.n = 3"),
            "SELECT c.{cp}, MIN(c.{ca}) FROM {C} c WHERE c.{cp} IS NOT NULL AND c.{ca} IS NOT NULL{on} GROUP BY c.{cp} HAVING "
            "COUNT(DISTINCT c.{ca}) > 1",
            When("c", ("{on}", "")),
        ],
        others=[
            "SELECT c.{cp}, MAX(c.{ca}) FROM {C} c WHERE c.{ca} < (SELECT MAX(d.{ca}) FROM {C} d WHERE d.{cp} = "
            "c.{cp}{ond}){on} "
            "GROUP BY c.{cp}"
        ],
        tables="c",
        exclude=frozenset({"amount"}),
    ),
    "running": Kind(
        "For each day that occurs among {the_cs}: what is the sum of {ca} over {the_cs} on that day, and what is the sum over "
        "that day and all days before it? An unknown {ca} counts as 0.",
        "WITH d AS (SELECT c.day AS day, COALESCE(SUM(c.{ca}), 0) AS t FROM {C} c{where} GROUP BY c.day) SELECT d.day, d.t, "
        "SUM(d.t) OVER (ORDER BY d.day) FROM d",
        (("day", "k"), ("sum of the day", "n0"), ("sum so far", "n")),
        (-1,),
        [
            ("OVER (ORDER BY d.day)", "OVER (ORDER BY d.day DESC)"),
            ("OVER (ORDER BY d.day)", "OVER ()"),
            ("SUM(d.t) OVER (ORDER BY d.day)", "SUM(d.t) OVER (ORDER BY d.day) - d.t"),
            ("SUM(d.t) OVER (ORDER BY d.day)", "(SELECT SUM(DISTINCT e.t) FROM d e WHERE e.day <= d.day)"),
            "WITH d AS (SELECT c.day AS day, COALESCE(SUM(c.{ca}), 0) AS t FROM {C} c JOIN {P} p ON p.id = c.{cp}{where} "
            "GROUP BY "
            "c.day) SELECT d.day, d.t, SUM(d.t) OVER (ORDER BY d.day) FROM d",
            "WITH d AS (SELECT c.day AS day, COALESCE(SUM(c.{ca}), 0) AS t FROM {C} c WHERE c.{ca} IS NOT NULL{on} GROUP BY "
            "c.day) "
            "SELECT d.day, d.t, SUM(d.t) OVER (ORDER BY d.day) FROM d",
        ],
        others=[("SUM(d.t) OVER (ORDER BY d.day)", "(SELECT SUM(e.t) FROM d e WHERE e.day <= d.day)")],
        tables="c",
        exclude=frozenset({"amount_least"}),
    ),
    "streak": Kind(
        "For each {p} that has at least one of {the_cs}: what is the largest number of consecutive days on each of which the "
        "{p} has at least one of them?",
        "WITH d AS (SELECT DISTINCT c.{cp} AS w, c.day AS day FROM {C} c WHERE c.{cp} IS NOT NULL{on}), g AS (SELECT d.w AS w, "
        "d.day - ROW_NUMBER() OVER (PARTITION BY d.w ORDER BY d.day) AS k FROM d), r AS (SELECT g.w AS w, COUNT(*) AS n FROM g "
        "GROUP BY g.w, g.k) SELECT r.w, MAX(r.n) FROM r GROUP BY r.w",
        (("id of the {p}", "k"), ("number of days", "n")),
        (-2,),
        [
            "SELECT c.{cp}, COUNT(DISTINCT c.day) FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp}",
            "SELECT c.{cp}, MAX(c.day) - MIN(c.day) + 1 FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY c.{cp}",
            ("MAX(r.n)", "COUNT(*)"),
            When("c", ("{on}", "")),
        ],
        others=[
            "WITH RECURSIVE d AS (SELECT DISTINCT c.{cp} AS w, c.day AS day FROM {C} c WHERE c.{cp} IS NOT NULL{on}), s AS "
            "(SELECT "
            "d.w AS w, d.day AS day, 1 AS n FROM d UNION ALL SELECT s.w, d.day, s.n + 1 FROM s JOIN d ON d.w = s.w AND d.day = "
            "s.day + 1) SELECT s.w, MAX(s.n) FROM s GROUP BY s.w"
        ],
        tables="c",
    ),
    "change": Kind(
        "Go through {the_cs} of each {p} by day, and on one day by id, lowest first. For each of them except the first of its "
        "{p}: what is the difference between its {ca} and the {ca} of the one just before it? An unknown {ca} counts as 0. The "
        "difference is negative where the {ca} is lower than before. Leave out {cs} of an unknown {p}.",
        "WITH r AS (SELECT c.id AS id, COALESCE(c.{ca}, 0) AS a, LAG(COALESCE(c.{ca}, 0)) OVER (PARTITION BY c.{cp} ORDER BY "
        "c.day, "
        "c.id) AS b FROM {C} c WHERE c.{cp} IS NOT NULL{on}) SELECT r.id, r.a - r.b FROM r WHERE r.b IS NOT NULL",
        (("id of the {c}", "k"), ("difference", "n0-")),
        (-2,),
        [
            ("ORDER BY c.day, c.id", "ORDER BY c.id"),
            ("ORDER BY c.day, c.id", "ORDER BY c.day, c.id DESC"),
            ("ORDER BY c.day, c.id", "ORDER BY c.day DESC, c.id DESC"),
            ("r.a - r.b", "r.b - r.a"),
            ("r.a - r.b", "abs(r.a - r.b)"),
            ("r.b IS NOT NULL", "r.a > r.b"),
            When("c", ("{on}", "")),
        ],
        others=[
            "WITH r AS (SELECT c.id AS id, c.{cp} AS w, COALESCE(c.{ca}, 0) AS a, ROW_NUMBER() OVER (PARTITION BY c.{cp} "
            "ORDER BY "
            "c.day, c.id) AS n FROM {C} c WHERE c.{cp} IS NOT NULL{on}) SELECT r.id, r.a - q.a FROM r JOIN r q ON q.w = r.w "
            "AND "
            "q.n = r.n - 1"
        ],
        tables="c",
        exclude=frozenset({"amount_least"}),
    ),
    "similar": Kind(
        "Which pairs of different {ps} both have at least one of {the_cs}, and have exactly the same set of {ck} values among "
        "them? List each pair once.",
        "WITH t AS (SELECT c.{cp} AS w, c.{ck} AS k FROM {C} c WHERE c.{cp} IS NOT NULL{on}), u AS (SELECT DISTINCT t.w AS w "
        "FROM "
        "t) SELECT a.w, b.w FROM u a JOIN u b ON a.w < b.w WHERE NOT EXISTS (SELECT 1 FROM t x WHERE x.w = a.w AND x.k NOT IN "
        "(SELECT y.k FROM t y WHERE y.w = b.w)) AND NOT EXISTS (SELECT 1 FROM t x WHERE x.w = b.w AND x.k NOT IN (SELECT y.k "
        "FROM "
        "t y WHERE y.w = a.w))",
        (("the lower id", "k"), ("the higher id", "k")),
        (1, -2),
        [
            (
                " AND NOT EXISTS (SELECT 1 FROM t x WHERE x.w = b.w AND x.k NOT IN (SELECT y.k FROM t y WHERE y.w = a.w))",
                "",
            ),
            (
                "NOT EXISTS (SELECT 1 FROM t x WHERE x.w = a.w AND x.k NOT IN (SELECT y.k FROM t y WHERE y.w = b.w)) AND ",
                "",
            ),
            ("c.{ck} AS k", "lower(c.{ck}) AS k"),
            ("x.k NOT IN (SELECT y.k", "lower(x.k) NOT IN (SELECT lower(y.k)"),
            ("a.w < b.w", "a.w <> b.w"),
            "WITH t AS (SELECT c.{cp} AS w, COUNT(DISTINCT c.{ck}) AS k FROM {C} c WHERE c.{cp} IS NOT NULL{on} GROUP BY "
            "c.{cp}) "
            "SELECT a.w, b.w FROM t a JOIN t b ON a.w < b.w AND a.k = b.k",
            When("c", ("{on}", "")),
        ],
        same={"also unknown 3 1": ""},  # NULL < NULL fails
        others=[
            "WITH t AS (SELECT DISTINCT c.{cp} AS w, c.{ck} AS k FROM {C} c WHERE c.{cp} IS NOT NULL{on}), n AS (SELECT t.w "
            "AS w, "
            "COUNT(*) AS n FROM t GROUP BY t.w) SELECT a.w, b.w FROM t a JOIN t b ON a.w < b.w AND a.k = b.k JOIN n e ON e.w "
            "= a.w "
            "JOIN n f ON f.w = b.w AND e.n = f.n GROUP BY a.w, b.w, e.n HAVING COUNT(*) = e.n"
        ],
        tables="c",
        exclude=frozenset({"kind"}),
        kinds="three",
    ),
    "favourite": Kind(
        "For each {p} with at least one {i} in {the_cs} of the {p}: which {il} has the highest sum of counts there? If several "
        "have it, give the one that comes first in ascending order.",
        "WITH t AS (SELECT c.{cp} AS w, i.{il} AS l, SUM(i.count) AS n FROM {C} c JOIN {I} i ON i.{ic} = c.id WHERE c.{cp} IS "
        "NOT "
        "NULL{on} GROUP BY c.{cp}, i.{il}), r AS (SELECT t.w AS w, t.l AS l, t.n AS n, ROW_NUMBER() OVER (PARTITION BY t.w "
        "ORDER "
        "BY t.n DESC, t.l) AS k FROM t) SELECT r.w, r.l, r.n FROM r WHERE r.k = 1",
        (("id of the {p}", "k"), ("{il}", "t"), ("sum of its counts", "n")),
        (-3, 2),
        [
            ("t.n DESC, t.l", "t.n DESC, t.l DESC"),
            ("t.n DESC, t.l", "t.n DESC, lower(t.l), t.l DESC"),
            (
                "ROW_NUMBER() OVER (PARTITION BY t.w ORDER BY t.n DESC, t.l)",
                "RANK() OVER (PARTITION BY t.w ORDER BY t.n DESC)",
            ),
            ("SUM(i.count)", "COUNT(*)"),
            ("GROUP BY c.{cp}, i.{il}", "GROUP BY c.{cp}, lower(i.{il})"),
            When("c", ("{on}", "")),
        ],
        others=[
            "WITH t AS (SELECT c.{cp} AS w, i.{il} AS l, SUM(i.count) AS n FROM {C} c JOIN {I} i ON i.{ic} = c.id WHERE "
            "c.{cp} IS "
            "NOT NULL{on} GROUP BY c.{cp}, i.{il}) SELECT t.w, MIN(t.l), t.n FROM t WHERE t.n = (SELECT MAX(x.n) FROM t x "
            "WHERE "
            "x.w = t.w) GROUP BY t.w, t.n"
        ],
        tables="c",
        exclude=frozenset({"has_line_twice"}),
    ),
    "own_average": Kind(
        "Which of {the_cs} have a known {p} and a known {ca} above the average of the known values of {ca} among {the_cs} of "
        "that {p}, and by how much?",
        "WITH t AS (SELECT c.id AS id, c.{ca} AS a, AVG(c.{ca}) OVER (PARTITION BY c.{cp}) AS m FROM {C} c WHERE c.{cp} IS "
        "NOT NULL "
        "AND c.{ca} IS NOT NULL{on}) SELECT t.id, t.a - t.m FROM t WHERE t.a > t.m",
        (("id of the {c}", "k"), ("difference", "r")),
        (-2,),
        [
            (
                "AVG(c.{ca}) OVER (PARTITION BY c.{cp})",
                "(MAX(c.{ca}) OVER (PARTITION BY c.{cp}) + MIN(c.{ca}) OVER (PARTITION BY c.{cp})) / 2.0",
            ),
            (
                "AVG(c.{ca}) OVER (PARTITION BY c.{cp})",
                "SUM(c.{ca}) OVER (PARTITION BY c.{cp}) / COUNT(*) OVER (PARTITION BY c.{cp})",
            ),
            ("t.a - t.m", "t.m - t.a"),
            "WITH t AS (SELECT c.id AS id, c.{ca} AS a, AVG(COALESCE(c.{ca}, 0)) OVER (PARTITION BY c.{cp}) AS m FROM {C} c "
            "WHERE "
            "c.{cp} IS NOT NULL{on}) SELECT t.id, t.a - t.m FROM t WHERE t.a > t.m",
            When("c", ("{on}", "")),
        ],
        same={"also unknown 2 1": ""},  # AVG and > leave NULL out
        others=[
            "SELECT c.id, c.{ca} - (SELECT AVG(d.{ca}) FROM {C} d WHERE d.{cp} = c.{cp}{ond}) FROM {C} c WHERE c.{ca} > "
            "(SELECT "
            "AVG(d.{ca}) FROM {C} d WHERE d.{cp} = c.{cp}{ond}){on}"
        ],
        tables="c",
        exclude=frozenset({"amount"}),
    ),
}
