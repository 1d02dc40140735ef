# ruff: noqa: E501 -- a query is read best in one piece
"""Right and wrong queries for questions of several steps, from their words."""

from __future__ import annotations

from tests.envs.code.sql_player.reading import Parts, Reading


def nested(r: Reading, v: Parts) -> tuple[str, dict[str, str]] | None:
    """The right query and wrong ones by name; None for other questions."""
    P = v.P
    C = v.C
    I = v.I  # noqa: E741
    joined = v.joined
    lined = v.lined
    ok = v.ok
    who = v.who
    amount = v.amount
    owner = v.owner
    kind = v.kind
    group = v.group
    n0 = v.n0
    worth = v.worth
    by_day = v.by_day
    mine = v.mine
    of = v.of
    number = v.number
    made: dict[str, str]
    match r.question:
        case q if q.startswith("What is the latest"):
            last = f"(SELECT b.id {of} ORDER BY b.day DESC, b.id DESC LIMIT 1)"
            right = f"SELECT a.id, a.name, z.id, z.{r.amount} FROM {P} JOIN {r.rows} z ON z.id = {last} WHERE {who}"
            made = {
                "all owners": right.replace(" JOIN", " LEFT JOIN"),
                "by id": right.replace("b.day DESC, b.id DESC", "b.id DESC"),
                "lowest id": right.replace("b.id DESC", "b.id"),
                "first": right.replace("b.day DESC", "b.day"),
                "known": right.replace(f"AND {ok} ORDER", f"AND {ok} AND {amount} NOT NULL ORDER"),
                "zero": right.replace(f"z.{r.amount}", f"IFNULL(z.{r.amount}, 0)"),
                "max": right.replace(f"z.{r.amount}", f"(SELECT MAX({amount}) {of})"),
                "ties": f"SELECT a.id, a.name, b.id, {amount} FROM {P} JOIN {C} ON {joined} WHERE {ok} AND {who} AND b.day = (SELECT MAX(d.day) FROM {r.rows} d WHERE d.{r.owner_id} = a.id AND {r.valid('d')})",
            }
        case q if q.startswith("The sum of") and "above the average of the sums" in q:
            t = f"WITH t AS (SELECT a.id AS id, a.name AS name, (SELECT TOTAL({amount}) {of}) AS s FROM {P} WHERE {who}) "
            right = t + "SELECT id, name, s FROM t WHERE s > (SELECT AVG(s) FROM t)"
            made = {
                "or equal": right.replace("s > ", "s >= "),
                "distinct": right.replace("AVG(", "AVG(DISTINCT "),
                "not zero": right.replace("FROM t)", "FROM t WHERE s > 0)"),
                "middle": right.replace("AVG(s)", "(MAX(s) + MIN(s)) / 2"),
                "inner": right.replace(f"FROM {P} WHERE {who})", f"FROM {P} WHERE {who} AND EXISTS ({mine}))"),
                "below": right.replace("s > ", "s < "),
                "all": right.split(" WHERE s >")[0],
                "rounded up": right.replace("AVG(s)", "CAST(AVG(s) + 0.5 AS INTEGER)"),
            }
        case q if "occurs anywhere in table" in q:
            right = f"SELECT a.id, a.name, (SELECT COUNT(*) FROM {C} WHERE {joined}) FROM {P} WHERE {who} AND NOT EXISTS (SELECT {r.kind} FROM {r.rows} EXCEPT SELECT {kind} {of})"
            made = {
                "valid count": right.replace(f"(SELECT COUNT(*) FROM {C} WHERE {joined})", f"(SELECT COUNT(*) {of})")
                if r.on_rows
                else "SELECT 1",
                "valid kinds": right.replace(f"FROM {r.rows} EXCEPT", f"FROM {C} WHERE {ok} EXCEPT")
                if r.on_rows
                else "SELECT 1",
                "known owners": right.replace(
                    f"FROM {r.rows} EXCEPT", f"FROM {r.rows} WHERE {r.owner_id} NOT NULL EXCEPT"
                ),
                "later rows": right.replace(
                    f"FROM {r.rows} EXCEPT", f"FROM {r.rows} WHERE id > (SELECT MIN(id) FROM {r.rows}) EXCEPT"
                ),
                "inner": right + f" AND EXISTS ({mine})",
                "nocase": right.replace(f"SELECT {r.kind} FROM", f"SELECT lower({r.kind}) FROM").replace(
                    f"SELECT {kind} FROM", f"SELECT lower({kind}) FROM"
                ),
                "any": f"SELECT a.id, a.name, (SELECT COUNT(*) FROM {C} WHERE {joined}) FROM {P} WHERE {who} AND EXISTS ({mine})",
                "kinds": right.replace("COUNT(*)", f"COUNT(DISTINCT {kind})"),
            }
        case q if q.startswith("Go through") and "first become" in q:
            sums = f"SELECT {owner} AS o, b.id AS id, SUM({n0}) OVER ({by_day}) AS s, COUNT(*) OVER ({by_day} DESC) AS x, LAG(1) OVER ({by_day}) AS y FROM {C} WHERE {owner} NOT NULL AND {ok}"
            t = f"WITH t AS (SELECT {owner} AS o, b.id AS id, b.day AS d, SUM({n0}) OVER ({by_day}) AS s, {n0} AS v FROM {C} WHERE {owner} NOT NULL AND {ok}) "
            assert sums
            right = (
                t
                + f"SELECT o, id, s, (SELECT COUNT(*) FROM t z WHERE z.o = t.o AND (z.d > t.d OR z.d = t.d AND z.id > t.id)) FROM t WHERE s >= {number} AND s - v < {number}"
            )
            made = {
                "strict": right.replace(f"s >= {number}", f"s > {number}").replace(f"v < {number}", f"v <= {number}"),
                "by id": right.replace("ORDER BY b.day, b.id", "ORDER BY b.id"),
                "by day": right.replace("ORDER BY b.day, b.id", "ORDER BY b.day"),
                "all of them": right.split(" AND s - v")[0],
                "itself too": right.replace("z.id > t.id", "z.id >= t.id"),
                "before": right.replace("s - v < ", "s < "),
                "id alone": right.replace("z.d > t.d OR z.d = t.d AND z.id > t.id", "z.id > t.id"),
                "one for all": right.replace(f"PARTITION BY {owner} ", ""),
                "total": right.replace("SELECT o, id, s,", "SELECT o, id, (SELECT SUM(v) FROM t z WHERE z.o = t.o),"),
            }
        case q if q.startswith("The worth of"):
            t = f"WITH t AS (SELECT a.id AS id, {group} AS g, (SELECT TOTAL({worth}) FROM {I} WHERE x.{r.row_id} IN (SELECT b.id {of})) AS s FROM {P} WHERE {who}) "
            right = (
                t
                + "SELECT g, id, s, s - (SELECT AVG(z.s) FROM t z WHERE z.g IS t.g), (SELECT COUNT(*) FROM t z WHERE z.g IS t.g) FROM t WHERE NOT EXISTS (SELECT * FROM t z WHERE z.g IS t.g AND (z.s > t.s OR z.s = t.s AND z.id < t.id))"
            )
            made = {
                "known groups": right + " AND g NOT NULL",
                "equal": right.replace("z.g IS", "z.g ="),
                "ties": right.replace(" OR z.s = t.s AND z.id < t.id", ""),
                "highest id": right.replace("z.id < t.id", "z.id > t.id"),
                "reversed": right.replace("s - (SELECT AVG", "-s + (SELECT AVG"),
                "constant 0": right.replace("s - (SELECT AVG(z.s) FROM t z WHERE z.g IS t.g)", "0"),
                "whole": right.replace("AVG(z.s)", "CAST(AVG(z.s) AS INTEGER)"),
                "rounded": right.replace("AVG(z.s)", "ROUND(AVG(z.s))"),
                "rounded 2": right.replace("AVG(z.s)", "ROUND(AVG(z.s), 2)"),
                "middle": right.replace("AVG(z.s)", "(MAX(z.s) + MIN(z.s)) / 2"),
                "all groups": right.replace("AVG(z.s) FROM t z WHERE z.g IS t.g", "AVG(z.s) FROM t z"),
                "not zero": right.replace("FROM t z WHERE z.g IS t.g)", "FROM t z WHERE z.g IS t.g AND z.s > 0)", 1),
                "inner": right.replace(f"FROM {P} WHERE {who})", f"FROM {P} WHERE {who} AND EXISTS ({mine}))"),
                "price": right.replace(worth, f"x.{r.price}"),
                "nocase": right.replace("z.g IS t.g", "lower(z.g) IS lower(t.g)"),
            }
        case q if "second-highest" in q:
            right = f"SELECT a.id, (SELECT DISTINCT {amount} {of} AND {amount} NOT NULL ORDER BY 1 DESC LIMIT 1 OFFSET 1) AS s FROM {P} WHERE s NOT NULL"
            made = {
                "with ties": right.replace("DISTINCT ", ""),
                "highest": right.replace(" OFFSET 1", ""),
                "lowest": right.replace("ORDER BY 1 DESC", "ORDER BY 1"),
                "third": right.replace("OFFSET 1", "OFFSET 2"),
                "null too": right.replace(" WHERE s NOT NULL", ""),
                "least": f"SELECT {owner}, MIN({amount}) FROM {C} WHERE {owner} NOT NULL AND {ok} GROUP BY {owner} HAVING COUNT(DISTINCT {amount}) > 1",
                "zero": right.replace(f"DISTINCT {amount} {of} AND {amount} NOT NULL", f"DISTINCT {n0} {of}"),
            }
        case q if "all days before it" in q:
            t = f"WITH t AS (SELECT b.day AS d, TOTAL({amount}) AS s FROM {C} WHERE {ok} GROUP BY 1) "
            right = t + "SELECT d, s, (SELECT SUM(z.s) FROM t z WHERE z.d <= t.d) FROM t"
            made = {
                "excluded": right.replace("<= t.d", "< t.d"),
                "from the end": right.replace("<= t.d", ">= t.d"),
                "all": right.replace(" WHERE z.d <= t.d", ""),
                "null": right.replace("TOTAL", "SUM"),
                "owners": right.replace(f"WHERE {ok}", f"WHERE {ok} AND {owner} NOT NULL"),
                "known": right.replace(f"WHERE {ok}", f"WHERE {ok} AND {amount} NOT NULL"),
                "distinct": right.replace("SUM(z.s)", "SUM(DISTINCT z.s)"),
            }
        case q if "consecutive days" in q:
            t = f"WITH d AS (SELECT DISTINCT {owner} AS o, b.day AS day FROM {C} WHERE {owner} NOT NULL AND {ok}), s AS (SELECT * FROM d WHERE NOT EXISTS (SELECT * FROM d z WHERE z.o = d.o AND z.day = d.day - 1)), e AS (SELECT * FROM d WHERE NOT EXISTS (SELECT * FROM d z WHERE z.o = d.o AND z.day = d.day + 1)) "
            right = (
                t
                + "SELECT s.o, MAX((SELECT MIN(e.day) FROM e WHERE e.o = s.o AND e.day >= s.day) - s.day + 1) FROM s GROUP BY s.o"
            )
            made = {
                "gap": right.replace(" + 1) FROM s GROUP", ") FROM s GROUP"),
                "span": f"SELECT {owner}, MAX(b.day) - MIN(b.day) + 1 FROM {C} WHERE {owner} NOT NULL AND {ok} GROUP BY 1",
                "days": f"SELECT {owner}, COUNT(DISTINCT b.day) FROM {C} WHERE {owner} NOT NULL AND {ok} GROUP BY 1",
                "shortest": right.replace("SELECT s.o, MAX(", "SELECT s.o, MIN("),
                "rows": f"WITH g AS (SELECT {owner} AS o, b.day - ROW_NUMBER() OVER (PARTITION BY {owner} ORDER BY b.day) AS k FROM {C} WHERE {owner} NOT NULL AND {ok}) SELECT o, MAX(n) FROM (SELECT o, COUNT(*) AS n FROM g GROUP BY o, k) GROUP BY o",
                "unknown": right.replace(f"{owner} NOT NULL AND ", "")
                .replace("z.o = d.o", "z.o IS d.o")
                .replace("e.o = s.o", "e.o IS s.o"),
            }
        case q if q.startswith("Go through"):
            w = f"({by_day})"
            right = f"SELECT * FROM (SELECT b.id, {n0} - LAG({n0}) OVER {w} AS d FROM {C} WHERE {owner} NOT NULL AND {ok}) WHERE d NOT NULL"
            made = {
                "reversed": right.replace(f"{n0} - LAG({n0}) OVER {w}", f"LAG({n0}) OVER {w} - {n0}"),
                "absolute": right.replace(f"{n0} - LAG({n0}) OVER {w}", f"ABS({n0} - LAG({n0}) OVER {w})"),
                "nulls": right.replace(n0, amount),
                "by id": right.replace("ORDER BY b.day, b.id", "ORDER BY b.id"),
                "id turned": right.replace("b.day, b.id", "b.day, b.id DESC"),
                "one for all": right.replace(f"PARTITION BY {owner} ", ""),
                "first too": right.replace(f"LAG({n0})", f"LAG({n0}, 1, 0)"),
                "increases": right.replace("d NOT NULL", "d > 0"),
                "constant 0": right.replace("SELECT *", "SELECT id, 0", 1),
                "unknown owner": right.replace(f"{owner} NOT NULL AND ", ""),
            }
        case q if "same set of" in q:
            sets = f"SELECT DISTINCT {owner} AS o, {kind} AS k FROM {C} WHERE {owner} NOT NULL AND {ok}"
            right = f"WITH t AS ({sets}), g AS (SELECT o, GROUP_CONCAT(k, '|') AS s FROM (SELECT * FROM t ORDER BY o, k) GROUP BY o) SELECT g.o, h.o FROM g, g h WHERE g.o < h.o AND g.s = h.s"
            made = {
                "number": right.replace("GROUP_CONCAT(k, '|')", "COUNT(k)"),
                "twice": right.replace("g.o < h.o", "g.o <> h.o"),
                "bags": right.replace("SELECT DISTINCT", "SELECT"),
                "nocase": right.replace(
                    f"DISTINCT {owner} AS o, {kind} AS k", f"DISTINCT {owner} AS o, lower({kind}) AS k"
                ),
                "overlap": f"WITH t AS ({sets}) SELECT DISTINCT t.o, u.o FROM t, t u WHERE t.o < u.o AND t.k = u.k",
                "subset": f"WITH t AS ({sets}) SELECT DISTINCT t.o, u.o FROM t, t u WHERE t.o < u.o AND NOT EXISTS (SELECT k FROM t x WHERE x.o = t.o EXCEPT SELECT k FROM t y WHERE y.o = u.o)",
                "turned": right.replace("SELECT g.o, h.o", "SELECT h.o, g.o"),
                "largest": right.replace("GROUP_CONCAT(k, '|')", "MAX(k)"),
            }
        case q if "highest sum of counts" in q:
            t = f"WITH t AS (SELECT {owner} AS o, x.{r.label} AS l, SUM(x.count) AS n FROM {C}, {I} WHERE {lined} AND {owner} NOT NULL AND {ok} GROUP BY 1, 2) "
            right = (
                t
                + "SELECT o, l, n FROM t WHERE NOT EXISTS (SELECT * FROM t z WHERE z.o = t.o AND (z.n > t.n OR z.n = t.n AND z.l < t.l))"
            )
            made = {
                "ties": right.replace(" OR z.n = t.n AND z.l < t.l", ""),
                "last": right.replace("z.l < t.l", "z.l > t.l"),
                "lines": right.replace("SUM(x.count)", "COUNT(*)"),
                "fewest": right.replace("z.n > t.n", "z.n < t.n"),
                "nocase": right.replace("z.l < t.l", "lower(z.l) < lower(t.l)"),
                "largest": right.replace("SUM(x.count)", "MAX(x.count)"),
                "unknown": right.replace(f"{owner} NOT NULL AND ", "").replace("z.o = t.o", "z.o IS t.o"),
                "first": t + "SELECT o, MIN(l), MAX(n) FROM t GROUP BY o",
            }
        case q if "above the average of the known values" in q:
            t = f"WITH t AS (SELECT b.id AS id, {owner} AS o, {amount} AS v FROM {C} WHERE {owner} NOT NULL AND {ok}) "
            right = t + "SELECT id, v - (SELECT AVG(z.v) FROM t z WHERE z.o = t.o) AS e FROM t WHERE e > 0"
            made = {
                "whole": right.replace("AVG(z.v)", "CAST(AVG(z.v) AS INTEGER)"),
                "middle": right.replace("AVG(z.v)", "(MAX(z.v) + MIN(z.v)) / 2.0"),
                "zero": right.replace("AVG(z.v)", "AVG(IFNULL(z.v, 0))"),
                "distinct": right.replace("AVG(z.v)", "AVG(DISTINCT z.v)"),
                "overall": right.replace(" WHERE z.o = t.o", ""),
                "or equal": right.replace("e > 0", "e >= 0"),
                "reversed": right.replace("AS e FROM", "AS e FROM")
                .replace(
                    "SELECT id, v - (SELECT AVG(z.v) FROM t z WHERE z.o = t.o) AS e",
                    "SELECT id, (SELECT AVG(z.v) FROM t z WHERE z.o = t.o) - v AS e",
                )
                .replace("e > 0", "e < 0"),
                "rounded": right.replace("AVG(z.v)", "ROUND(AVG(z.v), 1)"),
                "constant 0": right.replace("SELECT id, v -", "SELECT id, 0 * v -", 1).replace("e > 0", "v > 0"),
                "unknown owner": right.replace(f"{owner} NOT NULL AND ", "").replace("z.o = t.o", "z.o IS t.o"),
            }
        case _:
            return None
    return right, made
