# ruff: noqa: E501 -- a query is read best in one piece
"""Right and wrong queries for questions about owners and their rows, from their words."""

from __future__ import annotations

from tests.envs.code.sql_player.reading import Parts, Reading


def owners(r: Reading, v: Parts) -> tuple[str, dict[str, str]] | None:
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
    mine = v.mine
    of = v.of
    word = v.word
    other = v.other
    number = v.number
    made: dict[str, str]
    match r.question:
        case q if q.startswith("How many of") and "Include" in q:
            right = f"SELECT a.id, a.name, (SELECT COUNT(*) {of}) FROM {P} WHERE {who}"
            join = f"SELECT a.id, a.name, COUNT(b.id) FROM {P} LEFT JOIN {C} ON {joined} AND {ok} WHERE {who} GROUP BY a.id"
            made = {
                "inner": join.replace("LEFT JOIN", "JOIN"),
                "star": join.replace("COUNT(b.id)", "COUNT(*)"),
                "at least one": join.replace("COUNT(b.id)", "MAX(1, COUNT(b.id))"),
                "by name": join.replace("GROUP BY a.id", "GROUP BY a.name"),
                "any row": right.replace(f" AND {ok}", "") if r.on_rows else "SELECT 1",
                "days": right.replace("COUNT(*)", "COUNT(DISTINCT b.day)"),
            }
        case q if q.startswith("What is the sum of") and "has none of" in q:
            right = f"SELECT a.id, a.name, (SELECT TOTAL({amount}) {of}) FROM {P} WHERE {who}"
            made = {
                "null": right.replace("TOTAL", "SUM"),
                "distinct": right.replace("TOTAL(", "TOTAL(DISTINCT "),
                "count": right.replace(f"TOTAL({amount})", "COUNT(*)"),
                "inner": right + f" AND EXISTS ({mine})",
                "by name": f"SELECT a.id, a.name, TOTAL({amount}) FROM {P} LEFT JOIN {C} ON {joined} AND {ok} WHERE {who} GROUP BY a.name",
                "negative": right.replace("TOTAL", "-TOTAL"),
                "lines": f"SELECT a.id, a.name, TOTAL({amount}) FROM {P} LEFT JOIN {C} ON {joined} AND {ok} LEFT JOIN {I} ON {lined} WHERE {who} GROUP BY a.id",
            }
        case q if "but none of" in q:
            right = f"SELECT a.id, a.{r.level} FROM {P} WHERE NOT EXISTS ({mine}) AND a.{r.level} NOT NULL AND {who}"
            made = {
                "unknown": right.replace(f"a.{r.level} NOT NULL", "1"),
                "some": right.replace("NOT EXISTS", "EXISTS"),
                "not in": right.replace(f"NOT EXISTS ({mine})", f"a.id NOT IN (SELECT {owner} FROM {C} WHERE {ok})"),
                "all": right.replace(f"NOT EXISTS ({mine})", "1"),
                "misplaced": f"SELECT a.id, a.{r.level} FROM {P} LEFT JOIN {C} ON {joined} WHERE b.id IS NULL AND {ok} AND a.{r.level} NOT NULL AND {who}",
            }
            if not r.on_rows:
                del made["misplaced"]
        case q if q.startswith("What is the sum of") and "that has at least one of them" in q:
            right = f"SELECT a.id, (SELECT TOTAL({amount}) {of}) FROM {P} WHERE EXISTS ({mine})"
            join = f"FROM {C} JOIN {I} ON {lined} WHERE {owner} IS NOT NULL AND {ok} GROUP BY {owner}"
            made = {
                "zeros": right.split(" WHERE EXISTS")[0],
                "null": right.replace("TOTAL", "SUM"),
                "fan-out": f"SELECT {owner}, TOTAL({amount}) {join}",
                "fan-out distinct": f"SELECT {owner}, TOTAL(DISTINCT {amount}) {join}",
                "distinct": right.replace("TOTAL(", "TOTAL(DISTINCT "),
                "unknown owner": f"SELECT {owner}, TOTAL({amount}) FROM {C} WHERE {ok} GROUP BY {owner}",
                "known": right.replace(f"EXISTS ({mine}", f"EXISTS ({mine} AND {amount} IS NOT NULL"),
            }
        case q if "have the most of" in q:
            t = f"SELECT a.id, COUNT(*) AS n FROM {P}, {C} WHERE {joined} AND {ok} AND {who} GROUP BY a.id"
            right = f"SELECT * FROM ({t}) WHERE n >= ALL_N".replace("ALL_N", f"(SELECT MAX(n) FROM ({t}))")
            made = {
                "one": f"{t} ORDER BY n DESC, a.id LIMIT 1",
                "one last": f"{t} ORDER BY n DESC, a.id DESC LIMIT 1",
                "all": t,
                "fewest": right.replace("MAX", "MIN").replace(">=", "<="),
                "zeros": f"WITH t AS (SELECT a.id AS id, (SELECT COUNT(*) {of}) AS n FROM {P} WHERE {who}) SELECT * FROM t WHERE n = (SELECT MAX(n) FROM t)",
                "unknown owner": f"WITH t AS (SELECT {owner} AS id, COUNT(*) AS n FROM {C} WHERE {ok} GROUP BY 1) SELECT * FROM t WHERE n = (SELECT MAX(n) FROM t)",
            }
        case q if q.startswith("Which pairs of") and "same known" in q:
            z = r.included("z")
            right = f"SELECT a.id, z.id FROM {P}, {r.owners} z WHERE {group} = z.{r.group} AND a.id < z.id AND {who} AND {z}"
            made = {
                "twice": right.replace("a.id < z.id", "a.id <> z.id"),
                "self": right.replace("a.id < z.id", "a.id <= z.id"),
                "null": right.replace(f"{group} = z", f"{group} IS z"),
                "nocase": right.replace(f"{group} = z.{r.group}", f"lower({group}) = lower(z.{r.group})"),
                "turned": right.replace("SELECT a.id, z.id", "SELECT z.id, a.id"),
                "names": right.replace("a.id < z.id", "a.id < z.id AND a.name <> z.name"),
            }
        case q if "on which day is the first" in q:
            right = f"SELECT a.id, MIN(b.day), MAX(b.day), COUNT(DISTINCT b.day) FROM {P}, {C} WHERE {joined} AND {ok} GROUP BY a.id"
            made = {
                "rows": right.replace("DISTINCT ", ""),
                "span": right.replace("COUNT(DISTINCT b.day)", "1 + MAX(b.day) - MIN(b.day)"),
                "unknown": f"SELECT {owner}, MIN(b.day), MAX(b.day), COUNT(DISTINCT b.day) FROM {C} WHERE {ok} GROUP BY 1",
                "all": right.replace(f"{P}, {C} WHERE", f"{P} LEFT JOIN {C} ON"),
                "by id": f"SELECT a.id, (SELECT b.day {of} ORDER BY b.id LIMIT 1), (SELECT b.day {of} ORDER BY b.id DESC LIMIT 1), (SELECT COUNT(DISTINCT b.day) {of}) FROM {P} WHERE EXISTS ({mine})",
            }
        case q if "what share of them" in q:
            share = f"AVG({kind} = '{word}')"
            right = f"SELECT a.id, {share} FROM {P} JOIN {C} ON {joined} WHERE {ok} GROUP BY a.id"
            made = {
                "whole": right.replace(share, f"SUM({kind} = '{word}') / COUNT(*)"),
                "constant 0": right.replace(share, "0"),
                "reversed": right.replace(share, f"-{share}"),
                "percent": right.replace(share, f"100 * {share}"),
                "rounded": right.replace(share, f"ROUND({share})"),
                "rounded 2": right.replace(share, f"ROUND({share}, 2)"),
                "nocase": right.replace(f"{kind} = '", f"lower({kind}) = '"),
                "others": right.replace(f"{kind} = '", f"{kind} <> '"),
                "only those": right.replace(" GROUP", f" AND {kind} = '{word}' GROUP"),
                "left": right.replace(f"JOIN {C} ON {joined} WHERE", f"LEFT JOIN {C} ON {joined} AND"),
            }
        case q if "but none with" in q:
            right = f"SELECT a.id, a.name FROM {P} WHERE EXISTS ({mine} AND {kind} = '{word}') AND NOT EXISTS ({mine} AND {kind} = '{other}') AND {who}"
            made = {
                "same row": f"SELECT DISTINCT a.id, a.name FROM {P} JOIN {C} ON {joined} WHERE {ok} AND {who} AND {kind} = '{word}' AND {kind} <> '{other}'",
                "first": right.replace(f" AND NOT EXISTS ({mine} AND {kind} = '{other}')", ""),
                "second": right.replace(f"EXISTS ({mine} AND {kind} = '{word}') AND ", "", 1),
                "fan-out": f"SELECT a.id, a.name FROM {P} JOIN {C} ON {joined} WHERE {ok} AND {kind} = '{word}' AND NOT EXISTS (SELECT * FROM {r.rows} d WHERE d.{r.owner_id} = a.id AND {r.valid('d')} AND d.{r.kind} = '{other}') AND {who}",
                "nocase": right.replace(f"{kind} = '", f"lower({kind}) = '"),
                "turned": right.replace(f"'{word}'", "'?'")
                .replace(f"'{other}'", f"'{word}'")
                .replace("'?'", f"'{other}'"),
            }
        case q if q.startswith("The worth of") and "NULL included" not in q:
            right = f"SELECT a.id, a.name, (SELECT TOTAL({worth}) FROM {I} WHERE x.{r.row_id} IN (SELECT b.id {of})) FROM {P} WHERE {who}"
            made = {
                "null": right.replace("TOTAL", "SUM"),
                "inner": right + f" AND EXISTS ({mine})",
                "price": right.replace(worth, f"x.{r.price}"),
                "count": right.replace(worth, "x.count"),
                "distinct": right.replace("TOTAL(", "TOTAL(DISTINCT "),
                "lines": right.replace(f"TOTAL({worth})", "COUNT(*)"),
                "average": right.replace("TOTAL(", "AVG("),
            }
        case q if "and have a known" in q and "on each of them" in q:
            right = f"SELECT a.id, a.name FROM {P} WHERE {who} AND (SELECT MIN({n0}) {of}) >= {number}"
            made = {
                "min": right.replace(n0, amount),
                "max": right.replace(f"MIN({n0})", f"MAX({amount})"),
                "vacuous": f"SELECT a.id, a.name FROM {P} WHERE {who} AND NOT EXISTS ({mine} AND {n0} < {number})",
                "some": f"SELECT a.id, a.name FROM {P} WHERE {who} AND EXISTS ({mine} AND {amount} >= {number})",
                "average": right.replace("MIN(", "AVG("),
                "strict": right.replace(f">= {number}", f"> {number}"),
                "unknown passes": right.replace(n0, f"IFNULL({amount}, 99)"),
            }
        case q if q.startswith("For each of") and "how many" in q and "what is the sum" in q:
            right = f"SELECT a.id, (SELECT COUNT(*) {of}), (SELECT TOTAL({amount}) {of}), (SELECT COUNT(*) FROM {I} WHERE x.{r.row_id} IN (SELECT b.id {of})) FROM {P} WHERE {who}"
            join = f"FROM {P} LEFT JOIN {C} ON {joined} AND {ok} LEFT JOIN {I} ON {lined} WHERE {who} GROUP BY a.id"
            made = {
                "fan-out": f"SELECT a.id, COUNT(DISTINCT b.id), TOTAL({amount}), COUNT(x.{r.row_id}) {join}",
                "distinct": f"SELECT a.id, COUNT(DISTINCT b.id), TOTAL(DISTINCT {amount}), COUNT(x.{r.row_id}) {join}",
                "null": right.replace("TOTAL", "SUM"),
                "count": f"SELECT a.id, COUNT(b.id), TOTAL({amount}), COUNT(x.{r.row_id}) {join}",
                "inner": right + f" AND EXISTS ({mine})",
            }
        case q if "how many have any other" in q:
            parts = (f"{kind} = '{word}'", f"{kind} = '{other}'", f"{kind} <> '{word}' AND {kind} <> '{other}'")
            cells = ", ".join(f"(SELECT COUNT(*) {of} AND {part})" for part in parts)
            right = f"SELECT a.id, {cells} FROM {P} WHERE {who}"
            made = {
                "all": right.replace(f"{kind} <> '{word}' AND {kind} <> '{other}'", "1"),
                "first": right.replace(f"{kind} <> '{word}' AND ", ""),
                "nocase": right.replace(f"{kind} = '", f"lower({kind}) = '"),
                "nocase other": right.replace(f"{kind} <> '", f"lower({kind}) <> '"),
                "turned": right.replace(f"{kind} = '{word}'", "?")
                .replace(f"{kind} = '{other}'", f"{kind} = '{word}'")
                .replace("?", f"{kind} = '{other}'"),
                "inner": right + f" AND EXISTS ({mine})",
                "constant 0": f"SELECT a.id, 0, 0, 0 FROM {P} WHERE {who}",
            }
        case _:
            return None
    return right, made
